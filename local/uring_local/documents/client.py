"""The operations of the documents' API, with requests signed by the caller's AWS credentials."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import boto3

from uring.errors import UringError
from uring_local.operate.bucket import deployed_with
from uring_local.operate.problems import problem_lines
from uring_local.operate.signed import ApiAnswer, SignedApi, api_address, segment

_API: Final = "DocumentApi"
_MOST_PAGES: Final = 1_000


class ApiRefused(UringError):
    """The API refused a request.

    Attributes:
        answer: the API's response, with the reason.
    """

    def __init__(self, answer: ApiAnswer) -> None:
        super().__init__("\n".join(problem_lines(answer)))
        self.answer = answer


@dataclass(slots=True)
class WholeList:
    """A whole list.

    Attributes:
        entries: as the API sends them.
        left_out: objects that are not attachments, each with its name and the reason.
        unreadable: the number of entries that the API cannot read.
    """

    entries: list[Mapping[str, Any]] = field(default_factory=list)
    left_out: list[Mapping[str, Any]] = field(default_factory=list)
    unreadable: int = 0


class DocumentClient:
    """The API's operations; each raises `ApiRefused`, Unavailable or Misconfigured."""

    def __init__(self, api: SignedApi) -> None:
        self._api = api

    def policies(self, page: str) -> WholeList:
        """Return the attachments of a page."""
        return self._listed(f"{_page(page)}/policies", "policies", {})

    def policy(self, page: str, source: str, language: str) -> Mapping[str, Any]:
        """Return a whole text with its properties; an empty language means the original.

        The parts are read again from the first if the text was replaced between two of them.
        """
        path = f"{_page(page)}/policies/{segment(source)}"
        query = {"limit": "200000", **({"language": language} if language else {})}
        first = self._got(path, query).document
        parts, part = [first["text"]], first
        while part["next_offset"] is not None:
            part = self._got(path, {**query, "offset": str(part["next_offset"])}).document
            if part["sha256"] != first["sha256"]:
                # The text was replaced between two parts.
                return self.policy(page, source, language)
            parts.append(part["text"])
        return {**first, "text": "".join(parts), "next_offset": None}

    def issues(self, page: str, wanted: Mapping[str, str]) -> WholeList:
        """Return the issues of a page; ``wanted`` selects some by query parameters."""
        return self._listed(f"{_page(page)}/issues", "issues", wanted)

    def issue(self, page: str, issue: str) -> Mapping[str, Any]:
        """Return an issue."""
        return self._got(_issue(page, issue)).document

    def history(self, page: str, issue: str) -> Sequence[Mapping[str, Any]]:
        """Return the newest edits of an issue, newest first."""
        return list(self._got(f"{_issue(page, issue)}/history").document["edits"])

    def edit(
        self, page: str, issue: str, name: str, body: Mapping[str, Any], if_match: str
    ) -> Mapping[str, Any]:
        """Edit an issue; return the edited issue."""
        path = f"{_issue(page, issue)}/{name}"
        return _taken(self._api.post(path, body, {"If-Match": if_match})).document

    def submit(self, page: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Submit a job; return its status. While such a job is open, it is the same job."""
        return _taken(self._api.post(f"{_page(page)}/jobs", body)).document

    def job(self, page: str, job: str, wait: int = 0) -> Mapping[str, Any]:
        """Return a job's status, once it has ended or after ``wait`` seconds."""
        query = {"wait": str(wait)} if wait else {}
        return self._got(f"{_page(page)}/jobs/{segment(job)}", query).document

    def _listed(self, path: str, name: str, query: Mapping[str, str]) -> WholeList:
        listing = WholeList()
        more: str | None = ""
        for _ in range(_MOST_PAGES):
            if more is None:
                break
            # A part may be empty and have a next one.
            document = self._got(path, {**query, **({"after": more} if more else {})}).document
            listing.entries += document[name]
            listing.left_out += document.get("left_out", ())
            listing.unreadable += document.get("unreadable", 0)
            more = document["next"]
        return listing

    def _got(self, path: str, query: Mapping[str, str] | None = None) -> ApiAnswer:
        return _taken(self._api.get(path, query))


def open_client(stack: str) -> DocumentClient:
    """Return a client of a deployed stack's API.

    Raises:
        Misconfigured: there is no such stack, or it has no API of documents.
    """
    base = api_address(deployed_with(stack, "documents").outputs, name=_API, stack=stack)
    return DocumentClient(SignedApi(base, boto3.Session()))


def answered(stack: str, work: Callable[[DocumentClient], bool], *, as_json: bool) -> bool:
    """Do some work with a stack's API; return its result, or False if the API refuses.

    Args:
        stack: the deployed stack's name.
        work: asks the API and prints the response.
        as_json: print a refusal as JSON, too.
    """
    try:
        return work(open_client(stack))
    except ApiRefused as refused:
        answer = refused.answer
        if as_json:
            print(json.dumps({"status": answer.status, **answer.document}, ensure_ascii=False))
        else:
            print(refused)
        return False


def _taken(answer: ApiAnswer) -> ApiAnswer:
    if not answer.is_success or not answer.document:
        raise ApiRefused(answer)
    return answer


def _page(page: str) -> str:
    return f"/api/v1/pages/{segment(page)}"


def _issue(page: str, issue: str) -> str:
    return f"{_page(page)}/issues/{segment(issue)}"
