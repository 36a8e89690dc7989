"""The verdict on a run of the campus: its expected data beside its stored data."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from uring_local.fcm.journal import Delivery
from uring_local.sites.campus.judge import Expected
from uring_local.sites.stage.real import Source, judge_sources
from uring_local.sites.stage.verdict import Verdict


def judge_campus(
    expected: Mapping[str, Expected],
    departments: Mapping[str, Source],
    deliveries: Sequence[Delivery],
    ended: Collection[int] = (),
) -> Verdict:
    """Compare a run with the site's own journal, which uses none of the product's code."""
    pushes = {
        (source, notice_id, str(revision))
        for source, model in expected.items()
        for notice_id, revision in model.pushes
    }
    verdict = judge_sources(pushes, departments, deliveries, ended)
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


def _as_model(items: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """Return the journal's fields of items; a missing and an empty category are the same."""
    names = ("id", "title", "date", "category", "is_pinned", "revision")
    return [[item.get(name) or "" for name in names] for item in items]
