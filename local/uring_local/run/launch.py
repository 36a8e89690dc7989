"""Brings a run up: the stack, the stand-ins, the application, the plan; and takes it down again."""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import boto3
from rich.console import Console
from rich.markup import escape

from uring.aws.errors import translated
from uring.errors import UringError
from uring_local.entries.sitemap import read_sitemap
from uring_local.fcm.account import PROJECT_ID
from uring_local.fcm.faults import Fault
from uring_local.fcm.server import FcmStandIn
from uring_local.project import ROOT, SCRATCH
from uring_local.run.event_log import Sink
from uring_local.run.record import RecordFile, RunRecord, run_of
from uring_local.run.run import Plan, Run
from uring_local.run.view import view_for
from uring_local.sites.campus import Campus
from uring_local.stack.application import NOTICES, Application
from uring_local.stack.deploy import outputs
from uring_local.stack.deployed import Deployed
from uring_local.stack.inprocess import InProcess
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import CREDENTIALS, Endpoint, external
from uring_local.template.template import load

STACK_NAME = "uring"
TEMPLATE = ROOT / "template.yaml"
# What every local stack is deployed with.
PARAMETERS = {
    "Contact": "https://uring.invalid/local-run",
    "FcmProjectId": PROJECT_ID,
    "ScheduleState": "DISABLED",
}
# The backoff doubles: more of them would show nothing else, and take minutes each.
MOST_FAULTS_IN_A_ROW = 3
DEFAULT_SEED = 7
# Fast enough to watch, slow enough to read.
DEFAULT_SPEED = 60.0


class CannotRun(UringError):
    """What was asked for does not fit together; the message says what to do."""


@dataclass(frozen=True)
class Options:
    """What the command line said; None is what it left open."""

    in_process: bool
    config: Path | None
    ticks: int | None
    speed: float | None
    seed: int | None
    allow_hosts: Sequence[str]
    fcm_faults: Sequence[Fault]
    as_json: bool


@dataclass(frozen=True)
class _Site:
    """What is watched."""

    campus: Campus | None
    sitemap: bytes
    sources: Sequence[tuple[str, str]]


def launch(options: Options) -> bool:
    """Run as asked.

    Returns:
        Whether all is well.

    Raises:
        CannotRun: the options do not fit the stack's data.
        Misconfigured: the environment names a stack by halves.
        StackFailed: the stack cannot be started or deployed.
        Unavailable: the stack does not answer.
        PortTaken: that of the campus site or of the stand-in for FCM, by an earlier run.
        DamagedJournal: the stand-in's deliveries cannot be read.
    """
    console = Console(highlight=False, stderr=options.as_json)
    with translated("the stack"), ExitStack() as exits:
        stop = exits.enter_context(stopping())
        endpoint = external()
        home = SCRATCH
        if endpoint is None:
            with console.status("starting the embedded stack …"):
                endpoint = exits.enter_context(MiniStack())
            console.print(f"embedded stack: {endpoint.url}")
            home = Path(exits.enter_context(TemporaryDirectory(prefix="uring-")))
        exits.enter_context(environment(endpoint.environment))
        records = RecordFile(endpoint, STACK_NAME, _kind(options), home)
        record = _earlier(records, endpoint, in_process=options.in_process)
        if record and options.seed is not None and options.seed != record.seed:
            raise CannotRun(
                f"this stack's data are of a run with --seed {record.seed}; "
                "give that seed, or use a fresh stack"
            )
        seed = record.seed if record else DEFAULT_SEED if options.seed is None else options.seed
        fcm = exits.enter_context(
            FcmStandIn(
                records.deliveries,
                faults=options.fcm_faults,
                most_faults_in_a_row=MOST_FAULTS_IN_A_ROW,
                seed=seed,
                port=record.fcm_port if record else 0,
            )
        )
        opened = record.opened if record else RunRecord.opening_day()
        site = _site(options, seed, record.campus_port if record else 0, opened, exits)
        sink = Sink()
        with console.status("building and deploying …") as status:
            application = _application(
                options, endpoint, fcm, site, sink, lambda line: status.update(escape(line))
            )
        exits.callback(application.close)
        if record is None:
            port = int(site.campus.host.rpartition(":")[2]) if site.campus else 0
            record = RunRecord.fresh(seed, port, int(fcm.host.rpartition(":")[2]), opened)
        elif not record.finished:
            console.print(f"going on with tick {record.tick}, which an earlier run began")
        if site.campus:
            console.print(f"campus site: http://{site.campus.host}/")
        for line in application.addresses([source for source, _ in site.sources[:2]]):
            console.print(line, soft_wrap=True)
        view = exits.enter_context(view_for(site.sources, as_json=options.as_json))
        return Run(
            application,
            fcm,
            site.campus,
            site.sitemap,
            sources=[source for source, _ in site.sources],
            sink=sink,
            view=view,
            records=records,
            record=record,
            stop=stop,
        ).run(_plan(options, record))


