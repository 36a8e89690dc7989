"""What extracting files takes: own files in every format, hostile ones, and any that are named.

    PYTHONPATH=tests/extract .venv/bin/python -m bench.extraction [FILE…]

Peak memory is the child's own, of a second run; a child that was killed cannot tell it. Seconds are
of the whole call, with the start of the child.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from extract_papers import STATUTE, long_paper
from hwp_writer import hwp
from rich.console import Console
from rich.table import Table

from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.formats import READABLE
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx, package, parts, section
from uring_local.sites.files.pdf import pdf

DOCUMENTS: Final = ("pdf", "hwpx", "hwp")
LONG: Final = long_paper(1_000)
MEASURE: Final = """
import atexit, os, runpy, sys
told = os.dup(2)
def tell():
    # Not by getrusage: its peak is also the caller's, from before the exec.
    status = open("/proc/self/status").read()
    os.write(told, status.partition("VmHWM:")[2].split()[0].encode())
atexit.register(tell)
sys.argv[:] = ["child", *sys.argv[1:]]
runpy.run_module("uring.extract.child", run_name="__main__")
"""
BOMB: Final = " " * (100 << 20)

FILES: Final[dict[str, Callable[[], bytes]]] = {
    "pdf": lambda: pdf(STATUTE),
    "pdf, 1,000 articles": lambda: pdf(LONG, header="누리 규정집", numbered=True),
    "pdf, two columns": lambda: pdf(LONG, columns=2, numbered=True),
    "pdf, 3,000 pages": lambda: pdf(LONG, pages=3_000),
    "pdf, 10,000 pages": lambda: pdf(STATUTE, pages=10_000),
    "pdf, 300 MB": lambda: pdf(STATUTE) + bytes(300 << 20),
    "pdf, fonts without map": lambda: pdf(STATUTE, unicode_map=False),
    "pdf, scanned": lambda: pdf(STATUTE, scanned=True),
    "pdf, encrypted": lambda: pdf(STATUTE, encrypted=True),
    "pdf, endless objects": lambda: pdf(STATUTE, endless=True),
    "pdf, cut": lambda: pdf(STATUTE)[:900],
    "pdf that is an error page": lambda: b"<html><body>404 Not Found</body></html>",
    "hwpx": lambda: hwpx(STATUTE),
    "hwpx, 1,000 articles": lambda: hwpx(LONG, compressed=True),
    "hwpx of 2024, 12 sections": lambda: hwpx(STATUTE, year=2024, sections=12),
    "hwpx, numbers of a style": lambda: hwpx(STATUTE, automatic_numbers=True),
    "hwpx, encrypted": lambda: hwpx(STATUTE, encrypted=True),
    "hwpx, zip bomb": lambda: _hwpx(section([]) + BOMB),
    "hwpx, entities": lambda: _hwpx('<!DOCTYPE x [<!ENTITY a "b">]>' + section([])),
    "hwpx, 500,000 elements": lambda: _hwpx(section(["<hp:p>x</hp:p>"] * 499_000), packed=False),
    "hwpx, 2 million elements": lambda: _hwpx(section(["<hp:p/>"] * 2_000_000), packed=False),
    "hwpx, a cell at 2e9": lambda: _hwpx(section([FAR])),
    "hwpx, cut": lambda: hwpx(STATUTE)[:2_000],
    "hwpx that is a zip": lambda: package({"a.txt": "a"}),
    "hwp": lambda: hwp(STATUTE),
    "hwp, 1,000 articles": lambda: hwp(LONG),
    "hwp, not packed": lambda: hwp(STATUTE, flags=0),
    "hwp, 12 sections": lambda: hwp(LONG, sections=12),
    "hwp, numbers of a shape": lambda: hwp(STATUTE, shape=1),
    "hwp, password": lambda: hwp(STATUTE, flags=3),
    "hwp, for distribution": lambda: hwp(STATUTE, flags=5),
    "hwp, DRM": lambda: hwp(STATUTE, flags=17),
    "hwp, bomb of 60 MB": lambda: hwp(STATUTE, body=bytes(60 << 20)),
    "hwp, bomb of 100 MB": lambda: hwp(STATUTE, body=bytes(100 << 20)),
    "hwp 3": lambda: b"HWP Document File V3.00 \x1a\1\2\3\4\5",
    "hwp, cut": lambda: hwp(STATUTE)[:6_000],
    "html": lambda: html(STATUTE),
    "html, 1,000 articles": lambda: html(LONG),
    "html, CP949": lambda: html(LONG).decode().replace("utf-8", "euc-kr").encode("cp949"),
    "html, 90,000 deep": lambda: b"<html>" + b"<div>" * 90_000 + b"deep",
    "html, 199,000 tags": lambda: b"<html>" + b"<p>a</p>" * 99_500,
    "html, 210,000 tags": lambda: b"<html>" + b"<p>a</p>" * 105_000,
    "html, 300,000 attributes": lambda: b"<html><p " + b"a=1 " * 300_000 + b">a",
    "html, 6 MB": lambda: b"<html>" + b"a " * 3_000_000,
    "html, wide spans": lambda: b"<html><table>" + WIDE * 1_000,
    "html of a script": lambda: b"<html><script>location = '/login'</script>",
    "html in no charset": lambda: b"<html>" + bytes(range(0x80, 0x100)) * 20,
    "html, a frame of tables": lambda: b"<html>" + b"<table><tr><td>" * 5_000 + b"a",
}
FAR: Final = (
    '<hp:p><hp:run><hp:tbl><hp:tr><hp:tc><hp:cellAddr colAddr="2000000000" rowAddr="0"/></hp:tc>'
    "</hp:tr></hp:tbl></hp:run></hp:p>"
)
WIDE: Final = b'<tr><td colspan="99999">a</td><td rowspan="99999">b</td></tr>'


def _hwpx(xml: str, *, packed: bool = True) -> bytes:
    return package(parts([xml]), compressed=packed)


def main() -> None:
    """Print the table."""
    table = Table(box=None, pad_edge=False)
    for name in ("file", "outcome"):
        table.add_column(name)
    for name in ("KB", "pages", "characters", "MB", "seconds"):
        table.add_column(name, justify="right")
    for name, body, formats in _files():
        start = time.monotonic()
        extraction = extract(body, formats=formats)
        seconds = time.monotonic() - start
        peak = _peak_megabytes(body, extraction, ExtractLimits())
        table.add_row(
            name,
            extraction.outcome,
            f"{len(body) / 1000:,.0f}",
            "" if extraction.pages is None else f"{extraction.pages:,}",
            f"{len(extraction.text):,}",
            "" if peak is None else f"{peak:.0f}",
            f"{seconds:.1f}",
        )
    Console(width=110, highlight=False).print(table)


def _files() -> Iterator[tuple[str, bytes, tuple[str, ...]]]:
    for name, make in FILES.items():
        yield name, make(), READABLE if name.startswith("html") else DOCUMENTS
    for argument in sys.argv[1:]:
        yield Path(argument).name, Path(argument).read_bytes(), READABLE


def _peak_megabytes(body: bytes, extraction: Extraction, limits: ExtractLimits) -> float | None:
    """Return what the child says of itself; None if none was started, or it was killed."""
    if extraction.outcome in ("killed", "wrong_format") or len(body) > limits.body_bytes:
        return None
    if extraction.format not in READABLE:
        return None
    with tempfile.TemporaryFile() as file:
        file.write(body)
        file.seek(0)
        done = subprocess.run(  # noqa: S603 - this interpreter
            [
                *[sys.executable, "-s", "-B", "-c", MEASURE],
                *[json.dumps(asdict(limits)), extraction.format],
            ],
            stdin=file,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LANG": "C.UTF-8"},
            capture_output=True,
            check=True,
        )
    return int(done.stderr) / 1024


if __name__ == "__main__":
    main()
