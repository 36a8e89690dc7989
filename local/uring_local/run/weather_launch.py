"""Brings a run of the weather up: a fresh stack, the stand-ins, the functions, a clock."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta

import boto3
from rich.console import Console

from uring.aws.errors import translated
from uring_local.fcm.faults import Fault
from uring_local.fcm.server import FcmStandIn
from uring_local.run.event_log import Sink
from uring_local.run.launch import (
    DEFAULT_SEED,
    DEFAULT_SPEED,
    MOST_FAULTS_IN_A_ROW,
    PARAMETERS,
    STACK_NAME,
    TEMPLATE,
    environment,
    stopping,
)
from uring_local.run.view import view_for
from uring_local.run.weather_run import OPENED, PRODUCTS, TICK, Around, SimulatedClock, WeatherRun
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.judge import WeatherJudge
from uring_local.stack.application import WEATHER
from uring_local.stack.inprocess import InProcess
from uring_local.stack.ministack import MiniStack
from uring_local.template.template import load

SECRET = "uring-local-weather"  # noqa: S105 - a name


@dataclass(frozen=True)
class WeatherOptions:
    """What the command line said; None is what it left open."""

    ticks: int | None
    speed: float | None
    seed: int | None
    gateway_fault: float
    fcm_faults: Sequence[Fault]
    as_json: bool


def launch_weather(options: WeatherOptions) -> bool:
    """Run as asked, always on an embedded stack: simulated days fit no other data.

    Returns:
        Whether all is well.

    Raises:
        StackFailed: the stack cannot be started.
        Unavailable: the stack does not answer.
    """
    console = Console(highlight=False, stderr=options.as_json)
    seed = DEFAULT_SEED if options.seed is None else options.seed
    with translated("the stack"), ExitStack() as exits:
        stop = exits.enter_context(stopping())
        with console.status("starting the embedded stack …"):
            endpoint = exits.enter_context(MiniStack())
        exits.enter_context(environment(endpoint.environment))
        fcm = exits.enter_context(
            FcmStandIn(
                faults=options.fcm_faults, most_faults_in_a_row=MOST_FAULTS_IN_A_ROW, seed=seed
            )
        )
        airfield = exits.enter_context(Airfield(seed, opened=OPENED, failing=options.gateway_fault))
        session = boto3.Session()
        session.client("secretsmanager").create_secret(Name=SECRET, SecretString=airfield.key)
        clock, sink = SimulatedClock(OPENED), Sink()
        template = load(
            TEMPLATE,
            PARAMETERS
            | {
                "WeatherKeySecret": SECRET,
                "WeatherGatewayUrl": airfield.url,
                "AllowedPrivateHosts": airfield.host,
                "FcmEndpoint": fcm.url,
            },
            STACK_NAME,
        )
        application = InProcess(
            template,
            session,
            sink,
            WEATHER,
            {
                "Notifier": {"service_account": fcm.service_account(), "clock": clock},
                "WeatherWorker": {"clock": clock, "sleep": lambda _: None},
            },
        )
        exits.callback(application.close)
        for line in application.addresses([*PRODUCTS]):
            console.print(line, soft_wrap=True)
        console.print(f"gateway: {airfield.url}", soft_wrap=True)
        worker = application.environments["WeatherWorker"]
        ticking = application.environments["WeatherOrchestrator"]
        return WeatherRun(
            application,
            Around(
                airfield,
                fcm,
                clock,
                sink,
                exits.enter_context(view_for([*PRODUCTS.items()], as_json=options.as_json)),
                stop,
            ),
            WeatherJudge(worker["AIRPORTS"].split(","), frozenset(worker["PUSH_KINDS"].split(","))),
            {
                product: timedelta(minutes=int(ticking[f"{product.upper()}_MINUTES"]))
                for product in PRODUCTS
            },
        ).run(options.ticks, _seconds_per_tick(options))


def _seconds_per_tick(options: WeatherOptions) -> float:
    if options.speed is None and options.ticks:
        return 0.0
    return TICK.total_seconds() / (options.speed or DEFAULT_SPEED)
