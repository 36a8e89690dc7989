"""The body of ``messages:send``: the part of FCM HTTP v1 that this product sends.

Sources: the FCM v1 REST reference (Message, AndroidConfig, ApnsConfig, WebpushConfig, ErrorCode),
Apple's rule that a background notification has priority 5, and that the push type says whether the
payload shows something.
"""

from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from uring_local.fcm.rules import invalid

MAX_BYTES: Final = 2_048
_LONGEST_TTL_SECONDS: Final = 28 * 24 * 3_600
_SHOWN: Final = ("alert", "badge", "sound")


def _unreserved(key: str) -> str:
    if key in {"from", "message_type"} or key.startswith(("google", "gcm")):
        raise ValueError("this key is reserved")
    return key


def _at_most_four_weeks(ttl: str) -> str:
    if float(ttl.removesuffix("s")) > _LONGEST_TTL_SECONDS:
        raise ValueError("at most four weeks")
    return ttl


def _lower_case(headers: Any) -> Any:
    if not isinstance(headers, dict):
        return headers
    return {name.lower(): value for name, value in headers.items()}


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Headers(_Part):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, str]


class _ApnsHeaders(_Headers):
    # FCM's own default is 10.
    priority: Literal["1", "5", "10"] = Field("10", alias="apns-priority")
    push_type: str = Field("", alias="apns-push-type")
    expiration: Annotated[str, Field(pattern=r"^[0-9]{1,12}$")] = Field(
        "0", alias="apns-expiration"
    )


class _WebpushHeaders(_Headers):
    ttl: Annotated[str, Field(pattern=r"^[0-9]{1,9}$"), AfterValidator(_at_most_four_weeks)] = "0"
    urgency: Literal["very-low", "low", "normal", "high"] = "normal"


class _ApnsPayload(_Part):
    model_config = ConfigDict(extra="allow")

    aps: dict[str, Any] = {}


class _Android(_Part):
    priority: Literal["normal", "high", "NORMAL", "HIGH"] = "normal"
    ttl: Annotated[
        str,
        Field(pattern=r"^[0-9]{1,10}(\.[0-9]{1,9})?s$"),
        AfterValidator(_at_most_four_weeks),
    ] = "0s"


class _Apns(_Part):
    headers: Annotated[_ApnsHeaders, BeforeValidator(_lower_case)] = _ApnsHeaders()
    payload: _ApnsPayload = _ApnsPayload()

    @model_validator(mode="after")
    def _headers_fit_the_payload(self) -> Self:
        aps, push_type = self.payload.aps, self.headers.push_type
        shows = any(name in aps for name in _SHOWN)
        if aps.get("content-available") == 1 and not shows:
            if self.headers.priority != "5":
                raise ValueError("apns-priority must be 5 for background messages")
            if push_type not in ("", "background"):
                raise ValueError("apns-push-type must be background")
        if shows and push_type == "background":
            raise ValueError("apns-push-type must be alert where the payload shows something")
        if push_type == "alert" and not shows:
            raise ValueError("apns-push-type alert needs an alert, a badge or a sound")
        if aps.get("mutable-content") == 1 and "alert" not in aps:
            raise ValueError("mutable-content needs an alert")
        return self


class _Webpush(_Part):
    headers: Annotated[_WebpushHeaders, BeforeValidator(_lower_case)] = _WebpushHeaders()


class FcmMessage(_Part):
    """A data message to a topic, with the settings of each platform."""

    topic: str = Field(pattern=r"^[a-zA-Z0-9\-_.~%]+$")
    data: dict[Annotated[str, AfterValidator(_unreserved)], str] = {}
    android: _Android = _Android()
    apns: _Apns = _Apns()
    webpush: _Webpush = _Webpush()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        size = sum(len((key + value).encode()) for key, value in self.data.items())
        if size > MAX_BYTES:
            raise ValueError(f"is too big, {size} bytes of at most {MAX_BYTES}")
        return self


class _Send(_Part):
    message: FcmMessage
    validate_only: bool = False


def read_send(body: bytes) -> tuple[FcmMessage, bool]:
    """Parse the body: return the message, and True if it is only to be validated.

    Raises:
        Refused: 400, naming the field.
    """
    try:
        send = _Send.model_validate_json(body)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, problem["loc"])) or "the body"
        raise invalid(f"{field}: {problem['msg'].removeprefix('Value error, ')}") from None
    return send.message, send.validate_only
