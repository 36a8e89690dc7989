"""What a run should have left behind, and what it did."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from uring_local.fcm.server import Delivery, judge
from uring_local.sites.campus import Expected


@dataclass
class Verdict:
    """The comparison; every list names what is wrong, empty when all is well.

    ``pushed`` counts what was delivered, each once; ``expected`` what should have been.

    ``repeated`` counts repeats that the design allows, by cause: FCM's answer was lost, or the run
    was killed before it had recorded the answer.
    """

    pushed: int = 0
    expected: int = 0
    archive_lines: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    repeated: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Published:
    """What readers see of a source."""

    latest: dict[str, Any]
    archive: list[dict[str, Any]]


def read_published(s3: Any, bucket: str, sources: Iterable[str]) -> dict[str, Published]:
    """Read ``latest.json`` and all archive lines of each source."""
    published = {}
    for source in sources:
        latest: dict[str, Any] = {"items": []}
        archive: list[dict[str, Any]] = []
        pages = s3.get_paginator("list_objects_v2").paginate(
            Bucket=bucket, Prefix=f"data/{source}/"
        )
        for key in (item["Key"] for page in pages for item in page.get("Contents", [])):
            body = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
            if key.endswith("/latest.json"):
                latest = json.loads(body)
            elif key.endswith(".jsonl"):
                archive += [json.loads(line) for line in body.splitlines()]
        published[source] = Published(latest, archive)
    return published


def judge_campus(
    expected: Mapping[str, Expected],
    published: Mapping[str, Published],
    deliveries: Sequence[Delivery],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare with the site's own journal, which knows nothing of this project's code.

    Args:
        expected: by source, what the journal says.
        published: by source, what readers see.
        deliveries: of all stand-ins of this run.
        ended: those of them that were not killed, see `uring_local.fcm.journal.doubles`.
    """
    pushes = {
        (source, notice_id, revision)
        for source, model in expected.items()
        for notice_id, revision in model.pushes
    }
    verdict = _judge(pushes, published, deliveries, ended)
    for source, model in expected.items():
        found = published[source]
        if len(found.archive) != model.archive_lines:
            verdict.wrong.append(
                f"{source}: {len(found.archive)} archive lines, the journal has "
                f"{model.archive_lines} revisions"
            )
        if _as_model(found.latest["items"]) != _as_model(model.hot):
            verdict.wrong.append(f"{source}: latest.json is not what the journal makes it")
    return verdict


def judge_archive(
    published: Mapping[str, Published],
    deliveries: Sequence[Delivery],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare the pushes with the archive, where the site keeps no journal."""
    pushes = {
        (source, line["id"], line["revision"])
        for source, found in published.items()
        for line in found.archive
        if line["push"]
    }
    return _judge(pushes, published, deliveries, ended)


def _as_model(items: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """What the journal knows of an item; a board without categories has none, or an empty one."""
    names = ("id", "title", "date", "category", "is_pinned", "revision")
    return [[item.get(name) or "" for name in names] for item in items]


def _judge(
    pushes: set[tuple[str, str, int]],
    published: Mapping[str, Published],
    deliveries: Sequence[Delivery],
    ended: Collection[int],
) -> Verdict:
    found = judge(pushes, deliveries, ended)
    verdict = Verdict(
        pushed=len({delivery.event_id for delivery in deliveries}),
        expected=len(pushes),
        archive_lines=sum(len(source.archive) for source in published.values()),
        lost=[f"{key} was never pushed" for key in sorted(found.lost)],
        doubled=[double.event_id for double in found.doubles if double.cause == "unexplained"],
        wrong=[f"{key} was pushed and never happened" for key in sorted(found.unexpected)],
        repeated=Counter(d.cause for d in found.doubles if d.cause != "unexplained"),
    )
    for name, source in published.items():
        seen = Counter(line["event_id"] for line in source.archive)
        verdict.wrong += [
            f"{name}: event {event} is {times} times in the archive"
            for event, times in seen.items()
            if times > 1
        ]
    return verdict
