"""A guard of the data: the edit that takes it away, and the test that must fall."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Guard:
    """One edit. It is compared as syntax: neither comments nor the breaking of lines count.

    Attributes:
        name: what is taken away.
        file: in ``layers/core/uring``.
        where: the qualified name of the function or class that holds it; empty: anywhere.
        old: an expression, or statements in a row, there exactly once.
        new: what stands there instead.
        test: the test that must fail, as pytest names it, below ``tests/``.
    """

    name: str
    file: str
    where: str
    old: str
    new: str
    test: str


SINGLE: Final = (
    "faults/test_crash_points.py::"
    "test_any_single_fault_loses_nothing_and_doubles_only_what_fcm_does"
)
WEATHER_SINGLE: Final = (
    "faults/test_weather_crash_points.py::test_any_single_fault_loses_and_doubles_nothing"
)
