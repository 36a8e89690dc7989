"""Starts the stack, the stand-ins and the applications of a run, and stops them again."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Final

import boto3
from rich.console import Console

from uring.aws.errors import translated
from uring.errors import UringError
from uring_local.build.sam import step
from uring_local.entries.files import ConfigFile, open_config
from uring_local.environment import patched_environment
from uring_local.fcm.account import PROJECT_ID
from uring_local.fcm.server import FcmStandIn
from uring_local.nearby import folder_of_run
from uring_local.project import ROOT, SCRATCH
from uring_local.run.client import remembering, served
from uring_local.run.live import view_for
from uring_local.run.options import Options
from uring_local.run.places import places, scene
from uring_local.run.record import RecordFile, RunRecord, run_of
from uring_local.run.run import FamilyRun, Plan, Stage, play
from uring_local.run.steps import steps
from uring_local.sites.simulations import REAL, simulations
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import Simulation, World
from uring_local.stack.application import Application
from uring_local.stack.deploy import outputs
from uring_local.stack.deployed import Deployed
from uring_local.stack.event_log import EventLog
from uring_local.stack.inprocess import InProcess
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import (
    BEARER_TOKEN,
    CREDENTIALS,
    ENDPOINT_URL,
    Endpoint,
    external,
    used_services,
)
from uring_local.template.template import Template, load

STACK_NAME: Final = "uring"
TEMPLATE: Final = ROOT / "template.yaml"
# The parameters of every local stack.
PARAMETERS: Final = {
    "Contact": "https://uring.invalid/local-run",
    "FcmProjectId": PROJECT_ID,
    "Operations": "false",
    "ScheduleState": "DISABLED",
    "WebPush": "ENABLED",
}
_DEFAULT_SEED: Final = 7
# Beside other families the web is small and takes seconds.
_DEFAULT_DOMAINS: Final = 300
_FEWER_DOMAINS: Final = 60
# The backoff doubles: further faults would show nothing new, and take minutes each.
_MOST_FAULTS_IN_A_ROW: Final = 3


class CannotRun(UringError):
    """Raised for options that do not fit together, or not the data; the message has the remedy."""


def launch(options: Options) -> bool:
    """Run with these options, until the last tick or a signal.

    Returns:
        Whether neither a family nor the client's server has a fault.

    Raises:
        CannotRun: the options do not fit the stack's data, or the list is of no such family.
        Misconfigured: the environment names only a part of a stack.
        StackFailed: the stack cannot be started or deployed.
        Unavailable: the stack does not answer.
        PortTaken: an earlier run still has the port of a site or of the stand-in for FCM.
        DamagedJournal: the stand-in's deliveries cannot be read.
    """
    console = Console(highlight=False, stderr=options.as_json)
    own = None
    if options.config:
        # First, so that a bad file ends the run at once: the message names file, entry and remedy.
        file = opened_list(options.config, options.family)
        options, own = replace(options, family=file.family.name), file.body
    with translated("the stack"), ExitStack() as exits:
        stop = exits.enter_context(stopping())
        families, endpoint = chosen_families(options)
        home, is_embedded = SCRATCH, endpoint is None
        if endpoint is None:
            with steps(console, "starting the embedded stack"):
                endpoint = exits.enter_context(MiniStack())
            console.print(f"embedded stack: {endpoint.url}")
            home = Path(exits.enter_context(TemporaryDirectory(prefix="uring-")))
        elif not options.family:
            left = [name for name in simulations(None) if name not in families]
            console.print(_left_out(left))
        exits.enter_context(environment(endpoint.environment))
        settings = [
            _Setting(options, family, own, endpoint, home, console, exits) for family in families
        ]
        stages = [setting.stage() for setting in settings]
        named = places(
            stages,
            [setting.stack_name for setting in settings],
            exits.enter_context(folder_of_run()),
            endpoint.environment,
            own=options.config,
            is_embedded=is_embedded,
        )
        front = exits.enter_context(served(stages, load(TEMPLATE, PARAMETERS, STACK_NAME), named))
        stages = remembering(stages, front)
        view = exits.enter_context(
            view_for(scene(stages, front.url), stop, as_json=options.as_json)
        )
        runs = [FamilyRun(stage, _plan(options, stage.record), view, stop) for stage in stages]
        is_well = play(runs, view, stop, options.pace)
        for failure in front.failures:
            view.note(f"client: {failure!r}")
        return is_well and not front.failures


def opened_list(config: Path, family: str | None) -> ConfigFile:
    """Return the list of a run's own sources.

    Args:
        config: the file.
        family: None takes the family from the file's list.

    Raises:
        CannotRun: sources of this kind cannot be run, or the file is of another family.
        NotFound: there is no such file.
        ConfigInvalid: the file as a whole is unreadable; the message names it.
    """
    file = open_config(config, REAL[family].entries if family else None)
    if file.family.name not in REAL:
        raise CannotRun(f"{config} is {file.family.what}: name one of {' or '.join(REAL)}")
    file.entries()
    return file


def chosen_families(options: Options) -> tuple[Sequence[str], Endpoint | None]:
    """Return the families to run, and the stack in the environment; None for an embedded one.

    A family on a clock of its own fits only the data of its own run, so it has a stack of its own.
    It runs on a named endpoint only if it is resumable.
    """
    families = _classes(options)
    chosen = families[options.family] if options.family else None
    if options.family and chosen and chosen.opened and not chosen.is_resumable:
        return [options.family], None
    named = external(used_services(in_process=options.in_process))
    if options.family:
        return [options.family], named
    return [
        family
        for family, simulation in families.items()
        if not (simulation.is_alone or (named is not None and simulation.opened))
    ], named


@dataclass(frozen=True)
class _Setting:
    """The setting in which a family is started."""

    options: Options
    family: str
    own: bytes | None
    endpoint: Endpoint
    home: Path
    console: Console
    exits: ExitStack

    def stage(self) -> Stage:
        """Start the site, the stand-in for FCM and the application.

        Raises:
            CannotRun: the options do not fit the stack's data.
        """
        options, exits = self.options, self.exits
        records = RecordFile(self.endpoint, self.stack_name, self.kind, self.home)
        bucket = outputs(self.endpoint, self.stack_name).get("BucketName")
        record = self._earlier(records, bucket)
        seed, domains = _seed(options, record), _domains(options, record)
        fcm = exits.enter_context(
            FcmStandIn(
                records.deliveries,
                faults=options.fcm_faults,
                most_faults_in_a_row=_MOST_FAULTS_IN_A_ROW,
                seed=seed,
                port=record.fcm_port if record else 0,
            )
        )
        opened = record.opened if record else RunRecord.opening_day()
        world = World(
            seed,
            date.fromisoformat(opened),
            tick=record.tick if record else 0,
            finished=record.last_finished if record else 0,
            repeated=record.repeated if record else (),
            port=record.site_port if record else 0,
            failing=options.gateway_fault,
            variables=self._template().variables(),
            domains=domains,
            journal=records.requests,
            rhythm=options.rhythm or "uniform",
            ticks_a_day=options.ticks_a_day,
        )
        simulation: Simulation = exits.enter_context(
            REAL[self.family](self.own) if self.own is not None else self.simulation(world)
        )
        simulation.begin(Published(boto3.client("s3"), bucket) if bucket else None)
        log = EventLog(self.family)
        application = self._application(simulation, fcm, log)
        exits.callback(application.close)
        if record is None:
            port = simulation.site.port if simulation.site else 0
            fcm_port = int(fcm.host.rpartition(":")[2])
            record = RunRecord.fresh(seed, port, fcm_port, opened, domains)
        elif not record.finished:
            self.console.print(f"continuing with tick {record.tick} of an earlier run")
        for line in simulation.addresses:
            self.console.print(line, soft_wrap=True)
        shown = [source for source, _ in simulation.sources[:2] if simulation.has_latest]
        for line in application.addresses(shown):
            self.console.print(line, soft_wrap=True)
        return Stage(simulation, application, fcm, log, records, record)

    @property
    def simulation(self) -> type[Simulation]:
        """The class of the family's site, or of a list in its place."""
        return _classes(self.options)[self.family]

    @property
    def in_process(self) -> bool:
        """True if the functions are in this process, by the options or for their own clock."""
        simulation = self.simulation
        return self.options.in_process or simulation.is_in_process or simulation.opened is not None

    @property
    def stack_name(self) -> str:
        """The name of the stack; families whose data do not fit together have one each.

        A run in process has its own too: an update would delete a deployed stack's functions.
        """
        if self.simulation.opened is not None:
            return f"{STACK_NAME}-{self.family}"
        return f"{STACK_NAME}-in-process" if self.in_process else STACK_NAME

    @property
    def kind(self) -> str:
        """The kind of run: runs of different kinds have different data or journals."""
        mode = "in-process" if self.in_process else "deployed"
        config = self.options.config
        return f"{mode} {config.resolve() if config else self.family}"

    def _earlier(self, records: RecordFile, bucket: str | None) -> RunRecord | None:
        """Return the record of the run that wrote this stack's data; None without any data.

        Raises:
            CannotRun: the data are of a run without a record here.
        """
        name = run_of(boto3.client("s3"), bucket) if bucket else None
        if name is None:
            records.forget()
            return None
        record = records.load()
        if record is None or record.run_id != name:
            raise CannotRun(
                f"the data in {bucket} belong to another run (another site, or its record below "
                f"{SCRATCH.name} is gone): use a fresh stack, or empty the bucket and the queues"
            )
        return record.resumed()

    def _application(self, simulation: Simulation, fcm: FcmStandIn, log: EventLog) -> Application:
        for name, text in simulation.secrets.items():
            boto3.client("secretsmanager").create_secret(Name=name, SecretString=text)
        parameters = {
            **PARAMETERS,
            # Checks are logged at DEBUG, and a run counts each.
            "LogLevel": "DEBUG",
            **simulation.parameters,
            "AllowedPrivateHosts": ",".join([*simulation.hosts, *self.options.allow_hosts]),
            "FcmEndpoint": fcm.url,
        }
        template = self._template(parameters)
        account = {"service_account": fcm.service_account()}
        if self.in_process:
            injected = {**simulation.injected}
            for name in ("Notifier", "SubscriptionApi"):
                injected[name] = {**injected.get(name, {}), **account}
            return InProcess(template, simulation.session(), log, simulation.resources, injected)
        with steps(self.console, "looking for earlier builds") as tell:

            def progress(line: str) -> None:
                if begun := step(line):
                    tell(begun)

            return Deployed(
                template,
                self.endpoint,
                parameters,
                log,
                simulation.resources,
                fcm.service_account(),
                progress,
            )

    def _template(self, parameters: Mapping[str, str] = PARAMETERS) -> Template:
        return load(TEMPLATE, parameters, self.stack_name)


