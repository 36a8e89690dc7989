"""Alarms: every failure that a person has to act on reaches the topic (N13)."""

from typing import Any

import pytest
from expanded import ROOT, Stack, logical_id

from uring_local.template.families import FAMILIES, switching_on

TOPIC = "${AlarmTopic}"
DAILY = {
    "DocumentJanitor",
    "RegulationOrchestrator",
    "SeedOrchestrator",
    "SeedWatchOrchestrator",
}


def _alarms(stack: Stack, **expected: Any) -> list[dict[str, Any]]:
    """Alarms with these properties."""
    return [
        alarm
        for alarm in stack.of_type("AWS::CloudWatch::Alarm").values()
        if expected.items() <= {key: alarm.get(key) for key in expected}.items()
    ]


def _watched(alarm: dict[str, Any], dimension: str) -> Any:
    (only,) = alarm["Dimensions"]
    assert only["Name"] == dimension
    return only["Value"]


def _code() -> str:
    """The library's text."""
    return "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "layers/core").rglob("*.py")
    )


def test_every_alarm_tells_and_clears(stack: Stack) -> None:
    for name, alarm in stack.of_type("AWS::CloudWatch::Alarm").items():
        assert alarm["AlarmActions"] == [TOPIC], name
        assert alarm["OKActions"] == [TOPIC], name
        assert alarm["AlarmDescription"].endswith("."), name


def test_one_message_in_a_dead_letter_queue_raises_its_alarm(full_stack: Stack) -> None:
    """The metric of the queue by its name; "sent to the queue" would miss what a redrive moved."""
    dead_letter_queues = {
        logical_id(queue["RedrivePolicy"]["deadLetterTargetArn"])
        for queue in full_stack.of_type("AWS::SQS::Queue").values()
        if "RedrivePolicy" in queue
    }
    alarms = _alarms(
        full_stack,
        Namespace="AWS/SQS",
        MetricName="ApproximateNumberOfMessagesVisible",
        Statistic="Maximum",
        ComparisonOperator="GreaterThanThreshold",
        EvaluationPeriods=1,
        TreatMissingData="notBreaching",
    )
    assert len(dead_letter_queues) == 9
    thresholds = {_watched(alarm, "QueueName"): alarm["Threshold"] for alarm in alarms}
    # Every list has domains that never answer: a share of them is an alarm, no number is.
    assert thresholds == {
        f"${{{key}.QueueName}}": 0 for key in dead_letter_queues - {"DomainDeadLetterQueue"}
    }


def test_half_of_an_hour_s_domains_that_do_not_answer_are_an_alarm(stack: Stack) -> None:
    """A share, and of a hundred domains at least: three of four dead ones are no outage."""
    alarm = stack.of_type("AWS::CloudWatch::Alarm")["DomainFailureRateAlarm"]
    expressions = {
        each["Id"]: each["Expression"] for each in alarm["Metrics"] if "Expression" in each
    }
    assert expressions == {
        # A counter that nobody counted has no data: without FILL a total outage would be silent.
        "failed": "FILL(unreachable, 0)",
        "settled": "failed + FILL(collected, 0)",
        "rate": "IF(settled >= 100, failed / settled, 0)",
    }
    assert [each["Id"] for each in alarm["Metrics"] if each.get("ReturnData", True)] == ["rate"]
    counters = [each for each in alarm["Metrics"] if "MetricStat" in each]
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (0.5, "GreaterThanThreshold")
    metrics = {counter["Id"]: counter["MetricStat"]["Metric"] for counter in counters}
    assert {key: metric["MetricName"] for key, metric in metrics.items()} == {
        "unreachable": "DomainsUnreachable",
        "collected": "DomainsCollected",
    }
    for metric in metrics.values():
        assert metric["Namespace"] == "uRing/uring-test"
        assert _watched(metric, "service") == "domain_worker"
        assert f'"{metric["MetricName"]}"' in _code()


