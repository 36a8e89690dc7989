"""Judges what `sam build` made: weight, native libraries, and whether each handler imports.

A built directory holds one directory per function, with ``app.py`` in it, and one per layer, with
``python/`` in it.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

Architecture = Literal["x86_64", "arm64"]

# ELF header: e_machine, two bytes at offset 18.
_ELF_MACHINES: Mapping[Architecture, int] = {"x86_64": 62, "arm64": 183}
_FIREBASE_FUNCTION: Final = "Notifier"
_IMPORT_SECONDS: Final = 60
# Lambda's order: the function, its layer, the standard library, then the runtime's own packages.
_IMPORT_HANDLER: Final = """
import sys
function, layer, runtime = sys.argv[1:]
sys.path[:0] = [function, layer]
sys.path.append(runtime)
import app
if not callable(app.handler):
    raise SystemExit("app.handler is not callable")
"""


def functions(built: Path) -> list[Path]:
    """Return the directories of the functions, by name."""
    return sorted(each for each in built.iterdir() if (each / "app.py").is_file())


def layers(built: Path) -> list[Path]:
    """Return the directories of the layers, by name."""
    return sorted(each for each in built.iterdir() if (each / "python").is_dir())


def weights(built: Mapping[Architecture, Path]) -> str:
    """Return a table: each layer and function, its unzipped megabytes (10^6) per architecture."""
    names = sorted(
        {each.name for path in built.values() for each in [*layers(path), *functions(path)]}
    )
    rows = [["unzipped MB", *built, "firebase-admin"]]
    for name in names:
        places = [path / name for path in built.values()]
        sizes = [f"{_bytes(place) / 1e6:.1f}" for place in places]
        rows.append([name, *sizes, "yes" if any(map(_has_firebase, places)) else "no"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def stray_firebase(built: Path) -> Iterator[str]:
    """Faults: firebase-admin where it is not used, or missing where it is."""
    for each in [*layers(built), *functions(built)]:
        if _has_firebase(each) != (each.name == _FIREBASE_FUNCTION):
            verb = "lacks" if each.name == _FIREBASE_FUNCTION else "must not carry"
            yield f"{each}: {verb} firebase-admin; look at its requirements.txt"


def libraries_of_others(built: Path, architecture: Architecture) -> Iterator[str]:
    """Faults: native libraries that the architecture cannot load."""
    for path in sorted([*built.rglob("*.so"), *built.rglob("*.so.*")]):
        with path.open("rb") as file:
            header = file.read(20)
        if header[:4] == b"\x7fELF":
            machine = int.from_bytes(header[18:20], "little")
            if machine != _ELF_MACHINES[architecture]:
                yield f"{path}: not a library for {architecture} (ELF machine {machine})"


def import_failures(built: Path) -> Iterator[str]:
    """Faults: handlers that cannot be imported from what Lambda will have, and the traceback.

    An interpreter without environment, working directory and installed packages imports each from
    its own directory, the layer, and the boto3 that Lambda's runtime brings. It must be of the
    architecture and version that was built for.
    """
    (layer,) = layers(built)
    with TemporaryDirectory() as scratch:
        runtime = Path(scratch)
        for package in _top_level("boto3"):
            (runtime / package.name).symlink_to(package)
        for each in functions(built):
            run = subprocess.run(  # noqa: S603 - this interpreter, no shell
                [
                    *[sys.executable, "-I", "-S", "-B", "-c", _IMPORT_HANDLER],
                    *[each, layer / "python", runtime],
                ],
                cwd=scratch,
                env={},
                capture_output=True,
                text=True,
                timeout=_IMPORT_SECONDS,
                check=False,
            )
            if run.returncode:
                yield f"{each.name}: cannot be imported as built:\n{run.stderr.strip()}"


def _top_level(name: str) -> set[Path]:
    """Packages and modules of an installed distribution and of all that it requires."""
    found: set[Path] = set()
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        installed = distribution(current)
        waiting.extend(
            re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower()
            for requirement in installed.requires or []
            if "extra ==" not in requirement
        )
        tops = {file.parts[0] for file in installed.files or [] if file.parts[0] != ".."}
        found |= {Path(str(installed.locate_file(top))) for top in tops if top != "__pycache__"}
    return found


def _has_firebase(directory: Path) -> bool:
    return any(directory.rglob("firebase_admin/__init__.py"))


def _bytes(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
