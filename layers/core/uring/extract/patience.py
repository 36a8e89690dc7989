"""Equal runs of two lists, after Bram Cohen's patience diff: never slower than sorting.

Longest common subsequences cost the product of both lengths, which a hostile text may choose. Items
that occur once in both lists are anchors; runs grow from the anchors and from both ends. Items
between runs count as different, though a longer common subsequence may exist.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_ROUNDS: Final = 4

_Span = tuple[int, int, int, int]

Run = tuple[int, int, int]
"""An index into the first list, an index into the second, and a length."""


def equal_runs(first: Sequence[str], second: Sequence[str]) -> list[Run]:
    """Return the equal runs in order; they never overlap, and adjacent ones are joined."""
    return joined(_runs(first, second, (0, len(first), 0, len(second)), _ROUNDS))


def _runs(first: Sequence[str], second: Sequence[str], span: _Span, rounds: int) -> Iterator[Run]:
    a, a_end, b, b_end = span
    head = 0
    while a + head < a_end and b + head < b_end and first[a + head] == second[b + head]:
        head += 1
    if head:
        yield a, b, head
    a, b, tail = a + head, b + head, 0
    while a < a_end and b < b_end and first[a_end - 1] == second[b_end - 1]:
        a_end, b_end, tail = a_end - 1, b_end - 1, tail + 1
    anchors = _anchors(first[a:a_end], second[b:b_end]) if rounds and a < a_end else []
    if anchors:
        places = [(a + at, b + there) for at, there in anchors]
        # Each gap begins with the anchor before it, and so grows from it.
        ends = [*places[1:], (a_end, b_end)]
        yield from _runs(first, second, (a, places[0][0], b, places[0][1]), rounds - 1)
        for (at, there), (at_end, there_end) in zip(places, ends, strict=True):
            yield from _runs(first, second, (at, at_end, there, there_end), rounds - 1)
    if tail:
        yield a_end, b_end, tail


def _anchors(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of items that occur once in each list, in the order of both.

    Where the orders differ, the longest choice in both orders is returned.
    """
    in_first, in_second = Counter(first), Counter(second)
    places = {text: at for at, text in enumerate(second) if in_second[text] == 1}
    pairs = [
        (at, places[text])
        for at, text in enumerate(first)
        if in_first[text] == 1 and text in places
    ]
    return increasing(pairs)


def increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return a longest selection of pairs with rising second indices."""
    ends: list[int] = []  # by length of a selection: the least second index of its last pair
    last: list[int] = []  # and the number of that pair
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        length = bisect_left(ends, there)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [there]
        last[length : length + 1] = [number]
    chosen: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def joined(runs: Iterable[Run]) -> list[Run]:
    """Return runs; two that touch in both lists become one."""
    joined: list[Run] = []
    for a, b, length in runs:
        if joined and joined[-1][0] + joined[-1][2] == a and joined[-1][1] + joined[-1][2] == b:
            joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + length)
        else:
            joined.append((a, b, length))
    return joined
