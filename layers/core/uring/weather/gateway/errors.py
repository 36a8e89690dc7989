"""The error of a gateway, in any of its formats."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from uring.errors import FetchFailed, SourceTrouble
from uring.fetch.url import one_line

GatewayReason = Literal[
    "no_data", "unavailable", "network", "request", "key", "quota", "no_envelope", "limit"
]


class GatewayError(SourceTrouble):
    """The gateway returned neither a report nor a list.

    Args:
        code: the gateway's code (``03``, ``22``, ``403``), or a word of this module without one:
            the fetcher's reason, or ``empty``, ``html``, ``text``, ``malformed``, ``null``.
        reason: stable, for logs and metrics:

            - ``no_data``: the gateway has no report; for warnings: none is in force
            - ``unavailable``: the service has a fault
            - ``network``: it was unreachable, or its response was not valid HTTP
            - ``request``: it does not know the request
            - ``key``: it refuses the key, or the key for this operation
            - ``quota``: too many requests, or bytes, today; retryable: too many at a time
            - ``no_envelope``: HTML, plain text or an empty body: the meaning is unknown
            - ``limit``: larger or deeper than any response
        detail: a sentence: the observation and the likely remedy.
        retryable: whether the same request may succeed within this run.
        retry_after: the seconds of Retry-After, or None.
        asked: False when no request was sent, because an earlier response had closed the gateway.
    """

    def __init__(
        self,
        code: str,
        reason: GatewayReason,
        detail: str,
        *,
        retryable: bool = False,
        retry_after: float | None = None,
        asked: bool = True,
    ) -> None:
        super().__init__(
            reason, detail, retry_after=retry_after, is_structural=reason in ("request", "limit")
        )
        self._kind: GatewayReason = reason
        self.code = code
        self.retryable = retryable
        self.asked = asked

    @property
    def no_data(self) -> bool:
        """True when the gateway has no data, which for warnings is a valid response."""
        return self.reason == "no_data"

    def redacted(self, redact: Callable[[str], str]) -> "GatewayError":
        """Return this error with its code and detail redacted."""
        return GatewayError(
            redact(self.code),
            self._kind,
            redact(self.detail),
            retryable=self.retryable,
            retry_after=self.retry_after,
            asked=self.asked,
        )

    def not_asked(self) -> "GatewayError":
        """Return the error of later requests in the run, once this one has closed the gateway."""
        detail = f"not asked, for an earlier answer of this run was {self.detail}"
        return GatewayError(self.code, self._kind, detail, asked=False)

    @property
    def closes(self) -> bool:
        """True when every further request of this run would be refused too."""
        return self.reason in {"key", "quota"}


@dataclass(frozen=True, slots=True)
class _Meaning:
    name: str
    reason: GatewayReason
    remedy: str
    retryable: bool = False


# The codes that both gateways share, with their names in messages.
_MEANINGS: Final = {
    "01": _Meaning("APPLICATION", "unavailable", "it passes; parallel requests provoke it", True),
    "02": _Meaning("DB", "unavailable", "the service's data base does not answer", True),
    "03": _Meaning("NO_DATA", "no_data", "no report for this airport; for warnings: none in force"),
    "04": _Meaning("HTTP", "unavailable", "the service behind the gateway fails", True),
    "05": _Meaning("SERVICE_TIME_OUT", "unavailable", "the service is too slow", True),
    "10": _Meaning("INVALID_REQUEST_PARAMETER", "request", "correct the parameters"),
    "11": _Meaning("NO_MANDATORY_REQUEST_PARAMETERS", "request", "a parameter is missing"),
    "12": _Meaning("NO_OPENAPI_SERVICE", "request", "correct base URL and operation"),
    "20": _Meaning("SERVICE_ACCESS_DENIED", "key", "apply for this operation on its page"),
    "21": _Meaning("TEMPORARILY_DISABLE_THE_SERVICEKEY", "key", "the key is disabled for now"),
    "22": _Meaning(
        "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS", "quota", "wait for midnight in Seoul"
    ),
    "30": _Meaning("SERVICE_KEY_IS_NOT_REGISTERED", "key", "is it the other gateway's key?"),
    "31": _Meaning("DEADLINE_HAS_EXPIRED", "key", "the key has expired: extend it"),
    "32": _Meaning("UNREGISTERED_IP", "key", "register the address that requests come from"),
    "33": _Meaning("UNSIGNED_CALL", "key", "the request has to be signed"),
    "99": _Meaning("UNKNOWN", "unavailable", "the gateway gives no reason", True),
}
_CODE_OF: Final = {meaning.name: code for code, meaning in _MEANINGS.items()}
_QUOTA: Final = re.compile(r"한도|quota|exceed", re.IGNORECASE)
# Limits of a second or a minute; those of a day say so.
_PACE: Final = re.compile(
    r"rate.?limit|too many|throttl|spike.?arrest|per.?(?:second|minute)|초당|분당", re.IGNORECASE
)
_OF_DAY: Final = re.compile(r"한도|하루|일일|\bdai?ly\b|\bday\b|quota", re.IGNORECASE)
_KEY: Final = re.compile(
    r"인증키|활용신청|허용되지|unauthorized|forbidden|service_?key|access.denied", re.IGNORECASE
)
# The fetcher reads the body of a 200 only: of other responses there is just the status.
_STATUS: Final = re.compile(r"HTTP (\d{3}) from ", re.ASCII)
_NEVER: Final = frozenset(
    ("bad_request", "bad_address", "refused_address", "too_many_redirects", "not_found", "rejected")
)
_LONGEST_CODE: Final = 20
_SERVER_ERROR: Final = 500


def normal_code(code: str) -> str:
    """Return a numeric code in two digits (``0``, ``00`` and ``0000`` are one), others trimmed."""
    code = code.strip()
    number = code.isascii() and code.isdigit() and len(code) <= _LONGEST_CODE
    return f"{int(code):02d}" if number else code[:_LONGEST_CODE]


def error_of_code(code: str, message: str) -> GatewayError:
    """Return the error for a code of the services; an unknown code counts by its message."""
    known = _MEANINGS.get(normal_code(code)) or _MEANINGS.get(_CODE_OF.get(_name(message), ""))
    said = one_line(f"code {code.strip() or '(none)'}: {message.strip() or 'no message'}")
    if known is None:
        return _by_words(normal_code(code) or "none", said, message, otherwise="unavailable")
    return GatewayError(
        normal_code(code) or _CODE_OF[known.name],
        known.reason,
        f"{said} ({known.remedy})",
        retryable=known.retryable,
    )


def error_of_status(status: int, message: str, *, retry_after: float | None = None) -> GatewayError:
    """Return the error for an HTTP status, of the response itself or in its body."""
    said = one_line(message.strip() or f"status {status}")
    code = str(status)
    if status == 429:  # noqa: PLR2004
        return GatewayError(code, "quota", said, retryable=True, retry_after=retry_after)
    if status == 401:  # noqa: PLR2004
        return GatewayError(code, "key", f"{said} (check the key and the key's name)")
    if _is_pace(message):
        return GatewayError(code, "quota", said, retryable=True, retry_after=retry_after)
    if status == 403:  # noqa: PLR2004
        remedy = "the operation is not applied for, or the day's quota is used up"
        reason: GatewayReason = "quota" if _QUOTA.search(message) else "key"
        return GatewayError(code, reason, f"{said} ({remedy})")
    if status >= _SERVER_ERROR:
        return GatewayError(code, "unavailable", said, retryable=True, retry_after=retry_after)
    return GatewayError(code, "request", f"{said} (check base URL, path and parameters)")


def error_of_fetch(error: FetchFailed) -> GatewayError:
    """Return the error for a failed request."""
    if status := _STATUS.match(error.detail):
        return error_of_status(int(status[1]), error.detail, retry_after=error.retry_after)
    said = f"{error.reason}: {error.detail}"
    if error.reason == "too_big":
        return GatewayError(error.reason, "limit", said)
    if error.reason in _NEVER:
        return GatewayError(error.reason, "request", f"{said} (check the base URL)")
    return GatewayError(
        error.reason, "network", said, retryable=True, retry_after=error.retry_after
    )


def error_of_text(text: str) -> GatewayError:
    """Return the error for a plain-text body."""
    return _by_words(
        "text", one_line(f"plain text {text[:200]!r}"), text[:2000], otherwise="no_envelope"
    )


def _by_words(code: str, said: str, message: str, *, otherwise: GatewayReason) -> GatewayError:
    if _is_pace(message):
        return GatewayError(code, "quota", said, retryable=True)
    if _QUOTA.search(message):
        return GatewayError(code, "quota", said)
    if _KEY.search(message):
        return GatewayError(code, "key", said)
    return GatewayError(code, otherwise, said, retryable=True)


def _is_pace(message: str) -> bool:
    """Return True if requests came too fast: a short pause is enough."""
    return bool(_PACE.search(message)) and not _OF_DAY.search(message)


def _name(message: str) -> str:
    """Return ``SERVICE_ACCESS_DENIED`` for ``SERVICE ACCESS DENIED ERROR.``."""
    name = "_".join(re.findall(r"[A-Z0-9]+", message.upper()[:100]))
    return name.removesuffix("_ERROR")
