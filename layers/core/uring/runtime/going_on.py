"""Functions that continue in another invocation when their time is over.

Such a function sends itself ``{"continue": …}``, with a model of the remaining work.
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
        """Invoke the function with an event.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such function, or no permission.
        """
        ...


def going_on(rest: BaseModel) -> dict[str, Any]:
    """Return the event that continues with the remaining work.

    Keys without a value are left out: a release that does not know them may refuse them.
    """
    return {_KEY: rest.model_dump(mode="json", exclude_none=True)}


def continued(event: Mapping[str, Any], rest: type[M]) -> M | None:
    """Return the remaining work in an event; None for an event of another trigger.

    Raises:
        MalformedMessage: the event does not have the form that this function sends.
    """
    if _KEY not in event:
        return None
    try:
        return rest.model_validate(event[_KEY])
    except ValidationError as error:
        fields = ", ".join(".".join(map(str, problem["loc"])) or _KEY for problem in error.errors())
        raise MalformedMessage(
            f"{_KEY}: {fields}: not in the form that this function sends; send a schedule's event"
        ) from error
