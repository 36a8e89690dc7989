"""What an analysis makes of stored issues: found again, not found, removed (D11)."""

from typing import Any

import pytest
from fakes.obedient import ORDER, PAGE, Documents, Form, Reviewed, honest, issue

from uring.documents.store.issues import StoredIssue
from uring.extract.extraction import Extraction
from uring.tables import Write

RULE = "The rector shall answer."


@pytest.fixture
def office() -> Reviewed:
    """A page with a rule; its document orders the model about."""
    office = Reviewed()
    office.upload(PAGE, "rules", f"{RULE} {ORDER}")
    return office


def says(office: Reviewed, *titles: str, **more: Any) -> dict[str, StoredIssue]:
    """Analyse a new version of the rule, about which the model says this; return the issues."""

    def report(documents: Documents) -> list[Form]:
        rule = next(number for number, text in documents.items() if RULE in text)
        return [issue(rule, RULE, title=title, **more) for title in titles]

    office.model.obey = report
    office.number += 1
    office.upload(PAGE, "rules", f"{office.number}: {RULE} {ORDER}")
    office.analyse()
    return {each.title: each for each in office.found()}


class TestAnotherMatter:
    """A new finding about a sentence is not swallowed by an issue that a person worked on."""

    @pytest.mark.parametrize(
        "values",
        [{"is_classified": True}, {"notes": "mine"}, {"state": "resolved"}, {"state": "archived"}],
    )
    def test_it_is_an_issue_of_its_own(self, office: Reviewed, values: dict[str, Any]) -> None:
        (old,) = says(office, "Typo in the heading", severity="low").values()
        office.edit(old, **values)
        found = says(office, "Contradicts constitutional law", severity="critical")
        new = found["Contradicts constitutional law"]
        assert (new.severity, new.state, new.notes) == ("critical", "open", "")
        assert new.id != old.id
        kept = found["Typo in the heading"]
        assert kept.id == old.id
        assert kept.not_found_since

    def test_short_words_are_no_likeness(self, office: Reviewed) -> None:
        (old,) = says(office, "No date in the rule").values()
        office.edit(old, notes="mine")
        assert len(says(office, "No fee for an appeal in the law")) == 2

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("Deadline is missing", "No deadlines"),
            ("Vague: who answers?", "It is vague who has to answer"),
            ("총장의 답변 기한 없음", "답변 기한이 없다"),
            ("NO DEADLINE", "no deadline"),
            ("§ 4", "§ 4"),
        ],
    )
    def test_other_words_for_the_same_matter_keep_the_notes(
        self, office: Reviewed, before: str, after: str
    ) -> None:
        (old,) = says(office, before).values()
        office.edit(old, notes="asked")
        (kept,) = says(office, after).values()
        assert (kept.id, kept.notes, kept.not_found_since) == (old.id, "asked", None)

    def test_the_next_wording_goes_to_the_issue_that_nobody_worked_on(
        self, office: Reviewed
    ) -> None:
        (old,) = says(office, "Typo in the heading").values()
        office.edit(old, notes="mine")
        says(office, "Contradicts constitutional law")
        found = says(office, "Void")
        assert set(found) == {"Typo in the heading", "Void"}

    def test_many_findings_about_one_sentence_spare_it_too(self, office: Reviewed) -> None:
        (old, *_) = says(office, *(f"Typo {number}" for number in range(50))).values()
        for each in office.found():
            office.edit(each, notes="mine")
        found = says(office, *(f"Void {number}" for number in range(50)))
        assert len(found) == 100
        assert found[old.title].notes == "mine"

    def test_one_title_at_two_places_is_one_issue_with_both(self) -> None:
        filler = "\n\n".join(f"Part {number}: {'filler ' * 20}" for number in range(3))
        office = Reviewed(window_characters=200)
        text = f"{RULE}\n\n{filler}\n\n{RULE}"
        office.upload(PAGE, "rules", text)
        result = office.analyse()
        assert (result["findings"], result["issues"]) == (2, 1)
        (found,) = office.found()
        assert [each.start for each in found.references] == [0, len(text) - len(RULE)]
        office.upload(PAGE, "rules", f"New. {text}")
        office.analyse()
        (again,) = office.found()
        assert (again.id, len(again.references)) == (found.id, 2)


