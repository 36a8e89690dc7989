"""What must hold of every run of the seed engine, at rest and in the whole history.

lost      a domain of a file without its result, a message or a dead letter that stays
ghost     a result that no file asked for; robots.txt asked too often; a last run that did something
archive   what is counted of a raw file is not what it has
hot       the counters are not what the domains add up to, at any time; not one for each message
state     a checkpoint went back, or is ahead of what was sent
order     a mark before its metadata, metadata before evidence, a file's mark before its messages
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fakes.seeds import domains_of
from seed_world import FOR_EVER, Content, Marked, SeedFaultWorld, robots_of
from verdict import Verdict

from uring.seeds.domains.warc import read_record
from uring.seeds.files.checkpoint import FOLDER, Checkpoint
from uring.seeds.files.rejected import rejected_of
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import REJECTED, SUCCESS, Partition, RawFile
from uring.seeds.progress import Progress
from uring.seeds.ranges import parse_work
from uring.tables import Add, Write

_METADATA: Final = "domain_metadata.json"
_PARTITIONS: Final = "partitions"
Sums = Mapping[str, int]


def judge_seeds(world: SeedFaultWorld) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    partitions = sorted({partition for partition, _ in world.final_files()})
    for partition in partitions:
        _results(world, partition, verdict)
        _files(world, partition, verdict)
        _counters(world, partition, verdict)
    _order(world, verdict)
    _checkpoints(world, verdict)
    _visits(world, verdict)
    for name in ("seeds", "domains", "seed_letters", "domain_letters"):
        if messages := getattr(world, name).messages:
            verdict.add("lost", f"{len(messages)} messages stay in {name}")
    for thing in sorted(world.needless):
        is_known = is_late(world) or _is_overtaken(world) or _is_cut(world)
        if not (is_known and _is_mended_mark(thing)):
            verdict.add("ghost", f"the last run: {thing}")
    for line in world.telemetry.named("record_failed"):
        if line["trace"]:
            verdict.add("state", f"{line['error']}: {line['reason']}")
    return verdict


def ids_of(content: Content) -> list[str]:
    """The ids of a file's domains, each once and in order."""
    return [*dict.fromkeys(_id(each) for each in content.whole if not each.startswith("!"))]


def _id(text: str) -> str:
    authority, _, host = text.rpartition("/")
    return f"{authority or 'com'}:sg:{host}"


def _domain(domain_id: str) -> str:
    return domain_id.rpartition(":")[2]


def _results(world: SeedFaultWorld, partition: Partition, verdict: Verdict) -> None:
    """In the end each domain has one result, of the newest epoch, and it is true."""
    due = {
        _domain(each)
        for (owner, _), content in world.final_files().items()
        if owner == partition
        for each in ids_of(content)
    }
    ever = {
        _domain(each)
        for raw, content in world.contents.values()
        if raw.partition == partition
        for each in ids_of(content)
    }
    prefix = f"processing/{partition.path}/"
    bodies = world.bucket.bodies()
    found = {key.removeprefix(prefix).partition("/")[0] for key in bodies if key.startswith(prefix)}
    if found - ever:
        verdict.add("ghost", f"{', '.join(sorted(found - ever))} are of no file")
    for domain in sorted(due):
        folder = f"{prefix}{domain}"
        mark = world.bucket.metadata.get(f"{folder}/{_METADATA}{SUCCESS}")
        if mark is None:
            verdict.add("lost", f"{partition.name}: {domain} has no mark")
            continue
        metadata = json.loads(bodies[f"{folder}/{_METADATA}"])
        if (mark["epoch"], metadata["epoch"]) != (world.epoch, world.epoch) and not is_late(world):
            verdict.add("lost", f"{domain}: mark of {mark['epoch']}, not {world.epoch}")
        expected = (
            ("unavailable_4xx", False, 0)
            if domain in world.scenario.missing
            else ("ok", True, len(robots_of(domain)))
        )
        robots = metadata["robots"]
        if (robots["outcome"], robots["exists"], robots["content_length"]) != expected:
            verdict.add("lost", f"{domain}: robots.txt is {robots}")
        is_missed = any(broken.call == "fetch" for broken in world.faults.broken)
        if metadata["sitemap"].get("url_count") != (3 if expected[1] else None) and not is_missed:
            verdict.add("lost", f"{domain}: sitemap is {metadata['sitemap']}")


