"""Draws architecture.svg: the way of a change from a site to a device.

`.venv/bin/python docs/architecture_svg.py` makes it anew. Boxes have a ground of their own and
lines a middle grey, so that it is legible on a light page and on a dark one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from xml.sax.saxutils import escape

PICTURE: Final = Path(__file__).with_name("architecture.svg")
WIDTH, HEIGHT = 134, 62
COLUMN, ROW = 170, 92
MARGIN = 12

Kind = Literal["ours", "kept", "outside"]
FILLS: Final[dict[Kind, tuple[str, str]]] = {
    "ours": ("#dfeaff", "#3b6fd4"),
    "kept": ("#dff3e4", "#2f8f4e"),
    "outside": ("#eceff3", "#7a8494"),
}


@dataclass(frozen=True, slots=True)
class Box:
    """A part, its place in the grid from the top left, and how many rows it takes."""

    column: int
    row: int
    kind: Kind
    title: str
    lines: Sequence[str]
    rows: int = 1

    @property
    def x(self) -> int:
        """The left side."""
        return MARGIN + self.column * COLUMN

    @property
    def y(self) -> int:
        """The upper side."""
        return MARGIN + self.row * ROW

    @property
    def height(self) -> int:
        """The height in pixels."""
        return HEIGHT + (self.rows - 1) * ROW

    def draw(self) -> str:
        """Return its rectangle and its words."""
        fill, stroke = FILLS[self.kind]
        middle = self.x + WIDTH // 2
        top = self.y + self.height // 2 - 7 * len(self.lines) + 5
        texts = [f'<text x="{middle}" y="{top}" class="title">{escape(self.title)}</text>']
        texts += [
            f'<text x="{middle}" y="{top + 16 * number}">{escape(line)}</text>'
            for number, line in enumerate(self.lines, 1)
        ]
        rectangle = (
            f'<rect x="{self.x}" y="{self.y}" width="{WIDTH}" height="{self.height}" rx="8" '
            f'fill="{fill}" stroke="{stroke}"/>'
        )
        return "\n".join([rectangle, *texts])


SCHEDULE = Box(0, 0, "outside", "Schedule", ["every ten minutes"])
SITES = Box(0, 1, "outside", "Sites", ["boards, registries,", "gateways, domains"])
ORCHESTRATOR = Box(1, 0, "ours", "Orchestrator", ["a job for each source", "that is due"])
WORKER = Box(2, 0, "ours", "Worker", ["fetches the page,", "judges it, compares", "it, commits"], 2)
QUEUE = Box(3, 0, "kept", "Notify queue", ["a change each,", "in order by topic"])
BUCKET = Box(3, 1, "kept", "Bucket", ["state, latest.json,", "archive"])
MONITOR = Box(3, 2, "ours", "Monitor", ["health, feeds, index"])
NOTIFIER = Box(4, 0, "ours", "Notifier", ["each change once,", "to its FCM topic"])
CDN = Box(4, 1, "outside", "CloudFront", ["public data,", "the client's files"])
OPERATOR = Box(4, 2, "outside", "Operator", ["mails, status page"])
CLIENT = Box(5, 0, "outside", "Client", ["alerts by keywords,", "reads all", "at any time"], 2)
BOXES: Final = (
    *(SCHEDULE, SITES, ORCHESTRATOR, WORKER, QUEUE, BUCKET, MONITOR),
    *(NOTIFIER, CDN, OPERATOR, CLIENT),
)


def across(left: Box, right: Box, row: int, word: str = "") -> str:
    """Return an arrow to the right in a row."""
    y = MARGIN + row * ROW + HEIGHT // 2
    start, end = left.x + WIDTH, right.x
    middle = (start + end) // 2
    label = f'<text x="{middle}" y="{y - 6}" class="word">{escape(word)}</text>' if word else ""
    return f'<path d="M{start} {y}H{end - 7}"/>{label}'


def down(upper: Box, lower: Box) -> str:
    """Return an arrow downwards, and back."""
    x = upper.x + WIDTH // 2
    return f'<path class="both" d="M{x} {upper.y + upper.height + 7}V{lower.y - 7}"/>'


ARROWS: Final = (
    across(SCHEDULE, ORCHESTRATOR, 0),
    across(ORCHESTRATOR, WORKER, 0),
    across(SITES, WORKER, 1, "fetched"),
    across(WORKER, QUEUE, 0),
    across(WORKER, BUCKET, 1),
    across(QUEUE, NOTIFIER, 0),
    across(BUCKET, CDN, 1),
    across(NOTIFIER, CLIENT, 0),
    across(CDN, CLIENT, 1),
    across(MONITOR, OPERATOR, 2),
    down(BUCKET, MONITOR),
)
STYLE: Final = """\
text { font: 12px system-ui, sans-serif; text-anchor: middle; fill: #273244; }
.title { font-size: 14px; font-weight: 600; fill: #0f1a2b; }
.word { fill: #7a8494; }
path { fill: none; stroke: #7a8494; stroke-width: 1.6; marker-end: url(#head); }
.both { marker-start: url(#head); }"""


def draw() -> str:
    """Return the picture as SVG."""
    width = 2 * MARGIN + 5 * COLUMN + WIDTH
    height = 2 * MARGIN + 2 * ROW + HEIGHT
    head = (
        '<marker id="head" viewBox="0 0 10 10" refX="3" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" '
        'style="fill: #7a8494; stroke: none; marker: none"/></marker>'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        "<title>The way of a change from a site to a device</title>",
        f"<style>\n{STYLE}\n</style>",
        f"<defs>{head}</defs>",
        *ARROWS,
        *(box.draw() for box in BOXES),
        "</svg>\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
