"""The people of the office: they submit jobs, edit and read, through the HTTP API."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from urllib.parse import quote, urlencode

from uring_local.sites.office.diary import Diary
from uring_local.sites.office.staff.actions import Edit, Refused, Submit

_MOST_TRIES: Final = 20
_MOST_PAGES: Final = 20
_OK, _ACCEPTED, _NOT_FOUND, _CONFLICT, _STALE, _LOCKED, _BLIND = 200, 202, 404, 409, 412, 423, 428
_VALUES: Final = {"classify": "severity", "annotate": "notes", "transition": "state"}
_NOBODY: Final = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class Response:
    """A response of the API.

    Attributes:
        document: the JSON object; empty without one.
        headers: names in lower case.
    """

    status: int
    document: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)


class Api(Protocol):
    """The HTTP API of documents; safe to share between threads."""

    def __call__(
        self,
        method: str,
        path: str,
        document: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request; return the response, with any status."""
        ...


class People:
    """The people who use the API.

    Args:
        api: of the run.
        diary: notes faults.
    """

    def __init__(self, api: Api, diary: Diary) -> None:
        self._api = api
        self._diary = diary

    def submit(self, action: Submit) -> list[str]:
        """Submit a job `times` times at once; return the ids, empty for a refused one."""
        said: dict[str, str] = {"operation": action.operation}
        said |= {"source": action.source} if action.source else {}
        said |= {"language": action.language} if action.language else {}

        def one(_: int) -> str:
            answer = self._api("POST", f"{page_path(action.page)}/jobs", said)
            if answer.status != _ACCEPTED:
                self._complain(f"{action}: {answer.status}: {answer.document}")
            return str(answer.document.get("id", ""))

        return _at_once(one, range(action.times))

    def job(self, id_: str) -> Response:
        """Read the status of a job."""
        return self._api("GET", f"/api/v1/jobs/{id_}")

    def edit(self, action: Edit) -> list[dict[str, Any]]:
        """Send all edits at once, each until it is accepted; return the accepted ones."""
        first = self.find(action.page, action.words, action.sources)
        if first is None:
            self._complain(f"{action}: there is no such issue")
            return []

        def one(value: str) -> dict[str, Any] | None:
            path = f"{page_path(action.page)}/issues/{first['id']}"
            etag = first["etag"]
            for _ in range(_MOST_TRIES):
                answer = self._api(
                    "POST",
                    f"{path}/{action.kind}",
                    {_VALUES[action.kind]: value},
                    {"if-match": etag},
                )
                if answer.status == _OK:
                    version = answer.document["version"]
                    # An edit that changes nothing is accepted without a new version.
                    is_new = etag != answer.document["etag"]
                    return {
                        "issue": first["id"],
                        "value": value,
                        "version": version,
                        "is_new": is_new,
                    }
                if answer.status not in (_STALE, _LOCKED):
                    self._complain(f"{action}: {answer.status}: {answer.document}")
                    return None
                etag = self._api("GET", path).document.get("etag", "")
            self._complain(f"{action}: not accepted in {_MOST_TRIES} tries")
            return None

        return [each for each in _at_once(one, action.values) if each is not None]

    def be_refused(self, action: Refused) -> None:
        """Send an edit that must be refused, and note a fault if it is not."""
        issue = self.find(action.page, action.words, action.sources)
        if issue is None:
            self._complain(f"{action}: there is no such issue")
            return
        path = f"{page_path(action.page)}/issues/"
        path += f"{_NOBODY if action.why == 'unknown' else issue['id']}/"
        etag = f'"v{issue["version"] - 1}"' if action.why == "stale" else issue["etag"]
        headers = {} if action.why == "blind" else {"if-match": etag}
        same = {"state": issue["state"]}
        expected = {"stale": _STALE, "blind": _BLIND, "illegal": _CONFLICT, "unknown": _NOT_FOUND}
        for _ in range(_MOST_TRIES):
            answer = self._api("POST", f"{path}transition", same, headers)
            # The worker may have written the issue since it was read.
            moved = action.why == "illegal" and answer.status == _STALE
            if answer.status != _LOCKED and not moved:
                break
            headers = {"if-match": answer.document.get("etag", etag)}
        if answer.status != expected[action.why]:
            self._complain(f"{action}: {answer.status}: {answer.document}")

    def find(self, page: str, words: str, sources: frozenset[str]) -> Mapping[str, Any] | None:
        """Return the issue with these words and sources; None if there is none."""
        for issue in self.listed(page, "issues"):
            if (
                issue["title"] == words
                and {each["source"] for each in issue["references"]} == sources
            ):
                return issue
        return None

    def listed(self, page: str, what: str) -> list[Mapping[str, Any]]:
        """Return all policies or issues of a page; `what` is the name of the list.

        On a wrong status it returns the entries so far and notes a fault.
        """
        found: list[Mapping[str, Any]] = []
        query = {"limit": "3"}
        for _ in range(_MOST_PAGES):
            answer = self._api("GET", f"{page_path(page)}/{what}?{urlencode(query)}")
            if answer.status != _OK:
                self._complain(f"{what} of {page}: {answer.status}: {answer.document}")
                return found
            found += answer.document[what]
            if not answer.document["next"]:
                return found
            query["after"] = answer.document["next"]
        self._complain(f"{what} of {page}: more than {_MOST_PAGES} lists")
        return found

    def text(self, page: str, source: str, language: str = "") -> Response:
        """Read a text; of a long text only the beginning."""
        query = f"?language={language}" if language else ""
        return self._api("GET", f"{page_path(page)}/policies/{quote(source)}{query}")

    def _complain(self, fault: str) -> None:
        self._diary.complain(fault[:600])


def page_path(page: str) -> str:
    """Return the path of a page in the API."""
    return f"/api/v1/pages/{quote(page)}"


def _at_once(work: Callable[[Any], Any], each: Sequence[Any] | range) -> list[Any]:
    if len(each) == 1:
        return [work(each[0])]
    with ThreadPoolExecutor(len(each)) as pool:
        return list(pool.map(work, each))
