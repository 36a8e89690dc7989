"""Builds the regulation orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring.regulations.registration import NAME, WHAT
from uring.regulations.settings import RegulationTickSettings
from uring.regulations.source import Registry
from uring.runtime.invocation import Function
from uring.sources.bootstrap import entries_orchestrator


def build(environment: Mapping[str, str], **seams: Any) -> Function:
    """Return the regulation orchestrator for this environment; see `entries_orchestrator`."""
    # A registry that is named like a department would write into its folder.
    beside = {RegulationTickSettings.read(environment).sitemap_key: "notices"}
    return entries_orchestrator(NAME, Registry, WHAT, environment, beside=beside, **seams)
