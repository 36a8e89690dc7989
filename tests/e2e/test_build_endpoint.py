"""Which stack the environment names."""

import pytest

from uring.errors import Misconfigured
from uring_local.stack.stack import at, external

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
    urls = {"AWS_ENDPOINT_URL": LOCAL, "AWS_ENDPOINT_URL_S3": "http://s3.localhost:4566"}
    endpoint = external(urls)
    assert endpoint is not None
    assert endpoint.url == LOCAL
    assert urls.items() <= endpoint.environment.items()


def test_no_service_is_left_to_aws_itself() -> None:
    urls = {f"AWS_ENDPOINT_URL_{name}": LOCAL for name in ("S3", "SQS", "DYNAMODB")}
    with pytest.raises(Misconfigured, match="_SQS is set and AWS_ENDPOINT_URL is not"):
        external({**urls, "AWS_PROFILE": "work"})


def test_a_profile_comes_with_the_files_that_define_it() -> None:
    own = {"AWS_PROFILE": "work", "AWS_CONFIG_FILE": "/c", "AWS_SHARED_CREDENTIALS_FILE": "/s"}
    endpoint = external({"AWS_ENDPOINT_URL": LOCAL, **own})
    assert endpoint is not None
    assert own.items() <= endpoint.environment.items()
    assert "AWS_ACCESS_KEY_ID" not in endpoint.environment
