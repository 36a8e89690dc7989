"""What `uring top` asks AWS: the reads of a refresh, and the commands of a source.

A refresh reads the index and its shards, the depths of the queues, and the health of the sources on
the screen. An object that has not changed is not sent again: S3 answers 304.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import ClientError
from rich.console import Group
from rich.text import Text

from uring.aws.errors import code, translated
from uring.clock import Clock, system_clock
from uring.errors import UringError
from uring.objects import Stored
from uring.weather.registration import NAME as WEATHER
from uring_local.doctor.subject import Subject
from uring_local.look.again import check_again
from uring_local.look.beats import beats_in
from uring_local.look.changes import newest_changes, report
from uring_local.look.index import IndexedSource, read_index
from uring_local.operate.bucket import open_bucket
from uring_local.oversee import pause
from uring_local.oversee.refused import facts, kept, rows
from uring_local.queues.pairs import QUEUE, pairs_at
from uring_local.top.model import Action, Name, StackSnapshot, TextPage, ViewState, name_of

if TYPE_CHECKING:
    from uring.changes.history.beats import Beat

ViewChange = Callable[[ViewState], ViewState]
"""What an answer of AWS does to the view."""

_ABSENT: Final = ("NoSuchKey", "404")
_UNCHANGED: Final = ("NotModified", "304")


class KeptReads:
    """Implements `uring.objects.Reads`: an unchanged object is not sent again.

    Args:
        client: of S3.
        bucket: its name.
    """

    def __init__(self, client: Any, bucket: str) -> None:
        self._client = client
        self._bucket = bucket
        self._kept: dict[str, Stored] = {}

    def get(self, key: str) -> Stored | None:
        """See `Reads.get`."""
        kept = self._kept.get(key)
        condition = {"IfNoneMatch": kept.etag} if kept else {}
        with translated(f"s3:GetObject {self._bucket}/{key}"):
            try:
                answer = self._client.get_object(Bucket=self._bucket, Key=key, **condition)
                stored = Stored(answer["Body"].read(), answer["ETag"])
            except ClientError as error:
                if kept and code(error) in _UNCHANGED:
                    return kept
                if code(error) not in _ABSENT:
                    raise
                self._kept.pop(key, None)
                return None
        self._kept[key] = stored
        return stored


class Reader:
    """Reads what the view shows of a stack.

    Args:
        stack: its name.
        clock: returns the current time.

    Raises:
        Misconfigured: no such stack, or access is denied.
        Unavailable: AWS did not answer.
    """

    def __init__(self, stack: str, clock: Clock = system_clock) -> None:
        subject = Subject(stack)
        self._objects = KeptReads(subject.client("s3"), subject.output("BucketName"))
        self._sqs = subject.client("sqs")
        self._urls = subject.physical(QUEUE)
        self._clock = clock
        self._beats: dict[Name, Sequence[Beat]] = {}

    def read(self) -> StackSnapshot:
        """Return the sources and the queues, with the beats that were read before.

        Raises:
            Misconfigured: there is no index, or it is not JSON.
            Unavailable: AWS did not answer.
        """
        index = read_index(self._objects)
        return StackSnapshot(
            self._clock(), index, pairs_at(self._sqs, self._urls), dict(self._beats)
        )

    def refresh(self, sources: Sequence[IndexedSource]) -> Iterator[ViewChange]:
        """Yield what a refresh does to a view of these sources: the list first, then the beats."""
        try:
            seen = self.read()
        except UringError as error:
            yield _failure(error)
            return
        yield lambda state: state.refreshed(seen)
        yield from self.fill(sources)

    def fill(self, sources: Sequence[IndexedSource]) -> Iterator[ViewChange]:
        """Yield what the beats of these sources do to a view."""
        try:
            for source in sources:
                path = source.entry.get("health")
                stored = self._objects.get(f"data/{path}") if isinstance(path, str) else None
                self._beats[name_of(source)] = beats_in(stored.body) if stored else ()
        except UringError as error:
            yield _failure(error)
            return
        beats = dict(self._beats)
        yield lambda state: state.beating(beats)


def _failure(error: UringError) -> ViewChange:
    why = str(error)
    return lambda state: state.failed(why)


def act(action: Action, source: IndexedSource, stack: str) -> Iterator[ViewChange]:
    """Yield what a command of a source does to the view: its answer, or its error."""
    try:
        yield _answer(action, source, stack)
    except UringError as error:
        why = str(error)
        yield lambda state: state.answered(why, is_bad=True)


def _answer(action: Action, source: IndexedSource, stack: str) -> ViewChange:
    family = source.family or None
    match action.kind:
        case "check":
            said = check_again(source.id, stack)
        case "pause":
            done = pause.pause(source.id, action.until, stack=stack, family=family)
            until = str(done["paused_until"])
            said = f"{source.id} is paused until {until}: {done['then']}"
            return lambda state: state.answered(said).paused(source, until)
        case "resume":
            done = pause.resume(source.id, stack=stack, family=family)
            said = f"{source.id}: {done['then']}"
            return lambda state: state.answered(said).paused(source, None)
        case _:
            page = _difference(source, stack, family)
            return lambda state: state.opened(page)
    return lambda state: state.answered(said)


def _difference(source: IndexedSource, stack: str, family: str | None) -> TextPage:
    """Return the page that was refused of a suspect source, else the newest changes."""
    if source.entry.get("status") == "suspect":
        found = kept(source.id, stack=stack, family=family)
        if found is not None:
            body = Group(*facts(found), Text(), rows(found))
            return TextPage(f"{source.id}: the page that was refused", body)
    if family == WEATHER:
        raise NoChanges(f"{source.id}: reports of the weather have no list of changes")
    now = system_clock()
    changes = newest_changes(open_bucket(stack), source.id, now)
    return TextPage(f"{source.id}: the newest changes", report(changes, now))


class NoChanges(UringError):
    """A source whose changes are not kept."""
