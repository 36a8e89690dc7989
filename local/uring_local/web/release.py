"""A release of the client: the objects of a source folder, in the order of their upload.

    index.html, sw.js, …   keep their names, `no-cache`        web/index.html
    all others             a folder for each release, for ever web/r/{id}/app/main.js

An entry file names the others as `"./app/main.js"`; that becomes `"./r/{id}/app/main.js"`. Modules
name one another relatively, so they are the same in every release; an uploaded one has few files in
place of them (`joined`). The release files come first and index.html last: during an upload, or
after a failed one, all files that a page names are stored.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

from uring.errors import UringError
from uring.media import HTML, JSON, TEXT
from uring_local.web.joined import join_modules

PREFIX: Final = "web"
"""The bucket's folder of the client, which the distribution serves."""
CONFIG: Final = "config.json"
STATUS: Final = "status/index.html"
PAGE: Final = "index.html"
# In the order of their upload. The worker before the page: a page never meets an older worker's
# list of files with its own addresses.
ENTRIES: Final = ("sw.js", "manifest.webmanifest", CONFIG, STATUS, PAGE)

_REVALIDATED: Final = "no-cache"
_IMMUTABLE: Final = "public, max-age=31536000, immutable"
_ID_DIGITS: Final = 12
_TYPES: Final = {
    "": TEXT,
    ".css": "text/css; charset=utf-8",
    ".html": HTML,
    ".ico": "image/x-icon",
    ".license": TEXT,
    ".js": "text/javascript; charset=utf-8",
    ".json": JSON,
    ".md": TEXT,
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": TEXT,
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_ADDRESS: Final = re.compile(r"""(?P<quote>["'])(?P<address>\.{1,2}/[^"'\s]*)(?P=quote)""")


class ReleaseInvalid(UringError):
    """A folder is not a client; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class ReleaseObject:
    """An object of a release, with its headers."""

    key: str
    body: bytes
    content_type: str
    cache_control: str


@dataclass(frozen=True, slots=True)
class Release:
    """A client, ready for upload.

    Attributes:
        id: 12 hexadecimal digits; the same for the same files. config.json does not change it.
        files: in the order of their upload.
    """

    id: str
    files: tuple[ReleaseObject, ...]


def read_release(
    folder: Path, config: Mapping[str, Any] | None = None, *, are_joined: bool = False
) -> Release:
    """Return the release of a source folder; nothing is written.

    Args:
        folder: of the sources. Hidden files, and all in hidden folders, are left out.
        config: the content of config.json in place of the folder's; None keeps that.
        are_joined: whether few files stand for the modules; else those are as they are.

    Raises:
        ReleaseInvalid: index.html is missing, an entry file is not UTF-8 or names a missing file,
            or a file is a link or of an unknown type.
        ModuleInvalid: a module cannot be joined with others.
    """
    sources = _sources(folder)
    if are_joined:
        sources = join_modules(sources)
    release_id = _id({name: body for name, body in sources.items() if name != CONFIG})
    if config is not None:
        sources[CONFIG] = f"{json.dumps(config, ensure_ascii=False, indent=2)}\n".encode()
    released = sources.keys() - {*ENTRIES}
    files = [
        ReleaseObject(f"{PREFIX}/r/{release_id}/{name}", sources[name], _type(name), _IMMUTABLE)
        for name in sorted(released)
    ]
    for name in (each for each in ENTRIES if each in sources):
        body = _addressed(name, sources[name], released, release_id)
        entry = ReleaseObject(f"{PREFIX}/{name}", body, _type(name), _REVALIDATED)
        files.append(entry)
        if name == STATUS:
            # The key for `/status/`: the distribution has a root object for "/" only.
            folder_key = f"{PREFIX}/{dirname(name)}/"
            files.append(ReleaseObject(folder_key, body, entry.content_type, entry.cache_control))
    return Release(release_id, tuple(files))


def _sources(folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith(".") for part in name.split("/")):
            continue
        if path.is_symlink():
            raise ReleaseInvalid(f"{path}: is a link; put the file itself there")
        if path.is_file():
            _type(name)
            found[name] = path.read_bytes()
    if PAGE not in found:
        raise ReleaseInvalid(f"{folder / PAGE}: no such file; name the folder of the client")
    return found


def _type(name: str) -> str:
    suffix = Path(name).suffix.lower()
    try:
        return _TYPES[suffix]
    except KeyError:
        raise ReleaseInvalid(
            f"{name}: {suffix} is not a type of a client's file; remove it, or add the type to "
            "uring_local.web.release"
        ) from None


def _id(sources: Mapping[str, bytes]) -> str:
    """Return the id, a hash of all files: a new page alone has to reach the worker too."""
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(f"{name}\0{len(sources[name])}\0".encode())
        digest.update(sources[name])
    return digest.hexdigest()[:_ID_DIGITS]


def _addressed(name: str, body: bytes, released: Iterable[str], release_id: str) -> bytes:
    """Return an entry file with the addresses of released files in this release.

    Raises:
        ReleaseInvalid: it is not UTF-8, or names a missing module, style or picture.
    """
    there = {*released}

    def address(found: re.Match[str]) -> str:
        path = _path(name, found["address"])
        if path in there:
            up = "../" * name.count("/") or "./"
            return f"{found['quote']}{up}r/{release_id}/{path}{found['quote']}"
        if Path(path).suffix in {".js", ".css", ".png", ".svg", ".ico"} and path not in ENTRIES:
            raise ReleaseInvalid(f"{name}: names {path}, which does not exist; correct the address")
        return found[0]

    try:
        return _ADDRESS.sub(address, body.decode()).encode()
    except UnicodeDecodeError:
        raise ReleaseInvalid(f"{name}: is not UTF-8; save it as UTF-8") from None


def _path(name: str, address: str) -> str:
    """Return the path, from the client's root, of a relative address in the file ``name``."""
    return normpath(join(dirname(name), address))
