"""Each way to fail is told by an alarm, and each alarm is there for one (N13).

What fails by an exception is tried again, and is in the end a dead letter or too old: an alarm on
each of the places that a failure passes would tell it twice, and cost as much.
"""

import re
from typing import Any, Final

import pytest
from dashboards import DASHBOARDS, rows_of
from expanded import ROOT, Stack, logical_id

from uring_local.template.families import switching_on

# By failure; each line names what is watched for it.
ENGINE: Final = {
    "a job is a dead letter": "NoticeDeadLetterAlarm",
    "a push is a dead letter, as FCM refused it for good": "NotifyDeadLetterAlarm",
    "jobs wait, as the worker is slow, or fails each time": "NoticeQueueAgeAlarm",
    "jobs are dropped, as the worker cannot keep up": "NoticeChecksDroppedAlarm",
    "pushes wait, as the notifier is slow, or fails each time": "NotifyQueueAgeAlarm",
    "FCM takes no push before somebody mends its key": "PushesBlockedAlarm",
    "pushes storm": "PushStormAlarm",
    "changes storm": "ChangesStormAlarm",
    "no tick comes": "NoticeOrchestratorSilentAlarm",
    "a tick fails": "NoticeOrchestratorErrorsAlarm",
    "no run of the monitor ends well": "MonitorSilentAlarm",
    "an entry is refused": "EntriesRefusedAlarm",
    "the worker breaks as a whole": "NoticeWorkerErrorsAlarm",
    "the notifier breaks as a whole": "NotifierErrorsAlarm",
    "functions are throttled": "ThrottlesAlarm",
}
WEATHER: Final = {
    "a run is a dead letter": "WeatherDeadLetterAlarm",
    "runs wait, or fail each time": "WeatherQueueAgeAlarm",
    "a run is dropped, as the one before took its time": "WeatherChecksDroppedAlarm",
    "no weather tick comes": "WeatherOrchestratorSilentAlarm",
    "a weather tick fails": "WeatherOrchestratorErrorsAlarm",
}
REGULATIONS: Final = {
    "a registry's run is a dead letter": "RegulationDeadLetterAlarm",
    "a parse job is a dead letter": "RegulationParseDeadLetterAlarm",
    "registries wait, or fail each time": "RegulationQueueAgeAlarm",
    "files wait, or fail each time": "RegulationParseQueueAgeAlarm",
    "a file cannot be read": "RegulationTextUnreadableAlarm",
    "a registry's entry is refused": "RegulationEntriesRefusedAlarm",
    "no registry tick comes": "RegulationOrchestratorSilentAlarm",
    "a registry tick fails": "RegulationOrchestratorErrorsAlarm",
}
SEEDS: Final = {
    "a raw file is a dead letter": "SeedDeadLetterAlarm",
    "raw files wait, or fail each time": "SeedQueueAgeAlarm",
    "domains wait": "DomainQueueAgeAlarm",
    "a domain fails by us": "DomainRecordsFailedAlarm",
    "half of the domains do not answer, and are dead letters": "DomainFailureRateAlarm",
    "the domain worker breaks as a whole": "DomainWorkerErrorsAlarm",
    "the seed API answers 503": "SeedRequestsFailedAlarm",
    "the day's ceiling holds raw files": "SeedFilesHeldAlarm",
    "a raw file ends early": "SeedFilesPartialAlarm",
    "no seed tick comes": "SeedOrchestratorSilentAlarm",
    "a seed tick fails": "SeedOrchestratorErrorsAlarm",
}
WATCHES: Final = {
    "a round is a dead letter": "SeedWatchDeadLetterAlarm",
    "rounds wait, or fail each time": "SeedWatchQueueAgeAlarm",
    "a watch's entry is refused": "SeedWatchEntriesRefusedAlarm",
    "no watch tick comes": "SeedWatchOrchestratorSilentAlarm",
    "a watch tick fails": "SeedWatchOrchestratorErrorsAlarm",
}
DOCUMENTS: Final = {
    "a job of documents is a dead letter": "DocumentDeadLetterAlarm",
    "jobs of documents wait, or fail each time": "DocumentQueueAgeAlarm",
    "jobs of documents fail for good": "DocumentJobsFailedAlarm",
    "an upload is no attachment": "DocumentAttachmentsIgnoredAlarm",
    "a page is not swept": "DocumentPagesFailedAlarm",
    "no janitor's tick comes": "DocumentJanitorSilentAlarm",
    "the janitor fails": "DocumentJanitorErrorsAlarm",
    "the intake fails": "DocumentIntakeErrorsAlarm",
    "the document API breaks, or answers 503": "DocumentApiFailedAlarm",
}
SUBSCRIPTIONS: Final = {
    "browsers cannot subscribe, by us or by FCM": "SubscriptionApiFailedAlarm",
}
EVERYTHING: Final = ENGINE | WEATHER | REGULATIONS | SEEDS | WATCHES | DOCUMENTS | SUBSCRIPTIONS

