"""The supplements of a regulation, each with the date that its sentence gives.

The script knows the date before it writes the sentence; nothing here reads one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random
from typing import Final, NamedTuple

_CALENDAR: Final = ("{0.year}년 {0.month}월 {0.day}일", "{0.year}. {0.month}. {0.day}.")
_PROMULGATED: Final = ("공포한 날부터", "공포한 날부터", "공포한 날로부터")
_FOUNDED: Final = date(2019, 3, 1)
_MOST_DAYS_AHEAD: Final = 40
_BARE: Final = 0.3
_RESPELLED: Final = 0.3
_ALONE: Final = 0.5
_SUMMER: Final = 7


class InForce(NamedTuple):
    """When a text or a change comes into force.

    Attributes:
        date: ``YYYY-MM-DD``; empty without one.
        words: the sentence where it gives no date; else empty.
    """

    date: str = ""
    words: str = ""

    @property
    def head(self) -> dict[str, str | None]:
        """The values in the head of a text, and in a difference."""
        return {"effective": self.date or None, "effectiveText": self.words or None}


@dataclass(frozen=True)
class Supplement:
    """A supplement (부칙).

    Attributes:
        sentence: of coming into force.
        dated: the date in its heading; None in a bare heading.
        in_force: the date that its sentence gives; None for a semester, and for the day of
            promulgation under a bare heading.
    """

    sentence: str
    dated: date | None = None
    in_force: date | None = None

    @property
    def heading(self) -> str:
        """Its first paragraph."""
        return f"부칙 <{_CALENDAR[1].format(self.dated)}>" if self.dated else "부칙"

    @property
    def key(self) -> str:
        """Its key in a difference."""
        return self.heading.translate({ord(mark): None for mark in " <>"})


def first_supplement(random: Random) -> Supplement:
    """Return the supplement of a new regulation: of years ago, or under a bare heading."""
    if random.random() < _BARE:
        return Supplement(_sentence(random.choice(_PROMULGATED)))
    return _on(random, _FOUNDED - timedelta(days=20), _FOUNDED)


def with_supplement(
    random: Random, before: tuple[Supplement, ...], today: date
) -> tuple[Supplement, ...]:
    """Return the supplements of a revised file: with a new one behind the earlier ones.

    Sometimes an earlier date has another spelling, beside the new supplement or in its place.
    """
    after = list(before)
    others = {at: other for at, each in enumerate(before) if (other := _respelled(each)) != each}
    if others and random.random() < _RESPELLED:
        at = random.choice([*others])
        after[at] = others[at]
        if random.random() < _ALONE:
            return tuple(after)
    return (*after, _new(random, today))


def in_force(supplements: Sequence[Supplement]) -> InForce:
    """Return what the newest supplement says; nothing if too few dates show which one is newest."""
    if not supplements or len(supplements) > 1 >= sum(
        each.dated is not None for each in supplements
    ):
        return InForce()
    newest = supplements[-1]
    return InForce(newest.in_force.isoformat()) if newest.in_force else InForce("", newest.sentence)


def _new(random: Random, today: date) -> Supplement:
    kind = random.choice(("calendar", "promulgated", "semester"))
    if kind == "calendar":
        return _on(random, today, today + timedelta(days=random.randint(0, _MOST_DAYS_AHEAD)))
    if kind == "promulgated":
        return Supplement(_sentence(random.choice(_PROMULGATED)), today, today)
    semester = 1 if today.month < _SUMMER else 2
    return Supplement(_sentence(f"{today.year}학년도 {semester}학기부터"), today)


def _on(random: Random, dated: date, at: date) -> Supplement:
    return Supplement(_sentence(f"{random.choice(_CALENDAR).format(at)}부터"), dated, at)


def _sentence(when: str) -> str:
    return f"이 규정은 {when} 시행한다."


def _respelled(supplement: Supplement) -> Supplement:
    """Return the supplement with its date in the other spelling; unchanged if it names none."""
    one, other = (form.format(supplement.in_force or date.min) for form in _CALENDAR)
    if one not in supplement.sentence:
        one, other = other, one
    return replace(supplement, sentence=supplement.sentence.replace(one, other))
