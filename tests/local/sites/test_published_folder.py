"""A judge that looks at a folder again reads what was written since, and nothing else."""

import boto3
from moto import mock_aws

from uring_local.sites.stage.published import Published


@mock_aws
def test_only_what_was_written_since_is_read_again() -> None:
    s3 = boto3.client("s3", region_name="us-east-1")
    s3.create_bucket(Bucket="played")
    for name, body in (("a", b"1"), ("b", b"2"), ("c", b"3")):
        s3.put_object(Bucket="played", Key=f"data/{name}.json", Body=body)
    read: list[str] = []
    s3.meta.events.register(
        "provide-client-params.s3.GetObject", lambda params, **_: read.append(params["Key"])
    )
    published = Published(s3, "played")
    first = published.folder("data/")
    assert {name: first.document(name) for name in first.names} == {
        "a.json": 1,
        "b.json": 2,
        "c.json": 3,
    }
    read.clear()
    s3.put_object(Bucket="played", Key="data/b.json", Body=b"4")
    s3.delete_object(Bucket="played", Key="data/c.json")
    second = published.folder("data/")
    assert {name: second.document(name) for name in second.names} == {"a.json": 1, "b.json": 4}
    assert read == ["data/b.json"]
    s3.put_object(Bucket="played", Key="data/c.json", Body=b"5")
    assert published.folder("data/").document("c.json") == 5
