"""What the release after this one stores and sends is read, kept and never refused for it."""

import base64
import json
import zlib
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from fakes.queues import MemoryQueue
from fakes.seeds import PARTITION, SeedWorld, folder, raw_path, record, sitemap_of
from fakes.watched_domains import SOURCE, Site, WatchWorld

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.errors import MalformedMessage, NewerRelease
from uring.runtime.going_on import going_on
from uring.seeds.api import Continuation
from uring.seeds.collect.metadata import DomainMetadata
from uring.seeds.messages import DomainMessage, SeedMessage
from uring.seeds.progress import Progress
from uring.tables import NOTHING, Write

MOM = "mom.gov.sg"
LATER = {"any": ["thing"]}
CHECKPOINT = "state/seed_files/sg/news/2026-01-28/raw_0001.json"
URLS = [f"https://site{number}.com.sg/" for number in range(4)]


@pytest.fixture
def world() -> SeedWorld:
    """Looks at the clock behind every two records."""
    world = SeedWorld(stride=2, look=2)
    world.web.put(MOM, b"User-agent: *\nAllow: /\n", sitemap_of(3))
    return world


def rewrite(world: SeedWorld, key: str, **keys: Any) -> None:
    """Store a document as the next release does."""
    stored = world.bucket.get(key)
    assert stored is not None
    body = json.dumps({**json.loads(stored.body), **keys}).encode()
    world.bucket.put(key, body, if_match=stored.etag, content_type="application/json")


def resend(queue: MemoryQueue, **keys: Any) -> None:
    """Put the messages of a queue there again, as the next release sends them."""
    waiting, queue.messages = queue.messages, []
    for number, message in enumerate(waiting):
        body = json.dumps({**json.loads(message.body), **keys})
        queue.send(message.group, f"next-{number}", body)


def begin(world: SeedWorld) -> None:
    """Read the first half of a raw file: its message is handed over."""
    world.put(map(record, URLS))
    world.orchestrate()
    left = iter([1_000.0, 0.0])
    world.read_files(time_left=lambda: next(left), most=1)


class TestCheckpoint:
    def test_its_keys_outlive_a_reading_of_this_release(self, world: SeedWorld) -> None:
        begin(world)
        rewrite(world, CHECKPOINT, later=LATER)
        world.read_files()
        stored = json.loads(world.bucket.body(CHECKPOINT))
        assert (stored["later"], stored["index"], stored["is_done"]) == (LATER, 4, True)

    def test_one_of_a_newer_schema_is_left_alone(self, world: SeedWorld) -> None:
        """What it means this release cannot know: the file waits for the release that does."""
        begin(world)
        rewrite(world, CHECKPOINT, schema=2, index="row 2")
        before = world.bucket.body(CHECKPOINT)
        world.read_files()
        assert world.bucket.body(CHECKPOINT) == before
        assert len(world.sent()) == 2
        assert len(world.seeds.messages) == 1
        assert not world.seed_letters.messages
        assert f"{raw_path()}.success" not in world.bucket.bodies()

    def test_a_readable_one_of_a_newer_schema_is_left_alone_as_well(self, world: SeedWorld) -> None:
        begin(world)
        rewrite(world, CHECKPOINT, schema=2)
        world.read_files()
        assert json.loads(world.bucket.body(CHECKPOINT))["index"] == 2
        assert not world.seed_letters.messages


class TestMessages:
    def test_a_raw_file_s_keys_go_along_when_it_is_handed_over(self, world: SeedWorld) -> None:
        world.put(map(record, URLS))
        world.orchestrate()
        resend(world.seeds, later=LATER)
        left = iter([1_000.0, 0.0])
        world.read_files(time_left=lambda: next(left), most=1)
        (message,) = world.seeds.messages
        body = json.loads(message.body)
        assert (body["later"], body["part"]) == (LATER, 1)
        assert SeedMessage.parse(message.body).part == 1

    def test_a_domain_s_unknown_keys_are_ignored(self, world: SeedWorld) -> None:
        send_domain(world)
        resend(world.domains, later=LATER)
        world.collect()
        assert world.is_marked(MOM)

    @pytest.mark.parametrize("queue", ["seeds", "domains"])
    def test_a_newer_version_waits_for_its_release_and_stays_whole(
        self, world: SeedWorld, queue: str
    ) -> None:
        """Three receives are the queue's (S7): what would run out of them goes on as a copy."""
        world.put(map(record, URLS[:1]))
        world.orchestrate()
        send_domain(world)
        source: MemoryQueue = getattr(world, queue)
        letters = world.seed_letters if queue == "seeds" else world.domain_letters
        resend(source, version=2, partition_info="sg/news")
        (sent,) = (message.body for message in source.messages)
        run = world.read_files if queue == "seeds" else world.collect
        began = world.clock()
        for _ in range(40):
            run()
            assert not letters.messages
            (message,) = source.messages
            assert message.body == sent
            if message.visible_at is not None:
                world.clock.advance((message.visible_at - world.clock()).total_seconds())
        assert world.clock() - began > timedelta(days=2)


