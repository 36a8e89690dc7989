"""What a run in one process has CloudFormation create, on the embedded stack."""

import threading
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import boto3
import pytest

from uring_local.project import StackFailed
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.stack.deploy import outputs
from uring_local.stack.ministack import MiniStack
from uring_local.stack.resources import create
from uring_local.stack.stack import Endpoint, at
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import Template, load


class Session:
    """Makes clients for an endpoint, whatever the environment names."""

    def __init__(self, endpoint: Endpoint, **elsewhere: Endpoint) -> None:
        self.endpoint = endpoint
        self._elsewhere = elsewhere
        self._session = boto3.Session("test", "test", region_name=endpoint.region)

    def client(self, service_name: str) -> Any:
        endpoint = self._elsewhere.get(service_name, self.endpoint)
        return self._session.client(service_name, endpoint_url=endpoint.url)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with MiniStack() as endpoint:
        yield Session(endpoint)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Endpoint]:
    """Another stack."""
    with MiniStack() as endpoint:
        yield endpoint


def template(name: str, **parameters: str) -> Template:
    return load(TEMPLATE, PARAMETERS | parameters, name)


def test_every_variable_of_every_function_becomes_a_plain_value(session: Session) -> None:
    described = template("variables", **switching_on(FAMILIES))
    created = create(described, session)
    ids, environments = created.physical_ids, created.environments
    assert environments.keys() == described.functions.keys()
    for name, function in described.functions.items():
        # The address of a stack is the session's.
        assert environments[name].keys() == function.environment.keys() - {"AWS_ENDPOINT_URL"}
        assert all(type(value) is str for value in environments[name].values())
    assert environments["NoticeOrchestrator"]["WORK_QUEUE_URL"] == ids["NoticeQueue"]
    assert environments["NoticeWorker"]["WORK_DLQ_URL"] == ids["NoticeDeadLetterQueue"]
    assert environments["NoticeWorker"]["DATA_BUCKET"] == ids["Bucket"]
    assert environments["Monitor"]["ALARM_TOPIC_ARN"] == ids["AlarmTopic"]
    assert environments["Notifier"]["LEDGER_TABLE"] == ids["LedgerTable"]
    assert environments["Notifier"]["FCM_PROJECT_ID"] == PARAMETERS["FcmProjectId"]
    assert environments["Notifier"]["FCM_ENDPOINT"] == ""
    assert environments["Notifier"]["POWERTOOLS_METRICS_NAMESPACE"] == "uRing/variables"


def test_what_is_switched_off_is_neither_made_nor_told_of(session: Session) -> None:
    """But for the tables, which keep what a family had."""
    created = create(template("least", WebPush="DISABLED"), session)
    functions = {"NoticeOrchestrator", "NoticeWorker", "Monitor", "Notifier"}
    assert created.environments.keys() == functions
    assert "DocumentQueue" not in created.physical_ids
    assert "DocumentTable" in created.physical_ids
    assert created.environments["Monitor"]["WATCHED_FAMILIES"].split() == ["notices"]


def test_queues_bucket_and_table_are_as_the_template_says(session: Session) -> None:
    ids = create(template("kinds"), session).physical_ids
    sqs, s3, dynamodb = (session.client(name) for name in ("sqs", "s3", "dynamodb"))
    attributes = {
        name: sqs.get_queue_attributes(QueueUrl=ids[name], AttributeNames=["All"])["Attributes"]
        for name in ("NoticeQueue", "NoticeDeadLetterQueue")
    }
    assert attributes["NoticeQueue"]["VisibilityTimeout"] == "90"
    assert attributes["NoticeQueue"]["FifoQueue"] == "true"
    dead_letters = attributes["NoticeDeadLetterQueue"]["QueueArn"]
    assert dead_letters in attributes["NoticeQueue"]["RedrivePolicy"]
    assert s3.get_bucket_versioning(Bucket=ids["Bucket"])["Status"] == "Enabled"
    table = dynamodb.describe_table(TableName=ids["LedgerTable"])["Table"]
    assert table["KeySchema"] == [{"AttributeName": "key", "KeyType": "HASH"}]


