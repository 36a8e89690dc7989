"""The flight categories of played reports, from their values; the product's reader is not asked."""

import math
from datetime import datetime
from itertools import accumulate
from typing import Final, NamedTuple

from uring_local.sites.airfield.model import Conditions, Group, Report

_MILE: Final = 1609.344
_LIMITS: Final = (("LIFR", 500, 1), ("IFR", 1000, 3))
_STAYS: Final = frozenset({"BECMG", "FM"})


class Sky(NamedTuple):
    """The visibility in m and the ceiling in ft; infinite without a limit."""

    visibility: float = math.inf
    ceiling: float = math.inf

    def with_group(self, group: Conditions) -> "Sky":
        """Return what a group leaves of these conditions."""
        if group.cavok:
            return Sky()
        visibility = self.visibility if group.visibility is None else group.visibility
        is_told = group.clouds is not None or group.vertical_visibility is not None
        return Sky(visibility, _ceiling(group) if is_told else self.ceiling)

    @property
    def category(self) -> str:
        """The FAA's category, the worse of both."""
        miles = self.visibility / _MILE
        for name, feet, least in _LIMITS:
            if self.ceiling < feet or miles < least:
                return name
        return "MVFR" if self.ceiling <= 3000 or miles <= 5 else "VFR"  # noqa: PLR2004


def category_of(report: Report) -> str | None:
    """Return the category of an observation; None for NIL."""
    return None if report.status == "NIL" else Sky().with_group(report).category


def categories(report: Report) -> list[str]:
    """Return the category of each group over the conditions of its start, in the TAF's order."""
    return [_category(report, group) for group in report.groups]


def categories_at(report: Report, at: datetime) -> tuple[str, str]:
    """Return the category of what prevails at a time, and the worst one of that time."""
    last, settled = _skies([it for it in report.groups if it.type in _STAYS], report, at)
    passing = [it for it in report.groups if it.type not in _STAYS and it.start <= at < it.end]
    possible = [last, settled]
    possible += [sky.with_group(it) for it in passing for sky in (last, settled)]
    return settled.category, _worst(possible)


def _category(report: Report, group: Group) -> str:
    if group.type == "FM":
        return Sky().with_group(group).category
    stays = [it for it in report.groups if it.type in _STAYS and it is not group]
    last, settled = _skies(stays, report, group.start)
    if group.type == "BECMG":
        return last.with_group(group).category
    return _worst([last.with_group(group), settled.with_group(group)])


def _skies(stays: list[Group], report: Report, at: datetime) -> tuple[Sky, Sky]:
    """Return the conditions after all begun transitions, and after the ended ones."""
    begun = sorted((it for it in stays if it.start <= at), key=lambda it: it.start)
    since = max((at for at, it in enumerate(begun) if it.type == "FM"), default=None)
    first = Sky().with_group(report if since is None else begun[since])
    begun = begun[0 if since is None else since + 1 :]
    last = _after(first, begun)
    ended = [it for it in begun if it.end <= at]
    return last, _after(first, sorted(ended, key=_end)) if len(ended) < len(begun) else last


def _worst(skies: list[Sky]) -> str:
    return min((sky.category for sky in skies), key=("LIFR", "IFR", "MVFR", "VFR").index)


def _after(sky: Sky, groups: list[Group]) -> Sky:
    *_, last = accumulate(groups, Sky.with_group, initial=sky)
    return last


def _end(group: Group) -> datetime:
    return group.end


def _ceiling(group: Conditions) -> float:
    bases = [base for amount, base, _ in group.clouds or () if amount in {"BKN", "OVC"}]
    return min([*bases, *filter(None, [group.vertical_visibility])], default=math.inf)
