"""An HTTP API of a template on the embedded stack, by the real `sam deploy`, and called signed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3
import pytest
import requests

from uring_local.build.build import python_runtime
from uring_local.build.sam import run_sam
from uring_local.operate.signed import SignedApi, SigV4, api_address
from uring_local.stack.deploy import outputs
from uring_local.stack.describe import physical_ids
from uring_local.stack.http_api.gateway import make_routes
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint

PATH = "/api/v1/seeds/orchestrate"
STACK = "uring-api"
TEMPLATE = f"""
Transform: AWS::Serverless-2016-10-31
Resources:
  Door:
    Type: AWS::Serverless::HttpApi
    Properties:
      Auth: {{EnableIamAuthorizer: true, DefaultAuthorizer: AWS_IAM}}
  OpenDoor:
    Type: AWS::Serverless::HttpApi
  Hello:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: {python_runtime()}
      Handler: app.handler
      CodeUri: code/
      AutoPublishAlias: live
      Events:
        Seeds: {{Type: HttpApi, Properties: {{ApiId: !Ref Door, Method: ANY, Path: {PATH}}}}}
        Old: {{Type: HttpApi, Properties: {{ApiId: !Ref Door, Method: POST, Path: /old}}}}
        Open: {{Type: HttpApi, Properties: {{ApiId: !Ref OpenDoor, Method: POST, Path: /open}}}}
Outputs:
  DoorUrl: {{Value: !GetAtt Door.ApiEndpoint}}
  OpenDoorUrl: {{Value: !GetAtt OpenDoor.ApiEndpoint}}
"""
CODE = """
import json
def handler(event, _):
    asked = json.loads(event.get("body") or "{}")
    if event["requestContext"]["http"]["method"] == "PUT":
        return {"statusCode": 405, "headers": {"Allow": "POST"}, "body": "{}"}
    signed = event["requestContext"].get("authorizer", {}).get("iam", {})
    return {"statusCode": 202, "body": json.dumps({**asked, "key": signed.get("accessKey")})}
"""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with MiniStack() as started:
        yield started


@pytest.fixture(autouse=True)
def variables(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in endpoint.environment.items():
        monkeypatch.setenv(name, value)


def deployed(endpoint: Endpoint, folder: Path, template: str) -> Mapping[str, str]:
    (folder / "code").mkdir(exist_ok=True)
    (folder / "code" / "app.py").write_text(CODE, encoding="utf-8")
    (folder / "template.yaml").write_text(template, encoding="utf-8")
    run_sam(
        [
            *("deploy", "--template-file", "template.yaml", "--stack-name", STACK),
            *("--region", endpoint.region, "--resolve-s3", "--no-progressbar"),
            *("--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"),
            *("--no-confirm-changeset", "--no-fail-on-empty-changeset"),
        ],
        cwd=folder,
        environment=endpoint.environment,
    )
    make_routes(boto3, STACK)
    return outputs(endpoint, STACK)


def routes(api: str) -> dict[str, Any]:
    found = boto3.client("apigatewayv2").get_routes(ApiId=api)["Items"]
    return {each["RouteKey"]: each for each in found}


def test_a_deployed_api_serves_its_routes_to_those_who_sign(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    """And so after every further deployment: a route that left the template is gone."""
    values = deployed(endpoint, tmp_path, TEMPLATE)
    base = api_address(values, name="Door", stack=STACK)
    assert base.startswith(endpoint.url)
    api = SignedApi(base, boto3.Session())
    answer = api.post(PATH, {"force": True})
    assert answer.is_success
    assert answer.document == {"force": True, "key": "test"}
    assert requests.post(f"{base}{PATH}", json={}, timeout=20).status_code == 403
    assert api.post("/other", {}).status == 404
    # Any method of a path reaches the function, which says what it does not know.
    signed = SigV4(boto3.Session())
    put = requests.put(f"{base}{PATH}", json={}, auth=signed, timeout=20)
    assert (put.status_code, put.headers["Allow"]) == (405, "POST")
    assert requests.put(f"{base}/old", json={}, auth=signed, timeout=20).status_code == 404
    open_base = api_address(values, name="OpenDoor", stack=STACK)
    answer = requests.post(f"{open_base}/open", json={"force": True}, timeout=20)
    assert (answer.status_code, answer.json()) == (202, {"force": True, "key": None})

    door = physical_ids(boto3.client("cloudformation"), STACK)["Door"]
    first = routes(door)
    assert first.keys() == {f"ANY {PATH}", "POST /old"}
    make_routes(boto3, STACK)
    assert routes(door) == first

    # Somebody opened the door, and the second route left the template.
    client = boto3.client("apigatewayv2")
    opened = first[f"ANY {PATH}"]["RouteId"]
    client.update_route(ApiId=door, RouteId=opened, AuthorizationType="NONE")
    shorter = "\n".join(line for line in TEMPLATE.splitlines() if "Old:" not in line)
    deployed(endpoint, tmp_path, shorter)
    (left,) = routes(door).values()
    assert (left["RouteKey"], left["AuthorizationType"]) == (f"ANY {PATH}", "AWS_IAM")
    assert len(client.get_integrations(ApiId=door)["Items"]) == 1
    assert api.post(PATH, {}).status == 202
