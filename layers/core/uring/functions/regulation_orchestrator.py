"""Wires the regulation orchestrator."""

from uring.functions.orchestrators import EntriesTickSettings, entries_orchestrator
from uring.functions.parts import Parts
from uring.regulations.registration import NAME, WHAT
from uring.regulations.source import Registry
from uring.runtime.invocation import Work
from uring.runtime.settings import Name


class Settings(EntriesTickSettings):
    """Settings of the regulation orchestrator; ``sitemap_key`` is the notices' file."""

    sitemap_key: Name


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the regulation orchestrator's work."""
    # A registry with the id of a department would write into the department's folder.
    beside = {settings.sitemap_key: "notices"}
    return entries_orchestrator(NAME, Registry, WHAT, settings, parts, beside=beside)
