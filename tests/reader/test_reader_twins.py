"""Whatever an archive, a message or a rule says: JavaScript and Python read it alike."""

from typing import Any

from archives import IDS, INSTANTS, TEXTS, VALUES, files, honest_lines, lines
from hypothesis import given
from hypothesis import strategies as st
from javascript import JavaScript
from twin import call, canonical

MESSAGES = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {"event_id": TEXTS, "dept": IDS, "title": TEXTS},
        optional={
            "kind": st.sampled_from(
                ["new", "digest", "retracted", "text_changed", "speci", "toString"]
            )
            | VALUES,
            "id": TEXTS,
            "retracts": TEXTS | VALUES,
            "same_as": TEXTS | VALUES,
            "changes": st.sampled_from(["1", "25", "-1", "٣"]) | VALUES,
            "category": TEXTS,
            "date": VALUES,
            "link": TEXTS,
            "raw": TEXTS,
            "time": INSTANTS,
            "until": INSTANTS,
            "fileNo": TEXTS,
            "articles_changed": st.sampled_from(["1", "4"]) | VALUES,
            "effective": st.sampled_from(["2026-03-01", "2026-3-1", "2026-03-01Z"]) | VALUES,
            "effective_text": TEXTS | VALUES,
            "renamed_from": TEXTS,
            "difference": st.sampled_from(["/data/a/b.html", "/data/../x"]) | TEXTS,
        },
    ),
)
RULE = st.fixed_dictionaries(
    {"mode": st.sampled_from(["all", "keywords", "off", "later"])},
    optional={"keywords": st.lists(TEXTS, max_size=3) | VALUES, "name": VALUES},
)
CLOCKS = st.builds("{:02}:{:02}".format, st.integers(0, 23), st.integers(0, 59))
RULES = st.one_of(
    VALUES,
    st.dictionaries(IDS, RULE | VALUES, max_size=4),
    st.fixed_dictionaries(
        {"quiet": st.fixed_dictionaries({"from": CLOCKS | VALUES, "to": CLOCKS | VALUES})},
        optional={"language": st.sampled_from(["en", "ko", "fr"]), "가": RULE},
    ),
)


def alike(uring_js: JavaScript, name: str, *arguments: Any) -> Any:
    own = call(name, *arguments)
    assert canonical(uring_js.call(name, *arguments)) == canonical(own), name
    return own


@given(text=files())
def test_a_file_has_the_same_lines(uring_js: JavaScript, text: str) -> None:
    parsed = alike(uring_js, "parseLines", text)
    assert len(parsed["lines"]) + parsed["broken"] <= text.count("\n") + 1


@given(groups=st.lists(st.lists(lines() | VALUES, max_size=8), max_size=3))
def test_lines_fold_into_the_same_items(uring_js: JavaScript, groups: list[Any]) -> None:
    at_once = alike(uring_js, "fold", [line for group in groups for line in group])
    assert canonical(alike(uring_js, "fold", *groups)) == canonical(at_once)


@given(some=st.lists(lines(), max_size=5), items=st.lists(lines() | VALUES, max_size=5))
def test_items_merge_alike(uring_js: JavaScript, some: list[Any], items: list[Any]) -> None:
    alike(uring_js, "merge", some, items)


@given(data=st.data(), archive=honest_lines())
def test_neither_order_nor_repetition_matters(
    uring_js: JavaScript, data: st.DataObject, archive: list[Any]
) -> None:
    shuffled = data.draw(st.permutations(archive))
    repeated = [*shuffled, *shuffled[: len(shuffled) // 2]]
    as_written, again = (
        sorted(told["records"] + told["texts"])
        for told in (alike(uring_js, "fold", some) for some in (archive, repeated))
    )
    assert canonical(again) == canonical(as_written)
    # The highest revision of each, and nothing is lost.
    newest = {line["id"]: line["hash"] for line in archive}
    assert {key: entry["item"]["hash"] for key, entry in as_written} == newest
    assert sum(len(entry["history"]) for _, entry in as_written) == len(archive)


@given(message=MESSAGES, sender=TEXTS, rules=RULES, seen=st.lists(TEXTS, max_size=3), clock=CLOCKS)
def test_a_message_is_shown_alike_and_always(
    uring_js: JavaScript, message: Any, sender: str, rules: Any, seen: list[str], clock: str
) -> None:
    for whole in (message, {"data": message, "from": f"/topics/{sender}"}):
        shown = alike(uring_js, "decide", whole, rules, seen, clock)
        assert shown["title"]
        assert shown["body"]
        assert shown["url"] is None or shown["url"].startswith(("http://", "https://", "/data/"))


@given(record=lines() | VALUES, keywords=st.lists(TEXTS | VALUES, max_size=4))
def test_keywords_match_alike(uring_js: JavaScript, record: Any, keywords: list[Any]) -> None:
    found = alike(uring_js, "matches", record, keywords)
    assert found is None or found in keywords


@given(items=st.lists(lines() | VALUES, max_size=4), text=TEXTS)
def test_searches_find_the_same(uring_js: JavaScript, items: list[Any], text: str) -> None:
    alike(uring_js, "search", items, text)


@given(before=lines() | VALUES, after=lines() | VALUES)
def test_changes_are_the_same(uring_js: JavaScript, before: Any, after: Any) -> None:
    alike(uring_js, "changed", before, after)
    assert alike(uring_js, "changed", before, before) == []


@given(value=TEXTS | VALUES, base=st.none() | TEXTS, most=st.integers(1, 9))
def test_texts_and_links_are_the_same(
    uring_js: JavaScript, value: Any, base: Any, most: int
) -> None:
    for name in ("clean", "foldCase", "monthOf"):
        alike(uring_js, name, value)
    cut = alike(uring_js, "cut", call("clean", value), most)
    assert len(cut) <= most
    alike(uring_js, "safeLink", value, base)
    alike(uring_js, "archivePath", value, "202603")


@given(
    source=st.just("가") | st.just("cse"),
    latest=st.lists(lines() | VALUES, max_size=3),
    months=st.dictionaries(st.sampled_from(["202602", "202603", "202605"]), files(), max_size=3),
    updated=INSTANTS,
)
def test_pages_are_the_same_and_end(
    uring_js: JavaScript, source: str, latest: Any, months: dict[str, str], updated: Any
) -> None:
    document = canonical({"meta": {"last_updated": updated}, "items": latest})
    there = [[f"cse/archive/{month}.jsonl", text] for month, text in months.items()]
    alike(uring_js, "pages", source, [["cse/latest.json", document], *there], {})