class TestAnOlderAnalysis:
    """One that was made before, here or by the release before, is told and applied truly."""

    def rewrite(self, office: Reviewed, **values: Any) -> None:
        item = office.table.get(PAGE, "analysis")
        assert item is not None
        office.table.transact(PAGE, [Write("analysis", {**item, **values})])

    def test_the_release_before_did_not_count_issues(self, office: Reviewed) -> None:
        office.upload(PAGE, "rules", RULE)
        office.analyse()
        item = dict(office.table.get(PAGE, "analysis") or {})
        for name in ("issues", "without_text", "kept"):  # what this release adds
            item.pop(name, None)
        office.table.transact(PAGE, [Write("analysis", item)])
        (before,) = office.found()
        assert office.analyse()["issues"] == 1
        assert office.found() == [before]
        assert len(office.model.asked) == 1

    def test_one_whose_findings_are_missing_is_made_again(self, office: Reviewed) -> None:
        office.upload(PAGE, "rules", RULE)
        office.analyse()
        analysis = office.analyses.stored(PAGE)
        assert analysis is not None
        self.rewrite(office, applied="")
        office.bucket.remove(analysis.body)
        assert office.analyse()["issues"] == 1
        assert len(office.model.asked) == 1

    def test_one_that_was_applied_needs_its_findings_no_more(self, office: Reviewed) -> None:
        office.upload(PAGE, "rules", RULE)
        office.analyse()
        before = office.analyses.stored(PAGE)
        assert before is not None
        office.bucket.remove(before.body)
        assert office.analyse()["issues"] == 1
        assert office.analyses.stored(PAGE) == before


class TestWithoutText:
    """Issues go with an attachment that is gone, not with one that has no text for now."""

    @pytest.fixture
    def page(self, office: Reviewed) -> Reviewed:
        """Two attachments, an issue about each."""
        office.upload(PAGE, "rules", RULE)
        office.upload(PAGE, "b", "The dean shall come.")
        office.analyse()
        return office

    def titles(self, office: Reviewed) -> list[str]:
        return [each.title.rpartition(" ")[2] for each in office.found()]

    def upload(self, office: Reviewed, source: str, text: str) -> None:
        office.clock.advance(60)
        office.upload(PAGE, source, text)
        office.refresh(source)

    def test_a_scan_keeps_its_issues_and_so_do_two(self, page: Reviewed) -> None:
        self.upload(page, "b", "SCAN of the dean")
        (dean, rector) = page.found()
        assert (dean.is_stale, dean.not_found_since) == (True, None)
        assert (rector.is_stale, rector.not_found_since) == (False, None)
        self.upload(page, "rules", "SCAN of the rector")
        assert self.titles(page) == ["shall", "sha"]
        self.upload(page, "rules", RULE)
        self.upload(page, "b", "The dean shall come.")
        assert [(each.id, each.is_stale) for each in page.found()] == [
            (dean.id, False),
            (rector.id, False),
        ]

    def test_a_scan_in_sight_of_an_issue_that_one_answer_leaves_out(self, page: Reviewed) -> None:
        page.model.obey = lambda _: []
        page.upload(PAGE, "c", ORDER)
        page.upload(PAGE, "b", "SCAN")
        page.analyse()
        found = {each.title[-3:]: each for each in page.found()}
        assert found["sha"].not_found_since
        assert not found["sha"].is_stale

    def test_an_extractor_that_fails_on_the_same_bytes_removes_nothing(
        self, page: Reviewed
    ) -> None:
        def failing(*_: object) -> Extraction:
            return Extraction(outcome="killed", reason="x", format="unknown", source_sha256="")

        page.extract = failing
        self.upload(page, "rules", RULE)
        assert self.titles(page) == ["shall", "sha"]

    def test_a_malformed_entry_beside_one_that_is_taken_out_is_made_again(
        self, page: Reviewed
    ) -> None:
        item = {**(page.table.get(PAGE, "policy:rules") or {}), "characters": "many"}
        page.table.transact(PAGE, [Write("policy:rules", item)])
        page.take_out("b")
        assert self.titles(page) == ["sha"]
        assert not page.found()[0].is_stale

    def test_a_scan_that_is_taken_out_takes_its_issues_along(self, page: Reviewed) -> None:
        self.upload(page, "b", "SCAN")
        asked = len(page.model.asked)
        page.take_out("b")
        assert self.titles(page) == ["sha"]
        assert len(page.model.asked) == asked
        analysis = page.analyses.stored(PAGE)
        assert analysis is not None
        assert analysis.applied == analysis.inputs

    def test_one_of_two_scans_that_is_taken_out_takes_its_issues_along(
        self, page: Reviewed
    ) -> None:
        page.upload(PAGE, "b", "The dean shall come.", untrusted="true")
        page.clock.advance(60)
        page.analyse()
        self.upload(page, "rules", "SCAN")
        self.upload(page, "b", "SCAN")
        page.take_out("b")
        assert self.titles(page) == ["sha"]

    def test_an_analysis_of_the_release_before_removes_nothing(self, page: Reviewed) -> None:
        page.take_out("b")
        (issue, *_) = page.found()
        analysis = page.analyses.stored(PAGE)
        assert analysis is not None
        item = analysis.model_copy(update={"applied": "", "findings": 0}).item()
        del item["without_text"], item["issues"]
        page.table.transact(PAGE, [Write("analysis", item)])
        page.bucket.plant(analysis.body, b"[]")
        page.edit(issue, found_with=("b", "rules"))
        page.analyse()
        assert self.titles(page) == ["sha"]


