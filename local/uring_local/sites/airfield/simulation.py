"""The weather in a run: the airfield on a clock of its own, three days in minutes."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final

from uring_local.fcm.journal import Delivery
from uring_local.sites.airfield.judge import WeatherJudge, push_of
from uring_local.sites.airfield.site import Airfield
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import SimulatedDays, World
from uring_local.sites.stage.verdict import Verdict, judge_pushes, tally
from uring_local.stack.application import FamilyResources
from uring_local.stack.event_log import record_of

KEY_SECRET: Final = "uring-local-weather"  # noqa: S105 - a name
PRODUCTS: Final = {"metar": "METAR and SPECI", "taf": "TAF", "warning": "airport warnings"}

_OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
# All other files of a folder are the product's reports.
_LATEST: Final = "latest.json"
_DAY: Final = "/day.json"
_DERIVED: Final = frozenset({_LATEST, "health.json"})


class AirfieldSimulation(SimulatedDays):
    """The stand-in for the weather gateways, on its own clock."""

    family = "weather"
    listed = "weather"
    opened = _OPENED
    resources = FamilyResources("Weather")
    change = "report_changed"
    lines: ClassVar[Mapping[str, str]] = {
        # The figures count these for all fifteen airports.
        "report_changed": "",
        "changed": "  changed  {source} {airport} {kind}",
        "airports_failed": "  failed   {source} {icaos} {reason}",
        "report_older": "  kept     {source} {reason}",
        "odd_answer": "  odd      {source} {reason}",
    }

    def __init__(self, world: World) -> None:
        super().__init__(world)
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
        self.injected = self.on_clock("WeatherWorker")
        self.injected["WeatherWorker"]["sleep"] = lambda _: None
        self.addresses = (f"gateway: {self._airfield.url}",)

    def advance(self, tick: int, at: datetime) -> int:  # noqa: ARG002
        """Move the clock and the weather; return the number of products that are due."""
        self.clock.move(at)
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
        """Compare the due products with the gateways' answers of this tick."""
        calls = self._airfield.take_calls()
        for product in self._due:
            folder = published.folder(f"data/{product}/")
            days = {name for name in folder.names if name.endswith(_DAY)}
            self._judge.look(
                product,
                at,
                [call for call in calls if call.product == product],
                folder.document(_LATEST) if _LATEST in folder.names else None,
                sorted(folder.names - _DERIVED - days),
                {name.removesuffix(_DAY): folder.document(name) for name in days},
            )

    def judge(
        self,
        published: Published,  # noqa: ARG002
        deliveries: Sequence[Delivery],
        ended: Collection[int],
    ) -> Verdict:
        """Return the faults of every tick, and compare the pushes with the expected ones."""
        judge = self._judge
        verdict = judge_pushes(judge.expected.elements(), deliveries, push_of, ended)
        verdict.wrong += judge.wrong
        verdict.wrong += [f"gateway stand-in: {failure!r}" for failure in self._airfield.failures]
        verdict.figures = {
            "until": self.clock().isoformat(),
            "runs": self._runs,
            "files": {product: len(names) for product, names in sorted(judge.files.items())},
            "changes": dict(sorted(judge.changes.items())),
            "stale_runs": judge.stale,
            "overdue_runs": judge.overdue,
            "expired_runs": judge.expired,
            "kinds": tally(push.kind for push in judge.expected.elements()),
            "gateway_faults": dict(sorted(judge.refused.items())),
        }
        return verdict

    def fields(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return an event's fields, its airport, and its list of airports as one text."""
        airport = record_of(event).partition(".")[0]
        icaos = " ".join(event.get("airports", ()))
        return {**super().fields(event), "airport": airport, "icaos": icaos}
