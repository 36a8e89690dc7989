"""What can be known of stage, account and region before anything is deployed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from uring.aws.errors import translated
from uring.errors import UringError
from uring_local.deploy.plan import DeployPlan, Step
from uring_local.deploy.stage import refusals
from uring_local.doctor.concurrency import check_concurrency
from uring_local.doctor.finding import Diagnosis, failed, note, ok
from uring_local.doctor.pushing import check_fcm, check_fcm_secret, check_weather_secret
from uring_local.doctor.subject import Subject
from uring_local.words import counted, printable

_PAGE: Final = "docs/operations.md#deploy"

# By parameter with its value, the services that not every region has. A stand-in replaces one.
_REGIONAL: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("Documents", "ENABLED"): {
        "translate": "TranslateEndpoint",
        "comprehend": "TranslateEndpoint",
        "bedrock": "BedrockEndpoint",
    }
}
# The first words of inference profiles' ids; a model's is its maker.
_PROFILES: Final = {"global", "us", "us-gov", "eu", "apac", "jp", "au", "ca"}
_AVAILABLE: Final = {
    "authorizationStatus": "AUTHORIZED",
    "entitlementAvailability": "AVAILABLE",
    "regionAvailability": "AVAILABLE",
}


def check_stage(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield each parameter that CloudFormation would refuse."""
    name, stage = plan.stage.file.name, plan.stage
    refused = [*refusals(stage)]
    for parameter, reason in refused:
        yield failed(name, f"{parameter}: {reason}", f"correct [{stage.name}] in {stage.file}")
    if refused:
        return
    yield ok(name, f"[{stage.name}] has {counted(len(stage.parameters), 'parameter')}")
    if not stage.values["AlarmEmail"]:
        yield note(name, "AlarmEmail is empty: nobody receives alarms, and the doctor fails for it")


def check_credentials(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield the account and the caller."""
    with translated("sts:GetCallerIdentity"):
        caller = plan.planned.client("sts").get_caller_identity()
    where = f" at {plan.endpoint}" if plan.endpoint else ""
    yield ok("credentials", f"account {caller['Account']}{where}, {caller['Arn']}")


def check_region(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield the services of switched-on families that the region lacks, by boto3's own list."""
    values, region = plan.stage.values, plan.planned.client("sts").meta.region_name
    missing = False
    for (parameter, value), services in _REGIONAL.items():
        if values[parameter] != value:
            continue
        for service, stand_in in services.items():
            if values[stand_in] or has_service(plan.session, service, region):
                continue
            missing = True
            yield failed(
                "region",
                f"{region} has no {service}, which {parameter}={value} needs",
                f"leave {parameter} out, or deploy to another region. boto3's list may be older "
                "than the service: `make lock` with ARGS=--upgrade renews it",
            )
    if not missing:
        yield ok("region", f"{region} has the services of the stage's families")


def has_service(session: Any, service: str, region: str) -> bool:
    """Return True if boto3 lists a region for a service; no call is made."""
    partition = session.get_partition_for_region(region)
    return region in session.get_available_regions(service, partition)


def check_cloudfront(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the account is known to be verified for CloudFront.

    AWS has no call that says so: an account with a distribution is verified.
    """
    if plan.stage.values["Cdn"] == "DISABLED":
        return
    try:
        with translated("cloudfront:ListDistributions"):
            client = plan.planned.client("cloudfront")
            found = client.list_distributions(MaxItems="1")["DistributionList"].get("Quantity", 0)
    except UringError as error:
        yield note("CloudFront", f"not known whether the account may use it: {_cause(error)}")
        return
    if found:
        yield ok("CloudFront", "the account has a distribution, so it is verified")
    else:
        yield note(
            "CloudFront",
            "the account has no distribution yet. If AWS has not verified it, the first deployment "
            "is rolled back as a whole",
            f"a new account opens a case first, and deploys with Cdn=DISABLED meanwhile ({_PAGE})",
        )


def check_bedrock(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield whether the account has access to the documents' model; without it analyses fail."""
    values = plan.stage.values
    if values["Documents"] != "ENABLED" or values["BedrockEndpoint"]:
        return
    model = model_of(values["DocumentModelId"])
    remedy = (
        f"open {model} in Bedrock's model catalog once, and send its form; until then analyses "
        f"fail with that reason, and everything else works ({_PAGE})"
    )
    try:
        with translated(f"bedrock:GetFoundationModelAvailability {model}"):
            answer = plan.planned.client("bedrock").get_foundation_model_availability(modelId=model)
    except UringError as error:
        yield note("Bedrock", f"access to {model} is not known: {_cause(error)}", remedy)
        return
    said = {name: str(answer.get(name, "")) for name in _AVAILABLE}
    said["agreementAvailability"] = str(answer.get("agreementAvailability", {}).get("status", ""))
    wanted = {**_AVAILABLE, "agreementAvailability": "AVAILABLE"}
    lacks = [
        f"{name} {value or 'unknown'}" for name, value in said.items() if value != wanted[name]
    ]
    if lacks:
        yield note("Bedrock", f"no access to {model}: {', '.join(lacks)}", remedy)
    else:
        yield ok("Bedrock", f"the account may use {model}")


def model_of(identity: str) -> str:
    """Return the model of an inference profile, such as ``global.``; or the model itself."""
    geography, _, model = identity.partition(".")
    return model if geography in _PROFILES else identity


def _cause(error: UringError) -> str:
    """Return an error without its remedy, which is a stack's and not an account's."""
    return printable(str(error)).partition("; ")[0]


def _of_doctor(check: Callable[[Subject], Iterator[Diagnosis]]) -> Step:
    return lambda plan: check(plan.planned)


ACCOUNT: Final[Mapping[str, Step]] = {
    "concurrency": _of_doctor(check_concurrency),
    "region": check_region,
    "CloudFront": check_cloudfront,
    "Bedrock": check_bedrock,
    "FCM secret": _of_doctor(check_fcm_secret),
    "FCM": _of_doctor(check_fcm),
    "weather secret": _of_doctor(check_weather_secret),
}
"""Checks of the account by name; all of them are made, whatever fails."""
