"""Raw files are listed, sorted and sent; the API hides what is ours (S1, S2, S12)."""

import base64
import json
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, raw_file, raw_path, record
from openapi_spec_validator import validate

from uring.errors import CorruptState, MalformedMessage, Unavailable
from uring.seeds.api import Continuation, SeedTriggers, openapi_document
from uring.seeds.messages import OrchestrateRequest, SeedMessage
from uring.seeds.orchestrate import Run, first_day
from uring.seeds.partition import Partition

OTHER = Partition("my", "edu", "2026-01-27")


def sent(world: SeedWorld) -> list[SeedMessage]:
    return [SeedMessage.parse(message.body) for _, message in world.seeds.accepted]


def world_of(*files: tuple[int, Partition]) -> SeedWorld:
    world = SeedWorld()
    for number, partition in files:
        world.bucket.plant(raw_path(number, partition), raw_file([record("https://a.com/")]))
    return world


def test_scenario_1_every_raw_file_is_a_message_in_sequence() -> None:
    world = world_of((10, PARTITION), (2, PARTITION), (1, PARTITION), (10_000, PARTITION))
    for name in ("raw_0001.json.success", "raw_metadata.json", "notes.txt"):
        world.bucket.plant(raw_path().rpartition("/")[0] + "/" + name, b"")
    done = world.orchestrate()
    assert [message.raw.number for message in sent(world)] == [1, 2, 10, 10_000]
    assert (done.files, done.partitions, done.after) == (4, (PARTITION.name,), None)
    assert world.bucket.calls.heads == []
    assert all(message.etag for message in sent(world))


@pytest.mark.parametrize(
    ("request_", "partitions"),
    [
        ({}, {PARTITION, OTHER}),
        ({"country": "sg"}, {PARTITION}),
        ({"category": "edu"}, {OTHER}),
        ({"date": "2026-01-28"}, {PARTITION}),
        ({"country": "sg", "category": "edu"}, set()),
    ],
)
def test_a_filter_takes_what_it_names(request_: dict[str, str], partitions: set[Partition]) -> None:
    world = world_of((1, PARTITION), (1, OTHER))
    run = Run("r", OrchestrateRequest.model_validate(request_))
    world.orchestrator.run(run, lambda: True)
    assert {message.partition_info.partition for message in sent(world)} == partitions


def test_a_schedule_takes_the_last_days() -> None:
    world = world_of((1, PARTITION), (1, OTHER))
    since = first_day(world.clock().date().replace(month=1, day=28), 1)
    world.orchestrator.run(Run("r", OrchestrateRequest(), since), lambda: True)
    assert [message.partition_info.partition for message in sent(world)] == [PARTITION]


def test_a_run_without_time_goes_on_behind_its_last_partition() -> None:
    world = world_of((1, PARTITION), (2, PARTITION), (1, OTHER))
    first = world.orchestrate(has_time=lambda: False)
    assert (first.partitions, first.after) == ((OTHER.name,), raw_path(1, OTHER))
    second = world.orchestrate(has_time=lambda: False, after=first.after or "")
    assert (second.files, second.after) == (2, None)
    assert len(sent(world)) == 3


def test_a_run_that_is_sent_again_sends_nothing_twice() -> None:
    world = world_of((1, PARTITION))
    world.orchestrate(force=True)
    world.orchestrate(force=True)
    assert len(sent(world)) == 1


def test_a_partition_goes_on_with_its_epoch_until_it_is_forced() -> None:
    world = world_of((1, PARTITION))
    world.orchestrate()
    world.clock.advance(hours=1)
    world.orchestrate(force=True, name="again")
    world.clock.advance(hours=1)
    world.orchestrate()
    assert [(m.epoch, m.force) for m in sent(world)] == [
        ("first", False),
        ("again", True),
        # The forced run may have died before it sent anything.
        ("again", True),
    ]


def triggers(world: SeedWorld, events: list[Any], days: int = 0) -> SeedTriggers:
    return SeedTriggers(
        world.orchestrator, world.reporter, events.append, world.telemetry, days=days
    )


