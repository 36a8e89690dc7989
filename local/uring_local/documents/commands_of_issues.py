"""`uring documents`: issues of pages, and edits of them; see `commands`."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from uring_local.options import Json

Severity = Literal["low", "medium", "high", "critical"]
State = Literal["open", "resolved", "archived"]
IfMatch = Annotated[str | None, Parameter(name="--if-match", metavar="ETAG")]


def issues(
    page: str,
    /,
    *,
    stack: str,
    state: State | None = None,
    severity: Severity | None = None,
    stale: bool = False,
    as_json: Json = False,
) -> bool:
    """List the issues of a page, the gravest first.

    Args:
        page: its id.
        stack: the deployed stack's name.
        state: only issues in this state.
        severity: only issues of this severity.
        stale: only issues whose policies have changed since.
        as_json: print one JSON object.
    """
    from uring_local.documents import issues as module
    from uring_local.documents.client import answered

    given = {"state": state, "severity": severity, "stale": "true" if stale else None}
    wanted = {name: value for name, value in given.items() if value}
    return answered(
        stack,
        lambda client: module.show_issues(client, page, wanted, as_json=as_json),
        as_json=as_json,
    )


def issue(page: str, issue: str, /, *, stack: str, as_json: Json = False) -> bool:
    """Show an issue: its description, its notes, and the states that it can go to.

    Args:
        page: its id.
        issue: the issue's id.
        stack: the deployed stack's name.
        as_json: print one JSON object.
    """
    from uring_local.documents import issues as module
    from uring_local.documents.client import answered

    return answered(
        stack,
        lambda client: module.show_issue(client, page, issue, as_json=as_json),
        as_json=as_json,
    )


def history(page: str, issue: str, /, *, stack: str, as_json: Json = False) -> bool:
    """Show the newest edits of an issue: when, by whom, from which value to which.

    Args:
        page: its id.
        issue: the issue's id.
        stack: the deployed stack's name.
        as_json: print one JSON object.
    """
    from uring_local.documents import issues as module
    from uring_local.documents.client import answered

    return answered(
        stack,
        lambda client: module.show_history(client, page, issue, as_json=as_json),
        as_json=as_json,
    )


def classify(
    page: str,
    issue: str,
    severity: Severity,
    /,
    *,
    stack: str,
    if_match: IfMatch = None,
    as_json: Json = False,
) -> bool:
    """Give an issue another severity.

    Exit code 1 if it is refused: another edit came first, or another edit is under way.

    Args:
        page: its id.
        issue: the issue's id.
        severity: low, medium, high or critical.
        stack: the deployed stack's name.
        if_match: edit this version alone; by default the current one.
        as_json: print the issue as one JSON object.
    """
    return _edit(page, issue, "classify", {"severity": severity}, stack, if_match, as_json)


def annotate(
    page: str,
    issue: str,
    notes: str | None = None,
    /,
    *,
    stack: str,
    file: Path | None = None,
    if_match: IfMatch = None,
    as_json: Json = False,
) -> bool:
    """Replace the notes of an issue.

    Exit code 1 if it is refused: another edit came first, or another edit is under way.

    Args:
        page: its id.
        issue: the issue's id.
        notes: Markdown; empty removes them.
        stack: the deployed stack's name.
        file: a file with the notes, in their place.
        if_match: edit this version alone; by default the current one.
        as_json: print the issue as one JSON object.
    """
    if (notes is None) == (file is None):
        print("write either the notes or --file")
        return False
    text = notes if file is None else file.read_text(encoding="utf-8", errors="replace")
    return _edit(page, issue, "annotate", {"notes": text}, stack, if_match, as_json)


def transition(
    page: str,
    issue: str,
    state: State,
    /,
    *,
    stack: str,
    if_match: IfMatch = None,
    as_json: Json = False,
) -> bool:
    """Bring an issue into another state.

    Exit code 1 if it is refused: the issue cannot go to this state from its own, another edit came
    first, or another edit is under way.

    Args:
        page: its id.
        issue: the issue's id.
        state: open, resolved or archived.
        stack: the deployed stack's name.
        if_match: edit this version alone; by default the current one.
        as_json: print the issue as one JSON object.
    """
    return _edit(page, issue, "transition", {"state": state}, stack, if_match, as_json)


def _edit(
    page: str,
    issue: str,
    name: str,
    body: dict[str, Any],
    stack: str,
    if_match: str | None,
    as_json: bool,  # noqa: FBT001
) -> bool:
    from uring_local.documents import issues as module
    from uring_local.documents.client import answered

    return answered(
        stack,
        lambda client: module.edit(
            client, page, issue, name, body, if_match=if_match, as_json=as_json
        ),
        as_json=as_json,
    )
