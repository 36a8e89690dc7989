"""The entry point of a function, loaded from its folder as Lambda loads it."""

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from uring.runtime.invocation import Function


def builder(folder: Path) -> Callable[..., Function]:
    """Return what builds the function of this folder.

    Raises:
        ImportError: there is no ``app.py`` in it, or it imports no ``build``.
    """
    spec = spec_from_file_location(f"{folder.name}_app", folder / "app.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} has no app.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    build: Any = module.build
    return build  # type: ignore[no-any-return]
