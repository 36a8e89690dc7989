"""Issues of a page: the list, and single issues with their ETags."""

from typing import Final

from uring.documents.api.answers import ListRow, first_of, name_in, sent, unchanged
from uring.documents.api.fields import (
    After,
    IfNoneMatch,
    IssuePath,
    Limit,
    NotFoundTwice,
    PagePath,
    Severities,
    Stale,
    States,
)
from uring.documents.api.models import IssueBody, IssueHistory, IssueList, etag_of
from uring.documents.names import ISSUE_PREFIX
from uring.documents.store.issues import IssueStore, StoredIssue
from uring.runtime.document import ProblemDetails
from uring.runtime.http import Answer, Problem
from uring.runtime.routes import Route, RouteResponse

PATH: Final = "/api/v1/pages/<page>/issues"
ETAG: Final = {"ETag": "of the issue, for If-Match"}
NO_ISSUE: Final = RouteResponse("the page has no such issue", ProblemDetails)


class IssueRoutes:
    """The operations that read issues."""

    def __init__(self, store: IssueStore) -> None:
        self._store = store

    def routes(self) -> list[Route]:
        """Return the operations."""
        return [
            Route(
                "GET", PATH, self.list_issues, {200: RouteResponse("found", IssueList)}, "issues"
            ),
            Route(
                "GET",
                f"{PATH}/<issue>",
                self.get_issue,
                {
                    200: RouteResponse("the issue", IssueBody, ETAG),
                    304: RouteResponse("the caller has it already", headers=ETAG),
                    404: NO_ISSUE,
                },
                "issues",
            ),
            Route(
                "GET",
                f"{PATH}/<issue>/history",
                self.get_history,
                {200: RouteResponse("its edits", IssueHistory), 404: NO_ISSUE},
                "issues",
            ),
        ]

    def list_issues(
        self,
        page: PagePath,
        state: States = [],  # noqa: B006 - powertools wants the value itself
        severity: Severities = [],  # noqa: B006
        stale: Stale = "any",
        not_found_twice: NotFoundTwice = "any",
        limit: Limit = 50,
        after: After = "",
    ) -> Answer:
        """List the issues of a page, all or those of some states and severities.

        A part may be empty and have a `next`: the list ends where `next` is null. Issues that
        cannot be read are left out and counted.
        """
        behind = name_in(after, ISSUE_PREFIX)

        def is_wanted(issue: StoredIssue) -> bool:
            return (
                (not state or issue.state in state)
                and (not severity or issue.severity in severity)
                and stale in {"any", str(issue.is_stale).lower()}
                and not_found_twice in {"any", str(issue.not_found_twice).lower()}
            )

        rows = (
            ListRow(id_, IssueBody.of(each) if each and is_wanted(each) else None, each is None)
            for id_, each in self._store.each(page, behind)
        )
        part = first_of(rows, limit)
        return sent(IssueList(issues=part.items, next=part.next, unreadable=part.unreadable))

    def get_issue(
        self, page: PagePath, issue: IssuePath, if_none_match: IfNoneMatch = ""
    ) -> Answer:
        """Return an issue."""
        found = self._found(page, issue)
        etag = etag_of(found)
        return unchanged(if_none_match, etag) or sent(IssueBody.of(found), etag=etag)

    def get_history(self, page: PagePath, issue: IssuePath) -> Answer:
        """Return the newest edits of an issue: when, by whom, from which value to which."""
        return sent(IssueHistory.of(self._found(page, issue)))

    def _found(self, page: str, issue: str) -> StoredIssue:
        found = self._store.get(page, issue)
        if found is None:
            raise no_such_issue()
        return found


def no_such_issue() -> Problem:
    """Return the problem, a 404, for a missing issue."""
    return Problem(404, "Not Found", "the page has no such issue; list them")
