"""The regulations' readers: a registry's page, its state, and two texts beside each other."""

import json
from collections.abc import Callable
from datetime import date
from typing import Final

from fakes.registry import REGISTRY, Rule, registry_page
from fakes.worlds import RegulationWorld

from uring.extract.articles import articles
from uring.extract.differences import compare
from uring.extract.effective import effective_of_change
from uring.extract.page.difference_html import difference_html
from uring.regulations.page import TITLE_LIMIT, read_registry
from uring.regulations.source import Registry
from uring.regulations.sync import sync
from uring.sources.site import text_of

STATE: Final = "state/regulations/rules.json"
RULES: Final = (
    *(Rule(f"규정 {number}", str(800 + number)) for number in range(1, 9)),
    Rule("학교기업 운영 규정", "891", "&amp;v=2"),
)
TEXT: Final = """# 학칙

제1장 총칙

제1조(목적) 이 학칙은 한빛대학교의 교육을 정함을 목적으로 한다.

제2조(학과) ① 학과는 셋이다. ② 정원은 [별표 1]과 같다.

1. 인문
2. 사회

제2조의2(학생) 학생은 등록한 사람을 말한다. <개정 2024.3.1.>

제3조 삭제

부칙

제1조(시행일) 이 학칙은 공포한 날부터 시행한다.

[별표 1] 정원

| 학과 | 정원 |
| --- | --- |
| 인문 | 30 |
"""
OTHER: Final = TEXT.replace("셋", "넷").replace("제3조 삭제", "제3조(휴업) 휴업은 없다.")
_NOW: Final = "2026-03-02T16:00:00Z"
# A change has both texts of its article and their units, an article its text and title.
_MOST_TIMES: Final = 12


def pages() -> list[bytes]:
    """Lists of a registry."""
    more = "<!-- <tr><td>주석</td></tr> --><tr><td></td><td>빈 줄</td></tr>"
    lists = (registry_page(RULES), registry_page(RULES[:3], more=more))
    return [page.encode() for page in lists]


def read_page(body: bytes) -> None:
    """What is believed fits into keys, and is the same when it is read again."""
    registry = Registry.model_validate(REGISTRY)
    page = read_registry(registry, text_of(registry, body, None), registry.url)
    for policy in page.policies:
        assert 0 < len(policy.title) <= TITLE_LIMIT
        assert policy.file_no.isascii()
        assert policy.file_no.isdigit()
        assert policy.preview_url.startswith(("http://", "https://"))
        assert policy.download_url.startswith(("http://", "https://"))
    first = sync(page.policies, {}, _NOW)
    again = sync(page.policies, {entry.title: entry for entry in first.entries}, _NOW)
    assert first.stats.added == len(page.policies)
    assert (again.to_add, again.to_update, again.to_delete) == ((), (), ())


def read_text(body: bytes) -> None:
    """A text and itself have no difference, and one with another no more than both texts."""
    text = body.decode("utf-8", "replace")
    assert compare(text, text).articles == ()
    difference = compare(TEXT, text)
    assert (difference.before, difference.after) == (len(articles(TEXT)), len(articles(text)))
    assert len(difference.articles) <= difference.before + difference.after
    size = len(json.dumps(difference.model_dump(), ensure_ascii=False))
    marks = 200 * (1 + len(difference.articles))
    assert size <= _MOST_TIMES * (len(TEXT) + 2 * len(text)) + marks
    assert compare(text, TEXT).changed == difference.changed
    page = difference_html(difference, text[:80])
    assert page.count("<article ") == difference.changed
    assert "<script" not in page
    found = effective_of_change(TEXT, text).date
    assert found is None or date.fromisoformat(found)


class Runs(RegulationWorld):
    """Days of a registry: one revised, one new, one gone."""

    def run(self) -> None:
        """Sync, and let a day pass."""
        self.check()
        self.read()
        self.clock.advance(days=1)


def states() -> list[bytes]:
    """A state that a day left, and one of another day."""
    runs, found = Runs(), []
    for rules in (RULES, (Rule("규정 1", "900"), *RULES[2:])):
        runs.site.show(*rules)
        runs.run()
        state = runs.document(STATE) | {"writer": "the same in every run"}
        found.append(json.dumps(state, ensure_ascii=False).encode())
    return found


def check_state() -> Callable[[bytes], None]:
    """Two runs find this state; what they leave can be read, and the table is what it lists."""

    def check(given: bytes) -> None:
        runs = Runs()
        runs.site.show(*RULES[1:], Rule("새 규정", "950"))
        runs.bucket.plant(STATE, given)
        runs.check()
        runs.clock.advance(days=1)
        runs.check()
        state = runs.state_of("rules")
        assert state.is_published
        assert not state.outbox
        if state.health.status == "ok":
            listed = {entry.title: entry for entry in runs.table.entries("rules")}
            shown = {title for title, entry in listed.items() if entry.status == "active"}
            assert shown == set(state.active)

    return check
