"""The sync as a pure function: the document's scenarios, renames, and deletion on proof."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.regulations.sync import Stats, squeezed, sync
from uring.regulations.values import PolicyRow, RegulationEntry

BEFORE = "2026-03-01T16:00:00Z"
NOW = "2026-03-02T16:00:00Z"


def row(title: str, file_no: str, root: str = "") -> PolicyRow:
    address = f"https://rules.example.ac.kr{root}/{file_no}"
    return PolicyRow(
        title=title, file_no=file_no, preview_url=address, download_url=f"{address}.pdf"
    )


def entry(policy: PolicyRow, at: str = BEFORE) -> RegulationEntry:
    return RegulationEntry(**policy.model_dump(), last_updated=at)


def registry(*rows: PolicyRow) -> dict[str, RegulationEntry]:
    return {each.title: entry(each) for each in rows}


def titles(entries: Iterable[RegulationEntry]) -> list[str]:
    return [each.title for each in entries]


def test_scenario_1_a_title_that_is_not_known_is_added_as_active() -> None:
    result = sync([row("신규 규정", "999")], {}, NOW)
    assert [each.item() for each in result.to_add] == [
        {
            "title": "신규 규정",
            "fileNo": "999",
            "status": "active",
            "lastUpdated": NOW,
            "previewUrl": "https://rules.example.ac.kr/999",
            "downloadUrl": "https://rules.example.ac.kr/999.pdf",
        }
    ]
    assert result.stats == Stats(total_scanned=1, added=1, updated=0, deleted=0)


def test_scenario_2_another_file_no_is_an_update() -> None:
    result = sync([row("한빛대학교 학칙", "870")], registry(row("한빛대학교 학칙", "868")), NOW)
    assert [(each.file_no, each.last_updated) for each in result.to_update] == [("870", NOW)]
    assert result.stats == Stats(1, 0, 1, 0)


def test_scenario_3_a_title_is_deleted_once_it_is_missing_in_two_complete_runs() -> None:
    known, listed = registry(row("폐기된 규정", "500"), row("학칙", "1")), [row("학칙", "1")]
    first = sync(listed, known, NOW)
    assert (first.to_delete, first.absent) == ((), ("폐기된 규정",))
    second = sync(listed, known, NOW, absent_before=first.absent)
    assert (second.to_delete, second.absent) == (("폐기된 규정",), ())
    assert second.stats.deleted == 1


def test_the_same_page_changes_nothing_and_keeps_when_it_was_updated() -> None:
    rows = [row("학칙", "1"), row("직제 규정", "2")]
    result = sync(rows, registry(*rows), NOW)
    assert (result.to_add, result.to_update, result.to_delete) == ((), (), ())
    assert {each.last_updated for each in result.entries} == {BEFORE}


def test_another_address_alone_is_no_update_and_reaches_the_entry() -> None:
    result = sync([row("학칙", "1", "/new")], registry(row("학칙", "1")), NOW)
    assert result.stats == Stats(1, 0, 0, 0)
    assert result.entries[0].preview_url == "https://rules.example.ac.kr/new/1"
    assert result.entries[0].last_updated == NOW


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (row("학교기업 운영규정", "891"), row("학교기업 운영 규정", "1400")),
        (row("연구소 규정", "871"), row("연구원 규정", "871")),
        (row("교육ㆍ연구 규정", "891"), row("교육·연구 규정", "1400")),
        (row("학칙(대학원)", "891"), row("학칙 （대학원）", "1400")),  # noqa: RUF001
        (row("학칙 <개정 2024.1.1.>", "891"), row("학칙 <개정 2025. 3. 1.>", "1400")),
        (row("학칙", "891"), row("학칙 (2025. 3. 1. 개정)", "1400")),
        (row("Ｈ 규정", "891"), row("H 규정", "1400")),  # noqa: RUF001
    ],
    ids=["squeezed title", "fileNo", "middle dot", "brackets", "mark", "a new mark", "full width"],
)
def test_a_rename_is_one_update_and_no_deletion(old: PolicyRow, new: PolicyRow) -> None:
    result = sync([new], registry(old), NOW, absent_before=[old.title])
    assert result.renamed == {new.title: old.title}
    assert (titles(result.to_update), result.to_add, result.to_delete) == ([new.title], (), ())
    assert result.absent == ()


@pytest.mark.parametrize("order", [1, -1])
def test_regulations_that_share_a_file_are_told_apart_by_their_titles(order: int) -> None:
    """One file may hold several: its number alone would give one the other's text."""
    known = registry(row("장학 규정", "10"), row("포상 규정", "10"))
    rows = [row("장학규정", "10"), row("포상규정", "10")][::order]
    result = sync(rows, known, NOW, absent_before=[*known])
    assert dict(result.renamed) == {"장학규정": "장학 규정", "포상규정": "포상 규정"}
    assert (result.to_add, result.to_delete) == ((), ())