def send_domain(world: SeedWorld) -> None:
    world.progress.start(PARTITION, None, 1, world.clock())
    fields = {
        "domain_id": f"gov:sg:{MOM}",
        "domain_url": f"https://{MOM}/",
        "registrable_domain": MOM,
        "authority": "gov",
        "partition_info": {"country": "sg", "category": "news", "date": "2026-01-28"},
        "source_file_path": raw_path(),
        "record_index": 0,
    }
    message = DomainMessage.parse(json.dumps(fields))
    world.domains.send(message.group, f"{message.name}-{world.clock()}", message.body())


class TestCopyOfRobots:
    PLACE = f"robots/{MOM}"

    def asked(self, world: SeedWorld) -> int:
        return sum(url.endswith("/robots.txt") for url in world.web.asked)

    def again(self, world: SeedWorld, copy: Mapping[str, Any]) -> None:
        """Collect the domain for another partition, with this copy there."""
        packed = base64.b64encode(zlib.compress(json.dumps(copy).encode())).decode()
        item = {**(world.table.get(self.PLACE, "copy") or NOTHING), "copy": packed, "later": "x"}
        world.table.put(self.PLACE, "copy", item)
        world.bucket.remove(f"{folder(MOM)}/domain_metadata.json.success")
        world.clock.advance(600)
        send_domain(world)
        world.collect()
        assert world.is_marked(MOM)

    @pytest.fixture
    def copy(self, world: SeedWorld) -> dict[str, Any]:
        send_domain(world)
        world.collect()
        assert self.asked(world) == 1
        item = world.table.get(self.PLACE, "copy")
        assert item is not None
        found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(str(item["copy"]))))
        return found

    def test_unknown_keys_do_not_spoil_it(self, world: SeedWorld, copy: dict[str, Any]) -> None:
        self.again(world, {**copy, "later": 1, "answer": {**copy["answer"], "later": LATER}})
        assert self.asked(world) == 1

    def test_an_unknown_outcome_makes_it_none(self, world: SeedWorld, copy: dict[str, Any]) -> None:
        """The domain is asked: nobody knows what the word allows."""
        self.again(world, {**copy, "answer": {**copy["answer"], "outcome": "teapot"}})
        assert self.asked(world) == 2


def test_metadata_keep_what_this_release_does_not_know(world: SeedWorld) -> None:
    send_domain(world)
    world.collect()
    document = world.metadata(MOM)
    for part in (document, document["robots"], document["sitemap"], document["source"]):
        part["later"] = LATER
    read = DomainMetadata.from_json(json.dumps(document).encode())
    assert json.loads(read.to_json()) == document


class TestTable:
    def attribute(self, world: SeedWorld, key: str, **attributes: Any) -> None:
        """Give an item attributes as the next release does."""
        name = PARTITION.name
        item = world.table.get(name, key) or NOTHING
        world.table.transact(name, [Write(key, {**item, **attributes})])

    def test_a_domain_s_attributes_are_kept_and_count_nothing(self, world: SeedWorld) -> None:
        send_domain(world)
        world.collect()
        before = world.status().counts
        self.attribute(world, f"domain:{MOM}", attempts=7, language="en")
        world.bucket.remove(f"{folder(MOM)}/domain_metadata.json.success")
        world.web.put(MOM, b"", sitemap_of(5))
        world.clock.advance(600)
        send_domain(world)
        world.collect()
        item = world.table.get(PARTITION.name, f"domain:{MOM}")
        assert item is not None
        assert (item["attempts"], item["language"]) == (7, "en")
        assert "attempts" not in world.status().counts
        assert world.status().counts["collected"] == before["collected"] == 1
        assert world.status().counts["urls"] == 5

    def test_sums_and_files_of_the_next_release_are_shown_beside_ours(
        self, world: SeedWorld
    ) -> None:
        world.put(map(record, URLS[:1]))
        world.orchestrate()
        world.read_files()
        self.attribute(world, "count:first:07", rescued=2, note="text")
        self.attribute(world, "file:first:000001", bytes=512, note="text")
        self.attribute(world, "audit:first", by="somebody")
        status = world.status()
        assert (status.counts["rescued"], status.records["bytes"]) == (2, 512)
        assert status.files == {"done": 1}

    def test_a_collection_s_attributes_and_unreadable_files_are_no_trouble(
        self, world: SeedWorld
    ) -> None:
        item = {"epoch": "first", "started_at": "2026-03-02T00:00:00Z", "files": "many", "by": "x"}
        world.table.transact("partitions", [Write(PARTITION.name, item)])
        started = world.progress.started(PARTITION)
        assert started is not None
        assert (started.epoch, started.files) == ("first", 0)

    def test_attributes_of_kinds_that_are_not_ours_are_left_out(self) -> None:
        """A map, a list, a set, a truth: DynamoDB has them, this release writes none."""

        class Client:
            def get_item(self, **_: Any) -> dict[str, Any]:
                return {
                    "Item": {
                        "partition": {"S": "partitions"},
                        "key": {"S": PARTITION.name},
                        "epoch": {"S": "first"},
                        "started_at": {"S": "2026-03-02T00:00:00Z"},
                        "files": {"N": "3"},
                        "later": {"M": {"any": {"L": []}}},
                        "flag": {"BOOL": True},
                        "names": {"SS": ["a"]},
                        "share": {"N": "0.5"},
                    }
                }

        table = DynamoTable(Client(), "seeds", backoff=Backoff(lambda _: None))
        started = Progress(table).started(PARTITION)
        assert started is not None
        assert (started.epoch, started.files) == ("first", 3)


