"""Guards of a board's identity and of its noise: which notice is one, and what is no change."""

from typing import Final

from guard import Guard

_IDENTITY: Final = "notices/test_notice_identity.py::"
_NOISE: Final = "notices/test_notice_noise.py::"

GUARDS: Final = (
    Guard(
        "one id for several notices is not believed",
        "notices/page.py",
        "read_page",
        "judge_ids(page.rows)",
        "pass",
        "notices/test_notice_visit.py::TestJudged::test_one_id_for_all",
    ),
    Guard(
        "a renumbering keeps its places",
        "notices/identity.py",
        "_is_evident",
        "same * 2 > len(placed) or not placed",
        "True",
        f"{_IDENTITY}TestRecurringTitles::"
        "test_the_same_titles_on_the_same_day_are_news_where_the_first_slid_off",
    ),
    Guard(
        "a turnover is as new as the last look",
        "notices/identity.py",
        "_older",
        "since = max(since, looked.astimezone(ZoneInfo(zone)).date().isoformat())",
        "pass",
        f"{_IDENTITY}test_a_list_that_would_have_been_there_before_is_another_one",
    ),
    Guard(
        "an old id of a renumbered board is free",
        "records/apply.py",
        "apply",
        "stamp if seen.moved else state.moved_at",
        "state.moved_at",
        f"{_IDENTITY}TestRenumbered::test_so_does_one_that_had_left_the_page_before",
    ),
    Guard(
        "a doubt remembers what its page showed",
        "notices/visit.py",
        "NoticeVisitor._visit",
        "remembered = _doubt(state, visit, now)",
        "pass",
        f"{_IDENTITY}TestDecided::test_the_same_notices_are_adopted_and_the_later_one_is_pushed",
    ),
    Guard(
        "a decision is used once",
        "notices/place.py",
        "NoticeVisit.read",
        '"decision"',
        '"charset"',
        f"{_IDENTITY}TestDecided::test_a_page_that_is_itself_again_uses_no_decision",
    ),
    Guard(
        "content that was there before is not pushed",
        "notices/noise/heard.py",
        "hear",
        "quiet = returned | counting | _quiet(edits, known)",
        "quiet = counting | _quiet(edits, known)",
        f"{_NOISE}TestFlapping::test_only_the_first_flip_is_pushed_and_soon_none_is_recorded",
    ),
    Guard(
        "an edit that is undone is taken back",
        "notices/family.py",
        "_taken_back",
        "pushes.append(Pushed(key, event, is_last=is_last))",
        "pass",
        f"{_NOISE}TestFlapping::test_the_first_flip_is_taken_back_by_one_message",
    ),
    Guard(
        "the push of a new notice stands when its edit is undone",
        "notices/family.py",
        "_taken_back",
        "pushes.append(Pushed(key, event, is_last=is_last))",
        "pushes.append(Pushed(key, event))",
        f"{_NOISE}TestFlapping::test_the_push_of_a_new_notice_stands",
    ),
    Guard(
        "an edit is taken back only within a day",
        "notices/noise/heard.py",
        "_refuted",
        "now - parse_timestamp(past.at) < _DAY",
        "True",
        f"{_NOISE}TestFlapping::test_an_edit_that_stood_for_a_day_is_not_taken_back",
    ),
    Guard(
        "what is learned is bounded",
        "notices/noise/heard.py",
        "hear",
        "noise = (*noise, *learned)[-MOST_NOISE:]",
        "noise = (*noise, *learned)",
        f"{_NOISE}test_names_of_parameters_that_are_new_each_time_stay_bounded",
    ),
    Guard(
        "a learned part is not compared",
        "notices/noise/edits.py",
        "edits_of",
        "held.add(item.id)",
        "edits.append(edit)",
        f"{_NOISE}TestRotatingLinks::test_they_stop_making_revisions_and_are_told",
    ),
    Guard(
        "content in a pause is observed again",
        "notices/family.py",
        "Notices.step",
        "not heard.waits",
        "True",
        f"{_NOISE}TestFlapping::test_what_stays_is_shown[40-96-final1]",
    ),
    Guard(
        "another end of a learned countdown is news",
        "notices/noise/edits.py",
        "edits_of",
        "() if _has_other_end(content, item, noise, since, now) else noise",
        "noise",
        f"{_NOISE}TestClocks::test_a_countdown_to_another_day_is_news[6-12]",
    ),
    Guard(
        "a date is no counter, however often it is edited",
        "notices/noise/heard.py",
        "_is_noise",
        "return False",
        "pass",
        f"{_NOISE}TestSeveralCounters::test_a_quantity_must_count_for_longer[{{t}} {{n}}/{{m}}0]",
    ),
)
