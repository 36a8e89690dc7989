"""Packs the build once: `sam deploy` would pack the folders again for each stack."""

import shutil
from pathlib import Path

from uring_local.build.locked import one_at_a_time


def packages(built: Path) -> Path:
    """Return the directory with a zip file of each function and layer, named like their folders."""
    packed = _place(built)
    # The lock of the build: no other process packs a half-finished build.
    with one_at_a_time(built.parent / "lock"):
        if not packed.is_dir():
            making = packed.with_name("packing")
            shutil.rmtree(making, ignore_errors=True)
            for directory in sorted(each for each in built.iterdir() if each.is_dir()):
                shutil.make_archive(str(making / directory.name), "zip", directory)
            making.rename(packed)
    return packed


def forget(built: Path) -> None:
    """Remove the packages before the application is built again."""
    shutil.rmtree(_place(built), ignore_errors=True)


def _place(built: Path) -> Path:
    return built.parent / "packages"
