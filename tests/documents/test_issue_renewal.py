"""What an analysis makes of stored issues: found again, not found, removed (D11)."""

from typing import Any

import pytest
from fakes.obedient import ORDER, PAGE, Documents, Form, Reviewed, issue

from uring.documents.store.issues import StoredIssue
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
