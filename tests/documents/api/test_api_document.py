"""The OpenAPI document of documents: valid, whole, and of what is really sent."""

import json
from typing import Any

import pytest
from fakes.document_api import PAGE, ApiWorld, issue_path
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from uring.documents.api.app import openapi_document

OPERATIONS = {
    "list_policies": "/api/v1/pages/{page}/policies",
    "get_policy": "/api/v1/pages/{page}/policies/{source}",
    "list_issues": "/api/v1/pages/{page}/issues",
    "get_issue": "/api/v1/pages/{page}/issues/{issue}",
    "get_history": "/api/v1/pages/{page}/issues/{issue}/history",
    "classify_issue": "/api/v1/pages/{page}/issues/{issue}/classify",
    "annotate_issue": "/api/v1/pages/{page}/issues/{issue}/annotate",
    "transition_issue": "/api/v1/pages/{page}/issues/{issue}/transition",
    "submit_job": "/api/v1/pages/{page}/jobs",
    "get_job": "/api/v1/pages/{page}/jobs/{job}",
    "get_job_by_id": "/api/v1/jobs/{job}",
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return openapi_document()


def operations(document: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    return {
        operation["operationId"]: (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    }


def test_it_is_valid_openapi(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_it_is_the_same_each_time(document: dict[str, Any]) -> None:
    assert json.dumps(openapi_document()) == json.dumps(document)


def test_it_has_every_operation_with_words_of_its_own(document: dict[str, Any]) -> None:
    found = operations(document)
    assert {name: path for name, (path, _) in found.items()} == OPERATIONS
    for _, operation in found.values():
        assert operation["summary"]
        assert all(each.get("description") for each in operation.get("parameters", ()))
        assert all(reply["description"] for reply in operation["responses"].values())


def test_every_error_is_a_problem_but_the_gateway_s(document: dict[str, Any]) -> None:
    for name, (_, operation) in operations(document).items():
        for status, reply in operation["responses"].items():
            if status[0] in "45" and status not in ("403", "429"):
                assert reply["content"].keys() == {"application/problem+json"}, (name, status)


def test_edits_say_how_they_are_refused(document: dict[str, Any]) -> None:
    found = operations(document)
    for name in ("classify_issue", "annotate_issue", "transition_issue"):
        assert {"200", "404", "409", "412", "423", "428"} <= found[name][1]["responses"].keys()
        headers = [each for each in found[name][1]["parameters"] if each["in"] == "header"]
        assert {each["name"]: each.get("required", False) for each in headers} == {
            "if-match": True,
            "idempotency-key": False,
        }


def test_the_old_address_of_jobs_is_deprecated(document: dict[str, Any]) -> None:
    found = operations(document)
    assert [name for name, (_, each) in found.items() if each.get("deprecated")] == [
        "get_job_by_id"
    ]


def test_answers_are_as_they_are_described(document: dict[str, Any]) -> None:
    """No field more, no field less."""
    world = ApiWorld()
    world.upload("leave.pdf")
    world.extract("leave.pdf")
    issue, archived = world.find(), world.find("archived", state="archived")
    policies = f"/api/v1/pages/{PAGE}/policies"
    job = world.post(f"/api/v1/pages/{PAGE}/jobs", {"operation": "issues"})
    for model, reply in {
        "PolicyList": world.get(policies),
        "PolicyText": world.get(f"{policies}/leave.pdf"),
        "IssueList": world.get(f"/api/v1/pages/{PAGE}/issues"),
        "IssueBody": world.get(issue_path(issue)),
        "IssueHistory": world.get(f"{issue_path(issue)}/history"),
        "JobBody": job,
        "FieldProblems": world.get("/api/v1/jobs/x"),
        "StaleProblem": world.post(
            issue_path(issue, "classify"), {"severity": "low"}, if_match='"v9"'
        ),
        "ConflictProblem": world.post(
            issue_path(archived, "transition"), {"state": "resolved"}, if_match='"v1"'
        ),
    }.items():
        components = document["components"]
        schema = {"$ref": f"#/components/schemas/{model}", "components": components}
        Draft202012Validator(schema).validate(reply.json)
        properties = components["schemas"][model]["properties"].keys()
        assert reply.json.keys() == properties, model
