"""What is wrong is told by entry and line, in words of the file's writer (N3)."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_config import ENTRY, changed, json_values

from uring.sources.problems.findings import ConfigProblem
from uring_local.entries.notices import NOTICE_ENTRIES

# Of the library that reads the entries, none of theirs.
FOREIGN = re.compile(
    r"Input|should|valid|instance|dictionary|tuple|str\b|constrained|model|pydantic|literal\["
)


def problems(*entries: Any, indent: int | None = None) -> tuple[ConfigProblem, ...]:
    text = json.dumps({"sources": entries}, indent=indent, ensure_ascii=False)
    return NOTICE_ENTRIES.load(text.encode()).problems


def test_a_problem_names_the_entry_and_the_line_of_the_key() -> None:
    text = """{
  "sources": [
    {"id": "a",
     "name": "가"},
    7,
    {
      "id": "terns",
      "name": "제비갈매기과", "url": "https://tern.example.ac.kr/",
      "rows": "tr", "kind": "html",
      "fields": {
        "id": {"select": "a",
               "pattern": "("},
        "title": "a", "link": {"template": "javascript:{id}"}
      }
    }
  ],
  "sauces": []
}"""
    found = NOTICE_ENTRIES.load(text.encode()).problems
    assert [(each.line, each.entry, each.path.partition("].")[2]) for each in found] == [
        (3, "a", "url"),
        (3, "a", "rows"),
        (3, "a", "fields"),
        (5, "entry 2", ""),
        (12, "terns", "fields.id.pattern"),
        (17, "", ""),
    ]
    assert str(found[3]) == "line 5: entry 2: 7 is not an object; write an object: {…}"
    assert str(found[4]).startswith("line 12: terns: fields.id.pattern: ")
    assert str(found[5]) == 'line 17: sauces: unknown key; write "sources"'


def test_the_other_entry_is_named_by_its_line() -> None:
    (problem,) = problems(ENTRY, changed("name", "다른 이름"), indent=1)
    assert problem.line > 30
    assert problem.message == "'tides' is the id of another source already (line 3)"


@pytest.mark.parametrize("name", ["\u202eid", "a\nb", "x" * 200, "\x1b[31m"])
def test_an_id_that_is_none_does_no_harm_to_a_terminal(name: str) -> None:
    (problem,) = problems(changed("id", name))
    assert str(problem).isprintable()
    assert len(problem.entry) <= 70


@pytest.mark.parametrize(
    ("encoding", "form", "letter"),
    [
        ("euc-kr", {"q": "갯벌 🦆"}, "🦆"),
        ("iso-8859-1", {"갯벌": "1"}, "갯"),
        ("shift_jis", {"q": "갯벌"}, "갯"),
    ],
)
def test_a_form_that_its_encoding_cannot_write_is_refused(
    encoding: str, form: dict[str, str], letter: str
) -> None:
    """At every check the request would be refused."""
    entry = changed("request", {"method": "POST", "form": form})
    (problem,) = problems({**entry, "encoding": encoding})
    assert problem.path == "sources[0].request.form"
    assert letter in problem.message
    assert problems({**entry, "encoding": "utf-8"}) == problems(entry) == ()


@pytest.mark.parametrize(
    "keys",
    [
        {"fields": {**ENTRY["fields"], "link": {"template": "view.do?no={id}"}}},
        {"fields": {**ENTRY["fields"], "link": {"template": "//{id}.example.ac.kr/"}}},
        {
            "fields": {**ENTRY["fields"], "link": {"template": "?no={id}"}},
            "link_parameters": ["no"],
        },
    ],
)
def test_a_template_that_some_row_survives_is_none_of_our_business(keys: dict[str, Any]) -> None:
    assert problems({**ENTRY, **keys}) == ()


def test_a_template_whose_parameter_is_left_out_leads_back_to_the_list() -> None:
    link = {"template": "?no={id}"}
    entry = changed("fields.link", link) | {"link_parameters": ["b"]}
    entry["url"] = "https://tide.example.ac.kr/board/"
    (problem,) = problems(entry)
    assert problem.path == "sources[0].fields.link.template"
    assert "leads back to the list" in problem.message


@pytest.mark.parametrize(
    "url",
    [
        "https://site.test/?serviceKey=s3cret",
        "site.test/?serviceKey=s3cret",
        "https:site.test/?serviceKey=s3cret",
        "list.do?serviceKey=s3cret",
        "https://site.test/?serviceKey=s3cret&x=" + "a" * 3_000,
        "https://u:s3cret@site.test/",
    ],
)
@pytest.mark.parametrize("key", ["url", "base_url", "kind", "timeout_seconds"])
def test_no_message_shows_what_an_address_may_keep_secret(key: str, url: str) -> None:
    found = problems({**ENTRY, key: url})
    assert [each for each in found if "s3cret" in f"{each}"] == []


@pytest.mark.parametrize("key", ["pattern", "select"])
def test_a_wrong_pattern_is_shown_as_it_begins_and_an_address_in_its_place_is_not(key: str) -> None:
    """The marks of a query belong to patterns, too."""

    def told(text: str) -> str:
        keys = {**ENTRY["fields"]["id"], key: text + "a" * 3_000}
        return f"{problems({**ENTRY, 'fields': {**ENTRY['fields'], 'id': keys}})}"

    assert "[?&]no=(" in told("[?&]no=(")
    assert "s3cret" not in told("https://site.test/?serviceKey=s3cret")


@given(st.sampled_from([*ENTRY, *(f"fields.{name}" for name in ENTRY["fields"])]), json_values)
def test_no_message_speaks_of_the_library_that_read_the_entry(key: str, value: object) -> None:
    for problem in problems(changed(key, value)):
        told = problem.message.replace(json.dumps(value)[:60], "")
        if not isinstance(value, str | dict | list):
            assert not FOREIGN.search(told), problem
        assert problem.line == 1


@pytest.mark.parametrize(
    "keys",
    [
        *({name: 5.5} for name in (*ENTRY, "request", "changes", "expect", "paging", "require")),
        *({name: True} for name in ("request", "changes", "expect", "paging", "epoch", "preset")),
        {"changes": {"returned": "never"}},
        {"changes": {"digest_over": 0}},
        {"expect": {"min_rows": -1, "landmarks": "a"}},
        {"paging": {"parameter": 5, "most": 1, "step": 1.5}},
        {"request": {"tls": {"verify": 0}, "timeout_seconds": 0}},
        {"request": {"method": "POST", "form": {"a": 5}, "headers": {"X": 5}}},
        {"kind": "json", "require": {"a": []}},
        {"pinned": [5, {}, {"select": 5}]},
    ],
)
def test_each_type_of_a_value_has_words_of_its_own(keys: dict[str, Any]) -> None:
    found = problems({**ENTRY, **keys})
    assert found
    for problem in found:
        assert not FOREIGN.search(problem.message + problem.path), problem
        assert "cannot be read" not in problem.message
