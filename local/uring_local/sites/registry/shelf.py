"""The state of a registry while its script runs, and the operations on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from types import MappingProxyType
from typing import Any, Final

from uring_local.sites.registry.model import (
    FEWEST_ARTICLES,
    MARK,
    Article,
    Fate,
    File,
    Format,
    Page,
    Registry,
    Row,
    date_of,
)
from uring_local.sites.registry.stories import Step
from uring_local.sites.registry.supplements import first_supplement, with_supplement
from uring_local.sites.registry.words import (
    CHAPTERS,
    articles,
    marked,
    new_title,
    renamed,
    sentence,
    spaced,
)

_FIRST_FILE: Final = 869
_WRONG_LABELS: Final = 4
_MOST_CHANGED: Final = 3
_WITH_SCHEDULE: Final = 0.25
_WITH_NEW_ARTICLE: Final = 0.3
_WITH_ONE_GONE: Final = 0.5
_WITH_ONE_DELETED: Final = 0.3
_LEFT_AS_COMMENT: Final = 0.5
# Operations that consist of two others, which the page does not connect.
_OPERATIONS: Final = MappingProxyType(
    {
        "rename_and_upload": ("rename", "revise"),
        "restore_revised": ("restore", "revise"),
        "mark_title_and_revise": ("mark_title", "revise"),
        "restore_renamed": ("restore", "rename"),
        "swap_and_revise": ("swap", "revise"),
    }
)
_OTHER_TITLE: Final = MappingProxyType({"rename": renamed, "space": spaced, "mark_title": marked})
# A bomb needs a packed format; a scan and a password need a PDF.
_FORMAT_OF: Final[Mapping[Fate, Format]] = MappingProxyType(
    {"bomb": "hwpx", "scanned": "pdf", "encrypted": "pdf"}
)


@dataclass
class Shelf:
    """Rows by title, in no order, and files by number. Files are never deleted.

    Attributes:
        key: of the links of new rows.
        removed: rows that were taken off the page, by title.
        comments: rows in HTML comments, by title.
        twins: regulations that will change titles with another one, by its title.
        titles: all past, present and reserved titles.
        numbers: the unused fileNo, in order.
    """

    registry: Registry
    key: str
    rows: dict[str, Row] = field(default_factory=dict)
    removed: dict[str, Row] = field(default_factory=dict)
    comments: dict[str, Row] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    twins: dict[str, str] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=lambda: count(_FIRST_FILE))

    def page(self) -> Page:
        """Return the list, by chapter; within a chapter older rows come first."""
        rows = sorted(self.rows.values(), key=lambda row: row.chapter)
        return Page((*rows, *self.comments.values()))

    def fill(self, random: Random) -> None:
        """Publish the regulations of the first day."""
        for _ in range(self.registry.size):
            self._publish(Step("publish"), random, 1)
        titles = list(self.rows)
        for title in random.sample(titles[1:], min(_WRONG_LABELS, len(titles) // 4)):
            other = titles[titles.index(title) - 1]
            self.rows[title] = replace(self.rows[title], label=other)
        # A regulation that was given up long ago is still in the page's source.
        title = self._new_title(random)
        self.comments[title] = Row(title, str(next(self.numbers)), 0, self.key, is_comment=True)

    def take(self, step: Step, title: str, random: Random, day: int) -> str:
        """Apply a step of a story to its regulation; return the regulation's title after it.

        Args:
            step: of the story.
            title: of the regulation; empty if the step publishes it.
            random: of the day.
            day: from 1.
        """
        for operation in _OPERATIONS.get(step.operation, (step.operation,)):
            match operation:
                case "publish":
                    title = self._publish(step, random, day)
                case "revise" | "mark" | "upload":
                    file = _OTHER_FILE[operation](random, self._file(title), day)
                    self._upload(title, file, step, day)
                case "rename" | "space" | "mark_title":  # the file stays
                    title = self._put(title, title=_OTHER_TITLE[operation](title))
                case "remove":
                    self._remove(title, random)
                case "restore":
                    self._restore(title)
                case "replace":
                    self._replace(title, random, day)
                case "twin" | "swap":
                    self._pair(operation, title, random)
                case "relink" | "relink_page":
                    self._relink(title, is_page=operation == "relink_page")
        return title

    def _publish(self, step: Step, random: Random, day: int) -> str:
        """Publish a new regulation in a random chapter; return its title."""
        title = self._new_title(random)
        schedule = tuple(
            (f"{number}호", sentence(random)) for number in range(1, random.randint(3, 5))
        )
        file = File(
            number=str(next(self.numbers)),
            title=title,
            format=_FORMAT_OF.get(step.fate, random.choice(self.registry.formats)),
            articles=articles(random, title),
            supplements=(first_supplement(random),),
            schedule=schedule if random.random() < _WITH_SCHEDULE else (),
            fate=step.fate,
            until=step.last_day(day),
        )
        self.files[file.number] = file
        self.rows[title] = Row(title, file.number, random.randrange(len(CHAPTERS)), self.key)
        return title

    def _replace(self, title: str, random: Random, day: int) -> None:
        """Put other words into a regulation's file, which keeps its number."""
        file = self._file(title)
        self.files[file.number] = _revised(random, file, day)

    def _pair(self, operation: str, title: str, random: Random) -> None:
        """Publish a twin beside a regulation, nearly in the same words; or swap their titles."""
        if operation == "swap":
            self._swap(title, self.twins.pop(title))
            return
        file = self._file(title)
        number, other = str(next(self.numbers)), self._new_title(random)
        self.files[number] = replace(file, number=number, articles=_amended(random, file.articles))
        self.rows[other] = replace(self.rows[title], title=other, file_no=number)
        self.twins[title] = other

    def _swap(self, one: str, other: str) -> None:
        """Give each of two rows the other's file."""
        numbers = self.rows[one].file_no, self.rows[other].file_no
        self._put(other, file_no=numbers[0])
        self._put(one, file_no=numbers[1])

    def _upload(self, title: str, file: File, step: Step, day: int) -> None:
        number = str(next(self.numbers))
        self.files[number] = replace(
            file,
            number=number,
            format=_FORMAT_OF.get(step.fate, file.format),
            fate=step.fate,
            until=step.last_day(day),
        )
        self._put(title, file_no=number)

    def _relink(self, title: str, *, is_page: bool) -> None:
        """Give another address to a file; to all of them, as after a move of the menu."""
        if not is_page:
            self._put(title, key=f"{self.rows[title].key}1")
            return
        self.key = f"{int(self.key) + 1}"
        self.rows = {each: replace(row, key=self.key) for each, row in self.rows.items()}

    def _remove(self, title: str, random: Random) -> None:
        """Take a row off the page; half of the rows stay in the source, as comments."""
        row = self.removed[title] = self.rows.pop(title)
        if random.random() < _LEFT_AS_COMMENT:
            self.comments[title] = replace(row, is_comment=True)

    def _restore(self, title: str) -> None:
        self.comments.pop(title, None)
        self.rows[title] = replace(self.removed.pop(title), key=self.key)

    def _put(self, old: str, **changed: Any) -> str:
        """Change a row and keep its place; return its title after that."""
        row = replace(self.rows[old], **changed)
        self.rows = {
            row.title if title == old else title: row if title == old else each
            for title, each in self.rows.items()
        }
        return row.title

    def _file(self, title: str) -> File:
        return self.files[self.rows[title].file_no]

    def _new_title(self, random: Random) -> str:
        """Return a new title; it is reserved, and so is the title it would be renamed to."""
        title = new_title(random, self.titles)
        self.titles |= {title, renamed(title)}
        return title


