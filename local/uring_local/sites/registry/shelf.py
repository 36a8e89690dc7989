"""A registry while its script runs, and what is done to it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Final

from uring_local.sites.registry.model import Article, Fate, File, Format, Page, Registry, Row
from uring_local.sites.registry.stories import Step
from uring_local.sites.registry.words import (
    CHAPTERS,
    articles,
    new_title,
    renamed,
    sentence,
    spaced,
)

_FIRST_FILE: Final = 868
_WRONG_LABELS: Final = 4
_MOST_CHANGED: Final = 3
_WITH_SCHEDULE: Final = 0.25
_WITH_NEW_ARTICLE: Final = 0.3
_WITH_ONE_GONE: Final = 0.5
_WITH_ONE_DELETED: Final = 0.3
_LEFT_AS_COMMENT: Final = 0.5
# A bomb needs a format that is packed, a scan and a password one that has them.
_FORMAT_OF: Final[Mapping[Fate, Format]] = MappingProxyType(
    {"bomb": "hwpx", "scanned": "pdf", "encrypted": "pdf"}
)


@dataclass
class Shelf:
    """Rows by title, in no order; files by number, which are never taken away.

    Attributes:
        key: of the links of rows to come.
        removed: rows that are not on the page, by title.
        comments: rows in HTML comments.
        titles: all that any regulation was ever called, or may be.
    """

    registry: Registry
    key: str
    rows: dict[str, Row] = field(default_factory=dict)
    removed: dict[str, Row] = field(default_factory=dict)
    comments: dict[str, Row] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)
    last_file: int = _FIRST_FILE

    def page(self) -> Page:
        """Return the list, by chapter; in each the older ones first."""
        rows = sorted(self.rows.values(), key=lambda row: row.chapter)
        return Page((*rows, *self.comments.values()))

    def fill(self, random: Random) -> None:
        """Put what stands there on the first day."""
        for _ in range(self.registry.size):
            publish(self, random, "", Step("publish"), 1)
        titles = list(self.rows)
        for title in random.sample(titles[1:], min(_WRONG_LABELS, len(titles) // 4)):
            other = titles[titles.index(title) - 1]
            self.rows[title] = replace(self.rows[title], label=other)
        # What was given up long ago still stands in the page's source.
        title = self.new_title(random)
        self.comments[title] = Row(title, self.new_number(), 0, self.key, is_comment=True)

    def new_title(self, random: Random) -> str:
        """Return a title; no other will ever be called like it, nor like its other name."""
        title = new_title(random, self.titles)
        self.titles |= {title, renamed(title)}
        return title

    def new_number(self) -> str:
        """Return the next fileNo."""
        self.last_file += 1
        return str(self.last_file)

    def put(self, old: str, row: Row) -> str:
        """Put a row in the place of another; return its title."""
        self.rows = {
            row.title if title == old else title: row if title == old else each
            for title, each in self.rows.items()
        }
        return row.title


Operation = Callable[[Shelf, Random, str, Step, int], str]
"""Takes the title of a regulation and the day; returns what it is called now."""


def publish(shelf: Shelf, random: Random, _: str, step: Step, day: int) -> str:
    """Put a new regulation into some chapter."""
    title = shelf.new_title(random)
    schedule = tuple((f"{number}호", sentence(random)) for number in range(1, random.randint(3, 5)))
    file = File(
        number=shelf.new_number(),
        title=title,
        format=_FORMAT_OF.get(step.fate, random.choice(shelf.registry.formats)),
        articles=articles(random, title),
        schedule=schedule if random.random() < _WITH_SCHEDULE else (),
        fate=step.fate,
        until=_until(step, day),
    )
    shelf.files[file.number] = file
    shelf.rows[title] = Row(title, file.number, random.randrange(len(CHAPTERS)), shelf.key)
    return title


def revise(shelf: Shelf, random: Random, title: str, step: Step, day: int) -> str:
    """Upload a file whose articles say something else."""
    old = shelf.files[shelf.rows[title].file_no]
    return _upload(shelf, title, replace(old, articles=_amended(random, old.articles)), step, day)


def upload(shelf: Shelf, _: Random, title: str, step: Step, day: int) -> str:
    """Upload the same text under another number."""
    return _upload(shelf, title, shelf.files[shelf.rows[title].file_no], step, day)


def _upload(shelf: Shelf, title: str, file: File, step: Step, day: int) -> str:
    file = replace(
        file,
        number=shelf.new_number(),
        format=_FORMAT_OF.get(step.fate, file.format),
        fate=step.fate,
        until=_until(step, day),
    )
    shelf.files[file.number] = file
    return shelf.put(title, replace(shelf.rows[title], file_no=file.number))


def _until(step: Step, day: int) -> int:
    return day + step.days - 1 if step.days else 0


def _amended(random: Random, before: tuple[Article, ...]) -> tuple[Article, ...]:
    """Return articles of which some say something else; one may be put in, taken out or deleted."""
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
    elif chance < _WITH_ONE_GONE:
        after.pop()
    return tuple(after)


def rename(shelf: Shelf, _: Random, title: str, __: Step, ___: int) -> str:
    """Call it by its other name; the file stays."""
    return shelf.put(title, replace(shelf.rows[title], title=renamed(title)))


def space(shelf: Shelf, _: Random, title: str, __: Step, ___: int) -> str:
    """Write its title with a space more or fewer; the file stays."""
    return shelf.put(title, replace(shelf.rows[title], title=spaced(title)))


def rename_and_upload(shelf: Shelf, random: Random, title: str, step: Step, day: int) -> str:
    """Call it by its other name and revise it: nothing connects the two."""
    return revise(shelf, random, rename(shelf, random, title, step, day), step, day)


def remove(shelf: Shelf, random: Random, title: str, _: Step, __: int) -> str:
    """Take it off the page; every other one stays in the source, as a comment."""
    row = shelf.removed[title] = shelf.rows.pop(title)
    if random.random() < _LEFT_AS_COMMENT:
        shelf.comments[title] = replace(row, is_comment=True)
    return title


def restore(shelf: Shelf, _: Random, title: str, __: Step, ___: int) -> str:
    """Put it back."""
    shelf.comments.pop(title, None)
    shelf.rows[title] = replace(shelf.removed.pop(title), key=shelf.key)
    return title


def restore_revised(shelf: Shelf, random: Random, title: str, step: Step, day: int) -> str:
    """Put it back with another file."""
    return revise(shelf, random, restore(shelf, random, title, step, day), step, day)


def relink(shelf: Shelf, _: Random, title: str, __: Step, ___: int) -> str:
    """Give its links another address; they name the same file."""
    row = shelf.rows[title]
    return shelf.put(title, replace(row, key=f"{row.key}1"))


def relink_page(shelf: Shelf, _: Random, title: str, __: Step, ___: int) -> str:
    """Give all links another address, as after a move of the menu."""
    shelf.key = f"{int(shelf.key) + 1}"
    shelf.rows = {each: replace(row, key=shelf.key) for each, row in shelf.rows.items()}
    return title


OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {
        operation.__name__: operation
        for operation in (
            publish,
            revise,
            upload,
            rename,
            space,
            rename_and_upload,
            remove,
            restore,
            restore_revised,
            relink,
            relink_page,
        )
    }
)
