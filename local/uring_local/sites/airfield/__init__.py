"""A stand-in for both weather gateways on loopback: 15 Korean airports whose weather is invented.

    seed, time ─► scripts ─► reports, bulletins ─► IWXXM ─► envelope of this call ─► the product
                               └─► truth, journal     fault of this call ─┘

What is so depends on the seed and the time alone; how it is wrapped, and whether a call fails, on
the seed and the number of the call. The journal says of every call what a reader could know by it.
"""

from uring_local.sites.airfield.model import Bulletin, Call, Report
from uring_local.sites.airfield.site import Airfield

__all__ = ["Airfield", "Bulletin", "Call", "Report"]
