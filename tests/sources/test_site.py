"""An entry's request has what the entry says, to the last field: what is sent is looked at here."""

from fakes import ENTRY

from uring.notices.page import page_of
from uring.notices.source import Source
from uring.sources.site import request_for

FORM = {"menu": "7", "page": "1"}


def posted() -> Source:
    request = {**ENTRY.get("request", {}), "method": "POST", "form": FORM}
    paging = {"parameter": "page"}
    return Source.model_validate({**ENTRY, "request": request, "paging": paging})


def test_the_form_of_a_board_is_sent() -> None:
    request = request_for(posted())
    assert (request.method, request.form) == ("POST", FORM)


def test_a_board_without_a_form_sends_none() -> None:
    assert request_for(Source.model_validate(ENTRY)).form is None


def test_further_pages_of_a_posted_board_are_asked_by_its_form() -> None:
    request = request_for(page_of(posted(), 3))
    assert (request.method, request.form) == ("POST", {**FORM, "page": "3"})
    assert request.url == request_for(posted()).url
