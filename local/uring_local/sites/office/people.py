"""The people of the office: they submit jobs, edit and read, through the HTTP API."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import quote, urlencode

from uring_local.language.translating import untranslated
from uring_local.sites.office.actions import FIELDS, Edit, Refused, Submit
from uring_local.sites.office.diary import Diary
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.papers import letters
from uring_local.sites.office.post import Post, Response

_MOST_TRIES: Final = 20
_MOST_PAGES: Final = 20
_OK, _ACCEPTED, _NOT_MODIFIED = 200, 202, 304
_NOT_FOUND, _CONFLICT, _STALE, _LOCKED, _BLIND = 404, 409, 412, 423, 428
_REFUSED: Final = {"stale": _STALE, "blind": _BLIND, "illegal": _CONFLICT, "unknown": _NOT_FOUND}
_NOBODY: Final = "00000000-0000-4000-8000-000000000000"


class People:
    """The people who use the API.

    Args:
        post: sends their requests.
        diary: notes faults.
    """

    def __init__(self, post: Post, diary: Diary) -> None:
        self._ask = post.request
        self._diary = diary

    def submit(self, action: Submit) -> list[str]:
        """Submit a job `times` times at once; return the ids, empty for a refused one."""
        said: dict[str, str] = {"operation": action.operation}
        said |= {"source": action.source} if action.source else {}
        said |= {"language": action.language} if action.language else {}

        def one(_: int) -> str:
            answer = self._ask("POST", f"{_path(action.page)}/jobs", said)
            if answer.status != _ACCEPTED:
                self._complain(f"{action}: {answer.status}: {answer.document}")
            return str(answer.document.get("id", ""))

        return _at_once(one, range(action.times))

    def job(self, page: str, id_: str) -> Response:
        """Read the status of a job of a page."""
        return self._ask("GET", f"{_path(page)}/jobs/{id_}")

    def edit(self, action: Edit) -> list[dict[str, Any]]:
        """Send all edits at once, each until it is accepted; return the accepted ones."""
        first = self._find(action)
        if first is None:
            return []

        def one(value: str) -> dict[str, Any] | None:
            id_, etag = first["id"], first["etag"]
            path = f"{_path(action.page)}/issues/{id_}"
            said = {FIELDS[action.kind]: value}
            for _ in range(_MOST_TRIES):
                answer = self._ask("POST", f"{path}/{action.kind}", said, {"if-match": etag})
                if answer.status == _OK:
                    version = answer.document["version"]
                    # An edit that changes nothing is accepted without a new version.
                    is_new = etag != answer.document["etag"]
                    return {"issue": id_, "value": value, "version": version, "is_new": is_new}
                if answer.status not in (_STALE, _LOCKED):
                    self._complain(f"{action}: {answer.status}: {answer.document}")
                    return None
                etag = self._ask("GET", path).document.get("etag", "")
            self._complain(f"{action}: not accepted in {_MOST_TRIES} tries")
            return None

        return [each for each in _at_once(one, action.values) if each is not None]

    def be_refused(self, action: Refused) -> None:
        """Send an edit that must change nothing; note a fault if it is answered otherwise."""
        issue = self._find(action)
        if issue is None:
            return
        path = f"{_path(action.page)}/issues/"
        path += f"{_NOBODY if action.why == 'unknown' else issue['id']}/"
        etag = f'"v{issue["version"] - 1}"' if action.why == "stale" else issue["etag"]
        headers = {} if action.why == "blind" else {"if-match": etag}
        to = {"state": _refused_state(action.why, issue["state"])}
        expected = _OK if to["state"] == issue["state"] else _REFUSED[action.why]
        for _ in range(_MOST_TRIES):
            answer = self._ask("POST", f"{path}transition", to, headers)
            # The worker may have written the issue since it was read.
            moved = action.why == "illegal" and answer.status == _STALE
            if answer.status != _LOCKED and not moved:
                break
            headers = {"if-match": answer.document.get("etag", etag)}
        if answer.status != expected:
            self._complain(f"{action}: {answer.status}: {answer.document}")

    def _find(self, action: Edit | Refused) -> Mapping[str, Any] | None:
        """Return the issue of an action; if there is none, note a fault and return None."""
        for issue in self._listed(action.page, "issues"):
            sources = {each["source"] for each in issue["references"]}
            if issue["title"] == action.words and sources == action.sources:
                return issue
        self._complain(f"{action}: there is no such issue")
        return None

    def _listed(self, page: str, what: str) -> list[Mapping[str, Any]]:
        """Return all policies or issues of a page; `what` is the name of the list.

        On a wrong status it returns the entries so far and notes a fault.
        """
        found: list[Mapping[str, Any]] = []
        query = {"limit": "3"}
        for _ in range(_MOST_PAGES):
            answer = self._ask("GET", f"{_path(page)}/{what}?{urlencode(query)}")
            if answer.status != _OK:
                self._complain(f"{what} of {page}: {answer.status}: {answer.document}")
                return found
            found += answer.document[what]
            if not answer.document["next"]:
                return found
            query["after"] = answer.document["next"]
        self._complain(f"{what} of {page}: more than {_MOST_PAGES} lists")
        return found

    def read(self, page: str, expected: PageState) -> None:
        """Read all texts that the API lists as current, and all issues; note old texts as faults.

        Args:
            page: to read, while other people work on it.
            expected: its state, with the attachments that are in the bucket now.
        """
        for policy in self._listed(page, "policies"):
            source = policy["source"]
            if source not in expected.attachments:
                self._complain(f"{page}: {source} is listed, but not in the bucket")
                continue
            whole = expected.attachments[source][0].letters
            for text in (policy["original"], *policy["translations"]):
                if text and text["is_current"] and text["outcome"] == "text":
                    self._read_text(page, source, text["language"], whole)
        for issue in self._listed(page, "issues"):
            path = f"{_path(page)}/issues/{issue['id']}"
            answer = self._ask("GET", path)
            if answer.status == _NOT_FOUND:
                continue
            if answer.headers.get("etag") != answer.document.get("etag"):
                self._complain(f"{path}: two tags: {answer.headers}")

    def _read_text(self, page: str, source: str, language: str, whole: str) -> None:
        query = f"?language={language}" if language else ""
        path = f"{_path(page)}/policies/{quote(source)}{query}"
        answer = self._ask("GET", path)
        if answer.status == _NOT_FOUND or not answer.document.get("is_current"):
            # The text was cleared or forgotten after the list was read.
            return
        said = untranslated(answer.document["text"])
        # Of a long text the API sends the beginning.
        if not whole.startswith(letters(said)) or not said:
            self._complain(f"{page}: {source} {language}: an old text as the current one")
        again = self._ask("GET", path, None, {"if-none-match": answer.headers["etag"]})
        if again.status not in (_OK, _NOT_MODIFIED, _NOT_FOUND):
            self._complain(f"{path}: {again.status}: {again.document}")

    def _complain(self, fault: str) -> None:
        self._diary.complain(fault[:600])


def _refused_state(why: str, state: str) -> str:
    """Return the state for an edit that changes nothing, of an issue in a state."""
    if why == "illegal":
        # Only an archived issue has a state that it cannot go to; others keep theirs.
        return "resolved" if state == "archived" else state
    return "open" if state == "archived" else "archived"


def _path(page: str) -> str:
    """Return the path of a page in the API."""
    return f"/api/v1/pages/{quote(page)}"


def _at_once(work: Callable[[Any], Any], each: Sequence[Any] | range) -> list[Any]:
    if len(each) == 1:
        return [work(each[0])]
    with ThreadPoolExecutor(len(each)) as pool:
        return list(pool.map(work, each))
