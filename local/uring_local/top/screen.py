"""What `uring top` shows, in lines of a terminal of any size. Pure.

headline: stack, sources, age of the read, time
why nothing newer was read            only after a failed refresh
queues, the ones with messages first  not on a low screen, as the line below them
table of sources, or a page
question, answer, or keys
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from rich.console import Console, Group
from rich.text import Text

from uring_local.look.show import needs
from uring_local.queues.pairs import Pair
from uring_local.top.model import PauseQuestion, TextPage, ViewState, name_of
from uring_local.top.pages import details, help_page
from uring_local.top.table import columns_of, head, line_of, row
from uring_local.words import duration

_KEYS: Final = "r check  p pause  d diff  Enter details  / filter  ? help  q quit"
_LOW: Final = 12
_LOWEST: Final = 6
_MORE: Final = 10
_HELP: Final = help_page()


def fit(state: ViewState, width: int, height: int, now: datetime) -> ViewState:
    """Return the view scrolled so that the chosen row, or a line of the page, is on the screen."""
    above, below = _above(state, width, height, now), _below(state, width, height)
    room = max(1, height - len(above) - len(below) - (height >= _LOWEST))
    top = min(state.top, max(0, len(state.rows) - room), state.at)
    state = replace(state, room=room, top=max(top, state.at - room + 1))
    if state.page is None:
        return state
    room = max(1, height - len(below) - 1)
    last = max(0, len(_page_lines(state, state.page, width, now)) - room)
    return replace(state, page=replace(state.page, room=room, top=min(state.page.top, last)))


def draw(state: ViewState, width: int, height: int, now: datetime) -> list[Text]:
    """Return the lines of a view that fits: exactly `height`, none wider than `width`."""
    below = _below(state, width, height)
    if state.page is not None:
        body = [*_page(state, state.page, width, now)]
    else:
        columns = columns_of(state, width)
        places = range(state.top, min(state.top + state.room, len(state.rows)))
        body = [
            *_above(state, width, height, now),
            *([head(columns)] if height >= _LOWEST else []),
            *(row(state, at, columns, now) for at in places),
        ]
    body = body[: max(0, height - len(below))]
    lines = [*body, *[Text()] * (height - len(body) - len(below)), *below][-height:]
    for line in lines:
        line.rstrip()
        line.truncate(width, overflow="ellipsis")
    return lines


def _above(state: ViewState, width: int, height: int, now: datetime) -> list[Text]:
    """Return the lines above the table."""
    sources = state.seen.index.sources
    ago = duration(max(0.0, (now - state.seen.at).total_seconds()))
    parts = [state.stack, needs(sources, len(sources)), f"read {ago} ago", f"{now:%H:%M:%S}"]
    lines = [line_of(" · ".join(parts), "bold")]
    if state.missed:
        lines += _wrapped(f"not read since: {state.missed}", "bold red", width, height)
    if height >= _LOW:
        lines += [*_queues(state.seen.pairs, width, height // _LOW), Text()]
    # The chosen row is the last to go.
    return lines[: max(0, height - len(_below(state, width, height)) - 1)]


def _queues(pairs: Sequence[Pair], width: int, most: int) -> list[Text]:
    """Return the queues in a few lines: dead letters first, then the longest, then the empty."""

    def rank(pair: Pair) -> tuple[int, int]:
        return -(pair.dead.depth if pair.dead else 0), -pair.queue.depth

    lines, left = [Text("queues")], 0
    for pair in sorted(pairs, key=rank):
        item = Text(f"  {pair.queue.id} {pair.queue.depth:,}", "" if pair.queue.depth else "dim")
        if pair.dead and pair.dead.depth:
            item.append(f" + {pair.dead.depth:,} dead", "bold red")
        if lines[-1].cell_len + item.cell_len > width - _MORE and len(lines) < most and not left:
            lines.append(Text("      "))
        if left or lines[-1].cell_len + item.cell_len > width - _MORE:
            left += 1
        else:
            lines[-1].append_text(item)
    return [*lines[:-1], lines[-1].append(f"  {left} more" if left else "", "dim")]


def _below(state: ViewState, width: int, height: int) -> list[Text]:
    """Return the last lines: a question, an answer, or the keys."""
    if state.question:
        return [*_asked(state.question)]
    if state.said and not (state.doing or state.is_filtering):
        return _wrapped(state.said, "bold red" if state.is_bad else "bold", width, height)
    shown = f"/{state.words}{'_' if state.is_filtering else ''}  {len(state.rows)} shown"
    if state.is_filtering:
        return [line_of(f"{shown}; Enter keeps it, Esc shows all", "bold")]
    if state.doing:
        return [line_of(f"{state.doing} …", "bold")]
    if state.page is not None:
        return [line_of("j k space move  q closes", "dim")]
    return [line_of(f"{shown}; Esc shows all" if state.words else _KEYS, "dim")]


def _wrapped(text: str, style: str, width: int, height: int) -> list[Text]:
    """Return a sentence in a few lines: its remedy stands at its end."""
    lines = line_of(text, style).wrap(Console(width=width), width, no_wrap=False)
    return [*lines][: max(1, height // _LOWEST)]


def _asked(question: PauseQuestion) -> Iterator[Text]:
    source, until = question.source.id, question.until
    if not until:
        yield line_of(f"resume {source}: it is asked at its next tick", "bold")
        yield line_of("Enter resumes it, Esc does not", "bold")
        return
    typed = question.typed or f"[{until}]"
    yield line_of(f"pause {source}: not asked, and nobody is alerted of it, until then", "bold")
    yield line_of(f"until {typed}_  Enter pauses it, Esc does not", "bold")


def _page(state: ViewState, page: TextPage, width: int, now: datetime) -> Iterator[Text]:
    """Yield the title of a page, and the lines that are shown."""
    lines = _page_lines(state, page, width, now)
    shown = lines[page.top : page.top + page.room]
    place = f"  {page.top + 1}-{page.top + len(shown)} of {len(lines)}"
    title = line_of(page.title, "bold")
    title.truncate(max(0, width - len(place)), overflow="ellipsis")
    yield title.append(place if len(lines) > len(shown) else "", "dim")
    yield from (line.copy() for line in shown)


def _page_lines(state: ViewState, page: TextPage, width: int, now: datetime) -> Sequence[Text]:
    """Return all lines of a page at a width."""
    if page.of is None:
        return _lines(page.body or _HELP, width)
    source = next((each for each in state.sources if name_of(each) == page.of), None)
    if source is None:
        return [Text("it is not in the index any more")]
    return _lines(details(source, state.seen.beats.get(page.of, ()), now), width)


# A refused page may have thousands of lines, and is drawn each second.
@lru_cache(maxsize=2)
def _lines(body: Group, width: int) -> Sequence[Text]:
    return [
        Text.assemble(*((part.text, part.style or "") for part in line if not part.control))
        for line in Console(width=width, height=1).render_lines(body, pad=False)
    ]