def test_over_one_in_a_hundred_dropped_checks_are_an_alarm(
    template: dict[str, Any], stack: Stack
) -> None:
    """A share of what was due, so one threshold fits ten boards and ten thousand."""
    alarm = stack.of_type("AWS::CloudWatch::Alarm")["NoticeChecksDroppedAlarm"]
    (share,) = (each for each in alarm["Metrics"] if each.get("ReturnData", True))
    assert share["Expression"] == (
        "IF(FILL(dropped, 0) > 0, dropped / (dropped + FILL(checks, 0)), 0)"
    )
    assert (alarm["Threshold"], alarm["ComparisonOperator"]) == (0.01, "GreaterThanThreshold")
    counters = {each["Id"]: each["MetricStat"] for each in alarm["Metrics"] if "MetricStat" in each}
    names = {key: counter["Metric"]["MetricName"] for key, counter in counters.items()}
    assert names == {"dropped": "ChecksDropped", "checks": "Checks"}
    for counter in counters.values():
        assert (counter["Stat"], counter["Period"]) == ("Sum", 600)
        assert _watched(counter["Metric"], "service") == "notice_worker"
    # Local stacks have no metric math.
    assert "NoticeChecksDroppedAlarm" not in Stack(template, Operations="false").resources


@pytest.mark.parametrize(
    ("family", "parameters", "shortest"),
    [
        ("Notice", {"Rhythm": "uniform"}, 600),
        ("Notice", {"Rhythm": "thrifty"}, 600),
        ("Notice", {"Rhythm": "sooner"}, 240),
        ("Weather", {"MetarMinutes": "30", "TafMinutes": "30"}, 300),
        ("Weather", {"WarningMinutes": "30"}, 300),
        ("Regulation", {}, 86_400),
        ("SeedWatch", {}, 86_400),
    ],
)
def test_a_queue_rings_before_its_jobs_are_dropped(
    template: dict[str, Any], family: str, parameters: dict[str, str], shortest: int
) -> None:
    """SQS writes the age once a minute: a queue at its limit is seen above the threshold."""
    stack = Stack(template, **switching_on(FAMILIES), **parameters)
    alarm = stack.of_type("AWS::CloudWatch::Alarm")[f"{family}QueueAgeAlarm"]
    assert alarm["Threshold"] <= shortest - 60
    if family in {"Notice", "Weather"}:
        # A check that failed once comes back after five minutes at most, and may take the time of
        # its function. A queue that piles up stays above the threshold for longer.
        above = 300 + stack.properties(f"${{{family}Worker}}")["Timeout"] - alarm["Threshold"]
        touched = above // alarm["Period"] + 2 if above > 0 else 0
        assert touched < alarm["EvaluationPeriods"]


def test_every_queue_that_feeds_a_function_raises_when_it_falls_behind(full_stack: Stack) -> None:
    alarms = _alarms(
        full_stack,
        Namespace="AWS/SQS",
        MetricName="ApproximateAgeOfOldestMessage",
        Statistic="Maximum",
        ComparisonOperator="GreaterThanThreshold",
    )
    mappings = full_stack.of_type("AWS::Lambda::EventSourceMapping").values()
    assert {_watched(alarm, "QueueName") for alarm in alarms} == {
        f"${{{logical_id(mapping['EventSourceArn'])}.QueueName}}" for mapping in mappings
    }
    for alarm in alarms:
        queue = full_stack.properties(alarm["Dimensions"][0]["Value"])
        assert queue["VisibilityTimeout"] < alarm["Threshold"] < queue["MessageRetentionPeriod"]


def test_alarms_on_errors_look_at_each_error(full_stack: Stack) -> None:
    """`test_failures` has the functions whose errors something else tells."""
    alarms = _alarms(full_stack, Namespace="AWS/Lambda", MetricName="Errors")
    assert alarms
    for alarm in alarms:
        assert logical_id(_watched(alarm, "FunctionName")) in full_stack.resources
        assert (alarm["Statistic"], alarm["Threshold"]) == ("Sum", 0)
        assert alarm["ComparisonOperator"] == "GreaterThanThreshold"
        assert alarm["TreatMissingData"] == "notBreaching"


def test_silence_of_a_schedule_is_an_alarm(least_stack: Stack, stack: Stack) -> None:
    """A tick that never comes leaves no error anywhere, so its absence is what counts."""
    for some, silent in (
        (least_stack, {"NoticeOrchestrator"}),
        # Without days to collect the seeds' still reports.
        (stack, {"NoticeOrchestrator", "WeatherOrchestrator", *DAILY}),
    ):
        alarms = _alarms(some, MetricName="Invocations", TreatMissingData="breaching")
        assert {_watched(alarm, "FunctionName") for alarm in alarms} == {
            f"${{{name}}}" for name in silent
        }
        for alarm in alarms:
            assert alarm["Statistic"] == "Sum"
            assert (alarm["ComparisonOperator"], alarm["Threshold"]) == ("LessThanThreshold", 1)
            hours = 30 if logical_id(_watched(alarm, "FunctionName")) in DAILY else 0.5
            assert alarm["Period"] * alarm["EvaluationPeriods"] == hours * 3600


