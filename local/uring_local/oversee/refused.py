"""`uring refused`: the last refused page of a source, beside what was read before.

All of it is the site's text: it is printed without control characters, and never as markup.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from uring.changes.history.refused import refused_key
from uring.errors import CorruptState, Misconfigured
from uring.records.model import RecordState
from uring_local.operate.bucket import VersionedBucket, open_bucket
from uring_local.operate.past_state import family_of, state_key
from uring_local.words import counted, printable

NONE_KEPT: Final = "no page of {source} was refused in the last week"

_MOST_SHOWN: Final = 100


class RefusedRowKept(BaseModel):
    """A row of the kept page; see `uring.changes.history.refused.RefusedRow`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    index: int
    id: str = ""
    title: str = ""
    date: str = ""
    why: str = ""


class RefusedPage(BaseModel):
    """A kept page as it is stored; keys of a later release are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: str
    reason: str
    detail: str = ""
    url: str = ""
    content_type: str = ""
    size: int = 0
    rows_total: int = 0
    rows: tuple[RefusedRowKept, ...] = ()
    is_cut: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept page, and the titles of the newest records that were read before, by id."""

    page: RefusedPage
    before: Mapping[str, str]


def show(source: str, *, stack: str, family: str | None, text: bool, as_json: bool) -> bool:
    """Print the kept page; return False if none is kept; errors as of `kept`."""
    found = kept(source, stack=stack, family=family)
    if found is None:
        print(NONE_KEPT.format(source=source))
        return False
    if as_json:
        document = {"source": source, **found.page.model_dump(), "read_before": found.before}
        print(json.dumps(document, ensure_ascii=False, indent=1))
    elif text:
        print("\n".join(printable(line) for line in found.page.text.splitlines()))
    else:
        console = Console(highlight=False)
        for line in facts(found):
            console.print(line, soft_wrap=True)
        console.print("", rows(found), sep="\n")
    return True


def kept(source: str, *, stack: str, family: str | None) -> Kept | None:
    """Return the kept page of a source; None if none is kept.

    Raises:
        Misconfigured: no such source, or the page is damaged.
    """
    bucket = open_bucket(stack)
    registered = family_of(bucket, source, family)
    key = refused_key(registered.name, source)
    stored = bucket.get(key)
    if stored is None:
        return None
    try:
        page = RefusedPage.model_validate_json(stored.body)
    except ValidationError as error:
        raise Misconfigured(
            f"{key} cannot be read ({error.error_count()} problems): a newer release wrote it, or "
            "it is damaged; the next refused page takes its place"
        ) from None
    return Kept(page, _before(bucket, registered, source))


def _before(bucket: VersionedBucket, registered: Any, source: str) -> dict[str, str]:
    """Return the titles of the newest records that were read before, by id; none if unreadable."""
    key = state_key(registered, source)
    stored = bucket.get(key)
    if stored is None:
        return {}
    try:
        state = registered.state().from_json(stored.body, key=key, source=source)
    except CorruptState:
        return {}
    if not isinstance(state, RecordState):
        return {}
    return {each.id: each.content.get("title") or "" for each in state.hot}


def facts(found: Kept) -> list[Text]:
    """Return the lines on a page: when and why it was refused, and how much it is."""
    page = found.page
    size = f"{page.size} bytes, {page.content_type or 'no content type'}"
    marked = sum(bool(row.why) for row in page.rows)
    lines = {
        "refused": f"{page.at}: {page.reason}",
        "why": page.detail,
        "page": f"{page.url} ({size})",
        "rows": f"{counted(page.rows_total, 'row')}, {marked} with something wrong",
    }
    return [Text(f"{name:8} {printable(value)}") for name, value in lines.items()]


def rows(found: Kept) -> Group:
    """Return the rows of a page, each with what is wrong, beside those of before."""
    page, before = found.page, found.before
    table = Table(show_edge=False, pad_edge=False)
    for column in ("row", "id", "on the refused page", "wrong", "read before"):
        table.add_column(column, overflow="fold")
    titles = set(before.values())
    for row in page.rows[:_MOST_SHOWN]:
        known = before.get(row.id, "the same title" if row.title in titles else "")
        style = "red" if row.why else ""
        cells = (str(row.index), row.id, row.title, row.why, known)
        table.add_row(*(Text(printable(cell), style=style) for cell in cells))
    ids, shown = {row.id for row in page.rows}, {row.title for row in page.rows}
    gone = [key for key, title in before.items() if key not in ids and title not in shown]
    for key in gone[:_MOST_SHOWN]:
        cells = ("", key, "", "not on the page", before[key])
        table.add_row(*(Text(printable(cell), style="dim") for cell in cells))
    cut = [Text("the page was longer; only its beginning is kept")] if page.is_cut else []
    return Group(table, *cut)
