"""Edits of issues. Each names the version that it edits (If-Match), so that no edit is lost."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Final

from uring.documents.api.answers import key_reused, sent
from uring.documents.api.callers import caller
from uring.documents.api.fields import IdempotencyKey, IfMatch, IssuePath, PagePath, key_of
from uring.documents.api.issues import ETAG, NO_ISSUE, PATH, no_such_issue
from uring.documents.api.models import (
    Annotate,
    Classify,
    ConflictProblem,
    IssueBody,
    LockedProblem,
    StaleProblem,
    Transition,
    etag_of,
)
from uring.documents.edits import (
    Author,
    EditSuperseded,
    EditUnderWay,
    Holds,
    IllegalTransition,
    IssueEditor,
    KeyReused,
    NoSuchIssue,
)
from uring.documents.store.issues import StoredIssue
from uring.locks import LockTimeoutError
from uring.runtime.document import FieldProblems, ProblemDetails
from uring.runtime.etags import is_match
from uring.runtime.http import Answer, Problem
from uring.runtime.openapi import Body
from uring.runtime.routes import Route, RouteResponse

_LONGEST_WAIT: Final = 10
_MILLISECONDS: Final = 1000
_REPLIES: Final = {
    200: RouteResponse("the issue as it is now", IssueBody, ETAG),
    400: RouteResponse(
        "the body is not JSON in UTF-8, or If-Match is not a list of tags", FieldProblems
    ),
    404: NO_ISSUE,
    409: RouteResponse(
        "its state does not allow it, or the request with this Idempotency-Key is under way",
        ConflictProblem,
    ),
    412: RouteResponse("another edit came first: read the issue again", StaleProblem, ETAG),
    423: RouteResponse(
        "another request has locked it", LockedProblem, {"Retry-After": "seconds to wait"}
    ),
    428: RouteResponse("If-Match is missing", ProblemDetails),
}


class EditRoutes:
    """The operations that edit issues."""

    def __init__(self, editor: IssueEditor) -> None:
        self._editor = editor

    def routes(self) -> list[Route]:
        """Return the operations."""
        return [
            _route("classify", self.classify_issue),
            _route("annotate", self.annotate_issue),
            _route("transition", self.transition_issue),
        ]

    def classify_issue(
        self,
        page: PagePath,
        issue: IssuePath,
        edit: Annotated[Classify, Body()],
        if_match: IfMatch,
        idempotency_key: IdempotencyKey = "",
    ) -> Answer:
        """Set the severity of an issue.

        An edit that the issue has already is done: 200 with the newest ETag, whatever If-Match
        says. An Idempotency-Key is kept with the newest 50 edits of the issue.
        """
        holds, author = _condition(if_match), Author(caller(), key_of(idempotency_key))
        with _problems():
            return _edited(self._editor.classify(page, issue, edit.severity, holds, author))

    def annotate_issue(
        self,
        page: PagePath,
        issue: IssuePath,
        edit: Annotated[Annotate, Body()],
        if_match: IfMatch,
        idempotency_key: IdempotencyKey = "",
    ) -> Answer:
        """Replace the notes of an issue.

        An edit that the issue has already is done: 200 with the newest ETag, whatever If-Match
        says. An Idempotency-Key is kept with the newest 50 edits of the issue.
        """
        holds, author = _condition(if_match), Author(caller(), key_of(idempotency_key))
        with _problems():
            return _edited(self._editor.annotate(page, issue, edit.notes, holds, author))

    def transition_issue(
        self,
        page: PagePath,
        issue: IssuePath,
        edit: Annotated[Transition, Body()],
        if_match: IfMatch,
        idempotency_key: IdempotencyKey = "",
    ) -> Answer:
        """Move an issue to another state.

        An edit that the issue has already is done: 200 with the newest ETag, whatever If-Match
        says. An Idempotency-Key is kept with the newest 50 edits of the issue.
        """
        holds, author = _condition(if_match), Author(caller(), key_of(idempotency_key))
        with _problems():
            return _edited(self._editor.transition(page, issue, edit.state, holds, author))


def _route(name: str, handler: Callable[..., Answer]) -> Route:
    return Route("POST", f"{PATH}/<issue>/{name}", handler, _REPLIES, "issues")


def _edited(issue: StoredIssue) -> Answer:
    return sent(IssueBody.of(issue), etag=etag_of(issue))


def _condition(if_match: str) -> Holds:
    """Return the condition in If-Match.

    Raises:
        Problem: 400, the header is malformed.
    """
    try:
        is_match(if_match, '""')
    except ValueError as error:
        detail = "correct If-Match and send it again"
        raise Problem(400, "Bad Request", detail, {"header.if-match": str(error)}) from None
    return lambda issue: is_match(if_match, etag_of(issue))


@contextmanager
def _problems() -> Iterator[None]:
    """Translate the editor's errors into problems."""
    try:
        yield
    except NoSuchIssue:
        raise no_such_issue() from None
    except EditSuperseded as error:
        raise _stale(error.current) from None
    except IllegalTransition as error:
        more = {"allowed": list(error.allowed)}
        raise Problem(409, "Conflict", str(error), more=more) from None
    except KeyReused:
        raise key_reused("edit of this issue") from None
    except EditUnderWay:
        detail = "the same request is under way: send it again in a few seconds"
        headers = {"Retry-After": str(_LONGEST_WAIT)}
        raise Problem(409, "Conflict", detail, more={"allowed": []}, headers=headers) from None
    except LockTimeoutError as error:
        raise _locked(error) from None


def _stale(current: StoredIssue) -> Problem:
    etag = etag_of(current)
    return Problem(
        412,
        "Precondition Failed",
        "another edit came first: GET the issue, and edit this version",
        more={"etag": etag},
        headers={"ETag": etag},
    )


def _locked(error: LockTimeoutError) -> Problem:
    blocker = error.blocker
    holder = (blocker.what or "another request") if blocker else "many requests"
    age = blocker.age_ms / _MILLISECONDS if blocker else 0.0
    free = blocker.free_in_ms / _MILLISECONDS if blocker else 0.0
    seconds = max(1, math.ceil(min(free, _LONGEST_WAIT)))
    return Problem(
        423,
        "Locked",
        f"locked by {holder} for {age:.0f} s: send it again in {seconds} s",
        more={"holder": holder, "age_seconds": age},
        headers={"Retry-After": str(seconds)},
    )
