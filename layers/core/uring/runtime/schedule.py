"""The event of a schedule."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from uring.clock import parse_timestamp
from uring.errors import MalformedMessage
from uring.runtime.invocation import Work


def scheduled_at(event: Mapping[str, Any]) -> datetime:
    """Return the time for which an EventBridge event was scheduled, aware UTC.

    Raises:
        MalformedMessage: the event is of another trigger.
    """
    try:
        return parse_timestamp(event["time"])
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedMessage(
            f"event: time: {error}; an EventBridge event carries the scheduled time there, "
            "as in events/notice-schedule.json"
        ) from error


def ticking(tick: Callable[[datetime], int]) -> Work:
    """Return the work of an orchestrator, which maps a schedule's event to the number of jobs."""
    return lambda event, _time_left: {"jobs": tick(scheduled_at(event))}