def test_a_report_of_the_next_release_is_the_one_before(world: SeedWorld) -> None:
    send_domain(world)
    world.collect()
    world.clock.advance(timedelta(days=1).total_seconds())
    day = world.reporter.make_due(world.clock())[0].day
    rewrite(world, f"processing/reports/daily/{day}.json", later=LATER)
    world.clock.advance(timedelta(days=1).total_seconds())
    report = world.reporter.make_due(world.clock())[0]
    assert report.before == day
    assert report.totals["collected"] == 1
    assert not report.since
    assert world.reporter.read("daily", date.fromisoformat(day)) is not None


class TestContinuation:
    EVENT: Mapping[str, Any] = {
        "run": "20260302T010000Z-00000000",
        "request": {"country": "sg", "category": None, "date": None, "force": False},
        "after": raw_path(),
    }

    def test_an_unknown_key_is_ignored(self) -> None:
        run = Continuation.model_validate({**self.EVENT, "later": LATER}).as_run()
        assert (run.after, run.request.country) == (raw_path(), "sg")

    def test_a_run_without_a_budget_has_the_keys_of_the_release_before(self) -> None:
        """That one refuses an unknown filter, too: after a rollback the run would end here."""
        run = Continuation.model_validate(self.EVENT).as_run()
        event = going_on(Continuation.of(run, raw_path()))["continue"]
        assert event["request"].keys() <= self.EVENT["request"].keys()

    def test_an_unknown_filter_is_refused(self) -> None:
        """Without it more would be sent than was asked for."""
        request = {**self.EVENT["request"], "authority": "gov"}
        with pytest.raises(ValueError, match="authority"):
            Continuation.model_validate({**self.EVENT, "request": request})


class TestWatch:
    def test_the_state_s_keys_outlive_a_round_of_this_release(self) -> None:
        world = WatchWorld()
        world.check()
        key = f"state/seeds/{SOURCE}.json"
        state = world.document(key)
        for part in (state, state["health"], *state["hot"]):
            part["later"] = LATER
        stored = world.bucket.get(key)
        assert stored is not None
        body = json.dumps(state).encode()
        world.bucket.put(key, body, if_match=stored.etag, content_type="application/json")
        world.web.sites["mom.gov.sg"] = Site(robots=b"User-agent: *\nDisallow: /\n")
        world.check()
        world.check()
        after = world.document(key)
        assert after["later"] == after["health"]["later"] == LATER
        assert world.pushes() == [("robots_changed", f"{MOM}/robots.txt")]

    def test_a_state_of_a_newer_schema_is_left_alone(self) -> None:
        world = WatchWorld()
        world.check()
        key = f"state/seeds/{SOURCE}.json"
        stored = world.bucket.get(key)
        assert stored is not None
        body = json.dumps({**world.document(key), "schema": 2}).encode()
        world.bucket.put(key, body, if_match=stored.etag, content_type="application/json")
        with pytest.raises(NewerRelease):
            world.check()
        assert world.bucket.body(key) == body


def test_what_is_wrong_in_this_version_is_refused_at_once(world: SeedWorld) -> None:
    """Only a newer version waits: a message that can never succeed is a dead letter."""
    with pytest.raises(MalformedMessage):
        SeedMessage.parse(json.dumps({"version": 1, "file_path": "x", "later": LATER}))
    send_domain(world)
    resend(world.domains, registrable_domain="other.sg")
    world.collect()
    assert len(world.domain_letters.messages) == 1
