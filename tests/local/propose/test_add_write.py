"""`uring add --write`: one more entry, in the file's own style, and nothing else moves."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.errors import ConfigInvalid
from uring_local.add.write import NotAdded, add_entry, with_entry
from uring_local.entries.notices import NOTICE_ENTRIES

OLD = {"id": "a", "name": "가", "url": "https://a.example.ac.kr/list.do", "preset": "k2web"}
NEW = {"id": "b", "name": "나", "url": "https://b.example.ac.kr/list.do", "preset": "egov"}
LONG = NEW | {
    "rows": {"select": "table.list tbody tr", "drop": ["th"]},
    "fields": {
        "id": {"select": "td.subject a", "attribute": "href", "parameter": "no"},
        "title": "td.subject a",
        "link": "td.subject a",
    },
    "pinned": [{"select": "td.number-of-the-notice", "not_integer": True}, "tr.is-pinned-on-top-1"],
    "link_parameters": ["no"],
}


def test_keys_stand_below_each_other_as_in_the_last_entry() -> None:
    text = """{
  "sources": [
    {
      "id": "a"
    }
  ]
}
"""
    assert (
        with_entry(NOTICE_ENTRIES, text, LONG)
        == """{
  "sources": [
    {
      "id": "a"
    },
    {
      "id": "b",
      "name": "나",
      "url": "https://b.example.ac.kr/list.do",
      "preset": "egov",
      "rows": {
        "select": "table.list tbody tr",
        "drop": ["th"]
      },
      "fields": {
        "id": {"select": "td.subject a", "attribute": "href", "parameter": "no"},
        "title": "td.subject a",
        "link": "td.subject a"
      },
      "pinned": [
        {"select": "td.number-of-the-notice", "not_integer": true},
        "tr.is-pinned-on-top-1"
      ],
      "link_parameters": ["no"]
    }
  ]
}
"""
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"sources":[{"id":"a"}]}', '{"sources":[{"id":"a"}, {"id": "b"}]}'),
        (
            '{"sources": [\n\t{\n\t\t"id": "a"\n\t}\n]}',
            '{"sources": [\n\t{\n\t\t"id": "a"\n\t},\n\t{\n\t\t"id": "b"\n\t}\n]}',
        ),
        (
            '{"sources": [\r\n  {"id": "a"}\r\n ],\r\n "$schema": "]"\r\n}\r\n',
            '{"sources": [\r\n  {"id": "a"},\r\n  {"id": "b"}\r\n ],\r\n "$schema": "]"\r\n}\r\n',
        ),
        (
            '{"$schema": "\\"sources\\": [", "sources": []}',
            '{"$schema": "\\"sources\\": [", "sources": [\n  {\n    "id": "b"\n  }\n]}',
        ),
    ],
)
def test_tabs_single_lines_and_line_ends_are_kept(text: str, after: str) -> None:
    assert with_entry(NOTICE_ENTRIES, text, {"id": "b"}) == after


@given(
    entries=st.lists(
        st.dictionaries(st.text(max_size=5), st.text(max_size=9) | st.lists(st.integers())),
        max_size=4,
    ),
    indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    raw=st.booleans(),
    first=st.booleans(),
)
@settings(deadline=None)
def test_whatever_the_layout_only_the_entry_is_added(
    entries: list[Any], indent: Any, *, raw: bool, first: bool
) -> None:
    document: dict[str, Any] = {"$schema": "] } \\", "sources": entries}
    if first:
        document = dict(reversed(document.items()))
    text = json.dumps(document, indent=indent, ensure_ascii=not raw)
    after = with_entry(NOTICE_ENTRIES, text, LONG)
    assert json.loads(after) == document | {"sources": [*entries, LONG]}
    pairs = zip(text, after, strict=False)
    same = next((at for at, (one, other) in enumerate(pairs) if one != other), len(text))
    assert after.endswith(text[same:])


def test_a_byte_order_mark_the_mode_and_a_link_to_the_file_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_bytes(b"\xef\xbb\xbf" + json.dumps({"sources": [OLD]}).encode())
    real.chmod(0o640)
    link = tmp_path / "sitemap.json"
    link.symlink_to(real)
    add_entry(NOTICE_ENTRIES, link, NEW)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert real.read_bytes().startswith(b"\xef\xbb\xbf{")
    assert json.loads(real.read_text("utf-8-sig")) == {"sources": [OLD, NEW]}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["real.json", "sitemap.json"]


def test_without_a_file_one_is_made(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.json"
    add_entry(NOTICE_ENTRIES, path, NEW)
    assert json.loads(path.read_text("utf-8")) == {"sources": [NEW]}


@pytest.mark.parametrize(
    ("body", "entry", "error", "says"),
    [
        ({"sources": [OLD]}, NEW | {"id": "a"}, NotAdded, "has a source 'a' already"),
        ({"sources": [OLD]}, NEW | {"preset": "egow"}, NotAdded, 'write "egov"'),
        ({"sources": {}}, NEW, ConfigInvalid, "not an object with a list"),
    ],
)
def test_what_would_be_refused_is_not_written(
    tmp_path: Path, body: object, entry: dict[str, Any], error: type[Exception], says: str
) -> None:
    path = tmp_path / "sitemap.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(error, match=says):
        add_entry(NOTICE_ENTRIES, path, entry)
    assert path.read_bytes() == before
