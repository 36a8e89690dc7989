"""Builds the notice orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring.notices.registration import NAME, WHAT
from uring.notices.source import Source
from uring.runtime.invocation import Function
from uring.sources.bootstrap import entries_orchestrator


def build(environment: Mapping[str, str], **seams: Any) -> Function:
    """Return the notice orchestrator for this environment; see `entries_orchestrator`."""
    return entries_orchestrator(NAME, Source, WHAT, environment, **seams)