def test_a_schedule_that_is_switched_off_may_be_silent(template: dict[str, Any]) -> None:
    stopped = Stack(
        template,
        ScheduleState="DISABLED",
        SeedDays="7",
        **switching_on(FAMILIES),
    )
    assert not _alarms(stopped, MetricName="Invocations")


def test_alarms_on_own_metrics_use_names_that_the_code_writes(stack: Stack) -> None:
    """A metric's name is text in two places; a wrong one would never raise."""
    code = _code()
    functions = stack.of_type("AWS::Lambda::Function").values()
    environments = [function["Environment"]["Variables"] for function in functions]
    own = _alarms(stack, Namespace=environments[0]["POWERTOOLS_METRICS_NAMESPACE"])
    assert own
    for alarm in own:
        assert f'"{alarm["MetricName"]}"' in code
        services = {variables["POWERTOOLS_SERVICE_NAME"] for variables in environments}
        assert _watched(alarm, "service") in services


def test_a_budget_is_told_before_and_when_it_is_spent(template: dict[str, Any]) -> None:
    given = {"BudgetDollars": "20", "AlarmEmail": "ops@uring.example"}
    (budget,) = Stack(template, **given).of_type("AWS::Budgets::Budget").values()
    assert budget["Budget"]["BudgetLimit"] == {"Amount": "20", "Unit": "USD"}
    # Another AlarmEmail replaces the budget, and the new one comes before the old one is deleted.
    # Names are unique in an account, so a name here would refuse that.
    assert "BudgetName" not in budget["Budget"]
    told = {
        each["Notification"]["NotificationType"]: each["Notification"]["Threshold"]
        for each in budget["NotificationsWithSubscribers"]
    }
    assert told == {"ACTUAL": 80, "FORECASTED": 100}
    for each in budget["NotificationsWithSubscribers"]:
        assert each["Subscribers"] == [
            {"SubscriptionType": "EMAIL", "Address": "ops@uring.example"}
        ]
    # Local stacks have no budgets.
    for without in ({}, {**given, "Operations": "false"}):
        assert "Budget" not in Stack(template, **without).resources


def test_a_service_is_told_beside_the_mail(template: dict[str, Any]) -> None:
    url = "https://alarms.example/uring/plainly-made-up"
    stack = Stack(template, AlarmUrl=url)
    (subscription,) = stack.of_type("AWS::SNS::Subscription").values()
    assert subscription == {"TopicArn": TOPIC, "Protocol": "https", "Endpoint": url}
    assert template["Parameters"]["AlarmUrl"]["NoEcho"] is True


def test_some_throttles_of_a_busy_tick_ring_nothing(full_stack: Stack, template: Any) -> None:
    """A share that lasts over two ticks does; a queue's poller tries a throttled batch again.

    The limit is the account's, so one alarm looks at all functions.
    """
    alarm = full_stack.of_type("AWS::CloudWatch::Alarm")["ThrottlesAlarm"]
    assert (alarm["Threshold"], alarm["EvaluationPeriods"]) == (0.05, 3)
    share, throttles, invocations = alarm["Metrics"]
    assert share["Expression"].startswith("IF(FILL(throttles, 0) > 0, throttles / (throttles +")
    for metric, name in ((throttles, "Throttles"), (invocations, "Invocations")):
        # Without a dimension: of all functions.
        assert metric["MetricStat"]["Metric"] == {"Namespace": "AWS/Lambda", "MetricName": name}
    assert "ThrottlesAlarm" not in Stack(template, Operations="false").resources


def test_nobody_is_subscribed_unless_asked(stack: Stack, full_stack: Stack) -> None:
    assert "AlarmSubscription" not in stack.resources
    (subscription,) = full_stack.of_type("AWS::SNS::Subscription").values()
    assert subscription == {
        "TopicArn": TOPIC,
        "Protocol": "email",
        "Endpoint": "ops@uring.example",
    }
