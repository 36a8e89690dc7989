"""Builds the application with `sam build`, for any architecture and the current interpreter.

As a program (`python -m uring_local.build.build`) it builds both architectures, prints their
weights and proves that the built functions work on their own: every native library is of the right
architecture, firebase-admin is in its users alone, the file worker's JSON parser is native, every
module is compiled, and each handler can be imported from its own directory, the layer and Lambda's
runtime alone.
"""

import hashlib
import json
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rich.console import Console

from uring_local.build.artefacts import (
    Architecture,
    functions,
    import_failures,
    libraries_of_others,
    stray_firebase,
    weights,
)
from uring_local.build.compiled import compile_build, uncompiled
from uring_local.build.locked import one_at_a_time
from uring_local.build.packages import forget
from uring_local.build.sam import Progress, run_sam, silent, step
from uring_local.project import BUILD, ROOT, StackFailed

ARCHITECTURES: tuple[Architecture, ...] = ("x86_64", "arm64")

STAMP: Final = "inputs"
"""The file beside a complete build, with the digest of its inputs; a build begins without it."""

WAITING: Final = "waiting for another build"
"""The line of progress while another process builds."""

_INPUTS: Final = ("template.yaml", "functions", "layers")
_HOST_NAMES: dict[str, Architecture] = {
    "x86_64": "x86_64",
    "amd64": "x86_64",
    "aarch64": "arm64",
    "arm64": "arm64",
}


def host_architecture() -> Architecture:
    """Return this machine's architecture in Lambda's words; x86_64 if Lambda has no such."""
    return _HOST_NAMES.get(platform.machine().lower(), "x86_64")


def python_runtime() -> str:
    """Return Lambda's name for the current interpreter, such as ``python3.13``."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def build_parameters(architecture: Architecture, runtime: str = "") -> dict[str, str]:
    """Return the template's parameters that a build decides; a deployment needs the same."""
    return {"PythonRuntime": runtime or python_runtime(), "Architecture": architecture}


def build(architecture: Architecture, runtime: str = "", *, progress: Progress = silent) -> Path:
    """Build the application, unless nothing has changed since the last build.

    Args:
        architecture: of the functions.
        runtime: such as ``python3.13``, whose interpreter SAM needs; by default this one's.
        progress: called with every line of SAM.

    Returns:
        The directory with ``template.yaml`` and one directory per function and layer.

    Raises:
        StackFailed: SAM failed; the message has the last lines of its output.
    """
    parameters = build_parameters(architecture, runtime)
    own = parameters["PythonRuntime"] == python_runtime()
    work = BUILD / (architecture if own else f"{architecture}-{runtime}")
    built, stamp = work / "app", work / STAMP
    work.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(work / "lock", lambda: progress(WAITING)) as lock:
        inputs = _fingerprint(parameters)
        if (built / "template.yaml").is_file() and _read(stamp) == inputs:
            return built
        if (unfinished := work / "unfinished").exists():
            _clear(work)
        stamp.unlink(missing_ok=True)
        forget(built)
        unfinished.touch()
        run_sam(
            [
                "build",
                *["--template-file", str(ROOT / "template.yaml")],
                *["--build-dir", built.name],
                *["--cached", "--cache-dir", "cache"],
                "--parameter-overrides",
                *(f"{name}={value}" for name, value in parameters.items()),
            ],
            # Each architecture has its own directory: SAM's cache keeps one build, not two.
            cwd=work,
            environment=_wheels(parameters["PythonRuntime"], architecture),
            progress=progress,
            held=[lock],
        )
        progress("Compiling")
        compile_build(built)
        unfinished.unlink()
        stamp.write_text(inputs, encoding="ascii")
    return built


def _clear(work: Path) -> None:
    """Remove a build that was killed or failed: SAM would take its dependencies for whole."""
    for folder in (each for each in work.iterdir() if each.is_dir()):
        shutil.rmtree(folder)
    (work / "build.toml").unlink(missing_ok=True)


def _wheels(runtime: str, architecture: str) -> dict[str, str]:
    """Return pip's options beside those of SAM.

    For Python 3.11 SAM asks for wheels for glibc 2.17; Lambda has 2.26 there.
    """
    if runtime != "python3.11":
        return {}
    machine = "aarch64" if architecture == "arm64" else architecture
    platforms = f"manylinux2014_{machine} manylinux_2_28_{machine}"
    return {"PIP_ONLY_BINARY": ":all:", "PIP_PLATFORM": platforms}


def _fingerprint(parameters: Mapping[str, str]) -> str:
    """Return a digest of all inputs of a build."""
    digest = hashlib.sha256(json.dumps([parameters, version("aws-sam-cli"), "compiled"]).encode())
    for path in _files():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    for name in _INPUTS:
        path = ROOT / name
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (file for file in files if file.is_file() and "__pycache__" not in file.parts)


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None


def main() -> int:
    """Build both architectures and examine them.

    Returns:
        0, or 1 if a part of the build is not fit to ship; 2 if the build failed.
    """
    built: dict[Architecture, Path] = {}
    try:
        for architecture in ARCHITECTURES:
            print(f"building for {architecture} and {python_runtime()}", flush=True)
            built[architecture] = build(architecture, progress=_print_step)
    except StackFailed as error:
        print(error, file=sys.stderr)
        return 2
    print()
    Console().print(weights(built))
    faults = [
        fault
        for architecture, directory in built.items()
        for fault in (
            *libraries_of_others(directory, architecture),
            *stray_firebase(directory),
            *uncompiled(directory),
        )
    ]
    native = built[host_architecture()]
    faults += import_failures(native)
    print(f"imported: {', '.join(directory.name for directory in functions(native))}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _print_step(line: str) -> None:
    if begun := step(line):
        print(f"  {begun}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