def request(body: str | None, **more: Any) -> dict[str, Any]:
    """What API Gateway sends of a POST, payload 2.0."""
    path = "/api/v1/seeds/orchestrate"
    return {
        "version": "2.0",
        "routeKey": f"POST {path}",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {
            "http": {"method": "POST", "path": path},
            "requestId": "JKJaXmPLvHcESHA=",
            "stage": "$default",
            "timeEpoch": 1_769_594_400_000,
        },
        "body": body,
        "isBase64Encoded": False,
        **more,
    }


def test_the_api_answers_what_it_sent() -> None:
    world = world_of((1, PARTITION), (2, PARTITION))
    body = '{"country": "SG", "category": "news", "date": "2026-01-28", "force": true}'
    answer = triggers(world, []).work(request(body), lambda: 800.0)
    assert answer["statusCode"] == 200
    said = json.loads(answer["body"])
    assert said == {
        "run": said["run"],
        "files": 2,
        "partitions": [PARTITION.name],
        "is_complete": True,
        "skipped": 0,
        "misnamed": [],
        "held": {},
    }
    assert said["run"].startswith("20260128T100000Z-")
    assert {message.epoch for message in sent(world)} == {said["run"]}


MISNAMED = [
    "datasets/country=SG/category=news/date=2026-01-28/raw_0001.json",
    "datasets/country=sg/category=News/date=2026-01-28/raw_0001.json",
    "datasets/country=sg/category=news/date=2026-01-28/raw_1.json",
    "datasets/country=sg/category=news/date=2026-1-28/raw_0001.json",
    "datasets/country=sg/category=뉴스/date=2026-01-28/raw_0001.json",
]


def test_misnamed_files_are_counted_and_three_are_named() -> None:
    world = world_of((1, PARTITION))
    for name in (*MISNAMED, raw_path(1) + ".rejected", raw_path(1) + ".success", "datasets/a/"):
        world.bucket.plant(name, b"")
    answer = triggers(world, []).work(request(None), lambda: 800.0)
    said = json.loads(answer["body"])
    assert (said["files"], said["skipped"], said["misnamed"]) == (1, 5, MISNAMED[:3])
    (line,) = world.telemetry.named("queue_messages_sent")
    assert (line["skipped"], line["misnamed"]) == (5, MISNAMED[:3])


@pytest.mark.parametrize("body", [None, "", "{}"])
def test_a_request_without_a_filter_takes_all(body: str | None) -> None:
    world = world_of((1, PARTITION), (1, OTHER))
    answer = triggers(world, []).work(request(body), lambda: 800.0)
    assert json.loads(answer["body"])["files"] == 2


def test_a_request_that_takes_longer_than_the_gateway_waits_is_gone_on_with() -> None:
    world = world_of((1, PARTITION), (1, OTHER))
    events: list[Any] = []
    clock = iter([800.0, 779.0])
    answer = triggers(world, events).work(request('{"force": true}'), lambda: next(clock))
    assert answer["statusCode"] == 202
    assert json.loads(answer["body"])["is_complete"] is False
    assert len(sent(world)) == 1
    (event,) = events
    # As Lambda carries it.
    event = json.loads(json.dumps(event))
    assert triggers(world, events).work(event, lambda: 800.0) == {"files": 1, "is_complete": True}
    assert len({message.epoch for message in sent(world)}) == 1
    assert len(sent(world)) == 2


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ('{"country": "SGP"}', {"body.country"}),
        ('{"date": "2026-02-30"}', {"body.date"}),
        ('{"date": "yesterday", "category": "../x"}', {"body.date", "body.category"}),
        ('{"force": "maybe"}', {"body.force"}),
        ('{"force": "true"}', {"body.force"}),
        ('{"force": 1}', {"body.force"}),
        ('{"country": "\u212ar"}', {"body.country"}),
        ('[{"country": "sg"}]', {"body"}),
        ('{"country": "sg", "country": "kr"}', {"body.country"}),
        ('{"contry": "sg"}', {"body.contry"}),
        ("[]", {"body"}),
        ("null", {"body"}),
    ],
)
def test_a_wrong_request_is_told_its_fields(body: str, fields: set[str]) -> None:
    world = world_of((1, PARTITION))
    answer = triggers(world, []).work(request(body), lambda: 800.0)
    assert answer["statusCode"] == 422
    assert answer["headers"]["Content-Type"] == "application/problem+json"
    said = json.loads(answer["body"])
    assert said["errors"].keys() == fields
    assert (said["status"], said["title"]) == (422, "Unprocessable Content")
    assert not sent(world)


