"""Functions in this process that invoke each other."""

import json
from typing import Any

import boto3
import pytest

from uring_local.stack.invoke import InvokingSession


def double(name: str, event: dict[str, Any]) -> Any:
    if name != "Doubler":
        raise KeyError(name)
    return {"twice": event["number"] * 2}


@pytest.fixture
def client() -> Any:
    """Of an endpoint where nothing listens."""
    session = boto3.Session("test", "test", region_name="us-east-1")
    return InvokingSession(session, double).client("lambda", endpoint_url="http://127.0.0.1:9")


def test_the_answer_is_that_of_the_function_here(client: Any) -> None:
    answer = client.invoke(FunctionName="Doubler", Payload=b'{"number": 21}')
    assert json.load(answer["Payload"]) == {"twice": 42}
    assert answer["StatusCode"] == 200
    assert "FunctionError" not in answer


def test_what_a_function_raises_is_its_error_and_no_exception(client: Any) -> None:
    answer = client.invoke(FunctionName="another one", Payload=b"{}")
    assert answer["FunctionError"] == "Unhandled"
    assert json.load(answer["Payload"]) == {
        "errorMessage": "'another one'",
        "errorType": "KeyError",
    }


def test_calls_are_counted_as_any_others(client: Any) -> None:
    called = []
    client.meta.events.register("before-call.lambda", lambda model, **_: called.append(model.name))
    client.invoke(FunctionName="Doubler", Payload=b'{"number": 1}')
    assert called == ["Invoke"]


def test_other_clients_are_the_sessions_own() -> None:
    session = boto3.Session("test", "test", region_name="us-east-1")
    client = InvokingSession(session, double).client("sqs", endpoint_url="http://127.0.0.1:9")
    assert client.meta.endpoint_url == "http://127.0.0.1:9"
