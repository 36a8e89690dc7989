"""`uring documents`: attachments of pages, their texts and translations, jobs.

boto3, requests, pydantic and rich are imported where they are needed: the other commands, and
`--help`, do without them.
"""

from pathlib import Path

from uring_local.options import Json


def upload(
    page: str,
    /,
    *files: Path,
    stack: str,
    source: str | None = None,
) -> bool:
    """Upload files as attachments of a page; their texts are extracted soon after.

    Args:
        page: its id: letters, digits, dots, hyphens, underscores.
        files: each becomes the attachment of its name.
        stack: the deployed stack's name.
        source: another name, of a single file.
    """
    from uring_local.documents import attach

    attach.upload(page, files, source, stack)
    return True


def policies(
    page: str,
    /,
    *,
    stack: str,
    refresh: bool = False,
    wait: bool = False,
    as_json: Json = False,
) -> bool:
    """List the attachments of a page, with their texts and translations.

    Exit code 1 if there are none, or --refresh failed.

    Args:
        page: its id.
        stack: the deployed stack's name.
        refresh: have missing and outdated texts extracted.
        wait: until that is done, then list them.
        as_json: print one JSON object.
    """
    from uring_local.documents import texts
    from uring_local.documents.client import answered

    return answered(
        stack,
        lambda client: texts.show_policies(
            client, page, refresh=refresh, wait=wait, as_json=as_json
        ),
        as_json=as_json,
    )


def policy(
    page: str,
    source: str,
    /,
    *,
    stack: str,
    language: str = "",
    wait: bool = False,
    output: Path | None = None,
    as_json: Json = False,
) -> bool:
    """Print the text of an attachment, in its own language or another.

    Exit code 1 if there is no text, or the attachment has changed since.

    Args:
        page: its id.
        source: the attachment's name.
        stack: the deployed stack's name.
        language: the code of a language, such as en or ko, for the translation.
        wait: have a missing or outdated text made, and wait for it.
        output: write the text to this file.
        as_json: print one JSON object with the text and its properties.
    """
    from uring_local.documents import texts
    from uring_local.documents.client import answered

    return answered(
        stack,
        lambda client: texts.show_policy(
            client, page, source, language, wait=wait, output=output, as_json=as_json
        ),
        as_json=as_json,
    )


def analyse(page: str, /, *, stack: str, wait: bool = False, as_json: Json = False) -> bool:
    """Have the policies of a page analysed; `uring documents issues` lists the issues found.

    Policies that were analysed before cost nothing. Exit code 1 if the analysis failed.

    Args:
        page: its id.
        stack: the deployed stack's name.
        wait: until it is done.
        as_json: print one JSON object.
    """
    return _job(page, {"operation": "issues"}, stack, wait=wait, as_json=as_json)


def clear(
    page: str,
    /,
    *,
    stack: str,
    yes: bool = False,
    wait: bool = False,
    as_json: Json = False,
) -> bool:
    """Remove the texts and translations of a page, and its issues with their notes.

    Its attachments stay. Without --yes nothing is removed. Exit code 1 if nothing was removed.

    Args:
        page: its id.
        stack: the deployed stack's name.
        yes: remove it.
        wait: until it is done.
        as_json: print one JSON object.
    """
    if not yes:
        print("nothing is removed without --yes: the notes and states of issues cannot be restored")
        return False
    return _job(page, {"operation": "clear"}, stack, wait=wait, as_json=as_json)


def job(page: str, job: str, /, *, stack: str, wait: bool = False, as_json: Json = False) -> bool:
    """Show the state of a job of a page, its result, and who asked for it.

    An ended job is removed ten minutes after it was shown, else after a day. Exit code 1 if it
    failed, or there is no such job.

    Args:
        page: the page's id.
        job: its id.
        stack: the deployed stack's name.
        wait: until it has ended.
        as_json: print one JSON object.
    """
    from uring_local.documents.client import answered
    from uring_local.documents.waiting import awaited, told

    return answered(
        stack,
        lambda client: told(
            awaited(client, client.job(page, job)) if wait else client.job(page, job),
            as_json=as_json,
        ),
        as_json=as_json,
    )


def openapi() -> None:
    """Print the OpenAPI document of the HTTP API."""
    import json

    from uring.documents.api.app import openapi_document

    print(json.dumps(openapi_document(), ensure_ascii=False, indent=2))


def _job(page: str, body: dict[str, str], stack: str, *, wait: bool, as_json: bool) -> bool:
    from uring_local.documents.client import answered
    from uring_local.documents.waiting import submitted, told

    return answered(
        stack,
        lambda client: told(submitted(client, page, body, wait=wait), as_json=as_json),
        as_json=as_json,
    )
