"""The weather end to end: simulated days in one process, and real ticks on a deployed stack."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import boto3
import pytest
from conftest import assert_all_is_well, summary, uring

from uring_local.fcm.server import FcmStandIn
from uring_local.run.launch import PARAMETERS
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.comparable import published_form, true_form
from uring_local.sites.airfield.model import AIRPORTS
from uring_local.sites.airfield.scripts.metars import metars
from uring_local.sites.airfield.simulation import KEY_SECRET, PRODUCTS
from uring_local.stack.application import schedule_event
from uring_local.stack.deploy import deploy
from uring_local.stack.deployed import SECRET
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint

RUN = ("run", "--family", "weather", "--json", "--seed", "7")


def test_files_are_changes_and_pushes_are_events_though_the_gateway_fails() -> None:
    """Half a day."""
    run = uring(*RUN, "--ticks", "110", "--gateway-fault", "0.1")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert found["files"] == found["changes"]
    assert found["files"]["metar"] > 20
    assert found["pushed"] > 20
    assert_all_is_well(found)
    assert len(found["gateway_faults"]) > 20
    assert found["stale_runs"] > 20
    assert "fake-weather-key" not in run.stdout + run.stderr


def test_what_belongs_to_the_other_family_is_refused() -> None:
    for arguments in (
        ("run", "--family", "notices", "--gateway-fault", "0.1"),
        ("run", "--config", "config/sitemap.json", "--gateway-fault", "0.1"),
        ("run", "--family", "weather", "--config", "config/sitemap.json"),
        ("run", "--family", "weather", "--gateway-fault", "1"),
    ):
        refused = uring(*arguments)
        assert refused.returncode == 2
        assert refused.stderr.startswith("uring run: ")


def test_the_deployed_functions_publish_and_push_the_weather() -> None:
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    # A SPECI is not the newest report at every minute.
    ending = hour - timedelta(minutes=2)
    with (
        MiniStack() as endpoint,
        Airfield(seed_with_special(ending), opened=ending - timedelta(hours=8)) as airfield,
        FcmStandIn() as fcm,
    ):
        secrets = client(endpoint, "secretsmanager")
        secrets.create_secret(Name=KEY_SECRET, SecretString=airfield.key)
        secrets.create_secret(Name=SECRET, SecretString=json.dumps(fcm.service_account()))
        outputs = deploy(
            endpoint,
            parameters={
                **PARAMETERS,
                "AllowedPrivateHosts": airfield.host,
                "WeatherGatewayUrl": airfield.url,
                "WeatherKeySecret": KEY_SECRET,
                "FcmEndpoint": fcm.url,
                "FcmCredentialsSecret": SECRET,
            },
            stack_name="uring-weather",
        )
        # Every product is due on the half hour; a job of the future is never overdue.
        due = hour + timedelta(hours=1)
        for moment in (due, due + timedelta(hours=1)):
            answer = client(endpoint, "lambda").invoke(
                FunctionName=outputs["WeatherOrchestratorFunction"],
                Payload=json.dumps(schedule_event(moment)).encode(),
            )
            assert json.loads(answer["Payload"].read()) == {"jobs": 3}
            until(lambda: published_as_told(endpoint, outputs["BucketName"], airfield))
            if moment == due:
                assert fcm.deliveries == ()
                airfield.advance(ending)
        reports = airfield.truth("metar")
        specials = {icao for icao, report in reports.items() if report.kind == "SPECI"}
        assert specials
        until(lambda: specials <= {one.topic for one in fcm.deliveries})
        assert {one.topic for one in fcm.deliveries} <= {*reports}


def seed_with_special(at: datetime) -> int:
    """A seed with a SPECI in force: of one seed, some hours of the clock have nothing to push."""
    return next(
        seed
        for seed in count(7)
        if any(metars(seed, icao, at)[-1].kind == "SPECI" for icao in AIRPORTS)
    )


def published_as_told(endpoint: Endpoint, bucket: str, airfield: Airfield) -> bool:
    s3 = client(endpoint, "s3")
    for product in PRODUCTS:
        try:
            stored = s3.get_object(Bucket=bucket, Key=f"data/{product}/latest.json")
        except s3.exceptions.NoSuchKey:
            return False
        airports = json.loads(stored["Body"].read())["airports"]
        truth = airfield.truth(product)
        if {icao: published_form(report) for icao, report in airports.items()} != {
            icao: true_form(report) for icao, report in truth.items()
        }:
            return False
    return True


def until(is_so: Callable[[], bool], seconds: float = 240) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > ends:
            pytest.fail("it never came to be")
        time.sleep(0.2)


def client(endpoint: Endpoint, service: str) -> Any:
    make: Any = boto3.client
    return make(
        service,
        endpoint_url=endpoint.url,
        region_name=endpoint.region,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
