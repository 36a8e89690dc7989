"""Readers, who check at any moment that a text shown as current is the newest."""

from uring_local.language.translating import untranslated
from uring_local.sites.office.diary import Diary
from uring_local.sites.office.ledger import PageState
from uring_local.sites.office.papers import letters
from uring_local.sites.office.staff.people import Api, People, page_path

_OK, _NOT_MODIFIED, _NOT_FOUND = 200, 304, 404


class Reader:
    """A reader of whole pages, while other people work on them."""

    def __init__(self, api: Api, people: People, diary: Diary) -> None:
        self._api = api
        self._people = people
        self._diary = diary

    def read(self, page: str, expected: PageState) -> None:
        """Read all texts that the API lists as current, and all issues; note faults in the diary.

        Args:
            page: to read.
            expected: its state, with the attachments that are in the bucket now.
        """
        for policy in self._people.listed(page, "policies"):
            source = policy["source"]
            if source not in expected.attachments:
                self._diary.complain(f"{page}: {source} is listed, but not in the bucket")
                continue
            for text in (policy["original"], *policy["translations"]):
                if text and text["is_current"] and text["outcome"] == "text":
                    self._text(page, source, text["language"], expected)
        for issue in self._people.listed(page, "issues"):
            self._issue(page, issue["id"])

    def _text(self, page: str, source: str, language: str, expected: PageState) -> None:
        answer = self._people.text(page, source, language)
        if answer.status == _NOT_FOUND or not answer.document.get("is_current"):
            # The text was cleared or forgotten after the list was read.
            return
        said = untranslated(answer.document["text"])
        whole = expected.attachments[source][0].letters
        if not whole.startswith(letters(said)) or not said:
            self._diary.complain(f"{page}: {source} {language}: an old text as the current one")
        query = f"?language={language}" if language else ""
        path = f"{page_path(page)}/policies/{source}{query}"
        again = self._api("GET", path, None, {"if-none-match": answer.headers["etag"]})
        if again.status not in (_OK, _NOT_MODIFIED, _NOT_FOUND):
            self._diary.complain(f"{path}: {again.status}: {again.document}")

    def _issue(self, page: str, issue: str) -> None:
        path = f"{page_path(page)}/issues/{issue}"
        answer = self._api("GET", path)
        if answer.status == _NOT_FOUND:
            return
        if answer.headers.get("etag") != answer.document.get("etag"):
            self._diary.complain(f"{path}: two tags: {answer.headers}")
