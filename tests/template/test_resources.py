"""What an in-process run creates on a stack that is not CloudFormation's."""

import uuid
from collections.abc import Iterator
from dataclasses import replace

import boto3
import pytest
from expanded import REQUIRED, TEMPLATE
from moto import mock_aws

from uring.errors import Misconfigured
from uring_local.template.intrinsics import Physical
from uring_local.template.resources import create
from uring_local.template.template import Application, TemplateInvalid, load

REGION = "eu-west-1"


@pytest.fixture
def session() -> Iterator[boto3.Session]:
    with mock_aws():
        yield boto3.Session("key", "secret", region_name=REGION)


@pytest.fixture
def name() -> str:
    """A stack of the test's own: nested mocks share what they hold."""
    return f"uring-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def application(name: str) -> Application:
    return load(TEMPLATE, REQUIRED, name, region=REGION)


def test_every_variable_of_every_function_becomes_a_plain_value(
    application: Application, session: boto3.Session
) -> None:
    resources = create(application, session)
    assert resources.environments.keys() == application.functions.keys()
    urls, environments = resources.queue_urls, resources.environments
    assert environments["NoticeOrchestrator"]["WORK_QUEUE_URL"] == urls["NoticeQueue"]
    assert environments["NoticeWorker"]["WORK_DLQ_URL"] == urls["NoticeDeadLetterQueue"]
    assert environments["NoticeWorker"]["NOTIFY_QUEUE_URL"] == urls["NotifyQueue"]
    assert environments["NoticeWorker"]["DATA_BUCKET"] == resources.bucket_name
    assert environments["Notifier"]["NOTIFY_DLQ_URL"] == urls["NotifyDeadLetterQueue"]
    assert environments["Notifier"]["LEDGER_TABLE"] == resources.table_names["LedgerTable"]
    assert environments["Notifier"]["FCM_PROJECT_ID"] == REQUIRED["FcmProjectId"]
    for environment in environments.values():
        assert all(type(value) is str for value in environment.values())


def test_queues_are_as_the_template_says(application: Application, session: boto3.Session) -> None:
    sqs = session.client("sqs")
    urls = create(application, session).queue_urls
    attributes = {
        key: sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        for key, url in urls.items()
    }
    assert attributes.keys() == application.queues.keys()
    for key, queue in application.queues.items():
        assert queue.attributes.items() <= attributes[key].items()
        assert ("RedrivePolicy" in attributes[key]) == (queue.dead_letter is not None)
    assert (
        attributes["NoticeDeadLetterQueue"]["QueueArn"]
        in attributes["NoticeQueue"]["RedrivePolicy"]
    )


def test_a_message_that_keeps_failing_moves_to_the_dead_letter_queue(
    application: Application, session: boto3.Session
) -> None:
    sqs = session.client("sqs")
    urls = create(application, session).queue_urls
    work = urls["NoticeQueue"]
    sqs.send_message(
        QueueUrl=work, MessageBody="{}", MessageGroupId="g", MessageDeduplicationId="d"
    )
    for _ in range(5):
        (message,) = sqs.receive_message(QueueUrl=work)["Messages"]
        sqs.change_message_visibility(
            QueueUrl=work, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0
        )
    assert "Messages" not in sqs.receive_message(QueueUrl=work)
    assert len(sqs.receive_message(QueueUrl=urls["NoticeDeadLetterQueue"])["Messages"]) == 1


def test_the_table_expires_items(application: Application, session: boto3.Session) -> None:
    dynamodb = session.client("dynamodb")
    (table,) = create(application, session).table_names.values()
    described = dynamodb.describe_table(TableName=table)["Table"]
    assert described["KeySchema"] == [{"AttributeName": "key", "KeyType": "HASH"}]
    ttl = dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
    assert ttl == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires_at"}


def test_what_exists_is_used_again_with_its_content(
    application: Application, session: boto3.Session
) -> None:
    """A run that was killed goes on where it stopped."""
    first = create(application, session)
    s3, sqs, dynamodb = (session.client(name) for name in ("s3", "sqs", "dynamodb"))
    s3.put_object(Bucket=first.bucket_name, Key="state/x", Body=b"1")
    url = first.queue_urls["NoticeQueue"]
    sqs.send_message(QueueUrl=url, MessageBody="{}", MessageGroupId="g", MessageDeduplicationId="d")
    table = first.table_names["LedgerTable"]
    dynamodb.put_item(TableName=table, Item={"key": {"S": "a#b#1"}})

    assert create(application, session) == first

    assert s3.get_object(Bucket=first.bucket_name, Key="state/x")["Body"].read() == b"1"
    assert len(sqs.receive_message(QueueUrl=url)["Messages"]) == 1
    assert dynamodb.scan(TableName=table)["Count"] == 1


def test_an_existing_queue_takes_over_what_the_template_says_now(
    application: Application, session: boto3.Session
) -> None:
    url = create(application, session).queue_urls["NoticeQueue"]
    work = application.queues["NoticeQueue"]
    changed = replace(work, attributes={**work.attributes, "VisibilityTimeout": "99"})
    create(replace(application, queues={**application.queues, "NoticeQueue": changed}), session)
    attributes = session.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
    assert attributes["Attributes"]["VisibilityTimeout"] == "99"


def test_the_bucket_is_made_in_the_default_region_too(session: boto3.Session, name: str) -> None:
    """S3 refuses us-east-1 as a location constraint."""
    application = load(TEMPLATE, REQUIRED, name, region="us-east-1")
    session = boto3.Session("key", "secret", region_name="us-east-1")
    resources = create(application, session)
    session.client("s3").head_bucket(Bucket=resources.bucket_name)


def test_a_table_with_another_key_is_refused(
    application: Application, session: boto3.Session
) -> None:
    ledger = application.tables["LedgerTable"]
    other = {
        "TableName": ledger.name,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    session.client("dynamodb").create_table(**other)
    with pytest.raises(Misconfigured, match=f"{ledger.name}: a table .* delete it"):
        create(application, session)


def test_a_variable_that_only_cloudformation_knows_is_refused_by_name(
    application: Application, session: boto3.Session
) -> None:
    notifier = application.functions["Notifier"]
    broken = replace(notifier, environment={"ROLE": Physical("NotifierRole", "Arn")})
    with pytest.raises(TemplateInvalid, match=r"Notifier: variable ROLE: .*Arn of NotifierRole"):
        create(replace(application, functions={"Notifier": broken}), session)
