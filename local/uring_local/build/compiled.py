"""Compiles the output of `sam build`, for the interpreter of that build.

SAM ships no compiled modules, and Lambda's file system is read-only: each cold start would compile
all its imports, which takes half of its time. The compiled modules are not compared with their
sources (PEP 552, unchecked): both are in one package, and a comparison reads every source.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from typing import Final

from uring_local.project import StackFailed

_SECONDS: Final = 300
# Lambda's folders: tracebacks name the files there.
_LAYER: Final = "/opt/python"
_FUNCTION: Final = "/var/task"
_COMPILE: Final = """
import sys
from compileall import compile_dir
from py_compile import PycInvalidationMode
for folder, place in zip(sys.argv[1::2], sys.argv[2::2]):
    compile_dir(folder, maxlevels=30, stripdir=folder, prependdir=place, quiet=2, force=True,
                invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
"""
_NATIVE: Final = re.compile(r"\.cpython-3(\d+)-")
_UNCHECKED: Final = 1


def compile_build(built: Path) -> int:
    """Compile the modules of every layer and function of a build; return their number.

    A module that is not valid for this Python, such as a package's own test of an error, is left
    out.

    Raises:
        StackFailed: there is no build, or its interpreter is not installed.
    """
    places = [*_places(built)]
    if not places:
        raise StackFailed(f"{built}: no layer and no function in it; run `sam build`")
    command = [_interpreter(built), "-s", "-P", "-c", _COMPILE]
    for folder, place in places:
        command += [str(folder), place]
    run = subprocess.run(  # noqa: S603 - an interpreter, no shell
        command,
        # The same modules for the same sources: without the seed the order of sets is random.
        env={"PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", os.defpath)},
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if run.returncode:
        raise StackFailed(f"{built}: cannot be compiled:\n{run.stderr.strip()[-2000:]}")
    return sum(1 for folder, _ in places for _ in folder.rglob("*.pyc"))


def uncompiled(built: Path) -> Iterator[str]:
    """Yield faults: modules that were not compiled for this interpreter, or edited since."""
    for folder, _ in _places(built):
        for source in sorted(folder.rglob("*.py")):
            name = f"{source.stem}.{sys.implementation.cache_tag}.pyc"
            compiled = source.parent / "__pycache__" / name
            if not _is_current(source.read_bytes(), compiled) and _is_python(source):
                yield f"{source}: not compiled, or edited since; run `uring compile`"


def _places(built: Path) -> Iterator[tuple[Path, str]]:
    if not built.is_dir():
        return
    for directory in sorted(built.iterdir()):
        if (directory / "python").is_dir():
            yield directory / "python", _LAYER
        elif (directory / "app.py").is_file():
            yield directory, _FUNCTION


def _interpreter(built: Path) -> str:
    """Return the interpreter with the version of the native modules."""
    versions = {
        int(found[1])
        for folder, place in _places(built)
        if place == _LAYER
        for path in folder.rglob("*.so")
        if (found := _NATIVE.search(path.name))
    }
    if len(versions) > 1:
        raise StackFailed(f"{built}: built for several versions of Python; delete it and build")
    if versions <= {sys.version_info.minor}:
        return sys.executable
    name = f"python3.{versions.pop()}"
    if program := shutil.which(name):
        return program
    raise StackFailed(f"{built}: built for {name}, which is not on PATH; add it, SAM needs it too")


def _is_python(source: Path) -> bool:
    try:
        compile(source.read_bytes(), source.name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _is_current(source: bytes, compiled: Path) -> bool:
    try:
        content = compiled.read_bytes()
    except FileNotFoundError:
        return False
    expected = MAGIC_NUMBER + _UNCHECKED.to_bytes(4, "little") + source_hash(source)
    return content[: len(expected)] == expected