def _files(world: SeedFaultWorld, partition: Partition, verdict: Verdict) -> None:
    """The status tells the true figures of the files; each has its mark and its bad records."""
    records: Counter[str] = Counter()
    states: Counter[str] = Counter()
    for (owner, number), content in world.final_files().items():
        if owner != partition:
            continue
        good = [each for each in content.whole if not each.startswith("!")]
        ids = ids_of(content)
        records.update(
            records=len(content.whole),
            domains=len(ids),
            duplicates=len(good) - len(ids),
            refused=len(content.whole) - len(good),
        )
        states["partial" if content.is_cut else "done"] += 1
        _beside(world, RawFile(partition, number).path, content, verdict)
    status = Progress(world.table).status(partition)
    if status is None:
        verdict.add("lost", f"{partition.name} was never begun")
        return
    if status.started.epoch != world.epoch:
        verdict.add("state", f"{partition.name}: the epoch is {status.started.epoch}")
    if status.files != states:
        verdict.add("archive", f"files are {status.files}, not {dict(states)}")
    if {**Counter(status.records)} != {**records}:
        verdict.add("archive", f"records are {status.records}, not {dict(records)}")
    # A file that became another one has sent domains that it has no more.
    if status.settled != status.sent and not world.scenario.becomes:
        verdict.add("hot", f"{status.sent} messages sent, {status.settled} settled")
    domains = {
        message.registrable_domain
        for message in _accepted(world)
        if message.epoch == status.started.epoch and message.partition_info.partition == partition
    }
    if status.counts.get("collected", 0) != len(domains) or status.counts.get("unreachable"):
        verdict.add("hot", f"{len(domains)} domains, counted as {status.counts}")


def _beside(world: SeedFaultWorld, path: str, content: Content, verdict: Verdict) -> None:
    """A file has its own mark, unless it ends early, and its bad records beside it."""
    mark, head = world.bucket.metadata.get(path + SUCCESS), world.bucket.head(path)
    if content.is_cut:
        # The next orchestration reads it again.
        if mark is not None:
            verdict.add("lost", f"{path} has a mark, though it ends early")
    elif mark is None or head is None or mark["etag"] != head.etag:
        verdict.add("lost", f"{path} has no mark of its own")
    refused = {number for number, each in enumerate(content.whole) if each.startswith("!")}
    kept = world.bucket.bodies().get(path + REJECTED, b"")
    if {each.index for each in rejected_of(kept)} != refused:
        verdict.add("lost", f"{path}: kept {kept!r}, not the records {refused}")


def _accepted(world: SeedFaultWorld) -> Iterator[DomainMessage]:
    """The messages that were sent for domains: those of ranges, and those that name one."""
    for _, message in world.domains.accepted:
        yield from domains_of(message.body)


def _counters(world: SeedFaultWorld, partition: Partition, verdict: Verdict) -> None:
    """After each transaction the sums of an epoch are what its items say."""
    items: dict[str, Mapping[str, Any]] = {}
    sums: dict[str, Counter[str]] = {}
    said: dict[str, Counter[str]] = {}
    for owner, parts in world.table.history:
        if owner != partition.name:
            continue
        for part in parts:
            if isinstance(part, Add):
                sums.setdefault(part.key.split(":")[1], Counter()).update(part.amounts)
            elif isinstance(part, Write) and part.item is not None:
                _take(part.key, part.item, items, said)
        for epoch in sums.keys() | said.keys():
            if _nonzero(sums.get(epoch)) != _nonzero(said.get(epoch)):
                verdict.add("hot", f"{epoch}: sums {sums.get(epoch)}, items {said.get(epoch)}")
                return


