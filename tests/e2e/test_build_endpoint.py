"""Which stack the environment names."""

import re

import pytest
from uring_command import ROOT

from uring.errors import Misconfigured
from uring_local.stack.stack import Endpoint, at, external, used_services

LOCAL = "http://127.0.0.1:4566"
NAMED = {
    "AWS_ENDPOINT_URL_CLOUDFORMATION": LOCAL,
    "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:8000",
    "AWS_ENDPOINT_URL_LAMBDA": LOCAL,
    "AWS_ENDPOINT_URL_S3": LOCAL,
    "AWS_ENDPOINT_URL_SECRETS_MANAGER": LOCAL,
    "AWS_ENDPOINT_URL_SNS": LOCAL,
    "AWS_ENDPOINT_URL_SQS": LOCAL,
}
DEPLOYED = {"AWS_ENDPOINT_URL_CLOUDWATCH_LOGS": LOCAL}


def named(variables: dict[str, str], *, in_process: bool = True) -> Endpoint | None:
    return external(used_services(in_process=in_process), variables)


def test_without_an_address_there_is_no_external_stack() -> None:
    """Credentials, a region or an empty address do not name one: AWS itself is never guessed."""
    assert named({}) is None
    assert named({"AWS_PROFILE": "work", "AWS_REGION": "eu-west-1"}) is None
    assert named({"AWS_ENDPOINT_URL": ""}) is None
    # Of a service that no run calls.
    assert named({"AWS_ENDPOINT_URL_BEDROCK": LOCAL}) is None


def test_an_address_is_enough() -> None:
    endpoint = named({"AWS_ENDPOINT_URL": LOCAL, "HOME": "/home/ada"})
    assert endpoint == at(LOCAL)
    assert endpoint.environment == {
        "AWS_ENDPOINT_URL": LOCAL,
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false",
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
    endpoint = named(given)
    assert endpoint is not None
    assert endpoint.region == "eu-west-1"
    assert endpoint.environment == given | {
        "AWS_REGION": "eu-west-1",
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false",
    }


def test_an_address_of_one_service_wins_over_that_of_all() -> None:
    urls = {"AWS_ENDPOINT_URL": LOCAL, "AWS_ENDPOINT_URL_S3": "http://s3.localhost:4566"}
    endpoint = named(urls)
    assert endpoint is not None
    assert urls.items() <= endpoint.environment.items()
    assert endpoint.address("s3") == "http://s3.localhost:4566"
    assert endpoint.address("cloudformation") == LOCAL


def test_addresses_of_all_services_are_enough() -> None:
    endpoint = named({**NAMED, **DEPLOYED}, in_process=False)
    assert endpoint is not None
    assert endpoint.address("logs") == LOCAL
    assert endpoint.address("dynamodb") == NAMED["AWS_ENDPOINT_URL_DYNAMODB"]
    assert named(NAMED) is not None
    # What is called all the same is refused by every resolver, not asked at AWS.
    assert endpoint.address("sts").endswith(".invalid")
    assert endpoint.environment["AWS_ENDPOINT_URL"].endswith(".invalid")


@pytest.mark.parametrize("missing", NAMED)
def test_no_service_is_left_to_aws_itself(missing: str) -> None:
    given = {name: url for name, url in NAMED.items() if name != missing}
    with pytest.raises(Misconfigured, match=f"set {missing} too"):
        named({**given, "AWS_PROFILE": "work"})


def test_what_is_missing_is_named_as_boto3_reads_it() -> None:
    """A deployed run reads logs; a name that boto3 does not know is no address."""
    with pytest.raises(Misconfigured, match=f"set {', '.join(DEPLOYED)} too"):
        named(NAMED, in_process=False)
    given = {name.replace("SECRETS_MANAGER", "SECRETSMANAGER"): NAMED[name] for name in NAMED}
    with pytest.raises(Misconfigured, match="set AWS_ENDPOINT_URL_SECRETS_MANAGER too"):
        named(given)


def test_the_page_of_local_stacks_has_the_names() -> None:
    page = (ROOT / "docs" / "local.md").read_text(encoding="utf-8")
    names = re.findall(r"`([A-Z0-9_]+)`", page.partition("`AWS_ENDPOINT_URL_` with")[2])
    assert {f"AWS_ENDPOINT_URL_{name}" for name in names} == {*NAMED, *DEPLOYED}


def test_a_profile_comes_with_the_files_that_define_it() -> None:
    own = {"AWS_PROFILE": "work", "AWS_CONFIG_FILE": "/c", "AWS_SHARED_CREDENTIALS_FILE": "/s"}
    endpoint = named({"AWS_ENDPOINT_URL": LOCAL, **own})
    assert endpoint is not None
    assert own.items() <= endpoint.environment.items()
    assert "AWS_ACCESS_KEY_ID" not in endpoint.environment
