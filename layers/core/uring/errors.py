"""The errors that cross packages. A few more derive from these, next to their only callers.

UringError
├── Retryable          the same input may succeed later: the queue delivers it again
│   ├── Unavailable        a service did not answer, or refused for now
│   ├── Contended          S3 answered 409: another write was under way
│   ├── WriteConflict      the compare-and-swap was lost too often in one run
│   ├── NewerRelease       a newer release wrote the object or message; nothing is touched
│   └── Misconfigured      a resource or permission is missing; the input waits for the operator
├── Permanent          the same input can never succeed: a person has to act
│   ├── MalformedMessage   a queue message breaks its contract
│   ├── CorruptState       a stored object does not have its schema
│   ├── InvalidRequest     a service refused a request as invalid: too large, or against its rules
│   └── ConfigInvalid      a configuration file is unreadable as a whole
├── SourceTrouble      the site's fault: recorded as the source's health, never a failed job
│   ├── FetchFailed        no usable answer
│   └── SuspectPage        an answer that must not be trusted
└── PreconditionFailed a conditional write was refused; the caller reads again and decides
"""


class UringError(Exception):
    """Base of all errors raised by this library."""


class Retryable(UringError):
    """The same input may succeed later; a queue record that raises it is delivered again."""


class Unavailable(Retryable):
    """A service was unreachable, throttled or answered 5xx. A write may have taken effect."""


class Contended(Retryable):
    """S3 answered 409 ConditionalRequestConflict: nothing was written, try the write again."""


class WriteConflict(Retryable):
    """A compare-and-swap was lost more often than one run may try."""


class NewerRelease(Retryable):
    """A state or a message of a newer release: it waits until that release is deployed again.

    The pauses between tries grow, so that a record uses up its queue's whole retention.
    """


class Misconfigured(Retryable):
    """The deployment lacks a bucket, queue, table, key or permission; the message names it.

    The input is not at fault, so it stays on its queue until an operator corrects the deployment,
    or the queue gives up and the dead-letter queue raises its alarm.
    """


class Permanent(UringError):
    """The same input can never succeed; the message says what a person has to change."""


class MalformedMessage(Permanent):
    """A queue message that breaks its contract. The message names the field."""


class CorruptState(Permanent):
    """A stored object that breaks its schema. It is never overwritten by a guess."""


class InvalidRequest(Permanent):
    """A request that a service refused as invalid; nothing was done, no repetition helps.

    The usual one is an item above 400 KB.
    """


class ConfigInvalid(Permanent):
    """A configuration file as a whole is unreadable: not JSON, or without its list of entries."""


class SourceTrouble(UringError):
    """The site misbehaved. It becomes the source's health and never fails the job.

    Args:
        reason: one word, stable, for metrics and health (``timeout``, ``http_status``, …).
        detail: a sentence for people: the observation and the likely remedy.
        retry_after: seconds that the site asks us to wait, or None.
        is_structural: whether a person has to look at the source. Set it for a family's own
            reasons; the engine knows those of `uring.fetch` and `uring.reading`.
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
    """No usable answer: refused address, DNS, TLS, timeout, size, status, protocol.

    Args:
        status: the HTTP status that caused the failure; 0 for any other cause.

    Attributes:
        url: the URL that failed, after redirects; empty if no request was sent.
        hops: the URLs that redirected to it, in order.
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
    """An answer that must not be trusted: no rows, every row bad, unreadable text."""


class PreconditionFailed(UringError):
    """A conditional write was refused: the object has changed since the caller read it.

    The change may be the caller's own earlier write, whose answer was lost.
    """
