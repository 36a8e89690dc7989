"""What folding an archive costs a client: web/uring.js in Node, beside its Python twin.

    PYTHONPATH=tests .venv/bin/python bench/fold.py [--lines 100000] [--rounds 3]

See README.md beside this file. It ends with 1 if the two do not have the same items.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import playwright
from lines import Child
from rich.console import Console
from rich.table import Table

NODE: Final = Path(playwright.__file__).parent / "driver" / "node"
FIGURES: Final = ("parse", "fold", "page", "peak")
_WORDS: Final = ("수강신청", "장학금", "안내", "모집", "계절학기", "컴퓨터공학과", "TOEIC", "발표")
# Of eight lines one is a further revision, as on boards that edit a lot.
_ONE_REVISED_OF: Final = 8
_LINES_OF_A_FILE: Final = 1_100


def main() -> int:
    """Measure, compare and print."""
    parser = argparse.ArgumentParser(prog="bench/fold.py", description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000, help="of the archive")
    parser.add_argument("--rounds", type=int, default=3, help="least of these (default: 3)")
    options = parser.parse_args()
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "archive.jsonl"
        lines = list(archive(options.lines))
        file.write_text("".join(lines), "utf-8")
        megabytes = file.stat().st_size / 1e6
        parts = _parts(lines, Path(folder))
        for _ in range(options.rounds):
            with Child("fold_load", {}) as child:
                python = child.ask(file=str(file), parts=parts)
            rounds.append({"Node": _by_node(file, parts), "Python": python})
    first = rounds[0]["Node"]
    same = all(
        told[name] == first[name]
        for each in rounds
        for told in each.values()
        for name in ("items", "paged", "broken", "digest")
    )
    table = Table("", *(f"{name} CPU s" for name in FIGURES[:-1]), "peak MB")
    for name in ("Node", "Python"):
        table.add_row(name, *_cells(rounds, name))
    ratios = (_least(rounds, "Python", each) / _least(rounds, "Node", each) for each in FIGURES)
    table.add_row("ratio", *(f"{ratio:.2f}" for ratio in ratios))
    console = Console()
    console.print(f"{options.lines:,} lines, {megabytes:.1f} MB, {first['items']:,} items")
    console.print(table)
    console.print("the same items" if same else "OTHER ITEMS")
    return 0 if same else 1


def archive(count: int) -> Iterator[str]:
    """Yield so many lines of an archive, the same ones each time."""
    chance = random.Random(7)
    revisions: dict[int, int] = {}
    for number in range(count):
        is_revised = revisions and number % _ONE_REVISED_OF == 0
        record = chance.randrange(len(revisions)) if is_revised else len(revisions)
        revisions[record] = revisions.get(record, 0) + 1
        month, day = number * 12 // count + 1, chance.randrange(1, 29)
        line = {
            "event_id": f"{chance.getrandbits(160):040x}",
            "kind": "edited" if is_revised else "new",
            "detected_at": f"2026-{month:02}-{day:02}T00:00:00Z",
            "push": True,
            "id": str(record),
            "title": " ".join(chance.choices(_WORDS, k=6)),
            "date": f"2026-{month:02}-{day:02}",
            "category": chance.choice(["학사", "장학", None]),
            "link": f"https://board.example.ac.kr/bbs/view.do?mode=view&articleNo={record}",
            "is_pinned": False,
            "revision": revisions[record],
            "hash": f"{chance.getrandbits(160):040x}",
            "first_seen": "2026-01-01T00:00:00Z",
        }
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parts(lines: Sequence[str], folder: Path) -> dict[str, str]:
    """Write the archive as a month of many files; return them by their paths below ``data/``."""
    latest = {"meta": {"last_updated": "2026-12-01T00:00:00Z"}, "items": []}
    texts = {"cse/latest.json": json.dumps(latest)}
    names = [f"202612.{number:032x}.jsonl" for number in range(-(-len(lines) // _LINES_OF_A_FILE))]
    names[-1] = "202612.jsonl"
    for number, name in enumerate(names):
        at = number * _LINES_OF_A_FILE
        first = json.loads(lines[at])
        if number:
            first["earlier"] = {"file": names[number - 1]}
        rest = lines[at + 1 : at + _LINES_OF_A_FILE]
        texts[f"cse/archive/{name}"] = json.dumps(first) + "\n" + "".join(rest)
    written = {path: folder / path.replace("/", " ") for path in texts}
    for path, file in written.items():
        file.write_text(texts[path], "utf-8")
    return {path: str(file) for path, file in written.items()}


def _by_node(file: Path, parts: Mapping[str, str]) -> dict[str, Any]:
    script = Path(__file__).with_name("fold_load.mjs")
    question = json.dumps({"file": str(file), "parts": parts})
    run = subprocess.run(  # noqa: S603 - our own file
        [NODE, script], input=question, capture_output=True, text=True, check=True
    )
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def _least(rounds: list[dict[str, Any]], name: str, figure: str) -> float:
    return min(float(each[name][figure]) for each in rounds)


def _cells(rounds: list[dict[str, Any]], name: str) -> Iterator[str]:
    for figure in FIGURES:
        least = _least(rounds, name, figure)
        yield f"{least / 1e6:.0f}" if figure == "peak" else f"{least:.2f}"


if __name__ == "__main__":
    sys.exit(main())
