"""`uring documents policies` and `policy`: attachments and their texts."""

import json
from pathlib import Path

from uring_local.documents import view
from uring_local.documents.client import ApiRefused, DocumentClient
from uring_local.documents.waiting import awaited, submitted, told
from uring_local.words import counted

_NOT_FOUND = 404


def show_policies(
    client: DocumentClient, page: str, *, refresh: bool, wait: bool, as_json: bool
) -> bool:
    """Print the attachments of a page; return whether there are any.

    With ``refresh`` their texts are extracted first. Without ``wait``, or if that fails, the job is
    printed instead, and the return value says whether it did not fail.
    """
    if refresh:
        job = submitted(client, page, {"operation": "policies"}, wait=wait)
        if not wait or job["state"] == "failed":
            return told(job, as_json=as_json)
    listing = client.policies(page)
    policies = listing.entries
    if as_json:
        told_too = {"left_out": listing.left_out, "unreadable": listing.unreadable}
        print(json.dumps({"policies": policies, **told_too}, ensure_ascii=False))
        return bool(policies)
    if policies:
        view.show_policies(policies)
    else:
        print("no attachments; `uring documents upload` adds one")
    view.show_rest(listing.left_out, listing.unreadable)
    return bool(policies)


def show_policy(
    client: DocumentClient,
    page: str,
    source: str,
    language: str,
    *,
    wait: bool,
    output: Path | None,
    as_json: bool,
) -> bool:
    """Print the text of a policy, or write it to a file; return whether there is a current text.

    If the text has to be made and the job fails, the job is printed instead.

    Args:
        client: of the API.
        page: the page's id.
        source: the attachment's name.
        language: to translate into; empty for the original.
        wait: have a missing or outdated text made first.
        output: the file; None for the terminal.
        as_json: print the text and its properties as JSON.
    """
    policy = _found(client, page, source, language) if wait else None
    if wait and (policy is None or not policy["is_current"]):
        body = {"operation": "policy", "source": source, "language": language}
        job = awaited(client, submitted(client, page, body, wait=False))
        if job["state"] == "failed":
            return told(job, as_json=as_json)
        policy = None
    policy = policy or client.policy(page, source, language)
    if output:
        output.write_text(policy["text"], encoding="utf-8")
        print(f"{counted(policy['characters'], 'character')} written to {output}")
    elif as_json:
        print(json.dumps(policy, ensure_ascii=False))
    else:
        view.show_text(policy)
    return bool(policy["is_current"] and policy["outcome"] == "text")


def _found(client: DocumentClient, page: str, source: str, language: str) -> view.Shown | None:
    try:
        return client.policy(page, source, language)
    except ApiRefused as refused:
        if refused.answer.status != _NOT_FOUND:
            raise
        return None
