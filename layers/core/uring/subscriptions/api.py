"""The operation of the API, and its OpenAPI document."""

from typing import Annotated, Any, Final, assert_never

from uring.push.ports import BLOCKED, QUOTA, RetryLater
from uring.runtime.document import GatewayRefusal, ProblemDetails
from uring.runtime.http import Answer, Problem
from uring.runtime.openapi import Body, DescribedApi
from uring.runtime.routes import Route, RouteResponse
from uring.runtime.telemetry import Telemetry
from uring.subscriptions.ports import Done, IdRefused, TopicRefused, TopicResult, UnknownDevice
from uring.subscriptions.published import PublishedTopics
from uring.subscriptions.subscriber import Subscriber, SubscriptionChange

VERSION: Final = "1.0.0"
ROUTE: Final = "/api/subscriptions"
MOST_BYTES: Final = 4 * 1024
_TITLE: Final = "uRing subscriptions"
_DESCRIPTION: Final = """\
Topics of a browser, which cannot subscribe by itself.

For pages of the same site; pages of other sites cannot call it. Every error is a problem (RFC 9457)
with its remedy.
"""
_RETRY_SECONDS: Final = 5
_UNPUBLISHED: Final = "is not a topic of data/index.json"
_TOPIC_REFUSED: Final = "FCM refuses this topic; leave it out and send the others"
_REFUSALS: Final = {
    "foreign": "belongs to another Firebase project; register with this site's config.json",
    "invalid": "FCM does not accept it as an id; register again",
}


class SubscriptionRoute:
    """The operation of the API; safe to share between threads."""

    def __init__(
        self, published: PublishedTopics, subscriber: Subscriber, telemetry: Telemetry
    ) -> None:
        self._published = published
        self._subscriber = subscriber
        self._telemetry = telemetry

    def route(self) -> Route:
        """Return the route and its responses."""
        wait = {"Retry-After": "seconds to wait"}
        replies = {
            204: RouteResponse("the subscriptions are as requested"),
            404: RouteResponse(
                "FCM does not know the id: register again, then repeat the request", ProblemDetails
            ),
            429: RouteResponse(
                "too many requests; API Gateway's own 429 has no Retry-After",
                ProblemDetails,
                wait,
                GatewayRefusal,
            ),
        }
        return Route("POST", ROUTE, self.change_subscriptions, replies)

    def change_subscriptions(self, change: Annotated[SubscriptionChange, Body()]) -> Answer:
        """Subscribe a device to topics, and unsubscribe it from others.

        A repeat changes nothing, so a failed request is sent again as a whole.
        """
        published = self._published.topics()
        unknown = {
            f"body.subscribe.{number}": _UNPUBLISHED
            for number, topic in enumerate(change.subscribe)
            if topic not in published
        }
        if unknown:
            raise _invalid(unknown)
        result = self._subscriber.apply(change, published)
        self._raise_failure(result, change)
        topics = len(change.subscribe) + len(change.unsubscribe)
        self._telemetry.count("SubscriptionsChanged", topics)
        return Answer(204, headers={"Cache-Control": "no-store"})

    def _raise_failure(self, result: TopicResult, change: SubscriptionChange) -> None:
        match result:
            case Done():
                return
            case UnknownDevice():
                self._telemetry.count("DevicesUnknown")
                raise Problem(404, "Not Found", "FCM does not know this id: register again")
            case IdRefused():
                raise _invalid({"body.id": _REFUSALS[result.cause]})
            case TopicRefused():
                self._telemetry.warning("topics_refused", cause="invalid", reason=result.reason)
                raise _invalid(_fields_of(result.topic, change))
            case RetryLater():
                raise self._later(result)
            case _:
                assert_never(result)

    def _later(self, result: RetryLater) -> Problem:
        tell = self._telemetry.problem if result.cause in BLOCKED else self._telemetry.warning
        tell("topics_refused", cause=result.cause, reason=result.reason)
        wait = {"Retry-After": str(result.after_seconds or _RETRY_SECONDS)}
        if result.cause in QUOTA:
            detail = "FCM's quota is used up: wait for the seconds of Retry-After"
            return Problem(429, "Too Many Requests", detail, headers=wait)
        detail = "a part may be done: send the whole request again after Retry-After"
        return Problem(503, "Unavailable", detail, headers=wait)


def _fields_of(topic: str, change: SubscriptionChange) -> dict[str, str]:
    """Return the fields of a request that name a refused topic, each with the problem."""
    lists = {"subscribe": change.subscribe, "unsubscribe": change.unsubscribe}
    return {
        f"body.{name}.{number}": _TOPIC_REFUSED
        for name, topics in lists.items()
        for number, each in enumerate(topics)
        if each == topic
    }


def _invalid(fields: dict[str, str]) -> Problem:
    detail = "correct these fields and send it again"
    return Problem(422, "Unprocessable Content", detail, dict([*fields.items()][:10]))


def subscription_api(
    published: PublishedTopics, subscriber: Subscriber, telemetry: Telemetry
) -> DescribedApi:
    """Return the HTTP API of subscriptions."""
    return DescribedApi(
        [SubscriptionRoute(published, subscriber, telemetry).route()],
        telemetry,
        title=_TITLE,
        version=VERSION,
        description=_DESCRIPTION,
        most_bytes=MOST_BYTES,
        is_signed=False,
    )


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document without a running API."""
    # Only the route describes it, and the route is not called.
    nothing: Any = None
    return subscription_api(nothing, nothing, nothing).document()
