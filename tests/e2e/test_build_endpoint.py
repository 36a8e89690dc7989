"""Which stack the environment names."""

import pytest

from uring_local.deploy import deploy
from uring_local.project import StackFailed
from uring_local.stack import Endpoint, at, external

LOCAL = "http://127.0.0.1:4566"


def test_without_an_address_there_is_no_external_stack() -> None:
    """Credentials, a region or an empty address do not name one: AWS itself is never guessed."""
    assert external({}) is None
    assert external({"AWS_PROFILE": "work", "AWS_REGION": "eu-west-1"}) is None
    assert external({"AWS_ENDPOINT_URL": ""}) is None


def test_an_address_is_enough() -> None:
    endpoint = external({"AWS_ENDPOINT_URL": LOCAL, "HOME": "/home/ada"})
    assert endpoint == at(LOCAL)
    assert endpoint.environment == {
        "AWS_ENDPOINT_URL": LOCAL,
        "AWS_REGION": "ap-northeast-2",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
    }


def test_the_users_region_and_credentials_are_kept() -> None:
    given = {
        "AWS_ENDPOINT_URL": LOCAL,
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "mine",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_SESSION_TOKEN": "token",
    }
    endpoint = external(given)
    assert endpoint is not None
    assert endpoint.region == "eu-west-1"
    assert endpoint.environment == given | {"AWS_REGION": "eu-west-1"}


def test_addresses_of_single_services_pass_through() -> None:
    urls = {"AWS_ENDPOINT_URL_S3": LOCAL, "AWS_ENDPOINT_URL_SQS": "http://127.0.0.1:9324"}
    endpoint = external(urls)
    assert endpoint is not None
    assert endpoint.url == ""
    assert urls.items() <= endpoint.environment.items()


def test_nothing_is_deployed_where_some_service_would_be_aws_itself() -> None:
    endpoint = external({"AWS_ENDPOINT_URL_S3": LOCAL, "AWS_PROFILE": "work"})
    assert isinstance(endpoint, Endpoint)
    with pytest.raises(StackFailed, match="set AWS_ENDPOINT_URL"):
        deploy(endpoint, parameters={})
