"""Hundreds of wrong requests to each API: the documented status, and a problem that says more."""

import json
from functools import cache

import pytest
from fakes.wrong_requests import APIS, Api, Wrong


@cache
def api(name: str) -> Api:
    return APIS[name]()


CASES = [(name, wrong) for name in APIS for wrong in api(name).requests]
RIGHT = [(name, right) for name in APIS for right in api(name).right]


@pytest.mark.parametrize("name", APIS)
def test_there_are_two_hundred_of_each(name: str) -> None:
    assert len(api(name).requests) >= 200


@pytest.mark.parametrize(("name", "wrong"), CASES, ids=[f"{n}: {w.name}" for n, w in CASES])
def test_a_wrong_request_is_a_problem_of_its_document(name: str, wrong: Wrong) -> None:
    answer = api(name).answer(wrong.event())
    assert answer["statusCode"] == wrong.status
    problem = json.loads(answer["body"])
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    assert problem["status"] == wrong.status
    assert problem["title"]
    assert problem["detail"]
    if wrong.field:
        assert any(each.startswith(wrong.field) for each in problem["errors"]), problem
    assert ("Allow" in answer["headers"]) is (wrong.status == 405)
    if wrong.of:
        operations = api(name).document["paths"][wrong.of]
        for operation in operations.values():
            reply = operation["responses"][str(wrong.status)]
            assert "application/problem+json" in reply["content"]


@pytest.mark.parametrize(("name", "right"), RIGHT, ids=[f"{n}: {r.name}" for n, r in RIGHT])
def test_media_types_are_read_in_any_case_and_head_answers_get(name: str, right: Wrong) -> None:
    answer = api(name).answer(right.event())
    assert answer["statusCode"] == right.status
    if right.method == "HEAD":
        got = api(name).answer(Wrong(200, "GET", right.target).event())
        assert (answer["body"], answer["headers"]) == ("", got["headers"])
        assert got["body"]
