"""Seeded damage: to bytes, to markup, to JSON; each a few times over, and splices of two inputs."""

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

LONGEST: Final = 600_000
HEAVY: Final = 300_000
"""Bytes of an input that is to cost CPU."""
_TOKEN: Final = re.compile(r"<[^>]*>|[^<]+|<")
_ENCODINGS: Final = ("utf-8", "cp949", "utf-16", "utf-16-le", "utf-8-sig", "johab", "cp1252")
_SNIPPETS: Final = (
    "<table>",
    "</table>",
    "<tr><td>",
    "<template>",
    "<script>",
    "<svg><p>",
    "<math><mi>",
    "<select><option>",
    "<b><i><a href=x>",
    "<!--",
    "--!>",
    "<![CDATA[",
    "<plaintext>",
    "<base href='//[::1'>",
    "<base href=http://example.ac.kr:99999/>",
    "<meta charset=utf-16>",
    "<meta charset=zip>",
    "<a href='javascript:view(1)'>",
    "<a href='?no=%ff&no=1;no='>",
    "<a href='http://[/'>",
    "<a href='//\u2100/'>",
    "<td>2026-02-30</td>",
    "<td>9999999999999999999999</td>",
    "&#x110000;&#xd800;&#0;&bogus;",
    "\0",
    "\ufeff",
    "\u202e\u200b\u3164",
    "\U0001f1f0" * 9,
    "공지" * 999,
)
_COSTLY: Final = (
    "<",
    "<a",
    "<html",
    "<a href=",
    "<a href='",
    "<td ",
    "<tr><td>",
    "<table><tr><td>",
    "<!-",
    "<!--",
    "<![CDATA[",
    "<!DOCTYPE ",
    "<?",
    "</",
    "&",
    "&#",
    "&amp;",
    "=",
    " a=b",
    "'",
    '"',
    " ",
    "\n",
    "\t\r\n ",
    "{",
    "[",
    '{"a":',
    "<b><i>",
    "</b></i>",
    "<form><a>",
    "<frameset>",
    "meta charset=",
    "<meta http-equiv=",
    "2026-01-",
    "Ã",
    "\u00eb\u00ac\u00b8",
    "문",
    "User-agent: *\n",
    "Disallow: /*",
    "*a",
    "CNL AD ",
    "VALID 010000/",
)
_SCALARS: Final = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**63,
    -(2**64),
    10**400,
    0.5,
    1e308,
    float("nan"),
    float("inf"),
    "",
    " ",
    "\0",
    "\ud800",
    "\uffff",
    "x" * 300,
    "공" * 5000,
    "0",
    "1",
    "null",
    "2026-02-30T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+23:59",
    "../../etc",
    "e" * 40,
    [],
    {},
    [[]],
)

_MARK: Final = "@deep@"

Mutator = Callable[[Random, bytes, Sequence[bytes]], bytes]


