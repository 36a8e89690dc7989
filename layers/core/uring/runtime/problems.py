"""Bodies of error responses, as an OpenAPI document describes them."""

from pydantic import BaseModel, ConfigDict, Field


class ProblemDetails(BaseModel):
    """A problem (RFC 9457): the error, and the remedy."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(description="names the kind of problem; about:blank: see the status")
    title: str = Field(description="the same for each problem of this status")
    status: int = Field(description="the HTTP status")
    detail: str = Field(description="the error and the remedy, for people")


class FieldProblems(ProblemDetails):
    """A problem of some fields of a request."""

    errors: dict[str, str] = Field(
        default={}, description="up to ten fields by their paths, each with its problem"
    )


class GatewayRefusal(BaseModel):
    """A refusal by Amazon API Gateway, before the request reached the function."""

    model_config = ConfigDict(extra="allow")

    message: str = Field(description="the message of API Gateway")
