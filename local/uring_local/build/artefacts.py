"""Judges the output of `sam build`: weight, native libraries, and whether each handler imports.

A built directory has one directory per function, with ``app.py`` in it, and one per layer, with
``python/`` in it.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from rich.table import Table

from uring_local.project import StackFailed

Architecture = Literal["x86_64", "arm64"]

# ELF header: e_machine, two bytes at offset 18.
_ELF_MACHINES: Mapping[Architecture, int] = {"x86_64": 62, "arm64": 183}
_FIREBASE_FUNCTIONS: Final = ("Notifier", "SubscriptionApi")
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
    return sorted(directory for directory in built.iterdir() if (directory / "app.py").is_file())


def layers(built: Path) -> list[Path]:
    """Return the directories of the layers, by name."""
    return sorted(directory for directory in built.iterdir() if (directory / "python").is_dir())


def weights(built: Mapping[Architecture, Path]) -> Table:
    """Return each layer and function with its unzipped megabytes (10^6) per architecture."""
    table = Table("unzipped MB", box=None, pad_edge=False)
    for architecture in built:
        table.add_column(architecture, justify="right")
    parts = [part for path in built.values() for part in (*layers(path), *functions(path))]
    for name in sorted({part.name for part in parts}):
        table.add_row(name, *(f"{_bytes(path / name) / 1e6:.1f}" for path in built.values()))
    return table


def stray_firebase(built: Path) -> Iterator[str]:
    """Yield faults: firebase-admin in functions that do not need it, or missing where needed."""
    for directory in [*layers(built), *functions(built)]:
        is_due = directory.name in _FIREBASE_FUNCTIONS
        if _has_firebase(directory) != is_due:
            verb = "lacks" if is_due else "must not carry"
            yield f"{directory}: {verb} firebase-admin; look at its requirements.txt"


def libraries_of_others(built: Path, architecture: Architecture) -> Iterator[str]:
    """Yield faults: native libraries that the architecture cannot load."""
    for path in sorted([*built.rglob("*.so"), *built.rglob("*.so.*")]):
        with path.open("rb") as file:
            header = file.read(20)
        if header[:4] == b"\x7fELF":
            machine = int.from_bytes(header[18:20], "little")
            if machine != _ELF_MACHINES[architecture]:
                yield f"{path}: not a library for {architecture} (ELF machine {machine})"


def import_failures(built: Path) -> Iterator[str]:
    """Yield faults: handlers that cannot be imported on Lambda, with the traceback.

    An interpreter without environment, working directory and installed packages imports each from
    its own directory, the layer, and the boto3 of Lambda's runtime. Its architecture and version
    must be those of the build.
    """
    (layer,) = layers(built)
    with TemporaryDirectory() as scratch:
        runtime = Path(scratch)
        for package in packages(["boto3"], sys.path):
            (runtime / package.name).symlink_to(package)
        for function in functions(built):
            run = subprocess.run(  # noqa: S603 - this interpreter, no shell
                [
                    *[sys.executable, "-I", "-S", "-B", "-c", _IMPORT_HANDLER],
                    *[function, layer / "python", runtime],
                ],
                cwd=scratch,
                env={},
                capture_output=True,
                text=True,
                timeout=_IMPORT_SECONDS,
                check=False,
            )
            if run.returncode:
                yield f"{function.name}: cannot be imported as built:\n{run.stderr.strip()}"


def packages(names: Sequence[str], path: Sequence[str]) -> set[Path]:
    """Return packages and modules of distributions and of all their requirements.

    Args:
        names: the names of the distributions.
        path: an interpreter's module folders, such as its ``sys.path``.

    Raises:
        StackFailed: one of ``names`` is not installed there.
    """
    paths: set[Path] = set()
    seen: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        installed = next(iter(distributions(name=name, path=[*path])), None)
        if installed is not None:
            paths |= _modules(installed)
            waiting += [
                re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
                for requirement in installed.requires or []
                if "extra ==" not in requirement
            ]
        # Some requirements are for other systems or Pythons.
        elif name in names:
            raise StackFailed(f"{name}: not installed in {[*path]}; run `make setup`")
    return paths


def _modules(installed: Distribution) -> set[Path]:
    tops = {file.parts[0] for file in installed.files or []}
    return {
        Path(str(installed.locate_file(top)))
        for top in tops
        if top not in {"..", "__pycache__"} and not top.endswith(".dist-info")
    }


def _has_firebase(directory: Path) -> bool:
    return any(directory.rglob("firebase_admin/__init__.py"))


def _bytes(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