def test_what_exists_is_used_again_with_its_content(session: Session) -> None:
    """A run that was killed goes on where it stopped, with other ports if it must."""
    first = create(template("again"), session)
    s3, sqs, dynamodb = (session.client(name) for name in ("s3", "sqs", "dynamodb"))
    bucket, table = first.physical_ids["Bucket"], first.physical_ids["LedgerTable"]
    queue = first.physical_ids["NoticeQueue"]
    s3.put_object(Bucket=bucket, Key="state/x", Body=b"1")
    sqs.send_message(
        QueueUrl=queue, MessageBody="{}", MessageGroupId="g", MessageDeduplicationId="d"
    )
    dynamodb.put_item(TableName=table, Item={"key": {"S": "a#b#1"}})

    assert create(template("again"), session) == first
    changed = create(template("again", FcmEndpoint="http://127.0.0.1:9"), session)

    assert changed.physical_ids == first.physical_ids
    assert changed.environments["Notifier"]["FCM_ENDPOINT"] == "http://127.0.0.1:9"
    assert s3.get_object(Bucket=bucket, Key="state/x")["Body"].read() == b"1"
    assert len(sqs.receive_message(QueueUrl=queue)["Messages"]) == 1
    assert dynamodb.scan(TableName=table)["Count"] == 1


def test_a_refused_parameter_is_named(session: Session) -> None:
    with pytest.raises(StackFailed, match="Parameter 'Contact' must be an http") as refused:
        create(template("refused", Contact="nobody"), session)
    assert "AWS_ENDPOINT_URL" not in str(refused.value)


def test_a_resource_that_cannot_be_created_is_named(session: Session) -> None:
    broken = template("broken")
    document: Any = deepcopy(broken.document)
    document["Resources"]["NoticeQueue"]["Properties"]["VisibilityTimeout"] = -1
    with pytest.raises(StackFailed, match=r"(?s)^broken: .*NoticeQueue: .*VisibilityTimeout"):
        create(replace(broken, document=document), session)


@pytest.mark.parametrize(
    ("service", "resource"),
    [
        ("s3", "Bucket"),
        ("sqs", "NoticeDeadLetterQueue"),
        ("dynamodb", "DocumentTable"),
        ("sns", "AlarmTopic"),
    ],
)
def test_a_service_of_another_stack_is_told_before_anything_runs(
    service: str, resource: str, session: Session, elsewhere: Endpoint
) -> None:
    """Its pushes, or its alarms, would fail one after the other."""
    apart = Session(session.endpoint, **{service: elsewhere})
    variable = f"AWS_ENDPOINT_URL_{service.upper()} must name the stack"
    with pytest.raises(StackFailed, match=rf"^{resource}: created, .*{variable}"):
        create(template(f"apart-{service}"), apart)


def test_a_variable_of_something_that_is_not_created_is_refused(session: Session) -> None:
    """MiniStack would make it empty."""
    whole = template("absent")
    notifier = replace(
        whole.functions["Notifier"], environment={"ROLE": {"Fn::GetAtt": ["NotifierRole", "Arn"]}}
    )
    with pytest.raises(StackFailed, match="Notifier: ROLE is made of NotifierRole"):
        create(replace(whole, functions={"Notifier": notifier}), session)


def test_the_name_of_another_function_is_its_logical_id(session: Session) -> None:
    whole = template("names")
    notifier = replace(whole.functions["Notifier"], environment={"OTHER": {"Ref": "Monitor"}})
    functions = {**whole.functions, "Notifier": notifier}
    created = create(replace(whole, functions=functions), session)
    assert created.environments["Notifier"] == {"OTHER": "Monitor"}


class Other(BaseHTTPRequestHandler):
    """A stack without CloudFormation, as DynamoDB Local answers what it does not know."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"__type": "UnknownOperationException", "message": ""}'
        self.send_response(400)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def other() -> Iterator[Endpoint]:
    with HTTPServer(("127.0.0.1", 0), Other) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield at(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


def test_a_stack_without_cloudformation_is_told_with_the_remedy(other: Endpoint) -> None:
    with pytest.raises(StackFailed, match="AWS_ENDPOINT_URL must name a stack that has CloudForm"):
        create(template("uring"), Session(other))
    with pytest.raises(StackFailed, match="AWS_ENDPOINT_URL must name a stack that has CloudForm"):
        outputs(other, "uring")


def test_a_stack_that_is_not_there_has_no_outputs(session: Session) -> None:
    assert outputs(session.endpoint, "nobody") == {}


def test_the_bucket_is_among_the_outputs(session: Session) -> None:
    """By them a later run finds the data of an earlier one."""
    ids: Mapping[str, str] = create(template("named"), session).physical_ids
    found = outputs(session.endpoint, "named")
    assert found["BucketName"] == ids["Bucket"]