def test_a_file_of_several_regulations_renames_none_of_them() -> None:
    two = registry(row("가 규정", "10"), row("나 규정", "10"))
    merged = sync([row("통합 기준", "10")], two, NOW)
    assert (dict(merged.renamed), titles(merged.to_add)) == ({}, ["통합 기준"])
    assert merged.absent == ("가 규정", "나 규정")


@pytest.mark.parametrize("stays_in", ["10", "11"])
def test_one_of_several_in_a_file_is_not_renamed_into_another(stays_in: str) -> None:
    known = registry(row("장학 규정", "10"), row("포상 규정", "10"))
    result = sync([row("장학 규정", stays_in), row("징계 규정", "10")], known, NOW)
    assert (dict(result.renamed), titles(result.to_add)) == ({}, ["징계 규정"])
    assert result.absent == ("포상 규정",)


def test_a_title_that_moved_into_the_file_is_no_old_or_new_name() -> None:
    known = registry(row("장학 규정", "10"), row("포상 규정", "11"))
    rows = [row("포상 규정", "10"), row("징계 규정", "10"), row("상벌 규정", "10")]
    for listed in (rows, rows[::-1], rows[:2]):
        result = sync(listed, known, NOW)
        assert (dict(result.renamed), result.absent) == ({}, ("장학 규정",))


def test_the_only_titles_that_spelling_leaves_in_a_file_are_one_regulation() -> None:
    known = registry(row("학칙 (개정)", "10"), row("포상 규정", "10"))
    rows = [row("표창 규정", "10"), row("학칙(개정)", "10")]
    for listed in (rows, rows[::-1]):
        result = sync(listed, known, NOW)
        assert dict(result.renamed) == {"학칙(개정)": "학칙 (개정)", "표창 규정": "포상 규정"}
        assert (result.to_add, result.absent) == ((), ())


def test_a_title_that_is_listed_twice_but_for_its_spaces_goes_on_as_the_first() -> None:
    rows = [row("장학규정", "2"), row("장 학규정", "2")]
    result = sync(rows, registry(row("장학 규정", "1")), NOW)
    assert (dict(result.renamed), titles(result.to_add)) == (
        {"장학규정": "장학 규정"},
        ["장 학규정"],
    )


def test_the_title_comes_before_the_place_in_a_file_of_several() -> None:
    rows = [row("포상규정", "10"), row("장학규정", "10")]
    result = sync(rows, registry(row("장학 규정", "10")), NOW)
    assert (dict(result.renamed), titles(result.to_add)) == (
        {"장학규정": "장학 규정"},
        ["포상규정"],
    )


def test_two_titles_with_one_spelling_are_not_the_old_title_of_a_third() -> None:
    known = registry(row("가 나 규정", "1"), row("가나 규정", "2"))
    result = sync([row("가나규정", "3")], known, NOW)
    assert (dict(result.renamed), result.absent) == ({}, ("가 나 규정", "가나 규정"))


def test_titles_with_one_spelling_that_are_both_known_stay_as_they_are() -> None:
    """An older release may have stored them as two regulations."""
    rows = [row("교육ㆍ연구 규정", "1"), row("교육·연구 규정", "2")]
    result = sync(rows, registry(*rows), NOW)
    assert (dict(result.renamed), result.stats) == ({}, Stats(2, 0, 0, 0))
    left = sync(rows[1:], registry(*rows), NOW, absent_before=["교육ㆍ연구 규정"])
    assert (dict(left.renamed), left.to_delete) == ({}, ("교육ㆍ연구 규정",))


def test_a_site_that_lists_every_revision_renames_none() -> None:
    known = [row(f"학칙 <개정 202{year}.1.1.>", str(year)) for year in (3, 4)]
    result = sync([known[1], row("학칙 <개정 2025.1.1.>", "5")], registry(*known), NOW)
    assert (dict(result.renamed), titles(result.to_add)) == ({}, ["학칙 <개정 2025.1.1.>"])
    assert result.absent == ("학칙 <개정 2023.1.1.>",)


