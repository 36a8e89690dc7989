"""A stack's public side: its distribution, or what is played in its place."""

from typing import Any

import pytest

from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.template.template import load
from uring_local.web.behaviors import read_distribution
from uring_local.web.edges import BucketEdge, DistributionEdge, is_known
from uring_local.web.place import SiteAddress


def test_a_distribution_is_asked_as_its_readers_ask() -> None:
    """With the reader's validators, and nothing else of the reader's."""
    asked: list[Request] = []

    def respond(request: Request) -> Answer:
        asked.append(request)
        return Answer(304, headers={"ETag": '"1"', "Content-Security-Policy": "default-src 'none'"})

    with LoopbackServer(respond) as server:
        edge = DistributionEdge(
            SiteAddress(f"http://{server.host}", {"X-Forwarded-Proto": "https"})
        )
        given = {"if-none-match": '"1"', "cookie": "mine", "host": "127.0.0.1"}
        answer = edge.ask(Request("HEAD", "/status/?a=1", given))
    assert (asked[0].method, asked[0].target) == ("GET", "/status/?a=1")
    assert asked[0].headers["if-none-match"] == '"1"'
    assert asked[0].headers["x-forwarded-proto"] == "https"
    assert "cookie" not in asked[0].headers
    assert answer.status == 304
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'"
    assert not {name.lower() for name in answer.headers} & {"connection", "content-length", "date"}


def test_a_stack_that_is_gone_is_no_answer_and_no_error_of_ours(s3: Any) -> None:
    with LoopbackServer(lambda _: Answer(200)) as server:
        place = SiteAddress(f"http://{server.host}", {})
    assert DistributionEdge(place).ask(Request("GET", "/")).status == 504
    distribution = read_distribution(load(TEMPLATE, PARAMETERS, "uring"))
    nowhere = BucketEdge(s3, "no-such-bucket", distribution)
    assert nowhere.ask(Request("GET", "/")).status == 503


@pytest.mark.parametrize(
    ("path", "key", "is_bucket"),
    [
        ("/", "web/index.html", True),
        ("/status/", "web/status/", True),
        ("/r/0123/app/main.js", "web/r/0123/app/main.js", True),
        ("/data/cs/latest.json", "data/cs/latest.json", True),
        ("/database", "web/database", True),
        ("/api/subscriptions", "api/subscriptions", False),
    ],
)
def test_an_address_has_one_place(path: str, key: str, *, is_bucket: bool) -> None:
    distribution = read_distribution(load(TEMPLATE, PARAMETERS, "uring"))
    assert distribution.key(path) == key
    assert distribution.behavior(path).is_bucket is is_bucket


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ('"1"', True),
        ('W/"1"', True),
        ('"0", W/"1"', True),
        ("*", True),
        ('"2"', False),
        ("", False),
    ],
)
def test_validators_are_compared_weakly(given: str, *, known: bool) -> None:
    """Compression at an edge makes a strong one weak."""
    assert is_known({"if-none-match": given} if given else {}, '"1"') is known
