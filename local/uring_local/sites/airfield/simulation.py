"""The weather in a run: the airfield on a clock of its own, three days in minutes."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from uring_local.fcm.journal import Delivery
from uring_local.project import SITEMAP
from uring_local.sites.airfield.judge import WeatherJudge, push_of
from uring_local.sites.airfield.site import Airfield
from uring_local.sites.clock import SimulatedClock
from uring_local.sites.simulation import Published, Simulation, Verdict, World, judge_pushes
from uring_local.stack.application import FamilyResources
from uring_local.stack.event_log import record_of, source_of

KEY_SECRET: Final = "uring-local-weather"  # noqa: S105 - a name
PRODUCTS: Final = {"metar": "METAR and SPECI", "taf": "TAF", "warning": "airport warnings"}

_OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
# Beside these a folder has the files of the product.
_LATEST: Final = "latest.json"
_DERIVED: Final = frozenset({_LATEST, "health.json"})


class AirfieldSimulation(Simulation):
    """The stand-in for the weather gateways, on its own clock."""

    family = "weather"
    opened = _OPENED
    resources = FamilyResources("Weather")
    change = "report_changed"

    def __init__(self, world: World) -> None:
        self._clock = SimulatedClock(_OPENED)
        self._airfield = Airfield(
            world.seed, opened=_OPENED, failing=world.failing, port=world.port
        )
        worker = world.variables["WeatherWorker"]
        self._judge = WeatherJudge(
            worker["AIRPORTS"].split(","), frozenset(worker["PUSH_KINDS"].split(","))
        )
        orchestrator = world.variables["WeatherOrchestrator"]
        self._tick = timedelta(minutes=int(orchestrator["TICK_MINUTES"]))
        self._intervals = {
            product: timedelta(minutes=int(orchestrator[f"{product.upper()}_MINUTES"]))
            for product in PRODUCTS
        }
        self._due: list[str] = []
        self._runs = 0
        self.site = self._airfield
        self.sources = [*PRODUCTS.items()]
        self.parameters = {
            "WeatherKeySecret": KEY_SECRET,
            "WeatherGatewayUrl": self._airfield.url,
        }
        self.secrets = {KEY_SECRET: self._airfield.key}
        # The monitor, which watches the notices too, reads their sources: there are none.
        self.objects = {SITEMAP.as_posix(): b'{"sources": []}'}
        clock = {"clock": self._clock}
        self.injected = {
            "Monitor": clock,
            "Notifier": {"clock": self._clock.running},
            "WeatherWorker": {**clock, "sleep": lambda _: None},
        }
        self.addresses = (f"gateway: {self._airfield.url}",)

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """Move the clock and the weather; return how many products are due."""
        self._clock.move(at)
        self._airfield.advance(at)
        seconds = int(at.timestamp())
        self._due = [
            product
            for product, interval in self._intervals.items()
            if seconds % interval.total_seconds() < self._tick.total_seconds()
        ]
        self._runs += len(self._due)
        return len(self._due)

    def inspect(self, at: datetime, published: Published) -> None:
        """Compare the products that were due with what the gateways told of them."""
        calls = self._airfield.take_calls()
        for product in self._due:
            folder = f"data/{product}/"
            names = {key.removeprefix(folder) for key in published.keys(folder)}
            self._judge.look(
                product,
                at,
                [call for call in calls if call.product == product],
                published.document(folder + _LATEST) if _LATEST in names else None,
                sorted(names - _DERIVED),
            )

    def judge(
        self,
        published: Published,  # noqa: ARG002
        deliveries: Sequence[Delivery],
        ended: Collection[int],
    ) -> Verdict:
        """Return what every tick has found, and the pushes compared with the expected ones."""
        judge = self._judge
        verdict = judge_pushes(judge.expected.elements(), deliveries, push_of, ended)
        verdict.wrong += judge.wrong
        verdict.wrong += [f"gateway stand-in: {failure!r}" for failure in self._airfield.failures]
        kinds: Counter[str] = Counter()
        for (_, kind, _, _), count in judge.expected.items():
            kinds[kind] += count
        verdict.figures = {
            "until": self._clock().isoformat(),
            "runs": self._runs,
            "files": {product: len(names) for product, names in sorted(judge.files.items())},
            "changes": dict(sorted(judge.changes.items())),
            "stale_runs": judge.stale,
            "kinds": dict(sorted(kinds.items())),
            "gateway_faults": dict(sorted(judge.refused.items())),
        }
        return verdict

    def describe(self, event: Mapping[str, Any]) -> str | None:
        """Return a line per event of an airport; the figures count what all fifteen report."""
        source = source_of(event)
        match event:
            case {"event": "report_changed"}:
                return ""
            case {"event": "changed", "kind": kind}:
                return f"  changed  {source} {record_of(event).partition('.')[0]} {kind}"
            case {"event": "airports_failed", "airports": icaos, "reason": reason}:
                return f"  failed   {source} {' '.join(icaos)} {reason}"
            case {"event": "report_older", "reason": reason}:
                return f"  kept     {source} {reason}"
            case {"event": "odd_answer", "reason": reason}:
                return f"  odd      {source} {reason}"
        return None
