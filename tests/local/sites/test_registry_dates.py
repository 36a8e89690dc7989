"""The played supplements, and the judge of dates, causes, links and rechecks."""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import pytest
from registry_reader import FaultlessProduct, Month, world

from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.model import BYEOLHA, OPENED, File, changes, in_force_of_change
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.registry.supplements import (
    InForce,
    Supplement,
    first_supplement,
    in_force,
    with_supplement,
)

TODAY = date(2026, 3, 9)
BARE = Supplement("이 규정은 공포한 날부터 시행한다.")
MARCH = Supplement("이 규정은 2026년 4월 1일부터 시행한다.", TODAY, date(2026, 4, 1))
MAY = Supplement("이 규정은 2026학년도 1학기부터 시행한다.", date(2026, 5, 4))


def file(*supplements: Supplement) -> File:
    return File("870", "학칙", "html", (), supplements)


def test_a_new_supplement_is_an_added_piece_with_its_date() -> None:
    old, new = file(BARE), file(BARE, MARCH)
    assert new.paper.paragraphs[-2:] == ("부칙 <2026. 3. 9.>", MARCH.sentence)
    assert changes(old, new) == {"부칙2026.3.9.": "added"}
    assert in_force_of_change(old, new) == InForce("2026-04-01")
    assert in_force_of_change(new, file(BARE, MARCH, MAY)) == InForce("", MAY.sentence)
    assert in_force_of_change(new, old) == InForce()


def test_an_old_date_in_another_spelling_is_a_change_without_a_date() -> None:
    other = replace(MARCH, sentence="이 규정은 2026. 4. 1.부터 시행한다.")
    assert changes(file(BARE, MARCH), file(BARE, other)) == {"부칙2026.3.9.": "changed"}
    assert in_force_of_change(file(BARE, MARCH), file(BARE, other)) == InForce()


def test_the_newest_of_several_counts_if_two_headings_have_dates() -> None:
    assert in_force([BARE, MARCH]) == InForce()
    assert in_force([BARE, MARCH, MAY]) == InForce("", MAY.sentence)
    assert in_force([BARE]) == InForce("", BARE.sentence)
    assert in_force([]) == InForce()


def test_a_revised_file_has_a_new_supplement_or_an_old_date_in_another_spelling() -> None:
    random = Random(1)
    seen: set[str] = set()
    for _ in range(200):
        before = (first_supplement(random),)
        first, *others = with_supplement(random, before, TODAY)
        seen.add("respelled" if first != before[0] else "same")
        assert (first.dated, first.in_force) == (before[0].dated, before[0].in_force)
        assert others or first != before[0]
        for new in others:
            assert new.dated == TODAY
            assert new.in_force is None or new.in_force >= TODAY
            seen |= {
                part for part in ("학년도", "한 날부터", "한 날로부터") if part in new.sentence
            }
            seen.add("alone" if first == before[0] else "beside")
    assert seen == {"same", "respelled", "alone", "beside", "학년도", "한 날부터", "한 날로부터"}


@pytest.fixture(scope="module")
def month() -> Month:
    return Month(1)


def changed(month: Month, **having: str) -> int:
    """The place of the first push of a changed text with these values."""
    pushes = month.product.deliveries()
    return next(
        at
        for at, push in enumerate(pushes)
        if push.data["kind"] == "text_changed" and having.items() <= push.data.items()
    )


def with_data(month: Month, at: int, **data: str) -> list[Delivery]:
    pushes = month.product.deliveries()
    pushes[at] = replace(pushes[at], data={**pushes[at].data, **data})
    return pushes


def test_dates_words_and_causes_are_pushed_within_a_month(month: Month) -> None:
    pushes = [push.data for push in month.product.deliveries()]
    assert any(data.get("effective") for data in pushes)
    assert any("학년도" in data.get("effective_text", "") for data in pushes)
    assert changed(month, effective="", effective_text="") >= 0
    assert changed(month, cause="silently_replaced") >= 0