class TestReplaced:
    """A document that is replaced under its own name takes along what was said in its sight."""

    @pytest.fixture
    def page(self, office: Reviewed) -> Reviewed:
        """An issue that a hostile document had the model say."""
        office.upload(PAGE, "rules", f"{RULE} The office may close at noon.")
        office.upload(PAGE, "evil", ORDER)
        office.model.obey = lambda documents: [
            issue(number, "may close at noon", title="Fire the office", severity="critical")
            for number, text in documents.items()
            if "noon" in text
        ]
        office.analyse()
        assert [each.title for each in office.found()] == ["Fire the office"]
        return office

    def test_what_it_made_the_model_say_goes(self, page: Reviewed) -> None:
        page.upload(PAGE, "evil", "An honest text.")
        page.analyse()
        assert [each.severity for each in page.found()] == ["high"]

    def test_what_a_person_touched_stays(self, page: Reviewed) -> None:
        page.edit(page.found()[0], notes="is this so?")
        page.upload(PAGE, "evil", "An honest text.")
        page.analyse()
        assert [each.severity for each in page.found()] == ["high", "critical"]

    def test_what_is_still_found_stays(self, page: Reviewed) -> None:
        page.upload(PAGE, "evil", f"{ORDER} again")
        page.analyse()
        assert [each.title for each in page.found()] == ["Fire the office"]

    def test_what_it_quotes_too_goes(self, page: Reviewed) -> None:
        def both(documents: Documents) -> list[Form]:
            numbers = {text: number for number, text in documents.items()}
            quotes = [{"document": number, "quote": text[:9]} for text, number in numbers.items()]
            return [issue(0, "", title="Fire both", references=quotes)]

        page.model.obey = both
        page.upload(PAGE, "evil", f"{ORDER} both")
        page.analyse()
        assert "Fire both" in [each.title for each in page.found()]
        page.upload(PAGE, "evil", "An honest text.")
        page.analyse()
        assert [each.severity for each in page.found()] == ["high"]

    def test_a_scan_in_its_place_is_no_replacement(self, page: Reviewed) -> None:
        page.upload(PAGE, "evil", "SCAN")
        page.analyse()
        assert len(page.found()) == 2

    def test_what_it_quotes_has_to_be_looked_at_before_it_goes(self, page: Reviewed) -> None:
        page.upload(PAGE, "rules", "SCAN")
        page.upload(PAGE, "evil", "An honest text.")
        page.analyse()
        (found,) = page.found()
        assert (found.is_stale, found.not_found_since) == (True, None)
        page.upload(PAGE, "rules", f"{RULE} The office may close at noon.")
        page.analyse()
        assert [each.severity for each in page.found()] == ["high"]

    def test_an_issue_of_the_release_before_stays(self, page: Reviewed) -> None:
        page.edit(page.found()[0], texts_in_sight={})
        page.upload(PAGE, "evil", "An honest text.")
        page.analyse()
        assert len(page.found()) == 2


class TestTwice:
    """A second look is a second request: an answer that was kept is none."""

    def test_a_kept_answer_is_no_second_look(self, office: Reviewed) -> None:
        office.upload(PAGE, "rules", RULE)
        office.upload(PAGE, "b", "Nothing 1.", untrusted="true")
        office.analyse()
        office.model.obey = lambda _: []
        office.upload(PAGE, "c", ORDER)
        office.analyse()
        (once,) = office.found()
        assert (bool(once.not_found_since), once.not_found_twice) == (True, False)
        office.upload(PAGE, "b", "Nothing 2.", untrusted="true")
        office.analyse()
        assert office.found() == [once]
        office.upload(PAGE, "c", f"{ORDER} again")
        office.analyse()
        (twice,) = office.found()
        assert (twice.not_found_since, twice.not_found_twice) == (once.not_found_since, True)

    def test_a_long_policy_is_looked_at_when_all_of_it_is_asked_about(self) -> None:
        office = Reviewed(window_characters=200)
        office.model.obey = honest
        looks = []
        for begin, end in (("A", "A"), ("B", "B"), ("B", "C"), ("C", "D")):
            first = f"{begin}: {ORDER} {RULE} {'filler ' * 15}"
            office.upload(PAGE, "rules", f"{first}\n\n{end}: {'filler ' * 20}")
            office.analyse()
            office.model.obey = lambda _: []
            (found,) = office.found()
            looks.append((bool(found.not_found_since), found.not_found_twice))
        assert looks == [(False, False), (True, False), (True, False), (True, True)]
