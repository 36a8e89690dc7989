"""The flight categories of a played TAF, from its values; the product's reader is not asked."""

import math
from datetime import datetime
from itertools import accumulate
from typing import Final, NamedTuple

from uring_local.sites.airfield.model import Conditions, Group, Report

_MILE: Final = 1609.344
_LIMITS: Final = (("LIFR", 500, 1), ("IFR", 1000, 3))


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


def categories(report: Report) -> list[str]:
    """Return the category of each group over the conditions of its start, in the TAF's order."""
    return [_category(report, group) for group in report.groups]


def _category(report: Report, group: Group) -> str:
    stays = [it for it in report.groups if it.type in {"BECMG", "FM"} and it is not group]
    if group.type == "FM":
        return Sky().with_group(group).category
    begun = sorted((it for it in stays if it.start <= group.start), key=lambda it: it.start)
    since = max((at for at, it in enumerate(begun) if it.type == "FM"), default=None)
    first = Sky().with_group(report if since is None else begun[since])
    begun = begun[0 if since is None else since + 1 :]
    last = _after(first, begun)
    if group.type == "BECMG":
        return last.with_group(group).category
    ended = [it for it in begun if it.end <= group.start]
    settled = _after(first, sorted(ended, key=_end)) if len(ended) < len(begun) else last
    skies = (sky.with_group(group).category for sky in (last, settled))
    return min(skies, key=("LIFR", "IFR", "MVFR", "VFR").index)


def _after(sky: Sky, groups: list[Group]) -> Sky:
    *_, last = accumulate(groups, Sky.with_group, initial=sky)
    return last


def _end(group: Group) -> datetime:
    return group.end


def _ceiling(group: Conditions) -> float:
    bases = [base for amount, base, _ in group.clouds or () if amount in {"BKN", "OVC"}]
    return min([*bases, *filter(None, [group.vertical_visibility])], default=math.inf)
