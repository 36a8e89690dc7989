"""The bytes of a file, with its lasting faults."""

import io
import zipfile
from functools import lru_cache
from typing import Final

from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx, package, parts, section
from uring_local.sites.files.pdf import pdf
from uring_local.sites.registry.model import File

CONTENT_TYPES: Final = {
    "pdf": "application/pdf",
    "hwpx": "application/octet-stream",
    "html": "text/html; charset=utf-8",
}
_BOMB_MEGABYTES: Final = 300
_MEGABYTE: Final = 1_000_000


# A site sends a file once, and its judge asks for it at each look: some ten megabytes.
@lru_cache(maxsize=256)
def body_of(file: File) -> bytes:
    """Return the downloaded bytes of a file, with its lasting faults: bomb, scan or password."""
    if file.fate == "bomb":
        return _bomb()
    if file.format == "hwpx":
        return hwpx(file.paper, compressed=True)
    if file.format == "html":
        return html(file.paper)
    return pdf(
        file.paper,
        scanned=file.fate == "scanned",
        encrypted=file.fate == "encrypted",
        numbered=True,
    )


@lru_cache(maxsize=1)
def _bomb() -> bytes:
    """Return a small HWPX whose only section is 300 MB."""
    small = zipfile.ZipFile(io.BytesIO(package(parts([section([])]))))
    out = io.BytesIO()
    with small, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in small.namelist():
            if not name.endswith("section0.xml"):
                archive.writestr(zipfile.ZipInfo(name), small.read(name))
        section0 = zipfile.ZipInfo("Contents/section0.xml")
        section0.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(section0, "w") as part:
            part.write(small.read("Contents/section0.xml").partition(b"</")[0])
            for _ in range(_BOMB_MEGABYTES):
                part.write(b" " * _MEGABYTE)
    return out.getvalue()