# What tells that a function breaks as a whole: its own errors, the queue whose messages stay or die
# where it does, or the one who calls it and fails with it.
BREAKS: Final = {
    "NoticeOrchestrator": "NoticeOrchestratorErrorsAlarm",
    "NoticeWorker": "NoticeWorkerErrorsAlarm",
    "Monitor": "MonitorSilentAlarm",
    "Notifier": "NotifierErrorsAlarm",
    "WeatherOrchestrator": "WeatherOrchestratorErrorsAlarm",
    "WeatherWorker": "WeatherQueueAgeAlarm",
    "RegulationOrchestrator": "RegulationOrchestratorErrorsAlarm",
    "RegulationWorker": "RegulationQueueAgeAlarm",
    "RegulationParser": "RegulationParseQueueAgeAlarm",
    "TextExtractor": "RegulationParseQueueAgeAlarm",
    "SeedOrchestrator": "SeedOrchestratorErrorsAlarm",
    "SeedFileWorker": "SeedDeadLetterAlarm",
    "DomainWorker": "DomainWorkerErrorsAlarm",
    "SeedWatchOrchestrator": "SeedWatchOrchestratorErrorsAlarm",
    "SeedWatchWorker": "SeedWatchQueueAgeAlarm",
    "DocumentApi": "DocumentApiFailedAlarm",
    "DocumentIntake": "DocumentIntakeErrorsAlarm",
    "DocumentJanitor": "DocumentJanitorErrorsAlarm",
    "DocumentWorker": "DocumentQueueAgeAlarm",
    "SubscriptionApi": "SubscriptionApiFailedAlarm",
}


def alarms(stack: Stack) -> dict[str, dict[str, Any]]:
    return stack.of_type("AWS::CloudWatch::Alarm")


def of_queue(stack: Stack, function: str) -> set[str]:
    """The alarms of the queue that feeds a function, and of its dead letters."""
    queues: set[str] = set()
    for mapping, queue, _ in stack.sources():
        if stack.function(mapping["FunctionName"]) == function:
            queues |= {
                logical_id(mapping["EventSourceArn"]),
                logical_id(queue["RedrivePolicy"]["deadLetterTargetArn"]),
            }
    names = {f"${{{queue}.QueueName}}" for queue in queues}
    return {
        name
        for name, alarm in alarms(stack).items()
        if names & {each["Value"] for each in alarm.get("Dimensions", ())}
    }


def test_every_failure_is_told_and_no_alarm_tells_nothing(full_stack: Stack) -> None:
    assert len(set(EVERYTHING.values())) == len(EVERYTHING)
    assert alarms(full_stack).keys() == set(EVERYTHING.values())


def test_a_release_that_takes_over_by_steps_has_one_more(
    template: dict[str, Any], least_stack: Stack
) -> None:
    """Failed checks come again, to the release before: nothing else would tell in time."""
    more = alarms(Stack(template, Gradual="true")).keys() - alarms(least_stack).keys()
    assert more == {"ReleaseAlarm"}


def test_notices_alone_have_the_alarms_of_the_engine(
    template: dict[str, Any], least_stack: Stack
) -> None:
    """An alarm costs its price whether anything happens or not."""
    own = set(ENGINE.values())
    assert alarms(least_stack).keys() == own
    for family, failures in (
        ("weather", WEATHER),
        ("regulations", REGULATIONS),
        ("seeds", SEEDS),
        ("watches", SEEDS | WATCHES),
        ("documents", DOCUMENTS),
        ("subscriptions", SUBSCRIPTIONS),
    ):
        some = Stack(template, **switching_on([family]))
        assert alarms(some).keys() == own | set(failures.values())