def _kind(options: Options) -> str:
    """Runs of two kinds have other data, or judge them by other journals."""
    mode = "in-process" if options.in_process else "deployed"
    return f"{mode} {options.config.resolve() if options.config else 'campus'}"


def _earlier(records: RecordFile, endpoint: Endpoint, *, in_process: bool) -> RunRecord | None:
    """The run that this stack's data belong to; None where they belong to none.

    Raises:
        CannotRun: they belong to a run that is not known here.
    """
    bucket = outputs(endpoint, _stack_name(in_process=in_process)).get("BucketName")
    name = run_of(boto3.client("s3"), bucket) if bucket else None
    if name is None:
        records.forget()
        return None
    record = records.load()
    if record is None or record.run_id != name:
        raise CannotRun(
            f"the data in {bucket} are of another run (of another site, or its record under "
            f"{SCRATCH.name} is gone): take a fresh stack, or empty the bucket and the queues"
        )
    return record


def _stack_name(*, in_process: bool) -> str:
    """A stack of its own: an update in process would take the functions of a deployed one away."""
    return f"{STACK_NAME}-in-process" if in_process else STACK_NAME


def _site(options: Options, seed: int, port: int, opened: str, exits: ExitStack) -> _Site:
    if options.config:
        sitemap = options.config.read_bytes()
        sources = [(source.id, source.name) for source in read_sitemap(sitemap).sources]
        return _Site(None, sitemap, sources)
    campus = exits.enter_context(Campus(seed, port=port, opened=date.fromisoformat(opened)))
    document = campus.sitemap()
    sources = [(source["id"], source["name"]) for source in document["sources"]]
    return _Site(campus, json.dumps(document, ensure_ascii=False).encode(), sources)


def _application(
    options: Options,
    endpoint: Endpoint,
    fcm: FcmStandIn,
    site: _Site,
    sink: Sink,
    note: Callable[[str], None],
) -> Application:
    hosts = [*([site.campus.host] if site.campus else []), *options.allow_hosts]
    parameters = PARAMETERS | {
        "AllowedPrivateHosts": ",".join(hosts),
        "FcmEndpoint": fcm.url,
    }
    template = load(TEMPLATE, parameters, _stack_name(in_process=options.in_process))
    if options.in_process:
        extras = {"Notifier": {"service_account": fcm.service_account()}}
        return InProcess(template, boto3.Session(), sink, NOTICES, extras)
    return Deployed(template, endpoint, parameters, sink, fcm.service_account(), note)


def _plan(options: Options, record: RunRecord) -> Plan:
    first = record.tick + 1 if record.finished or not record.tick else record.tick
    last = first + options.ticks - 1 if options.ticks else 0
    if options.ticks and not record.finished and record.last >= first:
        last = record.last
    speed = options.speed or _default_speed(options)
    interval = _interval()
    return Plan(first, last, interval.total_seconds() / speed if speed else 0.0, interval)


def _interval() -> timedelta:
    """What a tick stands for: the one period of the notices' schedules."""
    (seconds,) = {
        each.interval_seconds
        for name, function in load(TEMPLATE, PARAMETERS, STACK_NAME).functions.items()
        if name in NOTICES.functions
        for each in function.schedules
    }
    return timedelta(seconds=seconds)


def _default_speed(options: Options) -> float:
    """Real sites are asked no more often than in production."""
    if options.config:
        return 1.0
    return 0.0 if options.ticks else DEFAULT_SPEED


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that SIGINT and SIGTERM set; a second one ends the process at once."""
    stop = threading.Event()

    def ask(_: int, __: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        print("ending after this tick; once more to end at once", file=sys.stderr)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """The stack's address and credentials, and no others, for every boto3 client made meanwhile."""
    before = {name: os.environ.pop(name, None) for name in {*values, *CREDENTIALS}}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
