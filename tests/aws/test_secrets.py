"""A secret that is kept: read once, and again after it was refused; and one that is an object."""

from typing import Any

import boto3
import pytest

from uring.aws.secrets import KeptSecret, json_secret
from uring.errors import Misconfigured


@pytest.fixture
def client(moto_session: boto3.Session) -> Any:
    return moto_session.client("secretsmanager")


def test_it_is_read_once_until_it_is_forgotten(client: Any, name: str) -> None:
    client.create_secret(Name=name, SecretString=" first-key\n")
    secret = KeptSecret(lambda: client, name)
    assert secret.text() == "first-key"
    client.put_secret_value(SecretId=name, SecretString="second-key")
    assert secret.text() == "first-key"
    secret.forget()
    assert secret.text() == "second-key"


def test_nothing_is_asked_for_before_it_is_needed(name: str) -> None:
    def never() -> Any:
        raise AssertionError("asked")

    KeptSecret(never, name).forget()


def test_one_that_is_not_there_is_named_and_asked_for_again(client: Any, name: str) -> None:
    secret = KeptSecret(lambda: client, name)
    with pytest.raises(Misconfigured, match=name):
        secret.text()
    client.create_secret(Name=name, SecretString="mended")
    assert secret.text() == "mended"


def test_an_empty_one_and_one_without_a_name_tell_what_to_do(client: Any, name: str) -> None:
    client.create_secret(Name=name, SecretString="  ")
    with pytest.raises(Misconfigured, match=f"secret {name}: is empty; store the key"):
        KeptSecret(lambda: client, name).text()
    with pytest.raises(Misconfigured, match="no secret is named in the settings"):
        KeptSecret(lambda: client, "").text()


@pytest.mark.parametrize("text", ["no json: s3cret", "[1]", '"s3cret"'])
def test_what_is_no_json_object_is_named_and_never_shown(client: Any, name: str, text: str) -> None:
    client.create_secret(Name=name, SecretString=text)
    with pytest.raises(Misconfigured, match=f"secret {name}: not a JSON object") as caught:
        json_secret(client, name)
    assert "s3cret" not in str(caught.value)


def test_a_json_object_is_read(client: Any, name: str) -> None:
    client.create_secret(Name=name, SecretString='{"type": "service_account"}')
    assert json_secret(client, name) == {"type": "service_account"}
