"""Invented domains under real suffixes, put together from small word lists."""

from random import Random
from typing import Final, Literal, NamedTuple

Authority = Literal["gov", "edu", "org", "com", "other"]

_FIRST: Final = (
    "amber", "banyan", "cobalt", "drizzle", "ember", "fathom", "garnet", "hollow", "indigo",
    "juniper", "kelong", "lantern", "monsoon", "nutmeg", "orchid", "pewter", "quarry", "rattan",
    "saffron", "tembusu", "umber", "vesper", "willow", "xylo", "yonder", "zephyr",
)  # fmt: skip
_SECOND: Final = (
    "anchor", "bay", "cove", "dock", "estuary", "ferry", "grove", "harbour", "isle", "jetty",
    "kite", "ledger", "market", "notice", "outpost", "press", "quill", "reef", "signal", "tide",
    "union", "village", "weekly", "yard",
)  # fmt: skip
# Shares in percent.
_SUFFIXES: Final[tuple[tuple[str, Authority, int], ...]] = (
    ("com.sg", "com", 38),
    ("gov.sg", "gov", 12),
    ("edu.sg", "edu", 10),
    ("org.sg", "org", 12),
    ("com", "com", 20),
    ("org", "org", 8),
)
_FOREIGN_EVERY: Final = 40
_FOREIGN: Final = ("bücherei", "가람", "café")


class Name(NamedTuple):
    """A registrable domain.

    Attributes:
        domain: in lower-case A-labels.
        written: in Unicode, as people write it.
    """

    domain: str
    written: str
    authority: Authority


def name_of(seed: int, number: int) -> Name:
    """Return the name of the domain with a number; no two numbers share a name."""
    random = Random(f"{seed}/name/{number}")
    weights = [share for _, _, share in _SUFFIXES]
    suffix, authority, _ = random.choices(_SUFFIXES, weights)[0]
    label = f"{random.choice(_FIRST)}-{random.choice(_SECOND)}-{number}"
    if number % _FOREIGN_EVERY == _FOREIGN_EVERY - 1:
        label = f"{random.choice(_FOREIGN)}-{number}"
    return Name(f"{label.encode('idna').decode()}.{suffix}", f"{label}.{suffix}", authority)