def _revised(random: Random, file: File, day: int) -> File:
    """Return a file in its revised words, with a supplement of the day."""
    return replace(
        file,
        articles=_amended(random, file.articles),
        supplements=with_supplement(random, file.supplements, date_of(day)),
    )


def _marked(_: Random, file: File, __: int) -> File:
    """Return a file whose articles end with a mark of amendment: the same words."""
    marked_articles = (
        replace(each, text=f"{each.text} {MARK}") if each.heading else each
        for each in file.articles
    )
    return replace(file, articles=tuple(marked_articles))


def _amended(random: Random, before: tuple[Article, ...]) -> tuple[Article, ...]:
    """Return articles with up to three changed texts; one may be added, removed or deleted."""
    after = list(before)
    last = len(after) - 1
    places = [at for at in range(1, last) if after[at].heading]
    for at in random.sample(places, min(random.randint(1, _MOST_CHANGED), len(places))):
        after[at] = replace(after[at], text=f"{after[at].text} {sentence(random)}")
    if random.random() < _WITH_ONE_DELETED and len(places) > _MOST_CHANGED:
        at = random.choice(places)
        after[at] = Article(after[at].number, "", "삭제 <2026. 3. 9.>")
    chance = random.random()
    if chance < _WITH_NEW_ARTICLE:
        number = after[last].number
        taken = {article.number for article in after}
        while number in taken:
            head, _, place = number.partition("조의")
            number = f"{head.removesuffix('조')}조의{int(place or 1) + 1}"
        after.append(Article(number, "특례", sentence(random)))
    elif chance < _WITH_ONE_GONE and len(after) > FEWEST_ARTICLES:
        after.pop()
    return tuple(after)


def _same(_: Random, file: File, __: int) -> File:
    return file


_OTHER_FILE: Final = MappingProxyType({"revise": _revised, "mark": _marked, "upload": _same})
