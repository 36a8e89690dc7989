"""The verdict on a run of the notices: its expected data beside its stored data."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uring_local.fcm.journal import Delivery
from uring_local.sites.campus.judge import Expected
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.verdict import Verdict, judge_pushes


@dataclass(frozen=True)
class Department:
    """The published data of a source."""

    latest: Mapping[str, Any]
    archive: Sequence[Mapping[str, Any]]


def read_departments(published: Published, sources: Iterable[str]) -> dict[str, Department]:
    """Return ``latest.json`` and all archive lines of each source."""
    return {
        source: Department(published.latest(source) or {"items": []}, published.archive(source))
        for source in sources
    }


def judge_campus(
    expected: Mapping[str, Expected],
    departments: Mapping[str, Department],
    deliveries: Sequence[Delivery],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare a run with the site's own journal, which uses none of the product's code."""
    pushes = {
        (source, notice_id, str(revision))
        for source, model in expected.items()
        for notice_id, revision in model.pushes
    }
    verdict = _judge(pushes, departments, deliveries, ended)
    for source, model in expected.items():
        department = departments[source]
        if len(department.archive) != model.archive_lines:
            verdict.wrong.append(
                f"{source}: {len(department.archive)} archive lines, the journal has "
                f"{model.archive_lines} revisions"
            )
        if _as_model(department.latest["items"]) != _as_model(model.hot):
            verdict.wrong.append(f"{source}: latest.json is not what the journal makes it")
    return verdict


def judge_archive(
    departments: Mapping[str, Department],
    deliveries: Sequence[Delivery],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare the pushes with the archive, for sources without a journal."""
    pushes = {
        (source, line["id"], str(line["revision"]))
        for source, department in departments.items()
        for line in department.archive
        if line["push"]
    }
    return _judge(pushes, departments, deliveries, ended)


def _as_model(items: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """Return the journal's fields of items; a missing and an empty category are the same."""
    names = ("id", "title", "date", "category", "is_pinned", "revision")
    return [[item.get(name) or "" for name in names] for item in items]


def push_of(delivery: Delivery) -> tuple[str, str, str]:
    """Return source, notice and revision of a push."""
    source, notice, revision = (delivery.data.get(name, "") for name in ("dept", "id", "revision"))
    return source, notice, revision


def _judge(
    pushes: Iterable[tuple[str, str, str]],
    departments: Mapping[str, Department],
    deliveries: Sequence[Delivery],
    ended: Collection[int],
) -> Verdict:
    verdict = judge_pushes(sorted(pushes), deliveries, push_of, ended)
    verdict.figures["archive_lines"] = sum(
        len(department.archive) for department in departments.values()
    )
    for source, department in departments.items():
        times = Counter(line["event_id"] for line in department.archive)
        verdict.wrong += [
            f"{source}: event {event} is {count} times in the archive"
            for event, count in times.items()
            if count > 1
        ]
    return verdict
