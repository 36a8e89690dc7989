"""How our clients put a call on the wire."""

from io import BytesIO
from typing import Any

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from urllib3 import HTTPResponse

from uring.aws.clients import Clients


def test_a_put_sends_its_body_without_asking_first() -> None:
    """By itself botocore asks with ``Expect: 100-continue``, a round trip more."""
    session = boto3.Session("key", "secret", region_name="ap-northeast-2")
    s3 = Clients(session).get("s3")
    sent: list[AWSPreparedRequest] = []

    def answer(request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        sent.append(request)
        return AWSResponse(request.url, 200, {"ETag": '"e"'}, HTTPResponse(BytesIO()))

    s3.meta.events.register("before-send.s3.PutObject", answer)
    s3.put_object(Bucket="b", Key="k", Body=b"x", IfNoneMatch="*")
    assert [request.method for request in sent] == ["PUT"]
    assert "Expect" not in sent[0].headers
    assert sent[0].headers["If-None-Match"] == "*"
