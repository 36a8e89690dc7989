"""A stand-in for both weather gateways on loopback: 15 Korean airports with invented weather.

    seed, time ─► scripts ─► reports, bulletins ─► IWXXM ─► envelope of this call ─► the product
                               └─► truth, journal     fault of this call ─┘

The weather depends on the seed and the time alone. The wrapping of an answer, and whether a call
fails, depend on the seed and the number of the call. The journal records for every call the facts
that a reader could take from its answer.
"""

from uring_local.sites.airfield.model import Bulletin, Call, Report
from uring_local.sites.airfield.site import Airfield

__all__ = ["Airfield", "Bulletin", "Call", "Report"]
