"""`uring documents issues`, `issue` and the edits of issues."""

import json
from collections.abc import Mapping
from typing import Any

from uring_local.documents import view
from uring_local.documents.client import DocumentClient


def show_issues(
    client: DocumentClient, page: str, wanted: Mapping[str, str], *, as_json: bool
) -> bool:
    """Print the issues of a page that fit ``wanted``, all if it is empty; return True."""
    listing = client.issues(page, wanted)
    issues = listing.entries
    if as_json:
        document = {"issues": issues, "unreadable": listing.unreadable}
        print(json.dumps(document, ensure_ascii=False))
        return True
    if issues:
        view.show_issues(issues)
    else:
        print("no such issues" if wanted else "no issues; `uring documents analyse` looks for some")
    view.show_rest((), listing.unreadable)
    return True


def show_issue(client: DocumentClient, page: str, issue: str, *, as_json: bool) -> bool:
    """Print an issue with its notes and references; return True."""
    return _told(client.issue(page, issue), as_json=as_json)


def show_history(client: DocumentClient, page: str, issue: str, *, as_json: bool) -> bool:
    """Print the newest edits of an issue; return True."""
    edits = client.history(page, issue)
    if as_json:
        print(json.dumps({"edits": edits}, ensure_ascii=False))
    elif edits:
        view.show_history(edits)
    else:
        print("no edits")
    return True


def edit(
    client: DocumentClient,
    page: str,
    issue: str,
    name: str,
    body: Mapping[str, Any],
    *,
    if_match: str | None,
    as_json: bool,
) -> bool:
    """Edit an issue, and print the edited issue; return True.

    Args:
        client: of the API.
        page: the page's id.
        issue: the issue's id.
        name: of the edit.
        body: of the request.
        if_match: ETag of the version to edit; None for the current one.
        as_json: print one JSON object.
    """
    etag = if_match or str(client.issue(page, issue)["etag"])
    return _told(client.edit(page, issue, name, body, etag), as_json=as_json)


def _told(issue: Mapping[str, Any], *, as_json: bool) -> bool:
    if as_json:
        print(json.dumps(issue, ensure_ascii=False))
    else:
        view.show_issue(issue)
    return True
