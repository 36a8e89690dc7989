"""Routes of a template's HTTP APIs, for a stack that creates the API and ignores its definition.

    processed template ─► routes that are due ─┐
                                               ├─► what differs is removed and made
    routes of the API ─────────────────────────┘

SAM writes the routes into the API's OpenAPI body, which AWS imports and MiniStack ignores: such an
API answers 404 to everything. On a stack that imported the body nothing differs.
"""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from uring_local.project import StackFailed
from uring_local.stack.describe import physical_ids
from uring_local.stack.http_api.routes import ApiRoute, routes
from uring_local.stack.resources import Session


def make_routes(session: Session, stack_name: str) -> None:
    """Give the HTTP APIs of a deployed stack the routes of its template; correct ones stay.

    Raises:
        StackFailed: the stack has an API but no service for it.
    """
    cloudformation = session.client("cloudformation")
    try:
        resources = physical_ids(cloudformation, stack_name)
        there = routes(_processed(cloudformation, stack_name))
        due = [route for route in there if {route.api, route.function} <= resources.keys()]
        if not due:
            return
        arns = _arns(session, {route.function: resources[route.function] for route in due})
        for api in {route.api for route in due}:
            gateway = _Gateway(session, resources[api])
            gateway.reconcile([route for route in due if route.api == api], arns)
    except (ClientError, BotoCoreError) as error:
        raise StackFailed(
            f"{stack_name}: its HTTP API got no routes; AWS_ENDPOINT_URL must name a stack that "
            f"has API Gateway's HTTP APIs; this one answers: {error}"
        ) from error


def _processed(cloudformation: Any, stack_name: str) -> Mapping[str, Any]:
    answer = cloudformation.get_template(StackName=stack_name, TemplateStage="Processed")
    body: Mapping[str, Any] | str = answer["TemplateBody"]
    return json.loads(body) if isinstance(body, str) else body


def _arns(session: Session, functions: Mapping[str, str]) -> dict[str, str]:
    """Return ARNs by logical id; an alias's physical id is its ARN, a function's is its name."""
    client = session.client("lambda")
    return {
        name: physical_id
        if physical_id.startswith("arn:")
        else client.get_function(FunctionName=physical_id)["Configuration"]["FunctionArn"]
        for name, physical_id in functions.items()
    }


class _Gateway:
    """The routes and integrations of one API."""

    def __init__(self, session: Session, api_id: str) -> None:
        self._client = session.client("apigatewayv2")
        self._api = api_id

    def reconcile(self, due: list[ApiRoute], arns: Mapping[str, str]) -> None:
        """Remove each wrong or repeated route, and create the missing ones."""
        integrations = {each["IntegrationId"]: each for each in self._all("get_integrations")}
        there: set[str] = set()
        for found in self._all("get_routes"):
            key, integration = found["RouteKey"], integrations.get(_integration_id(found), {})
            wanted = next((route for route in due if route.key == key), None)
            if wanted and key not in there and _is_right(found, integration, wanted, arns):
                there.add(key)
                continue
            self._client.delete_route(ApiId=self._api, RouteId=found["RouteId"])
        for route in due:
            if route.key not in there:
                self._make(route, arns[route.function])
        self._remove_unused()

    def _make(self, route: ApiRoute, arn: str) -> None:
        made = self._client.create_integration(
            ApiId=self._api,
            IntegrationType="AWS_PROXY",
            IntegrationUri=arn,
            PayloadFormatVersion=route.payload,
        )
        self._client.create_route(
            ApiId=self._api,
            RouteKey=route.key,
            Target=f"integrations/{made['IntegrationId']}",
            AuthorizationType=route.authorization,
        )

    def _remove_unused(self) -> None:
        used = {_integration_id(route) for route in self._all("get_routes")}
        for each in self._all("get_integrations"):
            if each["IntegrationId"] not in used:
                self._client.delete_integration(
                    ApiId=self._api, IntegrationId=each["IntegrationId"]
                )

    def _all(self, operation: str) -> list[dict[str, Any]]:
        pages = self._client.get_paginator(operation).paginate(ApiId=self._api)
        return [each for page in pages for each in page["Items"]]


def _integration_id(route: Mapping[str, Any]) -> str:
    return str(route.get("Target", "")).removeprefix("integrations/")


def _is_right(
    found: Mapping[str, Any],
    integration: Mapping[str, Any],
    wanted: ApiRoute,
    arns: Mapping[str, str],
) -> bool:
    """Return True if a route is as due; an import writes the ARN into a longer address."""
    uri = str(integration.get("IntegrationUri", "")).removesuffix("/invocations")
    return (
        uri.endswith(arns[wanted.function])
        and integration.get("PayloadFormatVersion") == wanted.payload
        and found.get("AuthorizationType", "NONE") == wanted.authorization
    )
