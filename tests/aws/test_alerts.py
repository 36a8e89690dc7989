"""Messages to people, as SNS (moto) carries them."""

import json
from typing import Any

import boto3
import pytest

from uring.aws.alerts import SnsAlerts
from uring.errors import Misconfigured


@pytest.fixture
def sns(moto_session: boto3.Session) -> Any:
    return moto_session.client("sns")


def test_a_message_arrives_with_its_subject(
    sns: Any, moto_session: boto3.Session, name: str
) -> None:
    sqs = moto_session.client("sqs")
    url = sqs.create_queue(QueueName=name)["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]
    topic = sns.create_topic(Name=name)["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn["QueueArn"])
    SnsAlerts(sns, topic).send("uRing: 1 source down, 0 up", "DOWN cs (컴퓨터공학과)\nDOWN ee")
    (message,) = sqs.receive_message(QueueUrl=url)["Messages"]
    body = json.loads(message["Body"])
    assert body["Subject"] == "uRing: 1 source down, 0 up"
    assert body["Message"] == "DOWN cs (컴퓨터공학과)\nDOWN ee"


def test_a_missing_topic_is_named(sns: Any) -> None:
    topic = "arn:aws:sns:ap-northeast-2:123456789012:nowhere"
    with pytest.raises(Misconfigured, match="nowhere"):
        SnsAlerts(sns, topic).send("subject", "text")
