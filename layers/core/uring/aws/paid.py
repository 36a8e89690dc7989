"""Calls that are charged: whether one may have been done decides its error."""

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
"""By the service's error code: our error of the call's name and of what was answered."""

# The request did not leave.
_UNSENT: Final = (ConnectTimeoutError, EndpointConnectionError, NoCredentialsError, NoRegionError)
# botocore's parsers break so over a body that is JSON and no answer.
_UNREADABLE: Final = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
_LONGEST_MESSAGE: Final = 300


@contextmanager
def paid_call(what: str, refusals: Refusals) -> Iterator[None]:
    """Raise this library's error for what goes wrong in a call; see `uring.language`.

    Args:
        what: the call, for the message: ``translate:TranslateText``.
        refusals: errors that say something about the request.
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
    """Return the error of an answer that is none."""
    return Unanswered(f"{what}: the answer cannot be read; the next try asks again")


def refused(what: str, answer: Mapping[str, Any]) -> RequestRefused:
    """Return the error of a request that breaks the service's rules."""
    return RequestRefused(f"{what}: {message(answer)}")


def message(answer: Mapping[str, Any]) -> str:
    """Return the beginning of a service's own words."""
    return str(answer.get("Error", {}).get("Message", ""))[:_LONGEST_MESSAGE]
