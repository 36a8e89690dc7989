"""Settings: one typed model per function, read from the environment that the template sets."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from uring.errors import Misconfigured


def words(value: Any) -> Any:
    """Return the words of a text, separated by commas or blanks; other values unchanged."""
    return frozenset(value.replace(",", " ").split()) if isinstance(value, str) else value


def hours(value: Any) -> Any:
    """Return the hours of a text such as ``23,0-10``; other values unchanged.

    Raises:
        ValueError: something else than hours from 0 to 23.
    """
    if not isinstance(value, str):
        return value
    found: set[int] = set()
    for part in filter(None, value.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    if not found <= {*range(24)}:
        raise ValueError("hours are numbers from 0 to 23, such as 23,0-10")
    return frozenset(found)


Name = Annotated[str, Field(min_length=1)]
Words = Annotated[frozenset[str], BeforeValidator(words)]
HoursOfDay = Annotated[frozenset[int], BeforeValidator(hours)]
Host = Annotated[str, Field(pattern=r"^\S+:\d{1,5}$")]
Hosts = Annotated[frozenset[Host], BeforeValidator(words)]


class BaseSettings(BaseModel):
    """The settings of one function, read from the environment that the template sets."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Read the variables named like the fields, in capitals; other variables are ignored.

        Raises:
            Misconfigured: variables are missing or invalid; the message names each.
        """
        values = {
            name: environment[name.upper()]
            for name in cls.model_fields
            if name.upper() in environment
        }
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            problems = "; ".join(
                f"{str([*problem['loc'], 'all of it'][0]).upper()}: {problem['msg']}"
                for problem in error.errors(include_url=False, include_input=False)
            )
            raise Misconfigured(
                f"environment: {problems}; the template sets these variables"
            ) from None
