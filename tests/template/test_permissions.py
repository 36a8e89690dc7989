"""Least privilege: a role per function, each action on its own resource (X5)."""

import re
from fnmatch import fnmatchcase

import pytest
from expanded import PSEUDO, Stack, logical_id, read_template
from grants import grants, statements

from uring.documents.api.app import openapi_document
from uring.subscriptions.api import openapi_document as subscriptions_document
from uring_local.template.template import ALIAS

_MODEL = read_template()["Parameters"]["DocumentModelId"]["Default"]
_PLACE = f"{PSEUDO['AWS::Region']}:{PSEUDO['AWS::AccountId']}"
PROFILE = f"arn:aws:bedrock:{_PLACE}:inference-profile/{_MODEL}"
# Neither service has a resource here: a language is none, and a text is in any.
UNBOUND = {
    ("translate:TranslateText", "*"),
    ("comprehend:DetectDominantLanguage", "*"),
    ("bedrock:InvokeModel", "arn:aws:bedrock:*::foundation-model/*"),
}


def _of(stack: Stack, function: str) -> set[tuple[str, str]]:
    return {(grant.action, grant.resource) for grant in grants(stack, function)}


def test_every_function_has_a_role_of_its_own(full_stack: Stack) -> None:
    functions = full_stack.of_type("AWS::Lambda::Function")
    roles = [logical_id(function["Role"]) for function in functions.values()]
    assert len(set(roles)) == len(roles)
    others = {"ReleaseRole"}
    assert set(roles) | others == full_stack.of_type("AWS::IAM::Role").keys()


def test_roles_have_inline_statements_only(full_stack: Stack) -> None:
    """Managed policies grant on `*`, which is why SAM is not asked to make the roles."""
    for name, role in full_stack.of_type("AWS::IAM::Role").items():
        assert role.keys() == {"AssumeRolePolicyDocument", "Policies"}
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        service = "codedeploy" if name == "ReleaseRole" else "lambda"
        assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}
        assert trust["Action"] == "sts:AssumeRole"


def test_no_action_and_no_resource_is_a_wildcard(full_stack: Stack) -> None:
    conditions = []
    for role in full_stack.of_type("AWS::IAM::Role").values():
        for statement in statements(role):
            conditions += [statement["Condition"]] if "Condition" in statement else []
            assert statement.keys() - {"Condition"} == {"Effect", "Action", "Resource"}
            assert statement["Effect"] == "Allow"
    # What is granted of models beside the one that is named is granted through its profile alone.
    assert conditions == [{"StringEquals": {"bedrock:InferenceProfileArn": PROFILE}}]
    for function in full_stack.of_type("AWS::Lambda::Function"):
        for action, resource in _of(full_stack, function) - UNBOUND:
            assert "*" not in action
            # One department's folder, all that is in a folder or partition, or its files of one
            # kind; the objects of further shards.
            plain = re.sub(r"[/_=]\*$", "", resource).replace("Bucket/data/*/", "")
            plain = re.sub(r"^Bucket/data/(metar|taf)/\*/day\.json$", "", plain)
            plain = re.sub(r"/(index|notices)\.\*\.json$", "", plain)
            plain = re.sub(r"^Bucket/datasets/\*\.(success|rejected)$", "", plain)
            plain = plain.replace("Bucket/pages/*/", "")
            assert "*" not in plain, f"{action} on {resource}"


def test_the_orchestrator_reads_the_sitemap_and_hints_and_sends_jobs(full_stack: Stack) -> None:
    assert _of(full_stack, "NoticeOrchestrator") == {
        ("logs:CreateLogStream", "NoticeOrchestratorLogGroup"),
        ("logs:PutLogEvents", "NoticeOrchestratorLogGroup"),
        ("s3:ListBucket", "Bucket"),
        ("s3:GetObject", "Bucket/config/*"),
        ("s3:GetObject", "Bucket/state/monitor/hints/notices.json"),
        ("s3:GetObject", "Bucket/state/monitor/hints/notices.*.json"),
        ("sqs:SendMessage", "NoticeQueue"),
        ("lambda:InvokeFunction", f"NoticeOrchestrator:{ALIAS}"),
    }


def test_the_weather_orchestrator_sends_jobs_and_reads_nothing(full_stack: Stack) -> None:
    assert _of(full_stack, "WeatherOrchestrator") == {
        ("logs:CreateLogStream", "WeatherOrchestratorLogGroup"),
        ("logs:PutLogEvents", "WeatherOrchestratorLogGroup"),
        ("sqs:SendMessage", "WeatherQueue"),
    }


