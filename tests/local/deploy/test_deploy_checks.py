"""What `uring deploy` knows of account and region before anything is deployed."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from deploy_stages import lines

from uring_local.deploy.checks import (
    ACCOUNT,
    check_bedrock,
    check_cloudfront,
    check_credentials,
    check_region,
    check_stage,
    model_of,
)
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.steps import deploy

DOCUMENTS = {"Documents": "ENABLED"}
MODEL = "anthropic.claude-sonnet-4-5-20250929-v1:0"


class Account:
    """An account in a region: what is known offline is boto3's, answers are a test's."""

    def __init__(self, region: str, **answers: Any) -> None:
        self._session = boto3.Session()
        self._answers = answers
        self.meta = type("Meta", (), {"region_name": region})
        self.get_available_regions = self._session.get_available_regions
        self.get_partition_for_region = self._session.get_partition_for_region

    def client(self, *_: Any, **__: Any) -> "Account":
        return self

    def __getattr__(self, operation: str) -> Any:
        answer = self._answers[operation]

        def call(**_: Any) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call


def denied() -> ClientError:
    return ClientError({"Error": {"Code": "AccessDenied"}}, "Operation")


@pytest.mark.parametrize("service", ["translate", "comprehend", "bedrock"])
def test_a_service_that_the_region_lacks_is_said_before_the_first_job(
    service: str, plan: Callable[..., DeployPlan]
) -> None:
    """boto3's own list, of which a region is chosen that has no such service."""
    session = boto3.Session()
    without = next(
        region
        for region in session.get_available_regions("lambda")
        if region not in session.get_available_regions(service)
    )
    made = [*check_region(plan(Account(without), DOCUMENTS))]
    (finding,) = (each for each in made if f" {service}," in each.detail)
    assert finding.status == "failed"
    assert finding.detail == f"{without} has no {service}, which Documents=ENABLED needs"
    assert "another region" in finding.remedy
    # Notices need none of them.
    assert [status for status, _ in lines(check_region(plan(Account(without))))] == ["ok"]


def test_osaka_has_no_translate_and_no_comprehend(plan: Callable[..., DeployPlan]) -> None:
    made = lines(check_region(plan(Account("ap-northeast-3"), DOCUMENTS)))
    assert [detail.split(",")[0] for _, detail in made] == [
        "ap-northeast-3 has no translate",
        "ap-northeast-3 has no comprehend",
    ]
    stand_ins = DOCUMENTS | {"TranslateEndpoint": "http://127.0.0.1:1"}
    assert [
        status for status, _ in lines(check_region(plan(Account("ap-northeast-3"), stand_ins)))
    ] == ["ok"]


def test_the_default_region_has_every_service(plan: Callable[..., DeployPlan]) -> None:
    made = lines(check_region(plan(Account("ap-northeast-2"), DOCUMENTS)))
    assert made == [("ok", "ap-northeast-2 has the services of the stage's families")]


@pytest.mark.parametrize(
    ("answer", "status", "word"),
    [
        ({"DistributionList": {"Quantity": 1}}, "ok", "verified"),
        ({"DistributionList": {"Quantity": 0}}, "note", "rolled back as a whole"),
        (denied(), "note", "not known"),
    ],
)
def test_an_account_with_a_distribution_is_verified_and_of_others_nothing_is_known(
    answer: Any, status: str, word: str, plan: Callable[..., DeployPlan]
) -> None:
    account = Account("ap-northeast-2", list_distributions=answer)
    ((said, detail),) = lines(check_cloudfront(plan(account)))
    assert said == status
    assert word in detail
    assert lines(check_cloudfront(plan(account, {"Cdn": "DISABLED"}))) == []


GRANTED = {
    "agreementAvailability": {"status": "AVAILABLE"},
    "authorizationStatus": "AUTHORIZED",
    "entitlementAvailability": "AVAILABLE",
    "regionAvailability": "AVAILABLE",
}


@pytest.mark.parametrize(
    ("answer", "status", "detail"),
    [
        (GRANTED, "ok", f"the account may use {MODEL}"),
        (
            GRANTED | {"agreementAvailability": {"status": "NOT_AVAILABLE"}},
            "note",
            f"no access to {MODEL}: agreementAvailability NOT_AVAILABLE",
        ),
        (
            GRANTED | {"authorizationStatus": "NOT_AUTHORIZED"},
            "note",
            f"no access to {MODEL}: authorizationStatus NOT_AUTHORIZED",
        ),
        ({}, "note", "unknown"),
        (denied(), "note", "is not known: bedrock:GetFoundationModelAvailability"),
    ],
)
def test_a_model_without_access_is_a_note_since_everything_else_works(
    answer: Any, status: str, detail: str, plan: Callable[..., DeployPlan]
) -> None:
    account = Account("ap-northeast-2", get_foundation_model_availability=answer)
    (finding,) = check_bedrock(plan(account, DOCUMENTS))
    assert finding.status == status
    assert detail in finding.detail
    assert ("send its form" in finding.remedy) == (status == "note")
    assert [*check_bedrock(plan(account))] == []
    assert [*check_bedrock(plan(account, DOCUMENTS | {"BedrockEndpoint": "http://x"}))] == []


def test_the_model_of_an_inference_profile_is_asked_about() -> None:
    assert model_of(f"global.{MODEL}") == model_of(f"apac.{MODEL}") == model_of(MODEL) == MODEL
    assert model_of("amazon.nova-2.5") == "amazon.nova-2.5"


def test_all_faults_of_the_account_are_shown_and_end_the_run(
    plan: Callable[..., DeployPlan],
) -> None:
    """Secrets, quota and services are the doctor's checks, of the stack that is planned."""
    account = Account(
        "ap-northeast-3",
        get_account_settings={"AccountLimit": {"ConcurrentExecutions": 3}},
        list_distributions={"DistributionList": {"Quantity": 0}},
        get_foundation_model_availability=denied(),
        get_secret_value=ClientError(
            {"Error": {"Code": "ResourceNotFoundException"}}, "GetSecretValue"
        ),
    )
    given = DOCUMENTS | {"WeatherKeySecret": "weather/key"}

    def never(_: DeployPlan) -> Any:
        raise AssertionError

    made = [*deploy(plan(account, given), (ACCOUNT, {"build": never}))]
    wrong = [each.name for each in made if each.status == "failed"]
    assert wrong == ["concurrency", "region", "region", "FCM secret", "weather secret"]
    assert all(each.remedy for each in made if each.status == "failed")


def test_the_caller_and_the_account_are_shown(plan: Callable[..., DeployPlan]) -> None:
    caller = {"Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/ada"}
    made = lines(check_credentials(plan(Account("x", get_caller_identity=caller))))
    assert made == [("ok", "account 123456789012, arn:aws:iam::123456789012:user/ada")]


def test_a_stage_that_would_be_refused_is_named_with_its_file(
    plan: Callable[..., DeployPlan],
) -> None:
    (finding,) = check_stage(plan(None, {"Contact": ""}))
    assert finding.status == "failed"
    assert finding.detail.startswith("Contact: '' is refused")
    assert finding.remedy.startswith("correct [default] in ")
    (said, note) = check_stage(plan(None, {"AlarmEmail": ""}))
    assert (said.status, note.status) == ("ok", "note")
