"""A file of archive lines, read in Python at once and by pages, in a process of its own."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from lines import answer_all
from measured import cpu_seconds, peak_bytes
from reader_twin import Loaded, fold, pages, parse_lines


def main() -> None:
    """Answer."""
    answers, sys.stdout = sys.stdout, sys.stderr
    answer_all(answers, _answer)


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    text = Path(question["file"]).read_text("utf-8")
    began = cpu_seconds()
    parsed = parse_lines(text)
    read = cpu_seconds()
    folded = fold(parsed.lines)
    ended, peak = cpu_seconds(), peak_bytes()
    digest = hashlib.sha256()
    for key in sorted(folded):
        item = folded[key].item
        digest.update(
            json.dumps(item, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        )
    parts = question["parts"]

    def load(path: str) -> Loaded:
        return (
            Loaded(200, Path(parts[path]).read_text("utf-8"))
            if path in parts
            else Loaded(403, None)
        )

    turned = cpu_seconds()
    paged = sum(len(page.items) for page in pages("cse", load))
    return {
        "page": cpu_seconds() - turned,
        "paged": paged,
        "parse": read - began,
        "fold": ended - read,
        "peak": peak,
        "items": len(folded),
        "broken": parsed.broken,
        "digest": digest.hexdigest(),
    }


if __name__ == "__main__":
    main()
