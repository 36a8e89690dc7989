"""The readers' view of a product: ``METAR_{fetched_at}.json``, the newest ten, ``latest.json``.

METAR and TAF also have a ``{ICAO}/day.json`` for each airport: see `uring.weather.day`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from uring import media
from uring.changes.retry import Backoff, rewrite
from uring.contracts import DAY_SECONDS, ChangePublished
from uring.errors import PreconditionFailed
from uring.objects import Bucket, Stored
from uring.weather.day import has_days, revised
from uring.weather.derived import is_shown, published, stored
from uring.weather.events import LIFETIME_SECONDS, URGENT
from uring.weather.product import Airports, Product, canonical_hash, reported
from uring.weather.runways import NO_RUNWAYS, Runways
from uring.weather.state import WeatherOutboxEvent, WeatherState

KEPT: Final = 10
"""The number of files of a product beside ``latest.json`` (W4)."""

PREFIX: Final[dict[Product, str]] = {"metar": "METAR", "taf": "TAF", "warning": "WARNINGS"}
_TYPE: Final[dict[Product, str]] = {
    "metar": "METAR",
    "taf": "TAF",
    "warning": "AIRPORT_WARNINGS",
}
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=60, s-maxage=5"


class ProductFiles:
    """Implements `uring.changes.outbox.Projections`.

    The file is written before ``latest.json``, which readers follow. Surplus files are removed
    last. If only marks differ from the last commit, the file exists and stays unchanged.

    The files of days come before ``latest.json``, too: it tells which airports have another report.
    After a death among them it is still the old one, and the next run finds the same airports.

    One object serves one check.

    Args:
        runways: the runways whose wind components readers see.
    """

    def __init__(
        self, family: str, files: Bucket, *, backoff: Backoff, runways: Runways = NO_RUNWAYS
    ) -> None:
        self._family = family
        self._files = files
        self._backoff = backoff
        self._runways = runways
        self._shown: Stored | None = None

    def write(self, state: WeatherState) -> None:
        """See `Projections.write`."""
        if state.is_published:
            return
        folder = f"data/{state.source}"
        latest = f"{folder}/latest.json"
        body = document(state, self._runways)
        likely, self._shown = self._shown, None
        # Refused: an earlier try wrote the file. Its name is the second of its only commit.
        with suppress(PreconditionFailed):
            self._files.put(
                f"{folder}/{file_name(state)}",
                body,
                if_match=None,
                content_type=media.JSON,
                cache_control=_FOR_EVER,
            )

        def revise(shown: bytes | None) -> bytes | None:
            return None if shown is not None and _version(shown) >= _version(body) else body

        if has_days(state.source):
            likely = likely or self._files.get(latest)
            # A version as new as this one came after its days.
            if likely is None or _version(likely.body) < _version(body):
                self._write_days(state, (likely and _airports(likely.body)) or {})
        rewrite(
            self._files,
            latest,
            revise,
            backoff=self._backoff,
            content_type=media.JSON,
            cache_control=_BRIEFLY,
            likely=likely,
            likely_absent=likely is None and has_days(state.source),
        )
        for key in surplus(
            [each.key for each in self._files.list(f"{folder}/{PREFIX[state.source]}_")]
        ):
            self._files.remove(key)

    def _write_days(self, state: WeatherState, shown: Airports) -> None:
        """Add the reports that ``latest.json`` does not show to the days of their airports."""
        for icao, report in state.airports.items():
            if icao in shown and is_shown(report, shown[icao]):
                continue
            fresh = [*state.specials.get(icao, ()), reported(report)]
            rewrite(
                self._files,
                f"data/{state.source}/{icao}/day.json",
                partial(_day, state, icao, fresh),
                backoff=self._backoff,
                content_type=media.JSON,
                cache_control=_BRIEFLY,
            )

    def recovered(self, state: WeatherState) -> WeatherState | None:
        """See `Projections.recovered`. ``latest.json`` has all that a product's state has."""
        return None if state.fetched_at is None else self._caught_up(state)

    def is_known(self, source: str) -> bool:
        """See `Projections.is_known`. Readers see its ``latest.json``."""
        return self._files.get(f"data/{source}/latest.json") is not None

    def rebuilt(self, first: WeatherState) -> WeatherState | None:
        """See `Projections.rebuilt`. ``latest.json`` is enough, unless it is damaged."""
        return self._caught_up(first)

    def _caught_up(self, state: WeatherState) -> WeatherState | None:
        self._shown = self._files.get(f"data/{state.source}/latest.json")
        fetched_at, seq = _version(self._shown.body) if self._shown else ("", 0)
        if self._shown is None or fetched_at <= (state.fetched_at or ""):
            return None
        airports = _airports(self._shown.body)
        # A damaged document does not stop the check.
        if airports is None:
            return None
        after = state.replace(
            seq=max(state.seq, seq),
            fetched_at=fetched_at,
            airports=airports,
            # A later commit came only after the outbox was drained.
            outbox=(),
            is_shown=True,
        )
        return after.replace(hash=canonical_hash(airports)) if after.problem() is None else None

    def message(self, state: WeatherState, event: WeatherOutboxEvent) -> ChangePublished:
        """See `Projections.message`."""
        return ChangePublished(
            event_id=event.event_id,
            family=self._family,
            source=state.source,
            topic=event.topic,
            kind=event.kind,
            id=event.id,
            revision=event.revision,
            detected_at=event.detected_at,
            content=event.content,
            urgency="high" if event.kind in URGENT else "normal",
            lifetime_seconds=LIFETIME_SECONDS.get(event.kind, DAY_SECONDS),
        )


def file_name(state: WeatherState) -> str:
    """Return the name of a file, ``METAR_20260302T011000Z.json``: names sort as times do."""
    stamp = (state.fetched_at or "").replace("-", "").replace(":", "")
    return f"{PREFIX[state.source]}_{stamp}.json"


def document(state: WeatherState, runways: Runways = NO_RUNWAYS) -> bytes:
    """Return the JSON ``{type, fetched_at, airports}`` of W2; warnings have a ``total_count``.

    ``seq`` grows with every version, also if only marks differ and ``fetched_at`` is the same.
    """
    found: dict[str, Any] = {
        "type": _TYPE[state.source],
        "fetched_at": state.fetched_at,
        "seq": state.seq,
    }
    if state.source == "warning":
        found["total_count"] = sum(len(each["warnings"]) for each in state.airports.values())
    found["airports"] = {
        icao: published(state.source, icao, report, runways)
        for icao, report in state.airports.items()
    }
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def surplus(keys: Collection[str]) -> list[str]:
    """Return the files older than the newest ten, without ``latest.json`` (W4)."""
    files = sorted(key for key in keys if not key.endswith("/latest.json"))
    return files[:-KEPT]


def _version(body: bytes) -> tuple[str, int]:
    """Return a document's version, for comparison; a malformed document is older than any."""
    try:
        document = json.loads(body)
        # Files of the previous release have no seq.
        return str(document["fetched_at"]), int(document.get("seq", 0))
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", 0


def _airports(body: bytes) -> dict[str, dict[str, Any]] | None:
    """Return a document's airports as they are stored; None if it is damaged."""
    try:
        return {icao: stored(report) for icao, report in json.loads(body)["airports"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _day(
    state: WeatherState, icao: str, fresh: Sequence[Mapping[str, Any]], shown: bytes | None
) -> bytes | None:
    return revised(state.source, icao, shown, fresh, state.fetched_at or "")
