"""The routes that a template's HTTP APIs are due, read from SAM's expansion of it."""

from pathlib import Path

from uring_local.stack.http_api.routes import ApiRoute, routes
from uring_local.template.expansion import expand
from uring_local.template.template import parse

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Resources:
  Guarded:
    Type: AWS::Serverless::HttpApi
    Properties: {Auth: {EnableIamAuthorizer: true, DefaultAuthorizer: AWS_IAM}}
  Jobs:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: app.handler
      CodeUri: code/
      Events:
        Start: {Type: HttpApi, Properties: {ApiId: !Ref Guarded, Method: POST, Path: /jobs}}
        Health:
          Type: HttpApi
          Properties:
            {ApiId: !Ref Guarded, Method: GET, Path: "/jobs/{id}", Auth: {Authorizer: NONE}}
  Pages:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: app.handler
      CodeUri: code/
      AutoPublishAlias: live
      Events:
        All: {Type: HttpApi, Properties: {Method: ANY, Path: "/{proxy+}"}}
"""


def test_each_event_of_an_api_is_a_route(tmp_path: Path) -> None:
    """Method and path, who answers (a published alias instead of its function), and who may ask."""
    path = tmp_path / "template.yaml"
    path.write_text(TEMPLATE, encoding="utf-8")
    assert {*routes(expand(parse(path), {}))} == {
        ApiRoute("Guarded", "POST /jobs", "Jobs", "2.0", "AWS_IAM"),
        ApiRoute("Guarded", "GET /jobs/{id}", "Jobs", "2.0", "NONE"),
        ApiRoute("ServerlessHttpApi", "ANY /{proxy+}", "PagesAliaslive", "2.0", "NONE"),
    }


def test_what_a_condition_may_leave_out_has_its_routes_too(tmp_path: Path) -> None:
    """SAM repeats the condition of a function at each of its routes."""
    path = tmp_path / "template.yaml"
    switched = TEMPLATE.replace("Resources:", "Conditions: {Asked: !Equals [a, b]}\nResources:")
    for kind in ("Guarded:", "Jobs:"):
        switched = switched.replace(f"  {kind}\n", f"  {kind}\n    Condition: Asked\n")
    path.write_text(switched, encoding="utf-8")
    plain = tmp_path / "plain.yaml"
    plain.write_text(TEMPLATE, encoding="utf-8")
    document = expand(parse(path), {})
    assert document["Resources"]["Guarded"]["Condition"] == "Asked"
    assert "Fn::If" in document["Resources"]["Guarded"]["Properties"]["Body"]["paths"]["/jobs"]
    assert {*routes(document)} == {*routes(expand(parse(plain), {}))}


def test_a_template_without_an_api_has_none() -> None:
    queue = {"Type": "AWS::SQS::Queue"}
    explicit = {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"ProtocolType": "HTTP"}}
    assert [*routes({"Resources": {"Queue": queue, "Api": explicit}})] == []
