"""Functions that go on in an invocation of their own where their time is over.

What such a function sends itself is ``{"continue": …}``, with a model of its own.
"""

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from uring.errors import MalformedMessage

M = TypeVar("M", bound=BaseModel)

_KEY: Final = "continue"


class Continues(Protocol):
    """Invokes this function again, without waiting."""

    def __call__(self, event: Mapping[str, Any], /) -> None:
        """Hand an event over.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such function, or no permission.
        """
        ...


def going_on(rest: BaseModel) -> dict[str, Any]:
    """Return the event that goes on with what is left."""
    return {_KEY: rest.model_dump(mode="json")}


def continued(event: Mapping[str, Any], rest: type[M]) -> M | None:
    """Return what an event goes on with; None for an event of another trigger.

    Raises:
        MalformedMessage: it is not as this function sends it.
    """
    if _KEY not in event:
        return None
    try:
        return rest.model_validate(event[_KEY])
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, problem["loc"])) or _KEY for problem in error.errors())
        raise MalformedMessage(
            f"{_KEY}: {fields}: not as this function sends it; send a schedule's event"
        ) from error
