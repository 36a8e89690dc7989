r"""Patterns of the configuration, run by RE2: a search takes time linear in the text.

RE2 has no look-arounds and back references: they need backtracking, which a hostile page can make
endless. ``a{,5}`` and ``\C`` are refused here: RE2 accepts them, with another meaning than `re`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2

# The most bytes of a compiled pattern, its cache included.
_MEMORY: Final = 1_000_000
# Escapes are tokens of their own: \{,5} is plain text, and \\C a backslash before a C.
_SILENT: Final = re.compile(r"\\[^C]|(\\C|\{,\d+\})", re.DOTALL)
# The start of RE2's error, our message, the remedy. The last one fits all other errors.
_REFUSALS: Final = (
    (
        r"invalid perl operator: \(\?<?[=!]",
        "has a look-around",
        r"put the wanted part into a group: no=(\d+) instead of (?<=no=)\d+",
    ),
    (
        r"invalid perl operator: \(\?[P(]|invalid escape sequence: \\[1-9]",
        "has a back reference",
        r"""repeat the group's pattern: ['"](\d+)['"] instead of (['"])(\d+)\1""",
    ),
    (
        r"invalid perl operator: \(\?>|bad repetition operator: .+\+$",
        "has a possessive quantifier or an atomic group",
        r"write \d+ instead of \d++ or (?>\d+): no search takes long here",
    ),
    (r"invalid escape sequence: \\Z", r"ends in \Z", "write $"),
    (
        "invalid repetition size|pattern too large",
        "is too large when its counts are written out",
        r"repeat at most 1000 times in all, or without a limit: \d+",
    ),
    (
        "",
        "is not an RE2 regular expression",
        r"escape literal characters: \( \. \? ; in JSON a backslash is written twice",
    ),
)


class PatternRefused(ValueError):
    """An invalid pattern: the error, and the remedy."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.message = message
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; threads may share it."""

    _expression: Any
    _group: int

    def find(self, text: str) -> str | None:
        """Return group 1 of the first match, or the whole match of a pattern without groups.

        None without a match, or if group 1 took no part in it.

        Args:
            text: without lone surrogates, as `uring.reading.text.clean` returns it.
        """
        # In bytes: in a str RE2's module counts the characters before each group, which takes
        # three times as long as the search.
        match = self._expression.search(text.encode())
        group: bytes | None = match[self._group] if match else None
        return None if group is None else group.decode()


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Pattern:
    """Compile a pattern; the last 512 are cached.

    Raises:
        PatternRefused: RE2 rejects it, or gives it another meaning than `re`.
    """
    for token in _SILENT.finditer(pattern):
        if token[1] == r"\C":
            raise PatternRefused(r"has \C, a single byte", "write . for any character")
        if token[1]:
            message = f"has {token[1]}, which RE2 reads as plain text"
            raise PatternRefused(message, f"write {{0{token[1][1:]}")
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        expression = re2.compile(pattern, options)
    except re2.error as error:
        raise _refused(error.args[0].decode(errors="replace")) from None
    return Pattern(expression, min(1, expression.groups))


def _refused(complaint: str) -> PatternRefused:
    what, remedy = next(rest for begin, *rest in _REFUSALS if re.match(begin, complaint))
    return PatternRefused(f"{what} ({complaint})", remedy)
