"""Events of a weather run as lines for people."""

from collections.abc import Mapping
from typing import Any


def describe_weather(event: Mapping[str, Any]) -> str:
    """An event of the weather in one line; nothing for those that say little or are no weather."""
    text = ""
    match event:
        case {"event": "changed", "product": product, "difference": difference}:
            text = f"  changed  {product} {difference}"
        case {"event": "airports_failed", "product": product, "airports": icaos}:
            text = f"  failed   {product} {' '.join(icaos)} {event['reason']}"
        case {"event": "report_older", "product": product, "reason": reason}:
            text = f"  kept     {product} {reason}"
        case {"event": "odd_answer" | "run_skipped" as name, "reason": reason}:
            text = f"  {'odd' if name == 'odd_answer' else 'skipped':8} {reason}"
        case {"event": "weather_tick"}:
            text = (
                f"tick {event['tick']} {event['at'][:16]}Z: {event['checked']} runs, "
                f"{event['changed']} airports changed, {event['pushed']} pushed, "
                f"{event['http_requests']} HTTP requests"
            )
        case {"event": "weather_summary"}:
            text = _summary(event)
    return text


def _summary(event: Mapping[str, Any]) -> str:
    def listed(name: str) -> str:
        return "  ".join(f"{key} {count}" for key, count in event[name].items()) or "none"

    return "\n".join(
        [
            "",
            f"ticks           {event['ticks']}, {event['runs']} runs, until {event['until'][:16]}Z",
            f"outcomes        {listed('outcomes')}",
            f"changes         {listed('changes')}",
            f"files written   {listed('files')}",
            f"stale airports  in {event['stale_runs']} runs",
            f"pushed          {event['pushed']} of {event['expected']}: {listed('kinds')}",
            f"verdict         wrong {event['wrong']}  dead-lettered {event['dead_lettered']}",
            f"HTTP requests   {event['http_requests']}",
            f"gateway faults  {listed('gateway_faults')}",
        ]
        + ([f"FCM faults      {listed('fcm_faults')}"] if event["fcm_faults"] else [])
    )
