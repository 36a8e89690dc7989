"""Aviation weather in the registry of families."""

from collections.abc import Mapping, Sequence
from typing import Final

from uring.changes.registry import WatchedSource
from uring.changes.state import SourceState
from uring.objects import Reads

NAME: Final = "weather"

_NAMES: Final = {"metar": "METAR", "taf": "TAF", "warning": "Airport warnings"}
_REMEDIES: Final = {
    "blocked": "see the gateway's key in its secret, and its day's quota",
    "structure": "the line `failed` has the error; `uring weather parse` reads a saved answer",
}
_SITE: Final = "https://amo.kma.go.kr"


class WeatherRegistration:
    """Implements `uring.changes.registry.Registration`."""

    name = NAME
    index_key = "weather"
    view = "weather"
    word: Mapping[str, str] = {"ko": "항공기상", "en": "Weather"}
    folders = frozenset(_NAMES)
    has_feeds = False
    # Each check writes its state.
    has_hints = False
    deadline = None
    config = ""

    def state(self) -> type[SourceState]:
        """See `Registration.state`."""
        from uring.weather.state import WeatherState  # noqa: PLC0415 - the registry loads no family

        return WeatherState

    def named(self, source: str) -> Mapping[str, str]:  # noqa: ARG002
        """See `Registration.named`."""
        return {}

    def watched(
        self,
        environment: Mapping[str, str],
        objects: Reads,  # noqa: ARG002
        taken: Mapping[str, str],  # noqa: ARG002
    ) -> Sequence[WatchedSource]:
        """See `Registration.watched`. A push goes to its airport's topic, not to the product's."""
        from uring.weather.plan import WeatherMonitorSettings, products  # noqa: PLC0415 - as above

        settings = WeatherMonitorSettings.read(environment)
        return [
            WatchedSource(
                planned.source,
                _NAMES[planned.source],
                _SITE,
                "",
                planned.interval_minutes,
                "Asia/Seoul",
                _REMEDIES,
                topics=settings.airports,
            )
            for planned in products(settings)
        ]
