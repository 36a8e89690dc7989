"""What the office expects of an issue that no analysis finds again, as docs/decisions has it."""

import pytest

from uring_local.sites.office.actions import Remove, Submit, Upload
from uring_local.sites.office.ledger import Ledger, PageState, Quotes
from uring_local.sites.office.papers import Mark, Version

PAGE = "page-00"
MARK = Mark("high", "no signature 1")
OF_A: Quotes = frozenset({("a.txt", MARK)})


def paper(number: int, *marks: Mark) -> Version:
    return Version("text", "en", number, marks)


@pytest.fixture
def ledger() -> Ledger:
    """A page of two texts with one issue, which quotes the first and was found beside both."""
    ledger = Ledger()
    ledger.begin(is_janitors=False)
    ledger.upload(Upload(PAGE, "a.txt", paper(1, MARK)))
    ledger.upload(Upload(PAGE, "b.txt", paper(2)))
    assert ledger.submit(Submit(PAGE, "issues")) == "done"
    return ledger


def page(ledger: Ledger) -> PageState:
    return ledger.pages[PAGE]


def test_what_it_quotes_alone_changes_and_it_is_stale(ledger: Ledger) -> None:
    ledger.upload(Upload(PAGE, "a.txt", paper(3)))
    assert page(ledger).issues[OF_A].is_stale


def test_it_goes_with_another_text_that_stood_in_its_sight(ledger: Ledger) -> None:
    ledger.upload(Upload(PAGE, "a.txt", paper(3)))
    ledger.upload(Upload(PAGE, "b.txt", paper(4)))
    assert page(ledger).issues == {}


def test_it_goes_with_a_text_that_is_taken_out(ledger: Ledger) -> None:
    ledger.remove(Remove(PAGE, "a.txt"))
    assert page(ledger).issues == {}


def test_a_person_s_work_stays(ledger: Ledger) -> None:
    ledger.edited(PAGE, OF_A, "annotate", "checked")
    ledger.remove(Remove(PAGE, "a.txt"))
    assert page(ledger).issues[OF_A].is_stale


def test_the_last_attachment_takes_it_along_without_an_analysis(ledger: Ledger) -> None:
    ledger.remove(Remove(PAGE, "b.txt", "lost"))
    ledger.remove(Remove(PAGE, "a.txt"))
    assert page(ledger).issues == {}


def test_what_has_no_text_for_now_takes_nothing_along(ledger: Ledger) -> None:
    ledger.upload(Upload(PAGE, "a.txt", Version("scan", "en", 5, ())))
    assert page(ledger).issues[OF_A].is_stale
