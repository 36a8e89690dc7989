"""An API that is made of described routes: what it refuses, what it tells, its document."""

import base64
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import pytest
from fakes.telemetry import RecordingTelemetry
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from uring.errors import Unavailable
from uring.runtime.document import ProblemDetails
from uring.runtime.http import JSON, Answer, Problem, Resolver, answer
from uring.runtime.openapi import (
    Body,
    DescribedApi,
    Header,
    Path,
    Query,
    Route,
    RouteResponse,
)

SECRET = "s3:GetObject uring-data/pages/x"


class Colour(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=20)
    parts: dict[str, Any] = {}


class Painted(BaseModel):
    name: str
    walls: int


def paint(
    house: Annotated[str, Path(pattern="^[a-z]{1,8}$")],  # noqa: ARG001
    colour: Annotated[Colour, Body()],
    walls: Annotated[int, Query(ge=1, le=4)] = 1,
    if_match: Annotated[str, Header(alias="If-Match")] = "",
) -> Answer:
    """Paint a house.

    It dries by itself.
    """
    if colour.name == "none":
        raise Problem(409, "Conflict", "name one", more={"allowed": ["red"]})
    if colour.name == "crash":
        raise ValueError(SECRET)
    if colour.name == "outage":
        raise Unavailable(SECRET)
    return answer(200, {"name": colour.name, "walls": walls, "seen": if_match})


def late(house: str) -> str:
    """Let another request come and go while this one is judged."""
    if house == "late":
        JUDGED.set()
        assert OTHER.wait(timeout=20)
    return house


def look(house: Annotated[str, AfterValidator(late), Path()]) -> Answer:
    """Look at a house."""
    return answer(200, {"name": house, "walls": 0})


JUDGED, OTHER = threading.Event(), threading.Event()
ROUTES = [
    Route(
        "POST",
        "/houses/<house>/paint",
        paint,
        {200: RouteResponse("painted", Painted), 409: RouteResponse("no colour", ProblemDetails)},
        tag="houses",
    ),
    Route(
        "GET",
        "/houses/<house>",
        look,
        {
            200: RouteResponse("seen", Painted, {"ETag": "its version"}),
            304: RouteResponse("as before"),
        },
    ),
]


@pytest.fixture
def telemetry() -> RecordingTelemetry:
    return RecordingTelemetry()


@pytest.fixture
def api(telemetry: RecordingTelemetry) -> DescribedApi:
    return DescribedApi(ROUTES, telemetry, title="Houses", version="7", description="They stand.")


def event(
    body: str | None = '{"name": "red"}',
    path: str = "/houses/mine/paint",
    method: str = "POST",
    **more: Any,
) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": "ANY /{proxy+}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {"http": {"method": method, "path": path}, "stage": "$default"},
        "body": body,
        "isBase64Encoded": False,
        **more,
    }


def said(response: dict[str, Any]) -> dict[str, Any]:
    assert json.dumps(response, ensure_ascii=False).encode()
    found: dict[str, Any] = json.loads(response["body"])
    return found


def problem(response: dict[str, Any]) -> dict[str, Any]:
    found = said(response)
    assert response["headers"]["Content-Type"] == "application/problem+json"
    assert found["status"] == response["statusCode"]
    return found


def test_a_request_is_handed_over_by_its_types(api: DescribedApi) -> None:
    response = api.resolve(
        event(
            rawQueryString="walls=3",
            queryStringParameters={"walls": "3"},
            headers={"content-type": "application/json", "if-match": '"a", "b,c"'},
        )
    )
    assert response["statusCode"] == 200
    assert response["headers"]["Content-Type"] == JSON
    assert said(response) == {"name": "red", "walls": 3, "seen": '"a", "b,c"'}


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"body": base64.b64encode(b"\xff\xfe").decode(), "isBase64Encoded": True}, 400),
        ({"body": "x" * 5, "isBase64Encoded": True}, 400),
        ({"body": '{"name": NaN}'}, 400),
        ({"body": '{"name": ' + "9" * 5_000 + "}"}, 400),
        ({"body": '{"name": "a", "parts": {"a": ' + "[" * 100_000 + "]" * 100_000 + "}}"}, 400),
        ({"body": "{"}, 400),
        ({"body": "x" * 262_145}, 413),
        ({"headers": {"content-type": "text/plain"}}, 415),
        ({"headers": {"content-type": "application/x-www-form-urlencoded"}}, 415),
        ({"headers": {"content-type": "multipart/form-data; boundary=x"}}, 415),
        ({"body": None}, 422),
        ({"body": "[]"}, 422),
        ({"path": "/houses/MINE/paint"}, 422),
        ({"path": "/houses/a:b/paint"}, 422),
        ({"queryStringParameters": {"walls": "5"}, "rawQueryString": "walls=5"}, 422),
        ({"queryStringParameters": {"walls": "1,2"}, "rawQueryString": "walls=1&walls=2"}, 422),
        ({"path": "/houses/a#b/paint"}, 404),
        ({"path": "/houses/mine/paint/"}, 404),
        ({"path": "/houses/mine"}, 405),
        ({"method": "PUT"}, 405),
        ({"body": '{"name": "none"}'}, 409),
    ],
)
def test_what_is_wrong_with_a_request_is_a_problem(
    api: DescribedApi, telemetry: RecordingTelemetry, more: dict[str, Any], status: int
) -> None:
    response = api.resolve(event(**more))
    assert response["statusCode"] == status
    assert problem(response)["detail"]
    assert not telemetry.counts["RequestsFailed"]