def test_the_weather_worker_removes_what_is_rotated_and_nothing_else(full_stack: Stack) -> None:
    files = {
        "Bucket/data/metar/METAR_*",
        "Bucket/data/taf/TAF_*",
        "Bucket/data/warning/WARNINGS_*",
    }
    granted = _of(full_stack, "WeatherWorker")
    assert {resource for action, resource in granted if action == "s3:DeleteObject"} == files
    assert {resource for action, resource in granted if action == "s3:GetObject"} == {
        "Bucket/state/weather/*",
        *(f"Bucket/data/{product}/latest.json" for product in ("metar", "taf", "warning")),
        *(f"Bucket/data/{product}/*/day.json" for product in ("metar", "taf")),
    }


def test_only_the_weather_worker_and_the_janitor_remove_objects(full_stack: Stack) -> None:
    removers = {"WeatherWorker", "DocumentJanitor"}
    for function in full_stack.of_type("AWS::Lambda::Function").keys() - removers:
        assert "s3:DeleteObject" not in {action for action, _ in _of(full_stack, function)}


def test_the_worker_keeps_state_and_publishes_data(full_stack: Stack) -> None:
    assert _of(full_stack, "NoticeWorker") == {
        ("logs:CreateLogStream", "NoticeWorkerLogGroup"),
        ("logs:PutLogEvents", "NoticeWorkerLogGroup"),
        ("sqs:ReceiveMessage", "NoticeQueue"),
        ("sqs:DeleteMessage", "NoticeQueue"),
        ("sqs:GetQueueAttributes", "NoticeQueue"),
        ("sqs:ChangeMessageVisibility", "NoticeQueue"),
        ("s3:ListBucket", "Bucket"),
        ("s3:ListBucketVersions", "Bucket"),
        ("s3:GetObjectVersion", "Bucket/state/notices/*"),
        ("s3:PutObject", "Bucket/processing/refused/notices/*"),
        *(
            (action, f"Bucket/{keys}")
            for action in ("s3:GetObject", "s3:PutObject")
            for keys in ("state/notices/*", "data/*/latest.json", "data/*/archive/*")
        ),
        ("sqs:SendMessage", "NotifyQueue"),
        ("sqs:SendMessage", "NoticeDeadLetterQueue"),
    }


def test_the_text_extractor_reaches_what_is_on_its_way_and_nothing_else(stack: Stack) -> None:
    """It reads hostile files with large libraries: who takes it over has gained nothing."""
    assert _of(stack, "TextExtractor") == {
        ("logs:CreateLogStream", "TextExtractorLogGroup"),
        ("logs:PutLogEvents", "TextExtractorLogGroup"),
        ("s3:ListBucket", "Bucket"),
        ("s3:GetObject", "Bucket/processing/extract/*"),
        ("s3:PutObject", "Bucket/processing/extract/*"),
    }
    variables = stack.of_type("AWS::Lambda::Function")["TextExtractor"]["Environment"]["Variables"]
    assert not {name for name in variables if "QUEUE" in name or "TABLE" in name}


NOTIFIER = {
    ("logs:CreateLogStream", "NotifierLogGroup"),
    ("logs:PutLogEvents", "NotifierLogGroup"),
    ("sqs:ReceiveMessage", "NotifyQueue"),
    ("sqs:DeleteMessage", "NotifyQueue"),
    ("sqs:GetQueueAttributes", "NotifyQueue"),
    ("sqs:ChangeMessageVisibility", "NotifyQueue"),
    ("sqs:SendMessage", "NotifyDeadLetterQueue"),
    ("dynamodb:UpdateItem", "LedgerTable"),
}


def test_the_notifier_claims_and_sends(stack: Stack) -> None:
    """Without a secret there is no permission to read one."""
    assert _of(stack, "Notifier") == NOTIFIER


def test_the_notifier_reads_the_one_secret_that_it_is_given(full_stack: Stack) -> None:
    extra = _of(full_stack, "Notifier") - NOTIFIER
    assert extra == {("secretsmanager:GetSecretValue", "fcm/account")}


def test_the_monitor_reads_states_and_cannot_touch_what_the_worker_publishes(
    full_stack: Stack,
) -> None:
    feeds = ("*/feed.json", "*/feed.atom", "*/due.ics")
    derived = ("index.json", "index.*.json", "*/health.json", "*/search/*", *feeds)
    both = {"Bucket/state/monitor/*", *(f"Bucket/data/{name}" for name in derived)}
    assert _of(full_stack, "Monitor") == {
        ("logs:CreateLogStream", "MonitorLogGroup"),
        ("logs:PutLogEvents", "MonitorLogGroup"),
        ("s3:ListBucket", "Bucket"),
        ("s3:GetObject", "Bucket/config/*"),
        ("s3:GetObject", "Bucket/state/notices/*"),
        ("s3:GetObject", "Bucket/state/regulations/*"),
        ("s3:GetObject", "Bucket/state/seeds/*"),
        ("s3:GetObject", "Bucket/state/weather/*"),
        ("s3:GetObject", "Bucket/data/*/archive/*"),
        ("sns:Publish", "AlarmTopic"),
        ("lambda:InvokeFunction", f"Monitor:{ALIAS}"),
        *(("s3:GetObject", resource) for resource in both),
        *(("s3:PutObject", resource) for resource in both),
    }


