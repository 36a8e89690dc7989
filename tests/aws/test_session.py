"""The session of functions makes the clients that boto3's would, and reads less for it."""

import os
from copy import deepcopy
from pathlib import Path
from typing import Any, get_args

import boto3
import botocore
import pytest
from botocore.loaders import Loader

from uring.aws.clients import Clients, Service

SERVICES = get_args(Service)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials and a region, as Lambda gives them, and no stack."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")


def test_boto3_and_botocore_are_released_together() -> None:
    """So what a function finds in the one is true of the other, to the number that it asks for."""
    assert botocore.__version__.split(".")[:2] == boto3.__version__.split(".")[:2]


@pytest.mark.parametrize("service", SERVICES)
def test_a_client_is_what_boto3_makes(service: Service) -> None:
    ours, theirs = Clients().get(service).meta, boto3.Session().client(service).meta
    assert ours.endpoint_url == theirs.endpoint_url
    assert ours.region_name == theirs.region_name
    assert ours.config.signature_version == theirs.config.signature_version
    assert ours.method_to_api_mapping == theirs.method_to_api_mapping
    for operation in theirs.service_model.operation_names:
        model = ours.service_model.operation_model(operation)
        other = theirs.service_model.operation_model(operation)
        assert str(model.input_shape and model.input_shape.members) == str(
            other.input_shape and other.input_shape.members
        )


def test_what_is_read_is_what_botocore_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    read: dict[str, Any] = {}
    plain = Loader.load_data_with_path

    def note(loader: Loader, name: str) -> Any:
        value, path = plain(loader, name)
        # Some of it is changed by those who asked.
        read.setdefault(name, deepcopy(value))
        return value, path

    monkeypatch.setattr(Loader, "load_data_with_path", note)
    clients = Clients()
    for service in SERVICES:
        clients.get(service)
    assert {"endpoints", "partitions"} < read.keys()
    assert len(read) > len(SERVICES)
    theirs = Loader()
    for name, value in read.items():
        assert value == plain(theirs, name)[0]
        assert type(value) is dict


def test_no_folder_of_another_service_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself botocore looks into four hundred, for each kind of model."""
    looked: list[Path] = []
    plain = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: looked.append(Path(path)) or plain(path))
    clients = Clients()
    for service in SERVICES:
        clients.get(service)
    assert {path.name for path in looked} <= {*SERVICES}


def test_a_service_that_botocore_lacks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uring.aws.clients.get_args", lambda _: ("s3", "neverland"))
    clients: Any = Clients()
    with pytest.raises(Exception, match="neverland"):
        clients.get("neverland")
