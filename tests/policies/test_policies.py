"""Each function may do what it does, and nothing else (X5)."""

import os
from collections.abc import Iterator

import pytest
from exercise import DEVICE, PARAMETERS, Recorder, exercise, staged
from expanded import Stack, read_template
from grants import PLATFORM, Use, grants, idle, refused

FUNCTIONS = (
    "NoticeOrchestrator",
    "Monitor",
    "NoticeWorker",
    "WeatherOrchestrator",
    "WeatherWorker",
    "RegulationOrchestrator",
    "RegulationWorker",
    "RegulationParser",
    "TextExtractor",
    "SeedOrchestrator",
    "SeedFileWorker",
    "DomainWorker",
    "SeedWatchOrchestrator",
    "SeedWatchWorker",
    "DocumentApi",
    "DocumentWorker",
    "DocumentIntake",
    "DocumentJanitor",
    "Notifier",
    "SubscriptionApi",
)


@pytest.fixture(scope="module")
def used() -> Iterator[dict[str, set[Use]]]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        patch.setenv("AWS_ACCESS_KEY_ID", "testing")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
        with staged() as stage:
            recorder = Recorder(stage.resources)
            exercise(stage, recorder.session)
            assert stage.fcm.deliveries, "nothing was pushed: not all was exercised"
            assert stage.fcm.topics_of(DEVICE), "nobody was subscribed"
            assert len({each.service for each in stage.language.asked}) == 2, "not both were asked"
            yield recorder.uses


@pytest.fixture(scope="module")
def stack() -> Stack:
    return Stack(read_template(), **PARAMETERS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_used_is_allowed(used: dict[str, set[Use]], stack: Stack, function: str) -> None:
    assert used[function], "nothing was recorded: nothing was tested"
    assert refused(grants(stack, function), used[function]) == set()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_allowed_is_used(used: dict[str, set[Use]], stack: Stack, function: str) -> None:
    assert idle(grants(stack, function), used[function]) == set()


def test_what_lambda_itself_uses_is_on_its_own_queue_and_log(stack: Stack) -> None:
    own = {
        "NoticeOrchestrator": set(),
        "Monitor": set(),
        "NoticeWorker": {"NoticeQueue"},
        "WeatherOrchestrator": set(),
        "WeatherWorker": {"WeatherQueue"},
        "RegulationOrchestrator": set(),
        "RegulationWorker": {"RegulationQueue"},
        "RegulationParser": {"RegulationParseQueue"},
        "TextExtractor": set(),
        # These two look at the depth of the domain queue themselves.
        "SeedOrchestrator": {"DomainQueue"},
        "SeedFileWorker": {"SeedQueue", "DomainQueue"},
        "DomainWorker": {"DomainQueue"},
        "SeedWatchOrchestrator": set(),
        "SeedWatchWorker": {"SeedWatchQueue"},
        "DocumentApi": set(),
        "DocumentWorker": {"DocumentQueue"},
        "DocumentIntake": set(),
        "DocumentJanitor": set(),
        "Notifier": {"NotifyQueue"},
        "SubscriptionApi": set(),
    }
    for function, queues in own.items():
        granted = {use for use in grants(stack, function) if use.action in PLATFORM}
        resources = {use.resource for use in granted}
        assert resources == queues | {f"{function}LogGroup"}


def test_the_comparison_tells_both_differences() -> None:
    allowed = {Use("s3:GetObject", "Bucket/data/*"), Use("sqs:SendMessage", "NoticeQueue")}
    used = {Use("s3:GetObject", "Bucket/data/cs/latest.json"), Use("s3:PutObject", "Bucket/x")}
    assert refused(allowed, used) == {Use("s3:PutObject", "Bucket/x")}
    assert idle(allowed, used) == {Use("sqs:SendMessage", "NoticeQueue")}
