r"""Patterns of the configuration, run by RE2: the time of a search grows with the text, no faster.

What RE2 lacks (look-arounds, references back) needs a search of all ways to match, which a hostile
page can make last for ever. What it takes otherwise than `re` does without a word, ``a{,5}`` and
``\C``, is refused here.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2

# Bytes that a compiled pattern may take, what it remembers of texts included.
_MEMORY: Final = 1_000_000
# Escapes are tokens of their own: \{,5} is plain text, and \\C a backslash before a C.
_SILENT: Final = re.compile(r"\\[^C]|(\\C|\{,\d+\})", re.DOTALL)
# How RE2's complaint begins, what that is, what to write instead. The last one fits all others.
_REFUSALS: Final = (
    (
        r"invalid perl operator: \(\?<?[=!]",
        "looks around itself",
        r"put what is wanted into a group: no=(\d+) instead of (?<=no=)\d+",
    ),
    (
        r"invalid perl operator: \(\?[P(]|invalid escape sequence: \\[1-9]",
        "refers back to a group",
        r"""write again what may stand there: ['"](\d+)['"] instead of (['"])(\d+)\1""",
    ),
    (
        r"invalid perl operator: \(\?>|bad repetition operator: .+\+$",
        "holds on to what it has matched",
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
        "is no regular expression of RE2's",
        r"escape what is meant literally: \( \. \? ; in JSON a backslash is written twice",
    ),
)


class PatternRefused(ValueError):
    """A pattern that cannot be used: what is wrong with it, and what to write instead."""

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
        """Return group 1 of the first match, or all of it without groups; None without either.

        Args:
            text: well-formed, as `uring.reading.text.clean` leaves it.
        """
        # In bytes: for a text RE2's module counts the characters before each group, three times
        # the time of the search.
        match = self._expression.search(text.encode())
        group: bytes | None = match[self._group] if match else None
        return None if group is None else group.decode()


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Pattern:
    """Compile a pattern, or return the one that was compiled before.

    Raises:
        PatternRefused: it is no expression of RE2's, or means something else there than in `re`.
    """
    for token in _SILENT.finditer(pattern):
        if token[1] == r"\C":
            raise PatternRefused(r"has \C, half a letter", "write . for any character")
        if token[1]:
            raise PatternRefused(f"has {token[1]}, plain text here", f"write {{0{token[1][1:]}")
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
