"""The routes of a template's HTTP APIs, from the OpenAPI bodies that SAM writes."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

_API: Final = "AWS::ApiGatewayV2::Api"
_INTEGRATION: Final = "x-amazon-apigateway-integration"
_ANY: Final = "x-amazon-apigateway-any-method"
_METHODS: Final = {
    _ANY: "ANY",
    **{each: each.upper() for each in ("delete", "get", "head", "options", "patch", "post", "put")},
}
_FUNCTION: Final = re.compile(r"functions/\$\{(\w+)")


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route of an API, from its body.

    Args:
        api: the API's logical id.
        key: method and path, ``POST /api/v1/seeds/orchestrate``.
        function: the logical id of the function or alias behind it.
        payload: the version of the event's format.
        authorization: ``AWS_IAM`` or ``NONE``.
    """

    api: str
    key: str
    function: str
    payload: str
    authorization: str


def routes(document: Mapping[str, Any]) -> Iterator[ApiRoute]:
    """Yield the routes of a template that SAM has expanded, integrations with functions only.

    This includes routes of APIs and functions that a condition leaves out.
    """
    for api, resource in document["Resources"].items():
        if resource["Type"] != _API:
            continue
        for path, item in resource["Properties"].get("Body", {}).get("paths", {}).items():
            operations = _plain(item)
            for method in {*operations} & _METHODS.keys():
                operation = _plain(operations[method])
                integration = operation[_INTEGRATION]
                function = _FUNCTION.search(json.dumps(integration["uri"]))
                if function is None:
                    continue
                schemes = {name for each in operation.get("security", []) for name in each}
                yield ApiRoute(
                    api=api,
                    key=f"{_METHODS[method]} {path}",
                    function=function[1],
                    payload=integration["payloadFormatVersion"],
                    authorization="AWS_IAM" if "AWS_IAM" in schemes else "NONE",
                )


def _plain(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return SAM's value for an existing function: it repeats the function's condition."""
    match value:
        case {"Fn::If": [_, dict(then), {"Ref": "AWS::NoValue"}]}:
            return then
    return value
