"""`uring run`: the application on a stack of this machine, and a verdict on it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.types import PositiveFloat, PositiveInt
from cyclopts.validators import Number

from uring_local.options import FcmFaults, Json

Family = Literal["notices", "weather"]
Hosts = Annotated[Sequence[str], Parameter(name="--allow-host", metavar="HOST:PORT")]
Share = Annotated[float, Parameter(validator=Number(gte=0, lt=1), metavar="SHARE")]


def run(
    *,
    family: Family = "notices",
    ticks: PositiveInt | None = None,
    speed: PositiveFloat | None = None,
    seed: int | None = None,
    in_process: bool = False,
    config: Path | None = None,
    allow_hosts: Hosts = (),
    fcm_faults: FcmFaults = (),
    gateway_fault: Share = 0.0,
    as_json: Json = False,
) -> bool:
    """Run the main job on a stack of this machine.

    Runs the application against the bundled site, a stand-in for FCM and an embedded stack, or the
    stack that AWS_ENDPOINT_URL names. Ends after --ticks with a summary: exit code 1 if anything
    was lost, doubled or left in a dead-letter queue.

    Args:
        family: weather runs in this process on a simulated clock, a tick is five minutes.
        ticks: end after so many ticks; by default never.
        speed: times faster than the schedule; by default 60. With --ticks there is no waiting by
            default, and with --config it is 1: real sites are asked no more often than in
            production.
        seed: the seed of the site's script and of the faults.
        in_process: run the functions in this process, without a build.
        config: watch the sources of this sitemap, not the campus.
        allow_hosts: a private address that may be fetched all the same; may be repeated.
        fcm_faults: make FCM fail, as 503:0.3, 429:0.1:5, timeout:0.05 or drop:0.1, at most three
            times in a row for one push; may be repeated.
        gateway_fault: make that share of the weather gateway's answers fail, each in its own way.
        as_json: print one JSON object per event and line.
    """
    if family == "weather":
        from uring_local.run.weather_launch import WeatherOptions, launch_weather

        return launch_weather(
            WeatherOptions(ticks, speed, seed, gateway_fault, fcm_faults, as_json)
        )
    from uring_local.run.launch import Options, launch

    return launch(Options(in_process, config, ticks, speed, seed, allow_hosts, fcm_faults, as_json))


def check_family(**options: Any) -> None:
    """Refuse the options of the other family.

    Raises:
        ValueError: naming the option.
    """
    weather = options.get("family") == "weather"
    if options.get("gateway_fault") and not weather:
        raise ValueError("--gateway-fault is of the weather: add --family weather.")
    if weather and (options.get("config") or options.get("allow_hosts")):
        raise ValueError("--config and --allow-host are of the notices: leave them out.")
