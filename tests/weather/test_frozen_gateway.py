"""A gateway that answers with the same reports for nine days: what readers and people are told."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from fakes import iwxxm_documents as documents
from fakes.worlds import AIRPORTS, WeatherWorld

from uring.clock import timestamp
from uring.errors import FetchFailed, SourceTrouble
from uring.watch.monitor import Monitor, WatchedFamily
from uring.weather.gateway.collect import CollectedReports
from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.tree import parse_tree
from uring.weather.product import Product
from uring.weather.registration import WeatherRegistration

MINUTES: dict[Product, int] = {"metar": 10, "taf": 30, "warning": 10}
ENVIRONMENT = {
    "METAR_MINUTES": "10",
    "TAF_MINUTES": "30",
    "WARNING_MINUTES": "5",
    "AIRPORTS": ",".join(AIRPORTS),
}
FROZEN_AT = datetime(2026, 3, 2, 6, 11, tzinfo=UTC)
HALF_HOURLY = "RKSI"


class World(WeatherWorld):
    """METAR, TAF and the monitor over documents that are read; they are served at minute five.

    Attributes:
        frozen: the airports whose reports are those of `FROZEN_AT` for ever.
        told: what changed for readers and people, with the time of each change.
    """

    def __init__(self, *frozen: str) -> None:
        super().__init__()
        self.frozen = frozen
        self.told: list[tuple[str, str]] = []
        self._last: dict[str, Any] = {}
        family = WeatherRegistration()
        self.monitor = Monitor(
            [WatchedFamily(family, lambda: family.watched(ENVIRONMENT, self.bucket, {}))],
            self.bucket,
            self,
            self.telemetry,
            clock=self.clock,
        )

    def send(self, subject: str, text: str) -> None:
        """Implement `uring.watch.alerts.Alerts`."""
        del subject
        self.tell("mail", [line.partition("; ")[0] for line in text.splitlines()])

    def tell(self, what: str, value: Any) -> None:
        if value != self._last.get(what):
            self._last[what] = value
            self.told.append((f"{self.clock():%d %H:%M}", f"{what} {value}"))

    def collect(self, product: Product, airports: Sequence[str], now: datetime) -> CollectedReports:
        if product == "warning":
            calm = {"airport_name": None, "warnings": []}
            return CollectedReports(dict.fromkeys(airports, calm), {})
        fresh: dict[str, dict[str, Any]] = {}
        failed: dict[str, SourceTrouble] = {}
        for icao in airports:
            served = min(now, FROZEN_AT) if icao in self.frozen else now
            tree = parse_tree(report(product, icao, served - timedelta(minutes=5)))
            try:
                reading = read_report(tree, expected=icao, now=now)
            except ReportRefused as error:
                failed[icao] = FetchFailed(error.reason, error.detail)
            else:
                fresh[icao] = reading.report.model_dump(mode="json")
        return CollectedReports(fresh, failed)

    def run(self, until: datetime) -> None:
        """A run of each product when it is due, and the monitor behind it."""
        self.clock.advance(60 - self.clock().minute % 10 * 60 + (600 if self.clock().minute else 0))
        while self.clock() <= until:
            for product, minutes in MINUTES.items():
                if self.clock().minute % minutes == 1:
                    check = self.check(product, interval_minutes=minutes)
                    assert check.outcome in {"baseline", "changed", "unchanged"}
                    assert check.reason == ""
                    assert not check.is_failing
            self.monitor.run(lambda: 100)
            for product in MINUTES:
                self.look(product)
            self.clock.advance(600)

    def look(self, product: Product) -> None:
        shown = self.document(f"data/{product}/latest.json")["airports"]
        marks = {
            icao: {key: value for key, value in airport.items() if key.startswith("_")}
            for icao, airport in shown.items()
        }
        assert not any("_stale" in each for each in marks.values())
        self.tell(f"{product} marks", {icao: each for icao, each in marks.items() if each})
        health = self.document(f"data/{product}/health.json")
        (entry,) = [
            entry for entry in self.document("data/index.json")["weather"] if entry["id"] == product
        ]
        assert (entry["failed"], entry["status"]) == (health["failed"], "ok")
        assert health["last_success"] is not None
        self.tell(f"{product} failed", health["failed"])


def report(product: Product, icao: str, at: datetime) -> str:
    """The newest report of a time."""
    if product == "metar":
        step = 30 if icao == HALF_HOURLY else 60
        time = at.replace(minute=at.minute // step * step)
        text = documents.metar().replace(documents.OBSERVED, timestamp(time))
        text = text.replace(documents.ISSUED, timestamp(time + timedelta(minutes=2)))
    else:
        hour = (at + timedelta(hours=1)).hour // 6 * 6
        begin = (at + timedelta(hours=1)).replace(hour=hour, minute=0)
        text = documents.taf().replace("2026-05-05T12:00:00Z", timestamp(begin + 30 * HOUR))
        text = text.replace("2026-05-04T05:00:00Z", timestamp(begin - HOUR))
        text = text.replace("2026-05-04T06:00:00Z", timestamp(begin))
    return text.replace("RKZA", icao)


HOUR = timedelta(hours=1)


def overdue(at: str) -> dict[str, Any]:
    return {"_overdue": True, "_overdue_since": f"2026-03-{at}:00Z"}


def late(at: str) -> dict[str, str]:
    return {"reason": "overdue", "since": f"2026-03-{at}:00Z"}


def mail(product: str, name: str, icao: str, since: str) -> str:
    return f"DOWN {product}/{icao} ({name}): overdue since {since}, 0 of 3 are on time"


def test_a_gateway_that_stands_still_is_told_at_the_minute_and_nothing_jumps() -> None:
    """The last METARs are of 06:00 UTC, the TAFs of 05:00; after a week they are refused."""
    world = World(*AIRPORTS)
    world.run(FROZEN_AT)
    assert world.document("data/taf/latest.json")["airports"]["RKSI"]["base"]["flight_category"]
    world.told.clear()
    files = {key for key in world.bucket.bodies() if "latest" not in key}
    world.run(FROZEN_AT + timedelta(days=9))
    others = [icao for icao in AIRPORTS if icao != HALF_HOURLY]
    hourly = dict.fromkeys(others, overdue("02T07:30"))
    tafs = dict.fromkeys(AIRPORTS, overdue("02T12:00"))
    over = {icao: {**mark, "_expired": True} for icao, mark in tafs.items()}
    first = {HALF_HOURLY: late("02T07:00")}
    both = first | dict.fromkeys(others, late("02T07:30"))
    metar_mails = [mail("metar", "METAR", icao, both[icao]["since"]) for icao in AIRPORTS]
    taf_mails = [mail("taf", "TAF", icao, "2026-03-02T12:00:00Z") for icao in AIRPORTS]
    assert world.told == [
        ("02 07:01", f"metar marks { {HALF_HOURLY: overdue('02T07:00')} }"),
        ("02 07:01", f"metar failed {first}"),
        ("02 07:31", f"metar marks { {HALF_HOURLY: overdue('02T07:00'), **hourly} }"),
        ("02 07:31", f"metar failed {both}"),
        ("02 08:31", f"mail {metar_mails}"),
        ("02 12:01", f"taf marks {tafs}"),
        ("02 12:01", f"taf failed {dict.fromkeys(AIRPORTS, late('02T12:00'))}"),
        ("02 13:01", f"mail {taf_mails}"),
        ("03 12:01", f"taf marks {over}"),
    ]
    assert {key for key in world.bucket.bodies() if "latest" not in key} == files
    assert world.messages() == []
    shown = world.document("data/taf/latest.json")["airports"]["RKSI"]
    assert shown["base"]["flight_category"] is None
    assert shown["raw"]
    world.told.clear()
    world.frozen = ()
    world.run(FROZEN_AT + timedelta(days=9, minutes=40))
    assert [what for _, what in world.told if "mail" not in what] == [
        "metar marks {}",
        "metar failed {}",
        "taf marks {}",
        "taf failed {}",
    ]
    shown = world.document("data/taf/latest.json")["airports"]["RKSI"]
    assert shown["base"]["flight_category"]


def test_one_airport_that_is_silent_at_night_rings_nobody_and_one_of_half_a_day_does() -> None:
    world = World("RKPC")
    world.run(FROZEN_AT + timedelta(hours=11))
    assert not [what for _, what in world.told if what.startswith("mail")]
    world.told.clear()
    world.run(FROZEN_AT + timedelta(hours=14))
    line = "DOWN metar/RKPC (METAR): overdue since 2026-03-02T07:30:00Z, 2 of 3 are on time"
    mails = [each for each in world.told if "mail" in each[1]]
    assert mails == [("02 19:31", f"mail {[line]}")]
