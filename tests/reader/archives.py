"""Archives as a hostile or an unlucky world would write them, for properties of their readers."""

import json
from typing import Any, Final

from hypothesis import strategies as st

# Of letters that Python's tables do not know yet, JavaScript's may know the case.
_KNOWN: Final = st.characters(exclude_categories=("Cs", "Cn"))
# As they stand in a file: no double is the first, none is so large as the others.
HUGE: Final = ("12345678901234567890", "1e400", "-1e400", "9" * 5_000)
_OWN: Final = st.sampled_from(
    [
        "__proto__",
        "constructor",
        "toString",
        "hasOwnProperty",
        "length",
        "가",
        "나",
        "1",
        "01",
        "-1",
    ]
)
TEXTS: Final = st.one_of(
    st.text(_KNOWN, max_size=12),
    st.sampled_from(
        [
            "<script>alert(1)</script>",
            "javascript:alert(1)",
            "https://board.example.ac.kr/7?a=가",
            "\u202eevil",
            "ㅋㅍ",
            "컴퓨터공학과 장학",
            "\uff34\uff2f\uff25",
            "ßΣς",
            "a\n{}\n",
            "\u2028",
            "-",
        ]
    ),
    _OWN,
)
NUMBERS: Final = st.one_of(
    st.integers(-2, 3),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.just(1.0),
)
VALUES: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.one_of(_OWN, TEXTS), inner, max_size=3)
    ),
    max_leaves=6,
)
INSTANTS: Final = st.one_of(
    st.builds(
        "2026-{:02}-{:02}T{:02}:00:00Z".format, *[st.integers(1, 12)] * 2, st.integers(0, 23)
    ),
    st.sampled_from(
        ["0000-01-00T00:00:00Z", "9999-12-31T23:59:59Z", "2026-01-01", "2026-01-01T00:00:00+09:00"]
    ),
    VALUES,
)
KINDS: Final = st.sampled_from(
    ["baseline", "new", "edited", "renamed", "deleted", "returned", "text_changed", "of_tomorrow"]
)
IDS: Final = st.one_of(st.sampled_from(["가", "나", "다", "text/1", "text/2"]), _OWN)
REVISIONS: Final = st.integers(1, 4)


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a line in which a field or two may be anything, missing or of a later release."""
    line: dict[str, Any] = {
        "event_id": draw(st.one_of(_OWN, st.text("abcdef", min_size=1, max_size=3))),
        "kind": draw(KINDS),
        "detected_at": draw(INSTANTS),
        "push": draw(st.booleans()),
        "id": draw(IDS),
        "title": draw(st.one_of(TEXTS, VALUES)),
        "revision": draw(REVISIONS),
        "hash": draw(st.sampled_from(["", "a", "b"])),
        "first_seen": draw(INSTANTS),
    }
    for name, values in {
        "renamed_from": IDS,
        "articles_changed": st.just("2"),
        "is_pinned": st.booleans(),
        "earlier": VALUES,
    }.items():
        if draw(st.integers(0, 3)) == 0:
            line[name] = draw(values)
    for name in draw(st.lists(st.sampled_from([*line, "files", "__proto__"]), max_size=2)):
        line[name] = draw(VALUES)
    for name in draw(st.lists(st.sampled_from([*line]), max_size=1)):
        del line[name]
    return line


@st.composite
def honest_lines(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw an archive as the engine writes it: each event one line, revisions as they come."""
    found: list[dict[str, Any]] = []
    revisions: dict[str, int] = {}
    for number, key in enumerate(draw(st.lists(IDS, max_size=12))):
        revisions[key] = revisions.get(key, 0) + 1
        found.append(
            {
                "event_id": f"{number:040x}",
                "kind": draw(KINDS),
                "detected_at": f"2026-01-{number + 1:02}T00:00:00Z",
                "push": True,
                "id": key,
                "title": draw(TEXTS),
                "revision": revisions[key],
                "hash": f"{number}",
                "first_seen": "2026-01-01T00:00:00Z",
            }
        )
    return found


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw the text of a file: lines, broken ones between them, cut anywhere."""
    some = draw(st.lists(lines(), max_size=6))
    written = [
        json.dumps(line, ensure_ascii=draw(st.booleans())).replace(
            '"01"', draw(st.sampled_from(HUGE))
        )
        for line in some
    ]
    broken = st.sampled_from(
        [
            "",
            " \r",
            "{",
            "[" * 40 + "]" * 40,
            "[" * 5_000,
            "null",
            "7",
            '"\\ud800"',
            "\ufeff{}",
            "Infinity",
        ]
    )
    written += draw(st.lists(broken, max_size=2))
    text = "\n".join(draw(st.permutations(written)))
    end = draw(st.integers(0, len(text)) | st.none())
    return text[:end]