def damaged_bytes(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Bytes flipped, cut, repeated, moved, or two inputs joined."""
    at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    start, middle, end = data[:at], data[at:to], data[to:]
    other = chance.choice(others)
    flipped = bytearray(data)
    for _ in range(chance.choice((1, 4, 40)) if data else 0):
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    odd = chance.choice((b"\0", b"\xff", b"\xed\xa0\x80", b"\xc0\x80", b'"'))
    return chance.choice(
        (
            start,
            start + end,
            start + chance.randbytes(chance.randrange(1, 9)) + middle + end,
            start + middle[:200] * chance.choice((2, 9, 300)) + end,
            start + other[chance.randrange(len(other) + 1) :],
            end + middle + start,
            start + odd + middle + end,
            bytes(flipped),
        )
    )


def damaged_markup(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Tags and texts lost, repeated, swapped, nested; attributes torn; another encoding."""
    tokens = _TOKEN.findall(data.decode("utf-8", "replace"))
    if not tokens:
        return damaged_bytes(chance, data, others)
    at, to = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    match chance.randrange(9):
        case 0:
            del tokens[at : at + chance.choice((1, 1, 5))]
        case 1:
            tokens[at:at] = [chance.choice(_SNIPPETS)] * chance.choice((1, 1, 3, 2000))
        case 2:
            tokens[at], tokens[to] = tokens[to], tokens[at]
        case 3:
            part = tokens[at : at + chance.choice((1, 12))]
            tokens[at:at] = part * chance.choice((1, 40, 400))
        case 4:
            tokens[at] = tokens[at].replace('"', chance.choice(("", "'", '""'))).replace("=", " = ")
        case 5:
            tokens[at] = re.sub(r"\d+", lambda _: chance.choice(("", "0", "9" * 30)), tokens[at])
        case 6:
            other = _TOKEN.findall(chance.choice(others).decode("utf-8", "replace"))
            tokens[at:] = other[chance.randrange(len(other)) :]
        case 7:
            tokens[at] = tokens[at].upper() if chance.random() < 0.5 else tokens[at].strip("<>")
        case _:
            return "".join(tokens).encode(chance.choice(_ENCODINGS), "replace")
    return "".join(tokens).encode("utf-8", "replace")


def damaged_json(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Values of another type, keys lost, added, doubled; lists repeated; parts of others."""
    try:
        # Deeper than Python's own reader goes it is not read.
        document = None if b"[" * 500 in data else json.loads(data)
    except (ValueError, RecursionError):
        document = None
    places = [*_places(document)] if isinstance(document, dict | list) else []
    if not places:
        return damaged_bytes(chance, data, others)
    holder, key = chance.choice(places)
    match chance.randrange(8):
        case 0 | 1 | 2:
            holder[key] = chance.choice(_SCALARS)
        case 3:
            del holder[key]
        case 4:
            other, name = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        case 5:
            deep = chance.choice((3, 900, 90_000))
            holder[key] = _MARK
            return json.dumps(document).replace(f'"{_MARK}"', "[" * deep + "]" * deep).encode()
        case 6:
            _repeat(chance, holder, key)
        case _:
            holder[key] = _nearly(chance, holder[key])
    return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _repeat(chance: Random, holder: Any, key: Any) -> None:
    if isinstance(holder, dict):
        name = chance.choice((key + "2", "", "id", "source", "\ud800", "from"))
        holder[name] = holder[key]
    else:
        holder[key:key] = [holder[key]] * chance.choice((1, 1, 9, 400))


def _nearly(chance: Random, value: Any) -> Any:
    """A value much like this one."""
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        return value[:at] + chance.choice(("", "\0", "\ufffe", "٣", "#")) + value[at + 1 :]
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 10**12))
    return chance.choice(_SCALARS)


def repeated(chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A few tokens again and again, behind the beginning of a good input: what may cost CPU."""
    text = chance.choice((data, *others)).decode("utf-8", "replace")
    tokens = [token[: chance.choice((3, 12, 200))] for token in _TOKEN.findall(text)] or ["x"]
    words = (*_SNIPPETS, *_COSTLY, *(chance.choice(tokens) for _ in range(len(_COSTLY))))
    unit = "".join(chance.choice(words) for _ in range(chance.choice((1, 1, 2, 3))))
    size = HEAVY // max(len(unit.encode("utf-8", "replace")), 1)
    if chance.random() < 0.3:
        # No two alike.
        parts = (f"{unit}{number}" for number in range(size))
        piled = "".join(parts)
    else:
        piled = unit * size
    head = text[: chance.choice((0, chance.randrange(len(text) + 1)))]
    tail = text[chance.randrange(len(text) + 1) :] if chance.random() < 0.3 else ""
    end = tail.encode("utf-8", "replace")[:5_000]
    return (head[:20_000] + piled).encode("utf-8", "replace")[: HEAVY - len(end)] + end


def several(mutator: Mutator, chance: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One input to try: the mutator a few times, seldom bytes after it; at most `LONGEST`."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        data = mutator(chance, data, others)[:LONGEST]
    if chance.random() < 0.1:
        data = damaged_bytes(chance, data, others)
    return data[:LONGEST]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every value in a document as its holder and its key or index."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, inner in pairs:
            found.append((holder, key))
            if isinstance(inner, dict | list):
                waiting.append(inner)
    return found
