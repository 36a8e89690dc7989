"""Copy the client's libraries from their npm packages: `make vendor`, after a version changed.

`web/vendor/vendor.json` names each file, its package and version. This needs npm. The tests do not:
they compare the files with the hashes in that list.
"""

import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any, Final

from uring_local.project import ROOT

VENDOR: Final = ROOT / "web" / "vendor"
LIST: Final = VENDOR / "vendor.json"
_FIREBASE: Final = re.compile(rb"https://www\.gstatic\.com/firebasejs/[0-9.]+/")
_SOURCE_MAP: Final = re.compile(rb"^//# sourceMappingURL=.*\n?", re.MULTILINE)


def self_hosted(module: bytes) -> bytes:
    """Return a Firebase module with relative imports and without its source map."""
    return _SOURCE_MAP.sub(b"", _FIREBASE.sub(b"./", module))


def vendored() -> dict[str, dict[str, Any]]:
    """Return the entries of `vendor.json`, by file name."""
    listed: dict[str, dict[str, Any]] = json.loads(LIST.read_bytes())
    return listed


def digest(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _packed(package: str, folder: Path) -> Path:
    """Download a package, `name@version`, and return its archive."""
    command = ["npm", "pack", "--silent", package]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)  # noqa: S603 (our own list)
    return folder / done.stdout.split()[-1]


def _taken(archive: Path, file: str) -> bytes:
    """Return a file of a package's archive.

    Raises:
        FileNotFoundError: the archive has no such file.
    """
    with tarfile.open(archive) as packed:
        member = packed.extractfile(f"package/{file}")
        if member is None:
            raise FileNotFoundError(f"{archive.name} has no file {file}")
        return member.read()


def main() -> None:
    """Write all files again, and their hashes."""
    listed = vendored()
    with tempfile.TemporaryDirectory() as scratch:
        for name, entry in listed.items():
            archive = _packed(f"{entry['package']}@{entry['version']}", Path(scratch))
            (VENDOR / name).write_bytes(self_hosted(_taken(archive, entry["file"])))
            entry["sha256"] = digest(VENDOR / name)
    LIST.write_text(json.dumps(listed, indent=2) + "\n")


if __name__ == "__main__":
    main()
