"""Wires the notice orchestrator."""

from uring.functions.orchestrators import EntriesTickSettings, entries_orchestrator
from uring.functions.parts import Parts
from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.runtime.invocation import Work


class Settings(EntriesTickSettings):
    """Settings of the notice orchestrator."""


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the notice orchestrator's work."""
    return entries_orchestrator(NAME, Source, WHAT, settings, parts)
