"""The options of a run, and the check that they fit together."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.types import PositiveInt
from cyclopts.validators import Number

from uring_local.families import FAMILIES
from uring_local.options import FcmFaults, Hosts, Json, RhythmName

if TYPE_CHECKING:
    Family = str
else:
    Family = Literal[tuple(family.name for family in FAMILIES if family.site)]
_WITH_LIST: Final = tuple(family.name for family in FAMILIES if family.real)
_DEFAULT_SPEED: Final = 60.0
_TICKS_A_DAY: Final = 144
# Without waiting a tick takes a second.
_FASTEST: Final = 600
# A smaller web has raw files without a domain.
_FEWEST_DOMAINS: Final = 10
Domains = Annotated[int, Parameter(validator=Number(gte=_FEWEST_DOMAINS, lte=10**6))]
Speed = Annotated[float, Parameter(validator=Number(gt=0, lte=10**6))]
Share = Annotated[float, Parameter(validator=Number(gte=0, lt=1), metavar="SHARE")]


def _fitting(_: object, options: "Options") -> None:
    """Refuse an option of a family that does not run.

    Raises:
        ValueError: the message has the option and the remedy.
    """
    family = options.family
    if options.gateway_fault and (options.config or family not in {None, "weather"}):
        raise ValueError("--gateway-fault is for the weather: leave it out, or run the weather.")
    if options.domains and (options.config or family not in {None, "seeds"}):
        raise ValueError("--domains is for the seeds: leave it out, or run the seeds.")
    if family not in {None, *_WITH_LIST} and (options.config or options.allow_hosts):
        names = " and ".join(_WITH_LIST)
        raise ValueError(f"--config and --allow-host are for {names}: leave them out.")
    if options.rhythm and (options.family != "notices" or options.config):
        raise ValueError(
            "--rhythm is for the campus: give --family notices and no --config, or leave it out."
        )


@Parameter(name="*", validator=_fitting)
@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a run.

    Attributes:
        family: run this family alone; by default all.
        ticks: end after this number of ticks; by default never.
        speed: times faster than the schedule; by default 60. With --ticks there is no waiting by
            default, and with --config it is 1: real sites are not asked more often than in
            production.
        seed: the seed of the sites' scripts and of the faults.
        in_process: run all functions in this process, without a build.
        config: watch the sources of this sitemap, or the registries of this list, instead of the
            bundled site; no other family runs.
        allow_hosts: a private address that may be fetched; may be repeated.
        fcm_faults: make FCM fail, as 503:0.3, 429:0.1:5, timeout:0.05 or drop:0.1, at most three
            times in a row for one push; may be repeated.
        gateway_fault: make this share of the weather gateway's answers fail, each in its own way.
        rhythm: check the campus as the stack's parameter Rhythm says, while its offices publish on
            working days from 9 to 18; only with --family notices. The summary has the delays.
        domains: number of domains of the seeds' web; by default 300, and 60 beside other families.
        as_json: print one JSON object for each event, on a line of its own.
    """

    family: Family | None = None
    ticks: PositiveInt | None = None
    speed: Speed | None = None
    seed: int | None = None
    in_process: bool = False
    config: Path | None = None
    allow_hosts: Hosts = ()
    fcm_faults: FcmFaults = ()
    gateway_fault: Share = 0.0
    rhythm: RhythmName | None = None
    domains: Domains | None = None
    as_json: Json = False

    @property
    def pace(self) -> float:
        """The speed, as a multiple of the schedule's; 0 for no waiting."""
        if self.speed:
            return self.speed
        if self.config:
            # Real sites are not asked more often than in production.
            return 1.0
        return 0.0 if self.ticks else _DEFAULT_SPEED

    @property
    def ticks_a_day(self) -> int:
        """The ticks of the notices in a day of the real clock, by which their functions go."""
        return round(_TICKS_A_DAY * (self.pace or _FASTEST))


DEFAULTS: Final = Options()
