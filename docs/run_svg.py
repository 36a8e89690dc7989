"""Draws run.svg: a run as it stands on a terminal at its end.

`.venv/bin/python docs/run_svg.py` makes it anew.
"""

import html
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Final

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

COMMAND: Final = "uring run --in-process --ticks 3 --seed 7"
COLUMNS: Final = 100
LINES: Final = 28
PICTURE: Final = Path(__file__).with_name("run.svg")


def main() -> None:
    """Run the command, keep what stays on the terminal, and draw it."""
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    size = {"COLUMNS": str(COLUMNS), "LINES": str(LINES)}
    run = subprocess.run(
        [Path(sys.executable).with_name("uring"), *COMMAND.split()[1:]],
        env={**os.environ, **terminal, **size},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    # The live view's own screen goes away; what follows it stays.
    _, _, last = run.stdout.rpartition("\x1b[?1049l")
    console = Console(
        record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(f"[bold]$[/bold] {COMMAND}\n", highlight=False)
    console.print(Text.from_ansi(last.rstrip()), no_wrap=True, overflow="ellipsis")
    # A picture that fetches nothing: the reader's own fonts will do.
    plain = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="uRing", code_format=plain, unique_id="run")
    PICTURE.write_text(widened(svg), encoding="utf-8")


def widened(svg: str) -> str:
    """Give each text the length of its cells: rich counts letters, and Hangul is two cells wide."""

    def length(found: re.Match[str]) -> str:
        text = html.unescape(found["text"])
        cells = float(found["length"]) * cell_len(text) / max(1, len(text))
        return f'textLength="{cells:.6g}"{found["more"]}>{found["text"]}<'

    return re.sub(r'textLength="(?P<length>[0-9.]+)"(?P<more>[^>]*)>(?P<text>[^<]*)<', length, svg)


if __name__ == "__main__":
    main()
