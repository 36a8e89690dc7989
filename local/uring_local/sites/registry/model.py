"""Registries, their pages, and the files behind the rows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final, Literal

from uring_local.sites.files.paper import Paper, Table, table
from uring_local.sites.registry.supplements import InForce, Supplement, in_force

Format = Literal["pdf", "hwpx", "html"]
Fate = Literal["sound", "error_page", "missing", "busy", "encrypted", "scanned", "bomb"]
Trouble = Literal["", "http_503", "no_answer", "hangs_up", "login", "half", "empty"]

OPENED: Final = datetime.fromisoformat("2026-03-02T16:00:00Z")
"""The first day."""
SILENT: Final = frozenset({"http_503", "no_answer", "hangs_up", "login"})
"""Troubles during which no list is served."""
CONTENTS: Final[Mapping[str, int]] = MappingProxyType({"총칙": 1, "이사회": 3, "의료": 5})
"""The chapters of a file, each with the number of its first article."""
FEWEST_ARTICLES: Final = 6
"""The articles of a file at least, so that each chapter has some."""
MARK: Final = "<개정 2026. 3. 9.>"
"""A mark of amendment, which changes no word."""
_MARKS: Final = re.compile(f" ?{re.escape(MARK)}")


@dataclass(frozen=True)
class Registry:
    """A registry on its site.

    Attributes:
        id: of its entry.
        path: of the list.
        key: in the query of the list, and at first in every link.
        size: number of regulations on the first day.
        formats: of its files.
        stories: number of each story in a month, see `uring_local.sites.registry.stories`.
        troubles: each lasts one day a month.
        traps: each is on the page for some days a month.
    """

    id: str
    name: str
    path: str
    key: str
    size: int
    formats: tuple[Format, ...]
    stories: Mapping[str, int]
    troubles: tuple[Trouble, ...]
    traps: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A row of the list.

    Attributes:
        title: in the cell.
        file_no: of both links; letters in it are a trap.
        chapter: number of its chapter, from 0.
        key: in the query of both links.
        label: the text of its links' ``title`` attributes; empty for the title.
        is_comment: whether it is inside an HTML comment.
    """

    title: str
    file_no: str
    chapter: int
    key: str
    label: str = ""
    is_comment: bool = False


