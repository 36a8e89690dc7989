"""Options that several commands share: names, defaults and parsing."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from cyclopts import Parameter, Token

from uring_local.families import NAMES
from uring_local.fcm.faults import FcmFault, parse_faults
from uring_local.fcm.rules import read_topic


class WrongUsage(Exception):
    """A command is called wrongly, as only the command itself can see: exit code 2.

    The message names the option and the remedy.
    """


Sitemap = Annotated[Path, Parameter(name="--config")]
Json = Annotated[bool, Parameter(name="--json")]
# As in `uring.sources.rhythm`, which takes long to import.
RhythmName = Literal["uniform", "sooner", "thrifty"]
# As in `uring.runtime.settings`, which a stack that has started would ask.
_HOST: Final = re.compile(r"[^\s/]+:0*(?P<port>\d{1,5})", re.ASCII)
_LAST_PORT: Final = 65_535


def _hosts(_: Any, values: Sequence[str]) -> None:
    for text in values:
        found = [_HOST.fullmatch(each.strip()) for each in text.split(",")]
        if not all(each and 0 < int(each["port"]) <= _LAST_PORT for each in found):
            raise ValueError("write HOST:PORT such as 127.0.0.1:8964")


Hosts = Annotated[
    Sequence[str], Parameter(name="--allow-host", metavar="HOST:PORT", validator=_hosts)
]


def _page(_: Any, page: Path | None) -> None:
    if page is not None and page.name.startswith("-") and page != STDIN:
        raise ValueError("write a file's name, or - for the standard input")


STDIN: Final = Path("-")
Page = Annotated[Path | None, Parameter(allow_leading_hyphen=True, validator=_page)]
"""A saved page; ``-`` is the standard input."""


def _faults(_: Any, tokens: Sequence[Token]) -> list[FcmFault]:
    try:
        return [*parse_faults(",".join(token.value for token in tokens))]
    except ValueError as error:
        # Of several values cyclopts does not name the option.
        raise ValueError(str(error) if len(tokens) == 1 else f"--fcm-fault: {error}") from None


FcmFaults = Annotated[
    Sequence[FcmFault],
    Parameter(
        name="--fcm-fault", converter=_faults, n_tokens=1, accepts_keys=False, metavar="KIND:SHARE"
    ),
]


def _topic(_: Any, tokens: Sequence[Token]) -> str:
    return read_topic(tokens[0].value)


Topic = Annotated[str, Parameter(converter=_topic)]


def _families(_: Any, tokens: Sequence[Token]) -> tuple[str, ...]:
    names = [name.strip() for token in tokens for name in token.value.split(",")]
    for name in names:
        if name not in NAMES:
            raise ValueError(f"{name!r} is not a family; known families: {', '.join(NAMES)}")
    return tuple(dict.fromkeys(names))


Families = Annotated[
    tuple[str, ...],
    Parameter(
        converter=_families,
        n_tokens=1,
        accepts_keys=False,
        metavar="NAME,…",
        negative="",
        show_default=",".join,
        help=f"the stack's families, of {', '.join(NAMES)}; every stack has notices.",
    ),
]
