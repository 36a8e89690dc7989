"""What the project's environments lend: the emulator, an interpreter, Lambda's own packages."""

from importlib.util import find_spec
from pathlib import Path

from uring_local.build.artefacts import packages
from uring_local.build.build import host_architecture
from uring_local.project import ROOT, StackFailed

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


def site_packages() -> list[str]:
    """Where that interpreter has what is installed for it."""
    return [str(site) for site in (PYTHON.parents[1] / "lib").glob("python3.*/site-packages")]


def lend_runtime(directory: Path) -> None:
    """Fill an empty directory with links to the packages that Lambda's runtime brings.

    Raises:
        StackFailed: they are not installed.
    """
    for package in packages(_NAMES, site_packages()):
        (directory / package.name).symlink_to(package)