def _take(
    key: str,
    item: Mapping[str, Any],
    items: dict[str, Mapping[str, Any]],
    said: dict[str, Counter[str]],
) -> None:
    """Let an item replace its earlier state; one of another epoch stays in that one's sums."""
    if not key.startswith(("domain:", "duplicate:")):
        return
    before = items.get(key)
    epoch = str(item["epoch"])
    counts = said.setdefault(epoch, Counter())
    if before is not None and before["epoch"] == epoch:
        counts.subtract(_amounts(before))
    counts.update(_amounts(item))
    items[key] = item


def _amounts(item: Mapping[str, Any]) -> Sums:
    return {
        name.removeprefix("as_"): value for name, value in item.items() if isinstance(value, int)
    }


def _nonzero(counts: Counter[str] | None) -> Sums:
    return {name: value for name, value in (counts or {}).items() if value}


def _order(world: SeedFaultWorld, verdict: Verdict) -> None:
    """At every moment a mark vouches for metadata, and metadata for evidence."""
    newest: dict[str, Marked] = {}
    unsaved = {line["key"] for line in world.telemetry.named("evidence_not_saved")}
    accepted = [
        (order, each)
        for order, message in world.domains.accepted
        for each in domains_of(message.body)
    ]
    taken = sum(int(str(item["domains"])) for _, item in world.table.query("sent", ""))
    # A redriven message is accepted again, and was sent once.
    names = {(each.epoch, each.source_file_path, each.record_index) for _, each in accepted}
    if taken < len(names):
        verdict.add("hot", f"{len(names)} messages sent, {taken} taken of the days' ceilings")
    for write in world.bucket.log:
        newest[write.key] = write
        folder = write.key.rpartition("/")[0]
        if write.key.endswith(f"/{_METADATA}"):
            robots = json.loads(write.body)["robots"]
            evidence = newest.get(f"{folder}/robots.txt")
            if world.scenario.evidence == "segments":
                found, is_due = _recorded(newest, write), not unsaved
            else:
                found = len(evidence.body) if evidence else 0
                is_due = f"{folder}/robots.txt" not in unsaved
            if is_due and found != robots["content_length"]:
                verdict.add("order", f"{write.key} without its evidence")
        if write.key.startswith("datasets/") and write.key.endswith(SUCCESS):
            _, content = world.contents[write.metadata["etag"]]
            path = write.key.removesuffix(SUCCESS)
            sent = _sent(accepted, path, write.metadata["epoch"], write.order)
            if missing := set(ids_of(content)) - sent:
                verdict.add("order", f"{write.key} before {sorted(missing)} were sent")
        elif not write.key.endswith(REJECTED):
            _vouched(world, newest, folder, write, verdict)


def _recorded(newest: Mapping[str, Marked], metadata: Marked) -> int:
    """The length of the robots.txt that metadata name in a segment that was written before."""
    for place in json.loads(metadata.body).get("evidence", ()):
        if place["name"] == "robots.txt":
            segment = newest[place["key"]].body
            begin = place["offset"]
            return len(read_record(segment[begin : begin + place["length"]]))
    return 0


def is_late(world: SeedFaultWorld) -> bool:
    """Whether a worker may write what it collected over the result of a newer collection.

    It stalled for longer than its message is hidden (330 s): Lambda ends it before (300 s).
    """
    return _is_stalled(world) and world.scenario.forced_after is not None


def _is_overtaken(world: SeedFaultWorld) -> bool:
    """Whether a worker that stalled for so long may put a file's mark over that of a later lap.

    An orchestration after a stop begins a lap.
    """
    is_again = any(command == "orchestrate" for _, command in world.scenario.commands)
    return is_again and _is_stalled(world)


