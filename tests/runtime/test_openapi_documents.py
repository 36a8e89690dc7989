"""The OpenAPI documents of all APIs, read as strictly as linters of the field read them."""

from collections.abc import Iterator
from typing import Any

import pytest
from openapi_spec_validator import validate

from uring.documents.api.app import openapi_document as of_documents
from uring.seeds.api import openapi_document as of_seeds
from uring.subscriptions.api import openapi_document as of_subscriptions

DOCUMENTS = {
    "documents": of_documents,
    "seeds": of_seeds,
    "subscriptions": of_subscriptions,
}
# Of JSON Schema 2020-12 what these documents use: a validator passes over an unknown keyword.
KEYWORDS = {
    *("$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum"),
    *("exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength"),
    *("maximum", "minItems", "minLength", "minimum", "pattern", "properties", "required", "title"),
    *("type", "uniqueItems"),
}


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    made: dict[str, Any] = DOCUMENTS[request.param]()
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for item in document["paths"].values():
        yield from item.items()


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Each schema of a document, its parts included."""
    if isinstance(node, list):
        for each in node:
            yield from schemas(each)
    elif isinstance(node, dict):
        for name, value in node.items():
            if name == "schema":
                yield from parts(value)
            elif name == "schemas":
                for each in value.values():
                    yield from parts(each)
            else:
                yield from schemas(value)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(schema, dict):
        return
    yield schema
    for each in [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())]:
        yield from parts(each)
    for each in schema.get("properties", {}).values():
        yield from parts(each)


def test_it_is_valid(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_it_has_no_keyword_that_json_schema_does_not_know(document: dict[str, Any]) -> None:
    """A limit under another name would be read by nobody."""
    found = [*schemas(document)]
    assert found
    assert {name for schema in found for name in schema} - KEYWORDS == set()


def test_every_operation_says_who_may_call_it(document: dict[str, Any]) -> None:
    assert isinstance(document["security"], list)


def test_every_operation_knows_another_method_and_too_many_requests(
    document: dict[str, Any],
) -> None:
    for method, operation in operations(document):
        replies = operation["responses"]
        assert replies["405"]["headers"].keys() == {"Allow"}
        assert "application/json" in replies["429"]["content"]
        assert ({"400", "413", "415"} <= replies.keys()) is (method == "post")