def _classes(options: Options) -> Mapping[str, type[Simulation]]:
    return {**simulations(options.rhythm), **(REAL if options.config else {})}


def _left_out(families: Sequence[str]) -> str:
    """Return the line about families that are left out because their days are simulated."""
    names = " and ".join(families)
    return (
        f"left out: {names}: their days are simulated and fit no other data; --family runs one on "
        "a stack of its own"
    )


def _seed(options: Options, record: RunRecord | None) -> int:
    if record is None:
        return _DEFAULT_SEED if options.seed is None else options.seed
    if options.seed not in (None, record.seed):
        raise CannotRun(
            f"this stack's data belong to a run with --seed {record.seed}; "
            "give that seed, or use a fresh stack"
        )
    return record.seed


def _domains(options: Options, record: RunRecord | None) -> int:
    if record is None:
        return options.domains or (_DEFAULT_DOMAINS if options.family else _FEWER_DOMAINS)
    if options.domains not in (None, record.domains):
        raise CannotRun(
            f"this stack's data belong to a run with --domains {record.domains}; "
            "give that number, or use a fresh stack"
        )
    return record.domains


def _plan(options: Options, record: RunRecord) -> Plan:
    first = record.tick + 1 if record.finished or not record.tick else record.tick
    last = first + options.ticks - 1 if options.ticks else 0
    if options.ticks and not record.finished and record.last >= first:
        last = record.last
    return Plan(first, last)


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Yield an event that SIGINT and SIGTERM set; a second signal raises KeyboardInterrupt."""
    stop = threading.Event()

    def ask(_: int, __: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        print("ending after this tick; press again to end at once", file=sys.stderr)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set a stack's addresses and credentials for every boto3 client made inside; no others hold.

    Without this, a user's address for a single service would override the stack's.
    """
    own = [name for name in os.environ if name.startswith(ENDPOINT_URL)]
    with patched_environment(values, without=(*CREDENTIALS, BEARER_TOKEN, *own)):
        yield
