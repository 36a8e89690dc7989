"""A device's request."""

from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

MOST_TOPICS: Final = 50
"""The most topics of a request, both lists together."""

DeviceId = Annotated[
    str,
    Field(
        pattern=r"^[cdef][A-Za-z0-9_-]{21}$",
        description="id of the Firebase installation, as `onRegistered` has it",
    ),
]
Topic = Annotated[str, Field(pattern=r"^[a-zA-Z0-9\-_.~%]{1,900}$")]


class SubscriptionChange(BaseModel):
    """The topics to subscribe a device to, and the topics to unsubscribe it from."""

    # An unknown field is an error, not ignored.
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: DeviceId
    subscribe: list[Topic] = Field(
        default=[], max_length=MOST_TOPICS, description="topics of `data/index.json`"
    )
    unsubscribe: list[Topic] = Field(
        default=[],
        max_length=MOST_TOPICS,
        description="topics, including topics that left `data/index.json`",
    )

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if len(self.subscribe) + len(self.unsubscribe) > MOST_TOPICS:
            raise ValueError(f"at most {MOST_TOPICS} topics together; send the others afterwards")
        if both := {*self.subscribe} & {*self.unsubscribe}:
            raise ValueError(f"{min(both)[:100]}: is in both lists; leave it out of one")
        return self
