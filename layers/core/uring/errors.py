"""The errors that cross a package; a few more, beside their only callers, derive from these.

UringError
├── Retryable          the same input may succeed later: the queue delivers it again
│   ├── Unavailable        a service did not answer, or refused for now
│   ├── Contended          S3 answered 409: another write was under way
│   ├── WriteConflict      the compare-and-swap was lost too often in one run
│   ├── NewerRelease       a newer release wrote what was read; nothing is touched
│   └── Misconfigured      a resource or permission is missing; the input waits for the operator
├── Permanent          the same input can never succeed: a person has to act
│   ├── MalformedMessage   a queue message breaks its contract
│   ├── CorruptState       a stored object does not have its schema
│   └── ConfigInvalid      the sitemap cannot be read at all
├── SourceTrouble      the site's doing: recorded as the source's health, never a failed job
│   ├── FetchFailed        no usable answer
│   └── SuspectPage        an answer that must not be believed
└── PreconditionFailed a conditional write was refused; the caller reads again and decides
"""


class UringError(Exception):
    """Base of all errors raised by this library."""


class Retryable(UringError):
    """The same input may succeed later; a queue record that raises it is delivered again."""


class Unavailable(Retryable):
    """A service was unreachable, throttled or answered 5xx. Whether a write took effect is open."""


class Contended(Retryable):
    """S3 answered 409 ConditionalRequestConflict: nothing was written, try the write again."""


class WriteConflict(Retryable):
    """A compare-and-swap was lost more often than one run may try."""


class NewerRelease(Retryable):
    """A state or a message of a newer release: it waits until that release is deployed again.

    It is tried more and more seldom, so that a queue keeps it as long as it keeps anything.
    """


class Misconfigured(Retryable):
    """The deployment lacks a bucket, queue, table, key or permission; the message names it.

    The input is not at fault, so it stays on its queue until an operator mends the deployment, or
    the queue gives up and the dead-letter queue's alarm rings.
    """


class Permanent(UringError):
    """The same input can never succeed; the message says what a person has to change."""


class MalformedMessage(Permanent):
    """A queue message that breaks its contract. The message names the field."""


class CorruptState(Permanent):
    """A stored object that does not have its schema. It is never overwritten by a guess."""


class ConfigInvalid(Permanent):
    """The sitemap as a whole is unreadable: not JSON, or not an object with ``sources``."""


class SourceTrouble(UringError):
    """The site misbehaved. It becomes the source's health and never fails the job.

    Args:
        reason: one word, stable, for metrics and health (``timeout``, ``http_status``, …).
        detail: a sentence for people: what was seen and the likely remedy.
        retry_after: seconds that the site asks us to wait, or None.
        is_structural: whether a person has to look at the source, where the reason is a family's
            own word; of the words of `uring.fetch` and `uring.reading` the engine knows it.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        retry_after: float | None = None,
        is_structural: bool = False,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.retry_after = retry_after
        self.is_structural = is_structural


class FetchFailed(SourceTrouble):
    """No usable answer: refused address, DNS, TLS, time-out, size, status, protocol.

    Args:
        status: the HTTP status that was no answer; 0 where none came, or it was not at fault.

    Attributes:
        url: the URL that failed, after redirects; empty where none was asked.
        hops: the URLs that redirected before it, in their order.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        retry_after: float | None = None,
        is_structural: bool = False,
        status: int = 0,
    ) -> None:
        super().__init__(reason, detail, retry_after=retry_after, is_structural=is_structural)
        self.status = status
        self.url = ""
        self.hops: tuple[str, ...] = ()


class SuspectPage(SourceTrouble):
    """An answer that must not be believed: no rows, every row bad, unreadable text."""


class PreconditionFailed(UringError):
    """A conditional write was refused: the object is not what the caller had read.

    It may also be the caller's own earlier write, whose answer was lost.
    """
