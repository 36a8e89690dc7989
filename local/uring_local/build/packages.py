"""Packs what was built, once: `sam deploy` would pack the folders for each stack anew."""

import shutil
from pathlib import Path

from uring_local.build.locked import one_at_a_time


def packages(built: Path) -> Path:
    """Return the directory with a zip file of each function and layer, named as their folders."""
    packed = _place(built)
    # The lock of the build: what is half built is not packed, and kept, by another process.
    with one_at_a_time(built.parent / "lock"):
        if not packed.is_dir():
            making = packed.with_name("packing")
            shutil.rmtree(making, ignore_errors=True)
            for directory in sorted(each for each in built.iterdir() if each.is_dir()):
                shutil.make_archive(str(making / directory.name), "zip", directory)
            making.rename(packed)
    return packed


def forget(built: Path) -> None:
    """Remove them, before what they are of is built anew."""
    shutil.rmtree(_place(built), ignore_errors=True)


def _place(built: Path) -> Path:
    return built.parent / "packages"
