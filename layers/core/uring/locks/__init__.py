"""Hierarchical locks with fences, and work that is done once for all callers.

    path ─► catalogue of its root ─► decide ─► Lease: fence ─► protected write, which checks it
                                       └ refused ─► ticket ─► next in line

    read ─► fresh ─► value
      └ no ─► lock ─► leader: compute ─► publish with the lease's check
                └ others: read again until the value exists

`paths`       segments, and which paths conflict
`entries`     one lock and one ticket, as stored
`catalogue`   all locks of a root in one item, and its attributes
`decide`      request ─► granted, queued or refused: pure
`store`       compare-and-swap of a catalogue, safe against lost answers
`lease`       a held lock, the writes that it protects, and the thread that renews it
`locks`       acquires, waits in line, times out
`once`        get-or-compute
`operate`     shows and breaks locks, for operators
`watching`    learns of waits, time-outs and lost leases
`errors`      the errors of these modules

All locks of a root (a partition of the table) are one item, so each change of them is one
conditional write: the table refuses one of two conflicting writes. A lease may end unnoticed in a
paused process, so each protected write carries its check in the same transaction.
"""

from uring.locks.entries import Blocker
from uring.locks.errors import LeaseLost, LockTimeoutError, WorkFailed, WorkInterrupted
from uring.locks.lease import Lease, write
from uring.locks.locks import Locks
from uring.locks.once import FoundValue, Once, Work
from uring.locks.operate import HeldLock, Waiting
from uring.locks.paths import Path, conflicts
from uring.locks.watching import WatchesLocks

__all__ = [
    "Blocker",
    "FoundValue",
    "HeldLock",
    "Lease",
    "LeaseLost",
    "LockTimeoutError",
    "Locks",
    "Once",
    "Path",
    "Waiting",
    "WatchesLocks",
    "Work",
    "WorkFailed",
    "WorkInterrupted",
    "conflicts",
    "write",
]
