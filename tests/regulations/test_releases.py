"""What the release after this one stores and sends is read, kept and never refused for it."""

import json
from typing import Any

import pytest
from fakes.registry import REGISTRY, Rule
from fakes.worlds import RegulationWorld

from uring.contracts import Job
from uring.errors import NewerRelease
from uring.regulations.texts.job import ParseEntry
from uring.tables import Write

CHARTER, STAFF = Rule("학칙", "868"), Rule("직제 규정", "869")


@pytest.fixture
def world() -> RegulationWorld:
    return RegulationWorld()


def rewrite(world: RegulationWorld, key: str) -> None:
    """Store a state as the next release does: with a key more, at its top and below."""
    state = world.document(key)
    for part in (state, state["health"], *state["hot"], *filter(None, [state.get("text")])):
        part["later"] = {"any": ["thing"]}
    stored = world.bucket.get(key)
    assert stored is not None
    body = json.dumps(state).encode()
    world.bucket.put(key, body, if_match=stored.etag, content_type="application/json")


def test_keys_of_the_next_release_outlive_a_run_of_this_one(world: RegulationWorld) -> None:
    world.day(CHARTER)
    (text,) = world.state_of("rules").texts.values()
    keys = ("state/regulations/rules.json", f"state/regulation_texts/{text}.json")
    for key in keys:
        rewrite(world, key)
    world.day(CHARTER, STAFF)
    world.day(Rule("학칙", "900"), STAFF)
    for key in keys:
        state = world.document(key)
        assert state["later"] == state["health"]["later"] == {"any": ["thing"]}
    assert [event.kind for event in world.messages()] == ["new", "edited"]


def test_an_items_attribute_of_the_next_release_is_no_difference(world: RegulationWorld) -> None:
    """Only a change of the regulation writes its item, which the next release makes whole again."""
    world.day(CHARTER)
    item = {**(world.item("policy:학칙") or {}), "language": "ko"}
    world.items.transact("rules", [Write("policy:학칙", item)])
    world.day(CHARTER)
    world.day(CHARTER, STAFF)
    assert world.item("policy:학칙") == item
    assert world.pushes() == [("new", "직제 규정")]


def test_a_queue_entrys_attribute_of_the_next_release_goes_along(world: RegulationWorld) -> None:
    """To the last try, to the dead letter, and back."""
    world.site.files["868"] = "!wrong_format"
    world.site.show(CHARTER)
    world.check()
    item = {**(world.item("queue:학칙") or {}), "language": "ko"}
    world.items.transact("rules", [Write("queue:학칙", item)])
    world.read()
    (dead,) = world.table.dead_letters("rules")
    stored = world.item("dead-letter:학칙")
    assert stored is not None
    assert (stored["language"], stored["retryCount"]) == ("ko", 3)
    assert world.table.retry("rules", dead)
    assert world.item("queue:학칙") == item


def parse_job(world: RegulationWorld, **more: Any) -> Job:
    world.site.show(CHARTER)
    world.check()
    (message,) = world.texts.work.messages
    job = json.loads(message.body)
    return Job.parse(json.dumps({**job, "entry": {**job["entry"], **more}, "later": 1}))


def test_a_parse_job_of_the_next_release_is_read(world: RegulationWorld) -> None:
    job = parse_job(world, language="ko")
    assert world.texts.checker.check(job).outcome == "baseline"
    assert world.keys("queue:") == []


def test_a_parse_job_whose_registry_has_a_newer_releases_key_waits_for_it(
    world: RegulationWorld,
) -> None:
    job = parse_job(world, registry={**REGISTRY, "language": "ko"})
    with pytest.raises(
        NewerRelease, match=r"entry\.registry\.language.*deploy the newer release again"
    ):
        ParseEntry.of(job)
    world.texts.work.messages.clear()
    world.texts.work.send("g", "1", job.body())
    world.texts.poll()
    assert not world.texts.dead.messages
    assert world.keys("queue:") == ["queue:학칙"]