def test_fields_are_named_with_their_problems(api: DescribedApi) -> None:
    found = problem(api.resolve(event('{"nome": "red"}')))
    assert found["errors"].keys() == {"body.name", "body.nome"}
    assert problem(api.resolve(event('{"\\ud800": "red"}')))["errors"].keys() == {"body"}
    many = json.dumps({str(number) * 100: 1 for number in range(50)})
    found = problem(api.resolve(event(many)))
    assert len(found["errors"]) == 10
    assert max(map(len, found["errors"])) < 70


def test_another_method_is_told_which_one_there_is(api: DescribedApi) -> None:
    response = api.resolve(event(method="DELETE", path="/houses/mine"))
    assert (response["statusCode"], response["headers"]["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(("name", "status"), [("crash", 500), ("outage", 503)])
def test_an_error_of_ours_names_nothing_of_ours(
    api: DescribedApi, telemetry: RecordingTelemetry, name: str, status: int
) -> None:
    """A ValueError of a handler is no problem of the request."""
    response = api.resolve(event(json.dumps({"name": name})))
    assert problem(response)["status"] == status
    assert ("Retry-After" in response["headers"]) is (status == 503)
    assert SECRET not in json.dumps(response)
    (line,) = telemetry.named("request_failed")
    assert line["reason"] == SECRET
    assert telemetry.counts["RequestsFailed"] == 1


def test_a_problem_says_more_where_it_knows_more(api: DescribedApi) -> None:
    assert problem(api.resolve(event('{"name": "none"}')))["allowed"] == ["red"]


def test_requests_side_by_side_do_not_see_each_other(api: DescribedApi) -> None:
    """Powertools keeps what it knows of a request in the resolver until it is answered."""
    JUDGED.clear()
    OTHER.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(api.resolve, event(None, "/houses/late", "GET"))
        assert JUDGED.wait(timeout=20)
        second = api.resolve(event(None, "/houses/soon", "GET"))
        OTHER.set()
        names = [said(response)["name"] for response in (first.result(20), second)]
    assert names == ["late", "soon"]


def test_a_resolver_s_event_is_its_own() -> None:
    one, other = Resolver(), Resolver()
    seen: list[str] = []
    one.get("/a")(lambda: other.resolve(event(None, "/b", "GET"), None) and seen.append(path(one)))  # type: ignore[func-returns-value, arg-type]
    other.get("/b")(lambda: seen.append(path(other)))
    one.resolve(event(None, "/a", "GET"), None)  # type: ignore[arg-type]
    assert seen == ["/b", "/a"]


def path(app: Resolver) -> str:
    return str(app.current_event.path)


def test_the_document_says_what_is_sent(api: DescribedApi) -> None:
    document = api.document()
    assert document["info"] == {"title": "Houses", "version": "7", "description": "They stand."}
    assert document["security"] == [{"sigv4": []}]
    operation = document["paths"]["/houses/{house}/paint"]["post"]
    assert operation["summary"] == "Paint a house"
    assert operation["description"] == "It dries by itself."
    assert operation["operationId"] == "paint"
    assert operation["responses"].keys() == {
        *("200", "400", "403", "404", "405", "409", "413", "415", "422", "429", "500", "503")
    }
    for status, reply in operation["responses"].items():
        kind = JSON if status in ("200", "403", "429") else "application/problem+json"
        assert reply["content"].keys() == {kind}, status
    look_ = document["paths"]["/houses/{house}"]["get"]["responses"]
    assert look_["200"]["headers"]["ETag"]["description"] == "its version"
    assert look_["304"] == {"description": "as before"}
    assert {"400", "413", "415"}.isdisjoint(look_)
    assert "HTTPValidationError" not in json.dumps(document)
