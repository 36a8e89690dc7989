"""Translates botocore's errors into this library's errors.

| botocore                                             | here               |
|------------------------------------------------------|--------------------|
| 412, or 404 of a write with If-Match                 | PreconditionFailed |
| 409 ConditionalRequestConflict                       | Contended          |
| no such bucket, queue, table, secret; access denied  | Misconfigured      |
| another region, a clock that is off                  | Misconfigured      |
| refused as invalid: too large, against the rules     | InvalidRequest     |
| 5xx, throttling, no answer, anything else            | Unavailable        |
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    ParamValidationError,
)

from uring.errors import (
    Contended,
    InvalidRequest,
    Misconfigured,
    PreconditionFailed,
    Unavailable,
    UringError,
)

_ABSENT: Final = {
    "NoSuchBucket",
    "ResourceNotFoundException",
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
}
_DEPLOY: Final = "deploy the stack, or correct the environment"
_DENIED: Final = {"AccessDenied", "AccessDeniedException", "403"}
_CREDENTIALS: Final = {
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "UnrecognizedClientException",
    "InvalidClientTokenId",
    "ExpiredToken",
    "ExpiredTokenException",
}
_ELSEWHERE: Final = {"AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect"}
_REDIRECTS: Final = {301, 302, 303, 307, 308}
_CLOCK: Final = {"RequestTimeTooSkewed", "RequestExpired"}
_INVALID: Final = {
    "ValidationException",
    "IdempotentParameterMismatchException",
    "IdempotentParameterMismatch",
}
_MOST_WORDS: Final = 300
_CANCELED: Final = "TransactionCanceledException"
# The reasons of a canceled transaction that no other try changes.
_FINAL_REASONS: Final = {"ValidationError", "ItemCollectionSizeLimitExceeded"}
_CHANGE_IT: Final = "the request itself is at fault, such as an item above 400 KB: change it"
# Not a matter of permissions, with any status.
_THROTTLED: Final = {"RequestThrottled", "AWS.SimpleQueueService.RequestThrottled"}


def code(error: ClientError) -> str:
    """Return the service's error code; empty if it has none."""
    return str(error.response.get("Error", {}).get("Code", ""))


def is_invalid(error: ClientError) -> bool:
    """Return whether a service refused a request as invalid: no repetition helps."""
    name = code(error)
    return name in _INVALID or (name == _CANCELED and not _FINAL_REASONS.isdisjoint(reasons(error)))


def reasons(error: ClientError) -> set[str]:
    """Return the codes for which DynamoDB canceled a transaction; empty for any other error."""
    found = error.response.get("CancellationReasons") or ()
    return {str(reason.get("Code")) for reason in found}


@contextmanager
def translated(what: str, absent: str = _DEPLOY) -> Iterator[None]:
    """Translate botocore's errors into this library's, by the module's table.

    An invalid parameter is a bug: its error is not translated.

    Args:
        what: the call and the resource, for the message: ``s3:GetObject config/sitemap.json``.
        absent: the remedy for a missing resource.
    """
    try:
        yield
    except ClientError as error:
        raise _translate(error, what, absent) from error
    except NoRegionError as error:
        raise Misconfigured(f"{what}: no region; give --region, or set AWS_REGION") from error
    except NoCredentialsError as error:
        raise Misconfigured(f"{what}: {error}; run with a role or with AWS_* variables") from error
    except ParamValidationError:
        raise
    except BotoCoreError as error:
        raise Unavailable(f"{what}: {error}") from error


def _translate(error: ClientError, what: str, absent: str) -> UringError:
    name = code(error)
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if name == "PreconditionFailed" or status == 412:  # noqa: PLR2004
        return PreconditionFailed(what)
    if name == "ConditionalRequestConflict" or status == 409:  # noqa: PLR2004
        return Contended(what)
    if is_invalid(error):
        words = str(error.response.get("Error", {}).get("Message", ""))[:_MOST_WORDS]
        return InvalidRequest(f"{what}: {name}: {words}; {_CHANGE_IT}")
    if name in _THROTTLED:
        return Unavailable(f"{what}: {name}")
    remedy = absent if name in _ABSENT else _remedy(error, name, status)
    return (
        Misconfigured(f"{what}: {name}; {remedy}")
        if remedy
        else Unavailable(f"{what}: {name or status}")
    )


def _remedy(error: ClientError, name: str, status: int) -> str | None:
    """Return the remedy for an operator; None for an error that is not theirs to mend."""
    if name in _ELSEWHERE or status in _REDIRECTS:
        region = error.response.get("Error", {}).get("Region") or "another region"
        return f"it is in {region}: correct AWS_REGION or the name"
    if name in _CLOCK:
        return "the clock of this machine is wrong: set it by a time server"
    if name in _CREDENTIALS:
        return "renew the AWS credentials"
    if name in _DENIED or status == 403:  # noqa: PLR2004
        return "the calling role or user lacks this permission"
    return None
