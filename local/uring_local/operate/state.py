"""`uring state show` and `uring state repair`: for whoever the dead-letter alarm woke."""

import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console

from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.records.model import Permission
from uring_local.operate.bucket import Bucket
from uring_local.operate.repair_run import broken_key, examine, repair
from uring_local.operate.state_check import Report


def show_state(
    bucket: Bucket, family: str, source: str, *, as_json: bool, clock: Clock = system_clock
) -> bool:
    """Print what the state says and every difference; whether there is none.

    Raises:
        CorruptState: there is nothing of this source.
        Retryable: no answer, no such bucket, or no permission.
    """
    report = examine(bucket, family, source, now=clock())
    if as_json:
        _print_json(report)
    else:
        console = Console(highlight=False)
        for name, value in _said(report).items():
            console.print(f"{name:12} {value}", markup=False, soft_wrap=True)
        _print_problems(console, report)
    return not report.problems


def repair_state(
    bucket: Bucket,
    family: str,
    source: str,
    *,
    skip_damaged: bool,
    write: bool,
    as_json: bool,
    clock: Clock = system_clock,
    backoff: Backoff | None = None,
) -> bool:
    """Rebuild a state that is wrong; whether all that can be mended is mended.

    Args:
        bucket: where the source's objects are.
        family: of the source.
        source: its id.
        skip_damaged: rebuild although lines of the archive cannot be read.
        write: otherwise only say what would be written.
        as_json: one JSON document instead of text.
        clock: the time, aware UTC.
        backoff: between tries that S3 refuses.

    Raises:
        CorruptState: there is nothing of this source.
        Overtaken: a check wrote meanwhile; nothing of it was overwritten.
        Retryable: no clear answer; the same again is safe.
    """
    report = examine(bucket, family, source, now=clock())
    needed = any(problem.mends for problem in report.problems)
    refused = not report.rebuilt or (bool(report.found.archived.damaged) and not skip_damaged)
    written: list[str] = []
    if needed and not refused and write:
        written = repair(bucket, report, clock=clock, backoff=backoff or Backoff())
    if as_json:
        _print_json(report, repair={"needed": needed, "refused": refused, "written": written})
    else:
        console = Console(highlight=False)
        _print_problems(console, report)
        for line in _outcome(report, needed=needed, refused=refused, written=written):
            console.print(line, markup=False, soft_wrap=True)
    return not needed or bool(written)


def _outcome(report: Report, *, needed: bool, refused: bool, written: list[str]) -> Iterator[str]:
    if not needed:
        yield "nothing to repair"
    elif refused:
        yield "not repaired: see what is damaged above"
    elif written:
        yield from (f"written   {key}" for key in written)
        yield "the next check reads the page anew and goes on from here; then redrive or purge the"
        yield "work dead-letter queue: its jobs are overdue and do nothing, and its alarm ends"
    else:
        yield from _plan(report)
        yield "nothing was written; --yes does it"


def _plan(report: Report) -> Iterator[str]:
    objects, rebuilt = report.objects, report.rebuilt
    if rebuilt is None:
        return
    if rebuilt.seen != report.found.seen and (rebuilt.seen or objects.seen):
        yield f"would write {objects.seen_key}: {len(rebuilt.seen)} records"
    if objects.state:
        yield f"would keep  {broken_key(objects.state_key, objects.state.body)}"
    state = rebuilt.state
    yield (
        f"would write {objects.state_key}: {len(state.known)} records, {len(state.hot)} hot, "
        f"{sum(event.push for event in state.outbox)} changes to announce, a seq above {state.seq}"
    )
    if report.found.state is None and report.found.pending is None and objects.state:
        yield (
            "the outbox cannot be read, nor any earlier version of the object: a change that was "
            "archived and not yet announced stays unannounced"
        )


def _said(report: Report) -> dict[str, Any]:
    """What the objects say, for people and machines."""
    found, objects = report.found, report.objects
    said: dict[str, Any] = {"object": objects.state_key}
    if state := found.state:
        outbox = [f"{event.kind} {event.id} of {event.detected_at}" for event in state.outbox]
        health = state.health
        said |= {
            "schema": state.schema_version,
            "seq": state.seq,
            "writer": state.writer,
            "baseline": state.baseline_at,
            "changed": state.changed_at,
            "known": len(state.known),
            "spilled": state.spilled,
            "hot": len(state.hot),
            "outbox": ", ".join(outbox) or "empty",
            "validators": state.validators.etag or state.validators.last_modified or "none",
            "health": f"{health.status} {health.reason}".strip() + f" since {health.since}",
            "failures": health.failures,
            "asked again": health.retry_at or "at the next tick",
            "robots.txt": _permission(state.permission),
        }
    said |= {
        "memory": "broken" if found.seen is None else len(found.seen),
        "latest.json": f"seq {found.hot.seq}, {len(found.hot.items)} items"
        if found.hot
        else "none",
        "archive": f"{len(found.archived.events)} lines in {len(objects.months)} months",
    }
    return said


def _permission(permission: Permission | None) -> str:
    if permission is None:
        return "not asked"
    further = "" if permission.paging else ", but for further pages"
    return f"{'allows' if permission.allowed else 'forbids'} it{further}, at {permission.asked_at}"


def _print_problems(console: Console, report: Report) -> None:
    for problem in report.problems:
        remedy = problem.remedy or f"uring state repair {report.objects.source}"
        console.print(f"{problem.place}: {problem.what}", markup=False, style="red", soft_wrap=True)
        console.print(f"    remedy: {remedy}", markup=False, soft_wrap=True)
    if not report.problems:
        console.print("agrees with what was published", style="green")


def _print_json(report: Report, **more: Any) -> None:
    problems = [
        {"place": each.place, "what": each.what, "mends": each.mends, "remedy": each.remedy}
        for each in report.problems
    ]
    document = {"source": report.objects.source, **_said(report), "problems": problems, **more}
    print(json.dumps(document, ensure_ascii=False, indent=1))
