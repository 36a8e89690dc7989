"""What the project's environments lend: the emulator, an interpreter, Lambda's own packages."""

import re
from importlib.metadata import Distribution, distributions
from importlib.util import find_spec
from pathlib import Path

from uring_local.project import ROOT, StackFailed
from uring_local.stack.build import host_architecture

PYTHON = ROOT / ".venv-stack" / "bin" / "python"
"""The interpreter that the functions run with: the version that they were built for."""

_NAMES = ("awslambdaric", "boto3")


def emulator_program() -> Path:
    """The emulator of this machine's architecture.

    Raises:
        StackFailed: the SAM CLI here has none.
    """
    spec = find_spec("samcli")
    name = f"aws-lambda-rie-{host_architecture()}"
    for place in spec.submodule_search_locations or () if spec else ():
        program = Path(place) / "local" / "rapid" / name
        if program.is_file():
            return program
    raise StackFailed(f"{name}: the SAM CLI of this environment has none; run `make setup`")


def lend_runtime(directory: Path) -> None:
    """Fill an empty directory with links to the packages that Lambda's runtime brings.

    Raises:
        StackFailed: they are not installed.
    """
    for package in runtime_packages():
        (directory / package.name).symlink_to(package)


def runtime_packages() -> set[Path]:
    """Packages and modules of the runtime's client, of boto3, and of all that they require.

    Raises:
        StackFailed: they are not installed.
    """
    sites = (PYTHON.parents[1] / "lib").glob("python3.*/site-packages")
    installed = {_normal(each.name): each for each in distributions(path=[str(s) for s in sites])}
    missing = sorted({*_NAMES} - installed.keys())
    if missing:
        raise StackFailed(f"{PYTHON}: lacks {', '.join(missing)}; run `make setup`")
    found: set[Path] = set()
    seen: set[str] = set()
    waiting = [*_NAMES]
    while waiting:
        name = waiting.pop()
        # Some requirements are for other systems or Pythons.
        if name in seen or name not in installed:
            continue
        seen.add(name)
        found |= _modules(installed[name])
        waiting += [
            _normal(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
            for requirement in installed[name].requires or []
            if "extra ==" not in requirement
        ]
    return found


def _modules(installed: Distribution) -> set[Path]:
    tops = {file.parts[0] for file in installed.files or []}
    return {
        Path(str(installed.locate_file(top)))
        for top in tops
        if top not in {"..", "__pycache__"} and not top.endswith(".dist-info")
    }


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
