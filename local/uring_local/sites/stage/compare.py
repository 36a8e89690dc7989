"""Expected data beside stored data: a sentence for each fault."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, TypeVar

K = TypeVar("K")
R = TypeVar("R")
S = TypeVar("S")

_LONGEST: Final = 120


def unmatched(name: str, right: Collection[K], shown: Collection[K]) -> Iterator[str]:
    """Yield a sentence for each missing key and for each unexpected key.

    Args:
        name: the text before each key in a sentence.
        right: the expected keys.
        shown: the stored keys.
    """
    yield from (f"{name}{key} is missing" for key in right if key not in shown)
    yield from (f"{name}{key} is stored, and should not be" for key in shown if key not in right)


def compared(
    name: str,
    right: Mapping[K, R],
    shown: Mapping[K, S],
    faults: Callable[[K, R, S], Iterator[str]],
) -> Iterator[str]:
    """Yield the `unmatched` keys, then the faults of each matched pair, with its key in front."""
    yield from unmatched(name, right, shown)
    for key, value in right.items():
        if key in shown:
            yield from (f"{name}{key}: {fault}" for fault in faults(key, value, shown[key]))


def differing(right: Mapping[str, Any], shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each wrong or missing value; keys outside `right` are not compared."""
    for key, value in right.items():
        if shown.get(key) != value:
            yield f"{key} is {_short(shown.get(key))}, not {_short(value)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