@pytest.mark.parametrize("function", ["Monitor", "NoticeOrchestrator"])
def test_only_its_rule_may_invoke_a_scheduled_function(stack: Stack, function: str) -> None:
    permissions = [
        each
        for each in stack.of_type("AWS::Lambda::Permission").values()
        if stack.function(each["FunctionName"]) == function
    ]
    assert len(permissions) == {"Monitor": 1, "NoticeOrchestrator": 2}[function]
    for permission in permissions:
        assert permission["Principal"] == "events.amazonaws.com"
        (target,) = stack.properties(permission["SourceArn"])["Targets"]
        assert stack.function(target["Arn"]) == function


ANY = "x-amazon-apigateway-any-method"


def test_the_seed_orchestrator_is_called_by_its_rule_and_its_one_signed_route(
    stack: Stack,
) -> None:
    """Whoever may call the API is decided by IAM: no route is without a signature (S1)."""
    callers = {
        each["Principal"]: each["SourceArn"]
        for each in stack.of_type("AWS::Lambda::Permission").values()
        if stack.function(each["FunctionName"]) == "SeedOrchestrator"
    }
    assert callers == {
        "events.amazonaws.com": "${SeedOrchestratorTick.Arn}",
        "apigateway.amazonaws.com": "arn:aws:execute-api:eu-west-1:123456789012:${SeedApi}/*/*"
        "/api/v1/seeds/orchestrate",
    }
    api = stack.of_type("AWS::ApiGatewayV2::Api")["SeedApi"]
    (route,) = api["Body"]["paths"].items()
    path, methods = route
    assert (path, methods.keys()) == ("/api/v1/seeds/orchestrate", {ANY})


@pytest.mark.parametrize("name", ["SeedApi", "DocumentHttpApi"])
def test_every_route_is_signed_and_throttled(stack: Stack, name: str) -> None:
    body = stack.of_type("AWS::ApiGatewayV2::Api")[name]["Body"]
    operations = [each for methods in body["paths"].values() for each in methods.values()]
    assert operations
    assert all(each["security"] == [{"AWS_IAM": []}] for each in operations)
    (scheme,) = body["components"]["securitySchemes"].values()
    assert scheme["x-amazon-apigateway-authtype"] == "awsSigv4"
    stages = stack.of_type("AWS::ApiGatewayV2::Stage").values()
    (stage,) = (each for each in stages if each["ApiId"] == f"${{{name}}}")
    assert stage["DefaultRouteSettings"].keys() == {"ThrottlingBurstLimit", "ThrottlingRateLimit"}
    log = stage["AccessLogSettings"]["DestinationArn"]
    assert stack.properties(log)["LogGroupName"].startswith("/aws/http-api/uring-test-")


def test_the_document_api_s_routes_are_those_that_it_describes(stack: Stack) -> None:
    """API Gateway refuses every other path: it costs no invocation. One left out would be a 404.

    Any method reaches the function, which answers HEAD as GET, and 405 with Allow.
    """
    described = openapi_document()["paths"]
    body = stack.of_type("AWS::ApiGatewayV2::Api")["DocumentHttpApi"]["Body"]
    assert {path: {*methods} for path, methods in body["paths"].items()} == {
        path: {ANY} for path in described
    }
    callers = [
        each["Principal"]
        for each in stack.of_type("AWS::Lambda::Permission").values()
        if stack.function(each["FunctionName"]) == "DocumentApi"
    ]
    assert callers == ["apigateway.amazonaws.com"] * len(described)


def test_the_one_open_route_is_the_subscriptions_and_throttled(stack: Stack) -> None:
    """A page of the distribution has no credentials; who floods it holds no other function up."""
    open_apis = {
        name: [*api["Body"]["paths"].items()]
        for name, api in stack.of_type("AWS::ApiGatewayV2::Api").items()
        if "securitySchemes" not in api["Body"].get("components", {})
    }
    (path, methods), *others = open_apis.pop("SubscriptionHttpApi")
    assert (open_apis, others) == ({}, [])
    assert {path: methods.keys()} == {
        path: methods.keys() for path, methods in subscriptions_document()["paths"].items()
    }
    api = stack.of_type("AWS::ApiGatewayV2::Api")["SubscriptionHttpApi"]
    # Other sites' pages may not ask: no header lets them.
    assert "CorsConfiguration" not in api
    assert "x-amazon-apigateway-cors" not in api["Body"]
    stages = stack.of_type("AWS::ApiGatewayV2::Stage").values()
    (stage,) = (each for each in stages if each["ApiId"] == "${SubscriptionHttpApi}")
    limits = stage["DefaultRouteSettings"]
    assert limits == {"ThrottlingBurstLimit": 5, "ThrottlingRateLimit": 2}
    # Neither who asked nor for what.
    log = re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"])
    assert log == ["requestTime", "requestId", "routeKey", "status", "error.message"]
    (caller,) = (
        each
        for each in stack.of_type("AWS::Lambda::Permission").values()
        if stack.function(each["FunctionName"]) == "SubscriptionApi"
    )
    assert caller["SourceArn"].endswith("${SubscriptionHttpApi}/*/POST/api/subscriptions")