def _is_stalled(world: SeedFaultWorld) -> bool:
    return any(broken.kind == "pause" for broken in world.faults.broken)


def _is_cut(world: SeedFaultWorld) -> bool:
    """Whether a file ends early: the last run reads it again, for its checkpoint's time alone."""
    return any(content.is_cut for content in world.final_files().values())


def _is_mended_mark(thing: str) -> bool:
    """Whether the last run put the newest mark of a file over one that came late, and no more."""
    return thing == "1 objects" or thing.startswith("file:")


def _vouched(
    world: SeedFaultWorld,
    newest: Mapping[str, Marked],
    folder: str,
    write: Marked,
    verdict: Verdict,
) -> None:
    """Hold a result against its mark after each of its writes."""
    mark = newest.get(f"{folder}/{_METADATA}{SUCCESS}")
    if mark is None:
        return
    metadata = newest.get(f"{folder}/{_METADATA}")
    if metadata is None:
        verdict.add("order", f"{mark.key} without metadata")
        return
    said = json.loads(metadata.body)
    if said["robots"]["outcome"].startswith("unreachable"):
        verdict.add("order", f"{mark.key} vouches for an unreachable domain")
    if write is mark and said["epoch"] != mark.metadata["epoch"] and not is_late(world):
        verdict.add("order", f"{mark.key} of {mark.metadata['epoch']} over {said['epoch']}")


def _sent(
    accepted: list[tuple[int, DomainMessage]], path: str, epoch: str, before: int
) -> set[str]:
    """The ids that a file's reading had on the queue before a moment."""
    return {
        message.domain_id
        for order, message in accepted
        if order < before and (message.source_file_path, message.epoch) == (path, epoch)
    }


def _checkpoints(world: SeedFaultWorld, verdict: Verdict) -> None:
    """A checkpoint vouches for messages that are on the queue, and only ever moves on."""
    accepted = [
        (order, each)
        for order, message in world.domains.accepted
        for each in domains_of(message.body)
    ]
    for key, versions in world.bucket.versions.items():
        if not key.startswith(FOLDER):
            continue
        before: Checkpoint | None = None
        begun: list[tuple[str, str, int]] = []
        for version in versions:
            now = Checkpoint.model_validate_json(version.body)
            reading = (now.epoch, now.etag, now.lap)
            _, content = world.contents[now.etag]
            due = set(ids_of(Content(content.whole[: now.index])))
            if due - _sent(accepted, now.file_path, now.epoch, version.order):
                verdict.add("state", f"{key}: index {now.index} is ahead of what was sent")
            if before and (before.epoch, before.etag, before.lap) == reading:
                is_back = (before.is_done and not before.problem) or now.index < before.index
            else:
                is_older = before and before.epoch == now.epoch and before.lap > now.lap
                is_back = bool(is_older) or reading in begun
                begun.append(reading)
            if is_back:
                verdict.add("state", f"{key}: went back to {now}")
            before = now


def _visits(world: SeedFaultWorld, verdict: Verdict) -> None:
    """robots.txt is asked once, or thrice for each message while it does not answer.

    A run that died asks once more. One that stalls while a domain is forced puts its older mark
    over the newer one, which is then collected once more.
    """
    faults = len(world.faults.broken)
    if world.scenario.forced_after is not None:
        faults += len([broken for broken in world.faults.broken if broken.kind == "pause"])
    # The tries of a range are ranges, and of one message.
    messages = Counter(
        each.registrable_domain
        for _, message in world.domains.accepted
        if isinstance(work := parse_work(message.body), DomainMessage) or not work.tries
        for each in domains_of(message.body)
    )
    for domain, visits in world.web.visits.items():
        down = world.scenario.down.get(domain, 0)
        due = 3 * messages[domain] if down == FOR_EVER else 1 + down
        if world.scenario.forced_after is not None:
            due += 1
        if visits > due + faults:
            verdict.add("ghost", f"{domain} was asked {visits} times, not {due}")
