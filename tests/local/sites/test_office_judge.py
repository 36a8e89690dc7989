"""The judge of the office finds what is wrong, and nothing where all is well."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from office_reader import AT, FIRST, GONE, PAGE, ledger_of, snapshot_of

from uring_local.language.journal import ServiceCall
from uring_local.sites.office.actions import Remove, Upload
from uring_local.sites.office.judge.edits import Accepted, faults_of_edits, faults_of_versions
from uring_local.sites.office.judge.pages import faults_of_gone, faults_of_pages
from uring_local.sites.office.judge.tick import faults_of_round, faults_of_tick
from uring_local.sites.office.judge.work import faults_of_accounts, faults_of_calls, price
from uring_local.sites.office.ledger import Ledger
from uring_local.sites.office.snapshot import Snapshot

CALL = ServiceCall("translate", "one", "fr", 100, "ok", "2026-03-04T00:00:00+00:00", 1)
EDIT = Accepted(PAGE, "0", 0, 7, 2)


@pytest.fixture
def ledger() -> Ledger:
    return ledger_of()


def spoiled(found: Snapshot, key: str, **changes: Any) -> Snapshot:
    """Return a store in which an item of the page has other attributes; without any it is gone."""
    items = {name: dict(item) for name, item in found.pages[PAGE].items()}
    if changes:
        items[key] = {**items.get(key, {}), **changes}
    else:
        del items[key]
    return replace(found, pages={**found.pages, PAGE: items})


def test_a_store_as_it_must_be_has_no_faults(ledger: Ledger) -> None:
    found = snapshot_of(ledger)
    faults = faults_of_tick(ledger.pages, [], found, found, swept_at=AT, is_repeated=False)
    assert [*faults] == []


def other_text(found: Snapshot) -> Snapshot:
    body = found.pages[PAGE]["policy:a.txt:fr"]["body"]
    return replace(found, texts={**found.texts, body: found.texts[body].replace("⟨fr⟩", "", 1)})


SPOILS: Mapping[str, tuple[Callable[[Snapshot], Snapshot], str]] = {
    "no entry": (lambda found: spoiled(found, "policy:b.html"), "no entry of b.html"),
    "an entry too many": (
        lambda found: spoiled(found, "policy:gone.txt", body=""),
        "an entry of gone.txt",
    ),
    "an old version": (
        lambda found: spoiled(found, "policy:a.txt", etag='"0"'),
        "of another version",
    ),
    "no text": (lambda found: spoiled(found, "policy:a.txt", body="x"), "its text is missing"),
    "a translation of another": (
        lambda found: spoiled(found, "policy:a.txt:fr", original_sha256="0"),
        "of another text",
    ),
    "a translation by nobody": (other_text, "differs from the service's answer"),
    "made too early": (
        lambda found: spoiled(found, "policy:a.txt", created="2026-03-01T00:00:00Z"),
        "before its attachment was uploaded",
    ),
    "no issue": (lambda found: spoiled(found, "issue:0"), "no issue the deadlines differ"),
    "an issue of nobody": (
        lambda found: spoiled(found, "issue:9", title="Made up", references="[]", version=1),
        "unplanted issue: Made up",
    ),
    "stale": (lambda found: spoiled(found, "issue:0", is_stale=1), "is_stale is 1, not 0"),
    "a lost edit": (lambda found: spoiled(found, "issue:1", notes="x"), "notes is 'x', not ''"),
    "misquoted": (
        lambda found: spoiled(
            found,
            "issue:1",
            references=str(found.pages[PAGE]["issue:1"]["references"]).replace(
                '"start": ', '"start": 1'
            ),
        ),
        "is not in the text",
    ),
}


@pytest.mark.parametrize("name", SPOILS)
def test_what_is_wrong_with_a_page_is_named(ledger: Ledger, name: str) -> None:
    spoil, told = SPOILS[name]
    faults = [*faults_of_pages(ledger.pages, spoil(snapshot_of(ledger)))]
    assert any(told in fault for fault in faults), faults


def test_an_edit_that_was_accepted_is_there_or_is_missed(ledger: Ledger) -> None:
    found = snapshot_of(ledger)
    (quotes, *_) = ledger.pages[PAGE].issues
    ledger.edited(PAGE, quotes, "annotate", "asked")
    assert "notes is '', not 'asked'" in " ".join(faults_of_pages(ledger.pages, found))
    assert [*faults_of_edits([EDIT], found, {})] == [f"{PAGE}: 0: version 2 is lost"]
    assert [*faults_of_edits([EDIT], found, {PAGE: 1})] == []
    again = spoiled(found, "issue:0", notes="asked", version=2)
    assert [*faults_of_edits([EDIT], again, {})] == []
    assert [*faults_of_pages(ledger.pages, again)] == []


def test_two_edits_do_not_make_one_version_and_leave_no_hole(ledger: Ledger) -> None:
    before = snapshot_of(ledger)
    after = spoiled(before, "issue:0", version=3)
    (fault,) = faults_of_edits([EDIT, EDIT], after, {})
    assert "2 edits made version 2" in fault
    assert [*faults_of_versions(PAGE, [EDIT, replace(EDIT, version=3)], before, after)] == []
    assert "after 1 and 1 edits" in " ".join(faults_of_versions(PAGE, [EDIT], before, after))
    holes = [EDIT, replace(EDIT, version=4)]
    assert "holes" in " ".join(faults_of_versions(PAGE, holes, before, after))


def test_a_call_is_paid_once_but_for_a_lost_answer_and_a_kill() -> None:
    later = replace(CALL, process=2)
    assert [*faults_of_calls([CALL])] == []
    assert len([*faults_of_calls([CALL, CALL])]) == 1
    assert [*faults_of_calls([replace(CALL, answered="lost"), CALL])] == []
    assert [*faults_of_calls([replace(CALL, answered="429"), CALL])] == []
    assert [*faults_of_calls([CALL, later])] == []
    assert len([*faults_of_calls([CALL, later, later])]) == 1
    others = [replace(CALL, subject=f"{number}") for number in range(10)]
    assert len([*faults_of_calls([CALL, *others, later])]) == 1


def test_the_accounts_are_what_the_services_charged(ledger: Ledger) -> None:
    model = replace(CALL, service="bedrock", input_tokens=10, output_tokens=1)
    assert (price(CALL), price(model), price(replace(CALL, answered="503"))) == (1500, 45, 0)
    found = spoiled(snapshot_of(ledger), "cost:2026-03-04", micros=1545)
    system = {"cost:2026-03-04": {"micros": 1545}, "purged": {}}
    found = replace(found, system=system, pages={**found.pages, "system": system})
    assert [*faults_of_accounts([CALL, model], found)] == []
    assert len([*faults_of_accounts([CALL], found)]) == 1
    # An estimate that a lost answer left there is more than was spent, never less.
    assert [*faults_of_accounts([replace(CALL, answered="lost")], found)] == []
    assert len([*faults_of_accounts([CALL, CALL, model], found)]) == 1
    assert len([*faults_of_accounts([CALL, model], replace(found, system={}))]) == 1


def test_a_job_that_does_not_end_and_a_fence_that_falls_are_named(ledger: Ledger) -> None:
    before = snapshot_of(ledger)
    running = replace(before, jobs={"x": {"state": "running", "expires_at": 0}})
    told = tick(ledger, before, running)
    assert "is running" in told
    assert "expired, but still stored" in told
    assert "fence fell to 2" in tick(ledger, before, spoiled(before, "issue:0", fence=2))
    assert "which was never given" in tick(ledger, before, spoiled(before, "issue:0", fence=10))
    assert "its locks are gone" in tick(ledger, before, spoiled(before, "locks"))


def test_what_the_janitor_leaves_behind_is_named(ledger: Ledger) -> None:
    found = snapshot_of(ledger)
    dead = replace(found, bodies={**found.bodies, "pages/x/bodies/y": AT - timedelta(days=2)})
    assert "unreferenced" in " ".join(faults_of_round(AT, dead, dead))
    # It became so in this tick: the next round removes it.
    assert [*faults_of_round(AT, found, dead)] == []
    assert "not set its mark" in " ".join(faults_of_round(AT + timedelta(1), found, found))


def test_a_deleted_page_is_forgotten_by_and_by(ledger: Ledger) -> None:
    ledger.upload(Upload(GONE, "a.txt", FIRST))
    full = snapshot_of(ledger)
    ledger.remove(Remove(GONE, "a.txt"))
    page = ledger.pages[GONE]
    assert "an entry of policy:a.txt" in " ".join(faults_of_gone(GONE, page, full))
    left = replace(full, pages={GONE: {"analysis": {}, "cost:2026-03-04": {}}})
    for rounds, count in ((2, 0), (3, 1), (4, 2)):
        page.gone_rounds = rounds
        assert len([*faults_of_gone(GONE, page, left)]) == count


def tick(ledger: Ledger, before: Snapshot, after: Snapshot) -> str:
    """Return all faults of a tick with a round of the janitor."""
    return " ".join(faults_of_tick(ledger.pages, [], before, after, swept_at=AT, is_repeated=False))