SUBSCRIPTIONS = {
    ("logs:CreateLogStream", "SubscriptionApiLogGroup"),
    ("logs:PutLogEvents", "SubscriptionApiLogGroup"),
    ("s3:GetObject", "Bucket/data/index.json"),
    ("s3:GetObject", "Bucket/data/index.*.json"),
}


def test_the_subscription_api_reads_the_index_and_the_key_alone(
    stack: Stack, full_stack: Stack
) -> None:
    """Anyone may ask it: who takes it over can subscribe, and reads what is public."""
    assert _of(stack, "SubscriptionApi") == SUBSCRIPTIONS
    assert _of(full_stack, "SubscriptionApi") == SUBSCRIPTIONS | {
        ("secretsmanager:GetSecretValue", "fcm/account")
    }


def test_the_documents_functions_write_no_attachment(full_stack: Stack) -> None:
    """Attachments are their owner's: no function of ours replaces or removes one."""
    for function in full_stack.of_type("AWS::Lambda::Function"):
        for action, resource in _of(full_stack, function):
            if action in ("s3:PutObject", "s3:DeleteObject"):
                assert not fnmatchcase("Bucket/pages/handbook/attachments/leave.md", resource)


def test_the_intake_sends_jobs_and_reads_nothing(full_stack: Stack) -> None:
    assert _of(full_stack, "DocumentIntake") == {
        ("logs:CreateLogStream", "DocumentIntakeLogGroup"),
        ("logs:PutLogEvents", "DocumentIntakeLogGroup"),
        ("sqs:SendMessage", "DocumentQueue"),
    }


def test_lambda_stops_no_function_that_may_go_on_by_itself_and_every_other(
    full_stack: Stack,
) -> None:
    """Its loop detection ends a chain of sixteen: a long file would be read in part, in silence."""
    fed = {
        full_stack.function(mapping["FunctionName"]): logical_id(mapping["EventSourceArn"])
        for mapping in full_stack.of_type("AWS::Lambda::EventSourceMapping").values()
    }
    loops = {
        function
        for function in full_stack.of_type("AWS::Lambda::Function")
        if {
            ("sqs:SendMessage", fed.get(function)),
            ("lambda:InvokeFunction", f"{function}:{ALIAS}"),
        }
        & _of(full_stack, function)
    }
    allowed = {
        name: function["RecursiveLoop"]
        for name, function in full_stack.of_type("AWS::Lambda::Function").items()
        if "RecursiveLoop" in function
    }
    assert allowed == dict.fromkeys(loops, "Allow")
    assert loops == {
        "Monitor",
        "NoticeOrchestrator",
        "SeedOrchestrator",
        "SeedFileWorker",
        "DomainWorker",
        "DocumentWorker",
        "DocumentJanitor",
    }


def test_the_file_worker_cannot_touch_a_raw_file(full_stack: Stack) -> None:
    """What everything is made of is only read; its mark and its bad records are put beside it."""
    writes = {
        resource
        for action, resource in _of(full_stack, "SeedFileWorker")
        if action == "s3:PutObject"
    }
    assert writes == {
        "Bucket/datasets/*.success",
        "Bucket/datasets/*.rejected",
        "Bucket/state/seed_files/*",
    }


def test_the_domain_worker_reaches_results_and_copies_of_robots_txt_alone(
    full_stack: Stack,
) -> None:
    """It asks the open web: who takes it over reads no dataset, no state and no configuration."""
    granted = _of(full_stack, "DomainWorker")
    read = {resource for own, resource in granted if own == "s3:GetObject"}
    assert read == {"Bucket/processing/country=*", "Bucket/processing/robots/*"}
    written = {resource for own, resource in granted if own == "s3:PutObject"}
    assert written == read | {"Bucket/processing/evidence/*"}
    assert {resource for own, resource in granted if own == "sqs:SendMessage"} == {
        "DomainQueue",
        "DomainDeadLetterQueue",
    }
