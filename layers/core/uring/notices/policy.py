"""The consequence of each kind of change."""

from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, StrictInt

from uring.reading.rules import Rule
from uring.records.apply import HOT_ITEMS, PushPolicy
from uring.records.diff import Change

_KINDS: Final = ("new", "edited", "pinned", "unpinned", "returned")
_NAMES: Final = {"marked": "pinned", "unmarked": "unpinned"}
# The page behind a link is the notice; its address is the site's affair.
_ALONE: Final = frozenset({"link"})
# Nobody gives all notices another title, date or category within ten minutes.
_UNIFORM: Final = frozenset({"title", "link", "date", "category"})


Recorded = Literal["push", "record"]


class _Pushes(PushPolicy):
    """An id that was given up for another comes back as another notice."""

    def name(self, kind: str, change: Change) -> str:
        """See `PushPolicy.name`."""
        if kind == "returned" and change.before is not None and not change.before.hash:
            return "new"
        return self.names.get(kind, kind)


class NoticePolicy(Rule):
    """The consequence of each kind of change: a push, or an entry in the archive alone.

    Attributes:
        new: an id seen for the first time.
        edited: another title, date or category. Another link alone, the same fields of nearly all
            notices at once, and content that the notice had before are archived and never pushed.
        pinned: moved to the top, else unchanged.
        unpinned: no longer kept on top, else unchanged.
        returned: back on the page, unchanged, after an absence; ``ignore``: not even archived.
        digest_over: more pushes than this from one check become a single one (N18); no more than
            ``latest.json`` shows.
    """

    new: Recorded = "push"
    edited: Recorded = "push"
    pinned: Recorded = "record"
    unpinned: Recorded = "record"
    returned: Literal["push", "record", "ignore"] = "ignore"
    digest_over: Annotated[StrictInt, Field(ge=1, le=HOT_ITEMS)] = 20

    @cached_property
    def pushes(self) -> PushPolicy:
        """The policy as the engine's `PushPolicy`."""
        return _Pushes(
            names=_NAMES,
            push=frozenset(kind for kind in _KINDS if getattr(self, kind) == "push"),
            returned=self.returned != "ignore",
            digest_over=self.digest_over,
            alone=_ALONE,
            uniform=_UNIFORM,
        )
