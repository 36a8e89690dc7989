"""Commit and drain: the one order in which a change becomes visible and is announced.

    1 state (If-Match; known, hot, outbox)   the commit: from here on the change happened
    2 archive                                every step may be repeated by any later run
    3 latest.json
    4 notify queue                           what is announced can already be read
    5 state (If-Match; outbox emptied)

A death between any two leaves the outbox in the state, and the next run drains it before it looks
at the site. Died before 1: the next check finds the change again. Reading the state first and the
site second means that a commit never rests on a page older than the state it replaces.
"""

from collections.abc import Callable, Mapping, Sequence

from uring.changes.ports import ObjectStore, Outlet
from uring.changes.register import Register, Version
from uring.changes.retry import Backoff
from uring.contracts import ChangePublished
from uring.errors import Unavailable
from uring.records.archive import Archive
from uring.records.latest import Latest, Publication
from uring.records.model import Event, Known, SourceState


class Publisher:
    """Commits the next state of a source and publishes its outbox.

    Args:
        published: told of the source and its revisions once they have left the outbox, also where
            others of the same drain stay in it.
    """

    def __init__(
        self,
        objects: ObjectStore,
        outlet: Outlet,
        register: Register,
        *,
        backoff: Backoff,
        published: Callable[[str, Sequence[Event]], None] = lambda _source, _events: None,
    ) -> None:
        self.register = register
        self._archive = Archive(objects, backoff=backoff)
        self._latest = Latest(objects, backoff=backoff)
        self._outlet = outlet
        self._published = published

    def commit(
        self,
        before: Version[SourceState],
        state: SourceState,
        spill: Mapping[str, Known],
        publication: Publication,
    ) -> Version[SourceState]:
        """Commit ``state``, then drain its outbox.

        What leaves ``known`` is written to the ``.seen`` object first: a crash in between leaves it
        in both, which is harmless; the other order would forget it.

        Raises:
            Superseded: another run committed first: either nothing of this state was published, or
                that run has drained it.
            Retryable: committed or not, the next run finishes it.
        """
        if spill:
            self.register.remember(state.source, spill)
        return self.drain(self.register.write(before, state), publication)

    def drain(
        self, version: Version[SourceState], publication: Publication
    ) -> Version[SourceState]:
        """Publish what the outbox holds; the version with an empty outbox.

        Raises:
            Superseded: another run changed the state meanwhile; it drained, or its successor will.
            Unavailable: the queue refused some changes: they stay in the outbox.
            Retryable: the next run repeats the steps.
        """
        state = version.state
        if not (state.outbox or state.republish):
            return version
        if state.outbox:
            self._archive.add(state.source, state.outbox)
        self._latest.write(state, publication)
        announced = [event for event in state.outbox if event.push]
        accepted = self._outlet.send([_message(event, publication) for event in announced])
        left = tuple(event for event in announced if event.event_id not in accepted)
        if len(left) < len(state.outbox) or state.republish:
            version = self.register.write(version, state.replace(outbox=left, republish=False))
            self._published(state.source, [event for event in state.outbox if event not in left])
        if left:
            raise Unavailable(
                f"the notify queue refused {len(left)} of {len(announced)} changes of "
                f"{state.source}; they stay in the outbox"
            )
        return version


def _message(event: Event, publication: Publication) -> ChangePublished:
    return ChangePublished(
        event_id=event.event_id,
        source=publication.source,
        topic=publication.topic,
        kind=event.kind,
        id=event.id,
        revision=event.revision,
        is_pinned=event.is_pinned,
        digest_of=event.digest_of,
        detected_at=event.detected_at,
        content=event.content,
    )