def test_a_title_in_a_row_that_cannot_be_read_counts_among_the_letters() -> None:
    known = [row(f"학칙 <개정 202{year}.1.1.>", str(year)) for year in (3, 4)]
    new = [row("학칙 <개정 2025.1.1.>", "5")]
    result = sync(new, registry(*known), NOW, shown=[known[1].title])
    assert (dict(result.renamed), titles(result.to_add)) == ({}, ["학칙 <개정 2025.1.1.>"])


def test_several_new_titles_with_the_letters_of_an_old_one_rename_none() -> None:
    known = registry(row("학칙(대학원)", "1"))
    rows = [row("학칙（대학원）", "2"), row("학칙(대학원) <개정 2025.1.1.>", "3")]  # noqa: RUF001
    assert dict(sync(rows[:1], known, NOW).renamed) == {rows[0].title: "학칙(대학원)"}
    assert dict(sync(rows, known, NOW).renamed) == {}


def test_spaces_come_before_other_spellings() -> None:
    known = registry(row("교육ㆍ연구 규정", "1"))
    rows = [row("교육·연구 규정", "2"), row("교육ㆍ연구규정", "3")]
    result = sync(rows, known, NOW)
    assert dict(result.renamed) == {"교육ㆍ연구규정": "교육ㆍ연구 규정"}


def test_a_regulation_that_is_still_listed_is_no_old_name() -> None:
    known = registry(row("학칙", "1"))
    result = sync([row("학칙", "1"), row("학칙 시행세칙", "1")], known, NOW)
    assert (dict(result.renamed), titles(result.to_add)) == ({}, ["학칙 시행세칙"])


def test_one_old_title_becomes_one_new_title() -> None:
    rows = [row("가 규정", "1"), row("나 규정", "1")]
    result = sync(rows, registry(row("다 규정", "1")), NOW)
    assert (dict(result.renamed), titles(result.to_add)) == ({"가 규정": "다 규정"}, ["나 규정"])
    # By its file and by its spelling it would be two.
    rows = [row("가 규정", "1"), row("다규정", "2")]
    result = sync(rows, registry(row("다 규정", "1")), NOW)
    assert (dict(result.renamed), titles(result.to_add)) == ({"가 규정": "다 규정"}, ["다규정"])


def test_an_archived_title_returns_under_its_own_name() -> None:
    known = registry(row("다 규정", "1"))
    result = sync([row("가 규정", "1")], known, NOW, archived=["가 규정"])
    assert (titles(result.to_add), result.absent) == (["가 규정"], ("다 규정",))


def test_an_incomplete_run_neither_deletes_nor_counts_as_one_of_two() -> None:
    known = registry(row("학칙", "1"), row("가 규정", "2"), row("나 규정", "3"))
    result = sync([row("학칙", "1")], known, NOW, absent_before=["가 규정"], is_complete=False)
    assert (result.to_delete, result.absent) == ((), ("가 규정",))


def test_a_title_in_a_row_that_cannot_be_read_is_not_missing() -> None:
    known = registry(row("학칙", "1"), row("가 규정", "2"))
    result = sync([row("학칙", "1")], known, NOW, absent_before=["가 규정"], shown=["가 규정"])
    assert (result.to_delete, result.absent) == ((), ())


ROWS = st.lists(
    st.builds(row, st.sampled_from("가나다라마바사"), st.sampled_from("12345678")),
    unique_by=lambda each: each.title,
    max_size=7,
)


@given(ROWS, ROWS)
def test_what_is_added_updated_and_deleted_leads_from_one_page_to_the_other(
    before: list[PolicyRow], after: list[PolicyRow]
) -> None:
    known = registry(*before)
    result = sync(after, known, NOW, absent_before=list(known))
    left = {title for title in known if title not in result.renamed.values()}
    left -= set(result.to_delete)
    left |= {each.title for each in (*result.to_add, *result.to_update)}
    assert left == {each.title for each in after}
    assert {each.title: each.file_no for each in result.entries} == {
        each.title: each.file_no for each in after
    }
    assert sync(after, {each.title: each for each in result.entries}, NOW).stats == Stats(
        len(after), 0, 0, 0
    )


@given(st.text())
def test_squeezing_twice_is_squeezing_once(title: str) -> None:
    assert squeezed(squeezed(title)) == squeezed(title)
