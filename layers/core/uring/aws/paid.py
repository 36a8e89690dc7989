"""Calls that are charged: the error depends on whether the service may have done the call."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    NoRegionError,
    ParamValidationError,
)

from uring.aws.errors import code, translated
from uring.errors import UringError
from uring.language import RequestRefused, Unanswered

Refusals: TypeAlias = Mapping[str, Callable[[str, Mapping[str, Any]], UringError]]
"""By the service's error code: makes uRing's error from the call's name and the answer."""

# The request was not sent.
_UNSENT: Final = (ConnectTimeoutError, EndpointConnectionError, NoCredentialsError, NoRegionError)
# botocore's parsers raise these for JSON that is not an answer.
_UNREADABLE: Final = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
_LONGEST_MESSAGE: Final = 300


@contextmanager
def paid_call(what: str, refusals: Refusals) -> Iterator[None]:
    """Translate the errors of a paid call into this library's; see `uring.language`.

    Args:
        what: the call, for the message: ``translate:TranslateText``.
        refusals: the service's errors about the request itself.
    """
    with translated(what):
        try:
            yield
        except ClientError as error:
            refusal = refusals.get(code(error))
            if refusal is None:
                raise
            raise refusal(what, error.response) from error
        except ParamValidationError as error:
            raise RequestRefused(f"{what}: {error}") from error
        except _UNSENT:
            raise
        except BotoCoreError as error:
            raise Unanswered(f"{what}: {error}") from error
        except _UNREADABLE as error:
            raise unreadable(what) from error


def unreadable(what: str) -> Unanswered:
    """Return the error for a malformed answer."""
    return Unanswered(f"{what}: malformed answer; the next try sends the request again")


def refused(what: str, answer: Mapping[str, Any]) -> RequestRefused:
    """Return the error for a request that breaks the service's rules."""
    return RequestRefused(f"{what}: {message(answer)}")


def message(answer: Mapping[str, Any]) -> str:
    """Return up to 300 characters of the service's error message; empty if it has none."""
    return str(answer.get("Error", {}).get("Message", ""))[:_LONGEST_MESSAGE]
