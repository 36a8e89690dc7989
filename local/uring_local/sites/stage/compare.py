"""Expected data beside stored data: a sentence for each fault."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, TypeVar

K = TypeVar("K")
R = TypeVar("R")
S = TypeVar("S")

_LONGEST: Final = 120


def unmatched(name: str, right: Collection[K], shown: Collection[K]) -> Iterator[str]:
    """Yield what is missing, and what should not be there.

    Args:
        name: stands before each key in a sentence.
        right: the expected keys.
        shown: the stored keys.
    """
    yield from (f"{name}{key} is missing" for key in right if key not in shown)
    yield from (f"{name}{key} is there, and should not be" for key in shown if key not in right)


def compared(
    name: str,
    right: Mapping[K, R],
    shown: Mapping[K, S],
    faults: Callable[[K, R, S], Iterator[str]],
) -> Iterator[str]:
    """Yield what is `unmatched`, and the faults of each pair under its key."""
    yield from unmatched(name, right, shown)
    for key, value in right.items():
        if key in shown:
            yield from (f"{name}{key}: {fault}" for fault in faults(key, value, shown[key]))


def differing(right: Mapping[str, Any], shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield each value that is not as it should be; further ones are not looked at."""
    for key, value in right.items():
        if shown.get(key) != value:
            yield f"{key} is {_short(shown.get(key))}, not {_short(value)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
