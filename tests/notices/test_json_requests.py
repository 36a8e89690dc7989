"""Lists that are asked for with a POST of JSON, and their further pages."""

import json
from typing import Any

import pytest

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request, outgoing
from uring.notices.page import page_of
from uring.notices.source import Source
from uring.sources.site import request_for
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.entries.pages import key_of
from uring_local.loopback import Answer, LoopbackServer
from uring_local.loopback import Request as Asked

URL = "https://pond.example.ac.kr/api/list"
ENTRY: dict[str, Any] = {
    "id": "pond",
    "name": "연못",
    "url": URL,
    "kind": "json",
    "rows": "list",
    "fields": {"id": "no", "title": "title", "link": {"template": "v?no={id}"}},
}


def source(body: Any, paging: dict[str, Any] | None = None, url: str = URL) -> Source:
    keys: dict[str, Any] = {"url": url, "request": {"method": "POST", "body": body}}
    return Source.model_validate(ENTRY | keys | ({"paging": paging} if paging else {}))


def sent(entry: Source) -> tuple[str, Any]:
    out = outgoing(request_for(entry), "test")
    assert out.body is not None
    return out.headers["Content-Type"], json.loads(out.body)


@pytest.mark.parametrize(
    "body",
    [{"board": "공지", "size": 20, "filter": {"open": True, "by": None}}, [], [{"id": 1}], {}],
)
def test_the_body_of_a_post_is_json(body: Any) -> None:
    assert sent(source(body)) == ("application/json", body)


def test_the_site_gets_the_body() -> None:
    asked: list[tuple[str, str, Any]] = []

    def respond(request: Asked) -> Answer:
        asked.append((request.method, request.headers["content-type"], json.loads(request.body)))
        return Answer(200, b"{}")

    with LoopbackServer(respond) as server:
        fetcher = Fetcher(user_agent="test", allowed_private_hosts=[server.host])
        entry = source({"board": "공지"}, url=f"http://{server.host}/api")
        assert fetcher.fetch(request_for(entry)).status == 200
    assert asked == [("POST", "application/json", {"board": "공지"})]


def test_a_job_keeps_the_body() -> None:
    job = source({"a": [1]}).model_dump(mode="json", exclude_unset=True)
    assert sent(Source.model_validate(job))[1] == {"a": [1]}
    assert "body" not in Source.model_validate(ENTRY).model_dump_json(exclude_unset=True)


def test_it_follows_the_redirects_that_keep_a_post() -> None:
    out = outgoing(request_for(source({"a": 1})), "test")
    kept, left = (out.redirected(status, same_origin=False) for status in (308, 302))
    assert (kept.body, kept.headers["Content-Type"]) == (out.body, "application/json")
    assert (left.method, left.body, "Content-Type" in left.headers) == ("GET", None, False)


@pytest.mark.parametrize(
    ("body", "parameter", "second"),
    [
        ({"page": 1, "size": 5}, "page", {"page": 2, "size": 5}),
        ({"page": "1"}, "page", {"page": "2"}),
        ({"size": 5}, "page", {"size": 5, "page": 2}),
        ({"variables": {"page": 1}}, "variables.page", {"variables": {"page": 2}}),
        ({"q": [{"p": 1}]}, "q.0.p", {"q": [{"p": 2}]}),
        ({"a.page": 1}, "a.page", {"a.page": 2}),
    ],
)
def test_further_pages_are_asked_for_in_the_body(body: Any, parameter: str, second: Any) -> None:
    entry = source(body, {"parameter": parameter})
    assert sent(page_of(entry, 2)) == ("application/json", second)
    assert sent(page_of(entry, 1)) == ("application/json", body)
    assert page_of(entry, 2).url == URL


def test_a_parameter_of_the_address_stays_there() -> None:
    entry = page_of(source({"a": 1}, {"parameter": "page"}, f"{URL}?page=1"), 2)
    assert (entry.url, sent(entry)[1]) == (f"{URL}?page=2", {"a": 1})


@pytest.mark.parametrize(
    ("request_keys", "more", "words"),
    [
        ({"body": {}}, {}, 'a body is sent with POST; add "method": "POST"'),
        ({"method": "POST", "body": "{}"}, {}, "is not an object or a list; write the JSON itself"),
        ({"method": "POST", "body": 5}, {}, "is not an object or a list"),
        ({"method": "POST", "body": {}, "form": {"a": "1"}}, {}, "keep form, or body for JSON"),
        ({"method": "POST", "body": {"a": "x" * 10_000}}, {}, "more than 10000 characters"),
        ({"method": "POST", "body": [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]}, {}, "20 levels"),
        ({"method": "POST", "body": {"a": float("nan")}}, {}, "is not valid JSON"),
        (
            {"method": "POST", "body": {"a": 1}},
            {"paging": {"parameter": "b.page"}},
            "paging.parameter: 'b.page' is not a place in request.body",
        ),
        (
            {"method": "POST", "body": {}, "headers": {"Content-Type": "text/json"}},
            {},
            "is set by the fetcher",
        ),
    ],
)
def test_a_body_that_cannot_be_sent_is_refused(
    request_keys: dict[str, Any], more: dict[str, Any], words: str
) -> None:
    file = json.dumps({"sources": [ENTRY | {"request": request_keys} | more]}).encode()
    entries = NOTICE_ENTRIES.load(file)
    assert not entries.sources
    assert words in str(entries.problems[0])


def test_the_fetcher_refuses_a_body_it_cannot_send() -> None:
    for wrong in (Request(URL, json="{}"), Request(URL, "POST", form={"a": "b"}, json="{}")):
        with pytest.raises(FetchFailed, match="JSON body"):
            outgoing(wrong, "test")


def test_two_bodies_are_two_lists() -> None:
    keys = [key_of(source(body)) for body in ({"b": 1}, {"b": 2}, {"b": 1, "page": 1})]
    assert keys[0] != keys[1]
    assert keys[0] == keys[2]
