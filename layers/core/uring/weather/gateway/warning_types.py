"""Types of airport warnings.

No official list was found; these types were seen in use. The code is text: ``00`` and ``0`` both
occur for wind shear, and so does the Korean word itself.
"""

from typing import Final, NamedTuple

UNKNOWN_TYPE: Final = "UNKNOWN"


class WarningType(NamedTuple):
    """A type of warnings; ``name`` is Korean."""

    key: str
    name: str


_WIND_SHEAR: Final = WarningType("WIND_SHEAR", "급변풍")
_BY_CODE: Final = {
    "00": _WIND_SHEAR,
    "0": _WIND_SHEAR,
    "1": WarningType("LOW_VISIBILITY", "저시정"),
    "2": WarningType("STRONG_WIND", "강풍"),
    "3": WarningType("HEAVY_RAIN", "호우"),
    "4": WarningType("LOW_CEILING", "구름고도"),
    "5": WarningType("THUNDERSTORM", "뇌우"),
    "7": WarningType("TYPHOON", "태풍"),
    "8": WarningType("HEAVY_SNOW", "대설"),
    "13": WarningType("YELLOW_DUST", "황사"),
    "99": WarningType("OTHER", "기타"),
}
_BY_NAME: Final = {
    **{known.name: known for known in _BY_CODE.values()},
    "윈드시어": _WIND_SHEAR,
}


def warning_type(raw: str) -> WarningType:
    """Return the type of a code or word; an unknown one is ``UNKNOWN``, with its word as name."""
    return _BY_CODE.get(raw) or _BY_NAME.get(raw) or WarningType(UNKNOWN_TYPE, raw)