@pytest.mark.parametrize(
    "body", ["{", '{"country": ' + "[" * 100_000, '{"date": ' + "9" * 5_000 + "}"]
)
def test_a_body_that_is_no_json_starts_nothing(body: str) -> None:
    world = world_of((1, PARTITION))
    answer = triggers(world, []).work(request(body), lambda: 800.0)
    assert (answer["statusCode"], json.loads(answer["body"])["title"]) == (400, "Bad Request")
    assert not sent(world)


@pytest.mark.parametrize("body", ["/w==", "%%%"])
def test_a_body_that_is_no_text_starts_nothing(body: str) -> None:
    world = world_of((1, PARTITION))
    answer = triggers(world, []).work(request(body, isBase64Encoded=True), lambda: 800.0)
    assert answer["statusCode"] == 400
    assert not sent(world)


def test_the_document_says_what_is_sent() -> None:
    document = openapi_document()
    validate(document)
    operation = document["paths"]["/api/v1/seeds/orchestrate"]["post"]
    assert operation["responses"].keys() == {
        *("200", "202", "400", "403", "404", "405", "413", "415", "422", "429", "500", "503")
    }
    assert operation["requestBody"]["required"]
    filters = document["components"]["schemas"]["OrchestrateRequest"]["properties"]
    assert filters.keys() == {"country", "category", "date", "force", "most"}


def test_a_body_in_base64_is_read() -> None:
    world = world_of((1, PARTITION), (1, OTHER))
    body = base64.b64encode(b'{"country": "my"}').decode()
    answer = triggers(world, []).work(request(body, isBase64Encoded=True), lambda: 800.0)
    assert json.loads(answer["body"])["partitions"] == [OTHER.name]


def test_an_error_of_ours_names_no_path() -> None:
    world = world_of((1, PARTITION))

    def fail(*_: object) -> None:
        raise Unavailable("sqs:SendMessage https://queue.example/123/stack-seeds.fifo: 503")

    world.table.transact = fail  # type: ignore[assignment, method-assign]
    answer = triggers(world, []).work(request("{}"), lambda: 800.0)
    assert answer["statusCode"] == 503
    assert "queue.example" not in json.dumps(answer)
    (line,) = world.telemetry.named("request_failed")
    assert "queue.example" in line["reason"]
    assert world.telemetry.counts["RequestsFailed"] == 1


def test_another_route_is_not_found() -> None:
    event = request("{}")
    event["rawPath"] = event["requestContext"]["http"]["path"] = "/api/v1/other"
    answer = triggers(world_of(), []).work(event, lambda: 800.0)
    assert (answer["statusCode"], json.loads(answer["body"])["status"]) == (404, 404)


def test_a_schedule_s_event_is_a_run() -> None:
    world = world_of((1, PARTITION))
    event = {"time": "2026-01-28T17:00:00Z", "id": "x"}
    assert triggers(world, [], 1).work(event, lambda: 800.0) == {"files": 1, "is_complete": True}
    assert triggers(world, [], 0).work(event, lambda: 800.0) == {"files": 0, "is_complete": True}


def test_a_report_that_cannot_be_made_keeps_no_file_from_being_read() -> None:
    """And the tick still fails: somebody has to look at it."""
    world = world_of((1, PARTITION))
    world.orchestrate()
    world.seeds.messages.clear()
    world.bucket.plant("processing/reports/daily/2026-01-27.json", b"{}")
    world.clock.advance(minutes=6)
    event = {"time": "2026-01-28T17:00:00Z", "id": "x"}
    with pytest.raises(CorruptState):
        triggers(world, [], 1).work(event, lambda: 800.0)
    assert len(world.seeds.messages) == 1


@pytest.mark.parametrize(
    "event", [{}, {"continue": {}}, {"continue": {"run": "r", "after": 3, "request": {}}}]
)
def test_an_event_of_no_trigger_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(MalformedMessage):
        triggers(world_of(), []).work(event, lambda: 800.0)


def test_a_continuation_is_the_run_it_was_made_of() -> None:
    run = Run("r", OrchestrateRequest(country="sg"), first_day(SeedWorld().clock().date(), 3))
    event = json.loads(Continuation.of(run, "k").model_dump_json())
    assert Continuation.model_validate(event).as_run() == Run(run.name, run.request, run.since, "k")