def test_every_function_that_breaks_as_a_whole_is_told(full_stack: Stack) -> None:
    assert BREAKS.keys() == full_stack.of_type("AWS::Lambda::Function").keys()
    for function, name in BREAKS.items():
        alarm = alarms(full_stack)[name]
        its_own = (alarm.get("MetricName"), alarm.get("Dimensions")) == (
            "Errors",
            [{"Name": "FunctionName", "Value": f"${{{function}}}"}],
        )
        elsewhere = {"Monitor", "TextExtractor", "DocumentApi", "SubscriptionApi"}
        assert its_own or function in elsewhere or name in of_queue(full_stack, function)


def test_an_orchestrator_that_fails_is_told_beside_one_that_is_silent(full_stack: Stack) -> None:
    """It is invoked all the same, so its silence says nothing."""
    for function in full_stack.of_type("AWS::Lambda::Function"):
        if function.endswith("Orchestrator"):
            assert {f"{function}SilentAlarm", f"{function}ErrorsAlarm"} <= alarms(full_stack).keys()


def test_a_monitor_without_a_good_run_is_told(stack: Stack) -> None:
    """It counts at the end of a run: a rule that is off and a run that fails leave no sample."""
    alarm = alarms(stack)["MonitorSilentAlarm"]
    assert (alarm["MetricName"], alarm["Statistic"]) == ("SourcesDown", "SampleCount")
    assert alarm["Dimensions"] == [{"Name": "service", "Value": "monitor"}]
    assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
    assert alarm["TreatMissingData"] == "breaching"
    assert alarm["Period"] * alarm["EvaluationPeriods"] == 1800


@pytest.mark.parametrize(
    ("name", "metric", "service"),
    [("ChangesStormAlarm", "Changes", "notice_worker"), ("PushStormAlarm", "Pushes", "notifier")],
)
def test_a_storm_is_what_the_parameter_says_in_ten_minutes(
    template: dict[str, Any], stack: Stack, name: str, metric: str, service: str
) -> None:
    alarm = alarms(stack)[name]
    assert (alarm["MetricName"], alarm["Statistic"], alarm["Period"]) == (metric, "Sum", 600)
    assert alarm["Dimensions"] == [{"Name": "service", "Value": service}]
    assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("GreaterThanThreshold", "500")
    assert alarms(Stack(template, StormSize="80"))[name]["Threshold"] == "80"


def test_every_alarm_points_to_its_line_of_the_page(full_stack: Stack) -> None:
    page = (ROOT / "docs/operations.md").read_text("utf-8")
    assert "\n## Alarms\n" in page
    for name, alarm in alarms(full_stack).items():
        assert alarm["AlarmDescription"].endswith(" See docs/operations.md#alarms."), name
        assert len(re.findall(rf"^\| `{name}` \| [^|]+ \|$", page, re.MULTILINE)) == 1, name


def test_a_metric_is_what_an_alarm_or_a_dashboard_looks_at(full_stack: Stack) -> None:
    """Of each service: another is 0.30 dollars a month for a figure that nobody looks at."""
    looked_at = _of_alarms(full_stack) | _of_dashboards(full_stack)
    assert looked_at == {
        (variables["POWERTOOLS_SERVICE_NAME"], name)
        for function in full_stack.of_type("AWS::Lambda::Function").values()
        for variables in [function["Environment"]["Variables"]]
        for name in variables["METRICS"].split(",")
        if name
    }


def _of_alarms(stack: Stack) -> set[tuple[str, str]]:
    metrics: list[dict[str, Any]] = []
    for alarm in alarms(stack).values():
        parts = (each.get("MetricStat", {}) for each in alarm.get("Metrics", ()))
        metrics += [part["Metric"] for part in parts if part] or [alarm]
    return {
        (each["Dimensions"][0]["Value"], each["MetricName"])
        for each in metrics
        if each["Namespace"].startswith("uRing/")
    }


def _of_dashboards(stack: Stack) -> set[tuple[str, str]]:
    return {
        (row[3], row[1])
        for name in DASHBOARDS
        for row in rows_of(stack, name)
        if row[0].startswith("uRing/")
    }
