"""How our clients put a call on the wire."""

from io import BytesIO
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from urllib3 import HTTPResponse

from uring.aws.clients import Clients
from uring.errors import Misconfigured


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


@pytest.mark.parametrize("version", ["1.35.99", "0.99.0", "", "new", "1.", "9" * 5_000])
def test_a_runtime_whose_boto3_is_too_old_says_so(
    version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its first client ends with a TypeError that names no remedy."""
    monkeypatch.setattr("botocore.__version__", version)
    with pytest.raises(Misconfigured, match=r"1\.36 is needed: deploy with a newer Python") as told:
        Clients()
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("version", ["1.36.0", "1.40.4", "2.0.0"])
def test_a_newer_boto3_will_do(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botocore.__version__", version)
    Clients()
