"""In-memory fakes with the semantics of AWS that the engine rests on.

They are ours: no emulator at hand keeps them all (two conditional writers win, a deleted message is
forgotten by the deduplication, …). `tests/aws` runs one contract suite over each fake and over
the real adapter, so that neither drifts.
"""

from fakes.clock import VirtualClock
from fakes.fetcher import ENTRY, Notice, ScriptedFetcher, page_of, response
from fakes.ledger import MemoryLedger
from fakes.objects import FlakyBucket, MemoryBucket
from fakes.ports import MemoryOutlet, MemoryPulls, MemorySourceQueue, MemoryWorkQueue
from fakes.queues import MemoryQueue, Message, StaleHandle, lambda_event
from fakes.sender import Died, ScriptedSender
from fakes.telemetry import RecordingTelemetry

__all__ = [
    "ENTRY",
    "Died",
    "FlakyBucket",
    "MemoryBucket",
    "MemoryLedger",
    "MemoryOutlet",
    "MemoryPulls",
    "MemoryQueue",
    "MemorySourceQueue",
    "MemoryWorkQueue",
    "Message",
    "Notice",
    "RecordingTelemetry",
    "ScriptedFetcher",
    "ScriptedSender",
    "StaleHandle",
    "VirtualClock",
    "lambda_event",
    "page_of",
    "response",
]