@dataclass(frozen=True)
class Page:
    """The list on one day, in order, and the trouble that replaces it."""

    rows: tuple[Row, ...]
    trouble: Trouble = ""

    @property
    def served(self) -> tuple[Row, ...]:
        """The rows that the site sends; empty where another page, or nothing, replaces the list."""
        if self.trouble == "half":
            return self.rows[: len(self.rows) // 2]
        return () if self.trouble else self.rows


@dataclass(frozen=True)
class Article:
    """An article: ``number`` is 제3조 or 제3조의2. Without a heading its text says "deleted"."""

    number: str
    heading: str
    text: str

    @property
    def chapter(self) -> int:
        """The number of the article's chapter, from 1."""
        number = int(self.number.removeprefix("제").partition("조")[0])
        return sum(first <= number for first in CONTENTS.values())

    @property
    def paragraph(self) -> str:
        """The article's paragraph in the file."""
        return f"{self.number}{f'({self.heading})' if self.heading else ''} {self.text}"


@dataclass(frozen=True)
class File:
    """A file behind a row.

    Attributes:
        number: its fileNo.
        title: at its head; a renamed regulation keeps its file.
        supplements: the oldest first.
        schedule: rows of the schedule at its end; () without one.
        fate: its fault, or ``sound``.
        until: the last day of the fault; 0 for a lasting one.
    """

    number: str
    title: str
    format: Format
    articles: tuple[Article, ...]
    supplements: tuple[Supplement, ...]
    schedule: tuple[tuple[str, str], ...] = ()
    fate: Fate = "sound"
    until: int = 0

    def fate_on(self, day: int) -> Fate:
        """Return its fault on a day, or ``sound``."""
        return "sound" if self.until and day > self.until else self.fate

    @property
    def paper(self) -> Paper:
        """Its content, in chapters."""
        paragraphs: list[str | Table] = []
        for number, name in enumerate(CONTENTS, start=1):
            # An article stays in its chapter, whatever comes and goes.
            part = [each for each in self.articles if each.chapter == number]
            paragraphs += [f"제{number}장 {name}"] * bool(part)
            paragraphs += [article.paragraph for article in part]
        for supplement in self.supplements:
            paragraphs += [supplement.heading, supplement.sentence]
        if self.schedule:
            paragraphs += ["[별표 1] 처리 기준", table(("구분", "기준"), *self.schedule)]
        return Paper(self.title, tuple(paragraphs))


def changes(old: File, new: File) -> dict[str, str]:
    """Return the kind of change of each article and supplement, by key; no unchanged ones.

    A ``removed`` article is missing from the new file; a ``deleted`` article is still there, with
    a note in place of its text. Marks of amendment are no change.
    """
    before, after = _pieces(old), _pieces(new)
    kinds = {key: "removed" for key in before if key not in after}
    for key, piece in after.items():
        if key not in before:
            kinds[key] = "added"
        elif piece != before[key]:
            is_deleted = isinstance(piece, Article) and not piece.heading
            kinds[key] = "deleted" if is_deleted else "changed"
    return kinds


def _pieces(file: File) -> dict[str, Article | Supplement]:
    pieces: dict[str, Article | Supplement] = {
        each.number: replace(each, text=_MARKS.sub("", each.text)) for each in file.articles
    }
    return pieces | {each.key: each for each in file.supplements}


def in_force_of_change(old: File, new: File) -> InForce:
    """Return when a change comes into force, by the supplements that the old file lacks."""
    before = {each.key for each in old.supplements}
    return in_force([each for each in new.supplements if each.key not in before])


def date_of(day: int) -> date:
    """Return the date of a day in UTC."""
    return (OPENED + timedelta(days=day - 1)).date()


@dataclass(frozen=True)
class Note:
    """A step of the script: an operation, its day, and the title of its regulation."""

    day: int
    story: str
    operation: str
    title: str = ""


BYEOLHA: Final = Registry(
    id="byeolha_regulations",
    name="별하대학교 규정집",
    path="/www/rules.do",
    key="610",
    size=40,
    formats=("pdf", "pdf", "hwpx"),
    stories=MappingProxyType(
        {
            "new": 3,
            "revised": 6,
            "uploaded_again": 1,
            "renamed": 2,
            "renamed_by_a_space": 1,
            "renamed_then_revised": 1,
            "renamed_and_uploaded": 1,
            "renamed_by_a_mark": 1,
            "marked": 1,
            "deleted": 2,
            "away": 2,
            "returned": 1,
            "returned_revised": 1,
            "relinked": 1,
            "relinked_page": 1,
            "error_page": 1,
            "error_page_then_revised": 1,
            "missing": 1,
            "busy": 2,
            "encrypted": 1,
            "scanned": 1,
            "scanned_then_deleted": 1,
            "bomb": 1,
            "missing_then_renamed": 1,
            "encrypted_then_renamed": 1,
            "missing_then_returned": 1,
            "away_and_renamed": 1,
            "replaced": 1,
            "replaced_then_revised": 1,
            "returned_renamed": 1,
            "swapped": 1,
            "swapped_and_replaced": 1,
        }
    ),
    troubles=("http_503", "no_answer", "hangs_up", "login", "half", "empty"),
    traps=("letters", "no_title", "twice", "repeated", "changed_places"),
)
MULGYEOL: Final = Registry(
    id="mulgyeol_rules",
    name="은물결대학교 규정",
    path="/law/list.do",
    key="77",
    size=15,
    formats=("html",),
    stories=MappingProxyType(
        {"new": 1, "revised": 2, "renamed": 1, "deleted": 1, "missing": 1, "busy": 1}
    ),
    troubles=("http_503", "half"),
    traps=("no_title",),
)
REGISTRIES: Final = (BYEOLHA, MULGYEOL)
