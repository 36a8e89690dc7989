"""The client of a run: the project's own, beside what its stages have."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
import urllib3

from uring_local.fcm.devices import Devices
from uring_local.run.client import remembering, served
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.run.record import RunRecord
from uring_local.run.run import Stage
from uring_local.template.template import Template, load

ID = "c" + "0" * 21


class Application:
    """A family's application without functions: says what one of them is asked."""

    distribution = ""
    bucket = "a-bucket"

    def __init__(self, s3: Any) -> None:
        self.s3 = s3
        self.asked: list[tuple[str, Any]] = []

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        self.asked.append((function, event))
        return {"statusCode": 429, "headers": {"Retry-After": "7"}, "body": "{}"}


@pytest.fixture(scope="module")
def template() -> Template:
    return load(TEMPLATE, PARAMETERS, "uring")


def stage(s3: Any) -> Stage:
    record = RunRecord.fresh(7, 1, 2, "2026-03-02")
    parts: Any = SimpleNamespace(application=Application(s3), fcm=Devices(), record=record)
    return Stage(parts, parts.application, parts.fcm, parts, parts, record)


def test_a_run_that_goes_on_serves_its_client_where_it_was(s3: Any, template: Template) -> None:
    """A browser keeps what was read, and the worker, by address."""
    first = stage(s3)
    with served([first], template) as front:
        (kept,) = remembering([first], front)
        page = urllib3.request("GET", front.url, retries=False)
        assert page.status == 200
        assert b"./r/" in page.data
    with served([kept], template) as again:
        assert again.url == front.url


def test_a_subscription_is_the_functions_to_answer(s3: Any, template: Template) -> None:
    at_work = stage(s3)
    with served([at_work], template) as front:
        url = f"{front.url}api/subscriptions"
        answer = urllib3.request("POST", url, body=b'{"id": "x"}', retries=False)
        assert (answer.status, answer.headers["Retry-After"]) == (429, "7")
        assert urllib3.request("GET", url, retries=False).status == 404
    application: Any = at_work.application
    ((function, event),) = application.asked
    assert function == "SubscriptionApi"
    assert event["body"] == '{"id": "x"}'
    assert event["requestContext"]["http"] == {"method": "POST", "path": "/api/subscriptions"}


def test_a_device_is_sent_what_its_stand_in_has_for_it(s3: Any, template: Template) -> None:
    at_work = stage(s3)
    devices: Any = at_work.fcm
    devices.subscribe(ID, "cs")
    devices.deliver("cs", {"title": "made up"}, "1")
    with served([at_work], template) as front:
        url = f"{front.url}push/events?id={ID}"
        stream = urllib3.request("GET", url, retries=False, preload_content=False)
        text, ends = b"", time.monotonic() + 30
        while b'"fcmMessageId": "1"' not in text:
            piece = stream.read(1)
            assert piece, f"ended after {text!r}"
            assert time.monotonic() < ends, f"no more than {text!r}"
            text += piece
    assert b"made up" in text