@pytest.mark.parametrize(
    "data",
    [
        {"effective": "1999-01-01"},
        {"effective_text": "이 규정은 1999학년도 1학기부터 시행한다."},
        {"cause": "silently_replaced"},
        {"text": "/data/byeolha_regulations/texts/1.md"},
        {"text": ""},
        {"difference": ""},
        {"difference": "/data/byeolha_regulations/differences/1-2.3.4.html"},
        {"difference": "https://registry.invalid/"},
    ],
    ids="".join,
)
def test_a_wrong_date_cause_or_link_of_a_push_is_named(month: Month, data: dict[str, str]) -> None:
    at = changed(month, cause="")
    verdict = month.verdict(with_data(month, at, **data))
    assert (len(verdict.lost), len(verdict.wrong)) == (1, 1)
    assert verdict.wrong[0].startswith("pushed without reason")


def test_the_links_of_another_change_are_named(month: Month) -> None:
    pushes = month.product.deliveries()
    first, *others = [
        (at, push.data) for at, push in enumerate(pushes) if push.data["kind"] == "text_changed"
    ]
    other = next(data for _, data in others if data["title"] != first[1]["title"])
    for names in (("text",), ("difference",), ("text", "difference")):
        links = {name: other[name] for name in names}
        verdict = month.verdict(with_data(month, first[0], **links))
        assert len(verdict.wrong) == 1


def test_a_page_that_is_missing_or_shows_other_files_is_named(month: Month) -> None:
    key = month.product.deliveries()[changed(month, cause="")].data["difference"][1:]
    objects = month.product.objects
    page = objects.pop(key)
    try:
        assert f"{key!r} leads nowhere" in month.verdict().wrong[0].replace("\\", "")
        objects[key] = b"<h1>1 \xe2\x86\x92 2</h1>"
        assert "shows other files" in month.verdict().wrong[0]
    finally:
        objects[key] = page
    assert month.verdict().problems == []


def played(simulation: RegistrySimulation, days: range) -> FaultlessProduct:
    """A product that asks for every file once in `RECHECK_DAYS`, up to the last of the days."""
    product = FaultlessProduct(simulation)
    for day in days:
        at = OPENED + timedelta(days=day - 1)
        simulation.advance(day, at)
        product.publish(day)
        simulation.inspect(at, product)
    product.finish()
    return product


def test_a_killed_run_is_told_what_it_has_asked_for(tmp_path: Path) -> None:
    """The killed day is repeated; without the journal of requests no file was asked for."""
    start = replace(world(1), journal=tmp_path / "asked.jsonl")
    with RegistrySimulation(start) as simulation:
        played(simulation, range(1, 13))
    again = replace(start, tick=12, finished=11, repeated=(12,))
    with RegistrySimulation(again) as simulation:
        product = played(simulation, range(12, 21))
        assert simulation.judge(product, product.deliveries(), ()).wrong == []
    with RegistrySimulation(replace(again, journal=None)) as simulation:
        product = played(simulation, range(12, 21))
        wrong = simulation.judge(product, product.deliveries(), ()).wrong
    assert (
        len([fault for fault in wrong if "was last asked for on day 1" in fault])
        > BYEOLHA.size // 2
    )


def test_two_regulations_may_change_between_the_same_files(month: Month) -> None:
    """They have a difference each, and neither hides the other."""
    objects = month.product.objects
    name = month.product.deliveries()[changed(month, cause="")].data["difference"][1:]
    document = json.loads(objects[f"{name.removesuffix('.html')}.json"])
    files = f"{document['previousFileNo']}-{document['fileNo']}"
    key = f"{name.rpartition('/')[0]}/{files}.00000000.2.json"
    objects[key] = json.dumps({**document, "title": "다른 학칙"}).encode()
    try:
        (wrong,) = month.verdict().wrong
    finally:
        del objects[key]
    assert f"difference {files} 다른 학칙 is stored, and should not be" in wrong
