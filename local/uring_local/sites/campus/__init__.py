"""A bundled university site on loopback: fourteen invented departments, five board systems.

    seed, tick ─► script ─► boards (model) ─► pages ─► server ─► the product under test
                                              └────► judge ─► journal, expected state

The judge reads the model and never the product, so their agreement is evidence.
"""

from uring_local.sites.campus.judge import Expected
from uring_local.sites.campus.site import Campus
from uring_local.sites.campus.watched import JournalEntry

__all__ = ["Campus", "Expected", "JournalEntry"]
