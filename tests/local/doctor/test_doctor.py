"""`uring doctor`: a stack that is well, and each of its things ill once."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError

from uring_local.cli import main
from uring_local.doctor import examine as rooms
from uring_local.doctor.examine import CHECKS
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.show import show, show_json
from uring_local.doctor.subject import Subject
from uring_local.loopback import Answer
from uring_local.web.place import place_of

SECRET = "fcm/account"


def test_cloudformation_which_limits_calls_lists_the_resources_twice(hospital: Any) -> None:
    """Once for the stack's checks, and once for its queues."""
    asked: list[str] = []
    formation: Any = boto3.client("cloudformation")
    formation.meta.events.register(
        "before-call.cloudformation.*", lambda model, **_: asked.append(model.name)
    )
    hospital.clients["cloudformation"] = formation
    hospital.findings()
    assert asked.count("ListStackResources") == 2
    assert asked.count("DescribeStacks") <= 2


def test_a_stack_that_is_well_has_no_failure(hospital: Any) -> None:
    found = hospital.findings()
    assert {name for name, each in found.items() if each.status == "failed"} == set()
    assert {name for name, each in found.items() if each.status == "off"} == {
        "regulations",
        "seeds",
        "watches",
        "documents",
        "subscriptions",
    }
    assert set(found) == {
        "stack",
        "regulations",
        "seeds",
        "watches",
        "documents",
        "subscriptions",
        "sitemap",
        "FCM secret",
        "weather secret",
        "FCM",
        "alarm mail",
        "alarms",
        "CDN private",
        "CDN reads",
        "CDN unchanged",
        "CDN browsers",
        "CDN missing",
        "client",
        "client files",
        "writes",
        "workers",
        "concurrency",
        "releases",
        "schedules",
        "triggers",
        "tick of NoticeOrchestrator",
        "tick of Monitor",
        "boto3",
        "dead letters",
    }


def test_it_leaves_nothing_behind_and_delivers_nothing(hospital: Any) -> None:
    hospital.findings()
    versions = boto3.client("s3").list_object_versions(Bucket=hospital.bucket, Prefix="state/")
    assert "Versions" not in versions
    assert "DeleteMarkers" not in versions
    assert hospital.fcm.deliveries == ()


def _sitemap(hospital: Any, document: Any) -> None:
    hospital.upload("config/sitemap.json", document)


def _without(hospital: Any, key: str) -> None:
    boto3.client("s3").delete_object(Bucket=hospital.bucket, Key=key)


def _collecting(hospital: Any, limit: int) -> None:
    """Let domains be collected in an account that runs so many functions at once."""
    hospital.deploy(Seeds="ENABLED")
    hospital.account.limit = limit


def _secret(name: str, text: str) -> None:
    boto3.client("secretsmanager").put_secret_value(SecretId=name, SecretString=text)


def _another_project(hospital: Any) -> None:
    _secret(SECRET, json.dumps(hospital.fcm.service_account() | {"project_id": "another"}))


def _subscribers(hospital: Any, found: list[dict[str, str]]) -> None:
    class Topics:
        def get_paginator(self, _: str) -> "Topics":
            return self

        def paginate(self, **_: Any) -> Any:
            return [{"Subscriptions": found}]

    hospital.clients["sns"] = Topics()


def _mailing(hospital: Any, found: list[dict[str, str]]) -> None:
    """CloudFormation does not make a subscription again that SNS, or a reader, has deleted."""
    hospital.deploy(AlarmEmail="ops@uring.example")
    _subscribers(hospital, found)


def _ring(_: Any) -> None:
    boto3.client("cloudwatch").set_alarm_state(
        AlarmName="made-up-NotifyDeadLetterAlarm", StateValue="ALARM", StateReason="a test"
    )


def _answer(hospital: Any, kind: str, answer: Answer) -> None:
    hospital.cdn[kind] = answer


def _die(_: Any) -> None:
    client: Any = boto3.client("sqs")
    url = client.get_queue_url(QueueName="dead.fifo")["QueueUrl"]
    client.send_message(
        QueueUrl=url, MessageBody="x", MessageGroupId="a", MessageDeduplicationId="a"
    )


def _disable(_: Any) -> None:
    client: Any = boto3.client("events")
    for rule in client.list_rules()["Rules"]:
        if "Monitor" in rule["Name"]:
            client.disable_rule(Name=rule["Name"])


def _silent(hospital: Any) -> None:
    hospital.forget_runs()
    hospital.ran("orchestrator", minutes_ago=31, boto3="1.40.2")
    hospital.ran("monitor", minutes_ago=2, boto3="1.40.2")


def _boto3(hospital: Any, **fields: Any) -> None:
    hospital.forget_runs()
    hospital.ran("orchestrator", minutes_ago=1, **fields)
    hospital.ran("monitor", minutes_ago=1)


SERVICE = {
    "SubscriptionArn": "arn:aws:sns:eu-west-1:000000000000:a:b",
    "Endpoint": "https://alarms.example/plainly-made-up",
}
PENDING = {"SubscriptionArn": "PendingConfirmation", "Endpoint": "ops@uring.example"}
UPLOAD = "uring config upload config/sitemap.json --stack made-up"


@pytest.mark.parametrize(
    ("name", "break_it", "detail", "remedy"),
    [
        (
            "sitemap",
            lambda it: _without(it, "config/sitemap.json"),
            "there is no config/sitemap.json in the bucket",
            UPLOAD,
        ),
        ("sitemap", lambda it: _sitemap(it, []), "config/sitemap.json: ", UPLOAD),
        (
            "sitemap",
            lambda it: _sitemap(it, {"sources": [{"id": "lantern"}]}),
            "problems, the first: line 1: lantern: ",
            UPLOAD,
        ),
        (
            "registries",
            lambda it: it.deploy(RegistriesKey="config/registries.json"),
            "there is no config/registries.json",
            "uring config upload config/registries.json",
        ),
        ("FCM secret", lambda it: it.deploy(FcmCredentialsSecret="none"), "none", "deploy"),
        (
            "FCM secret",
            lambda it: it.deploy(FcmCredentialsSecret="", FcmEndpoint=""),
            "nothing can be pushed",
            "name it, deploy",
        ),
        ("FCM secret", lambda _: _secret(SECRET, "{}"), "lacks client_email", "whole JSON"),
        ("FCM secret", _another_project, "another project than FcmProjectId", "correct"),
        ("FCM", lambda it: it.deploy(FcmProjectId="another"), "HTTP 404", "correct FcmProjectId"),
        ("weather secret", lambda _: _secret("weather/key", " "), "is empty", "store the key"),
        (
            "weather secret",
            lambda it: it.deploy(WeatherKeySecret="none"),
            "secretsmanager:GetSecretValue none",
            "store it by this name",
        ),
        ("alarm mail", lambda it: _subscribers(it, [PENDING]), "ops@uring.example: not", "link"),
        ("alarm mail", lambda it: _subscribers(it, []), "nobody receives the alarms", "AlarmEmail"),
        (
            "alarm mail",
            lambda it: _mailing(it, [PENDING]),
            "ops@uring.example: not confirmed",
            "--protocol email --notification-endpoint ops@uring.example` sends another link",
        ),
        (
            "alarm mail",
            lambda it: _mailing(it, []),
            "ops@uring.example is not subscribed",
            "--protocol email --notification-endpoint ops@uring.example` sends another link",
        ),
        ("alarm mail", lambda it: _mailing(it, [SERVICE]), "is not subscribed", "another link"),
        ("alarms", _ring, "in alarm: made-up-NotifyDeadLetterAlarm", "docs/operations.md#alarms"),
        (
            "CDN private",
            lambda it: _answer(it, "/config/sitemap.json", Answer(200, b"{}")),
            "is public",
            "deploy",
        ),
        (
            "CDN private",
            lambda it: _answer(it, "/config/sitemap.json", Answer(302, b"", {"Location": "/x"})),
            "answers 302 instead of 403",
            "deploy",
        ),
        (
            "CDN reads",
            lambda it: _without(it, "data/index.json"),
            "data/index.json does not exist yet",
            "examine again",
        ),
        (
            "CDN reads",
            lambda it: _answer(it, "/data/index.json", Answer(403)),
            "answers 403 instead of 200",
            "takes some minutes",
        ),
        ("CDN reads", lambda it: _answer(it, "/data/index.json", Answer(200)), "no ETag", "deploy"),
        (
            "CDN unchanged",
            lambda it: _answer(it, "again", Answer(200, b"{}")),
            "answers 200 instead of 304",
            "deploy",
        ),
        (
            "CDN browsers",
            lambda it: _answer(it, "preflight", Answer(403)),
            "OPTIONS answers 403",
            "deploy",
        ),
        (
            "CDN missing",
            lambda it: _answer(it, "/data/nobody/archive/190001.jsonl", Answer(200)),
            "answers 200 instead of 403",
            "deploy",
        ),
        (
            "CDN",
            lambda it: _answer(it, "/config/sitemap.json", Answer(0, manner="cut")),
            "no answer",
            "examine again",
        ),
        (
            "writes",
            lambda it: setattr(it.s3, "asks_for_a_condition", False),
            "accepted",
            "ConditionalWritesOnly",
        ),
        (
            "writes",
            lambda it: setattr(it.s3, "is_read_only", True),
            "refused too",
            "credentials that may write",
        ),
        (
            "concurrency",
            lambda it: setattr(it.account, "limit", 10),
            (
                "runs 10 functions at once, the stack up to 13: NoticeWorker 5, Notifier 3, "
                "WeatherWorker 2, 3 others"
            ),
            (
                "WorkerConcurrency=3 NotifierConcurrency=2, or have the quota raised "
                "(Service Quotas, Lambda, L-B99A9384); a new account has ten"
            ),
        ),
        (
            "concurrency",
            lambda it: _collecting(it, 60),
            "60 functions at once, the stack up to 74: NoticeWorker 5, Notifier 3",
            (
                "deploy with DomainConcurrency=36, or have the quota raised (Service Quotas, "
                "Lambda, L-B99A9384); at DomainConcurrency=36 a million domains take 5 h 20 min"
            ),
        ),
        (
            "concurrency",
            lambda it: _collecting(it, 10),
            "SeedFileWorker 10, DomainWorker 50",
            (
                "the stack needs 14 at least; until then deploy with WorkerConcurrency=2 "
                "NotifierConcurrency=2 SeedFileConcurrency=2 DomainConcurrency=2; a new"
            ),
        ),
        ("schedules", _disable, "disabled by hand: MonitorTick", "enable the rule"),
        (
            "tick of NoticeOrchestrator",
            _silent,
            "no run in 30 minutes, by /aws/lambda/orchestrator",
            "read the function's log",
        ),
        ("boto3", _boto3, "no run has logged", "next tick"),
        ("boto3", lambda it: _boto3(it, boto3="1.35.99"), "1.36 is needed", "PythonRuntime"),
        ("dead letters", _die, "1 message in NotifyDeadLetterQueue", "uring queue show"),
    ],
)
def test_what_is_ill_is_told_with_its_remedy(
    hospital: Any, name: str, break_it: Callable[[Any], None], detail: str, remedy: str
) -> None:
    break_it(hospital)
    finding = hospital.ill()[name]
    assert detail in finding.detail
    assert remedy in finding.remedy


@pytest.mark.parametrize(("times", "status"), [(0, "ok"), (1, "failed"), (2, "failed")])
def test_a_stack_that_its_budget_stopped_is_told(hospital: Any, times: int, status: str) -> None:
    """A budget's action may fire twice."""
    hospital.stop(times)
    finding = hospital.findings()["budget"]
    assert finding.status == status
    assert ("docs/operations.md#ceilings" in finding.remedy) is bool(times)


def test_what_is_ill_alone_makes_nothing_else_ill(hospital: Any) -> None:
    """Alone: one look tells what is to be done, not what follows from it."""
    _die(hospital)
    hospital.account.limit = 10
    hospital.s3.asks_for_a_condition = False
    assert hospital.ill().keys() == {"dead letters", "concurrency", "writes"}


def test_without_its_secret_fcm_is_not_asked(hospital: Any) -> None:
    hospital.deploy(FcmCredentialsSecret="none")
    assert hospital.ill().keys() == {"FCM secret"}
    assert hospital.findings()["FCM"].status == "off"


def test_an_object_that_cannot_be_removed_is_named(hospital: Any) -> None:
    hospital.s3.keeps_versions = True
    found = [each for each in rooms.examine(Subject("made-up", hospital)) if each.name == "writes"]
    assert [each.status for each in found] == ["ok", "failed"]
    assert f"s3://{hospital.bucket}/state/doctor/" in found[1].detail


def test_what_is_switched_off_is_no_failure(hospital: Any) -> None:
    hospital.deploy(ScheduleState="DISABLED", Cdn="DISABLED", WeatherKeySecret="")
    hospital.forget_runs()
    found = hospital.findings()
    assert [name for name, each in found.items() if each.status == "failed"] == []
    assert {"schedules", "ticks", "CDN", "weather"} <= {
        name for name, each in found.items() if each.status == "off"
    }
    assert "Cdn=ENABLED" in found["CDN"].remedy


def test_a_family_that_is_left_out_is_told_with_what_switches_it_on(hospital: Any) -> None:
    left_out = {name: each.remedy for name, each in hospital.findings().items() if each.remedy}
    assert left_out == {
        "regulations": "build and deploy with RegistriesKey=config/registries.json",
        "seeds": "build and deploy with Seeds=ENABLED",
        "watches": "build and deploy with Seeds=ENABLED WatchesKey=config/watches.json",
        "documents": "build and deploy with Documents=ENABLED",
        "subscriptions": "build and deploy with WebPush=ENABLED",
    }
    hospital.deploy(Seeds="ENABLED", WeatherKeySecret="")
    found = hospital.findings()
    assert found["watches"].remedy == "build and deploy with WatchesKey=config/watches.json"
    assert found["weather"].remedy == "build and deploy with WeatherKeySecret=NAME"
    assert "seeds" not in found


def test_a_check_that_cannot_be_made_keeps_no_other(hospital: Any) -> None:
    class Nobody:
        def get_account_settings(self) -> Any:
            raise EndpointConnectionError(endpoint_url="http://127.0.0.1:9")

    hospital.clients["lambda"] = Nobody()
    ill = hospital.ill()
    assert ill.keys() == {"concurrency"}
    assert "127.0.0.1:9" in ill["concurrency"].detail


def test_no_secret_is_ever_shown(hospital: Any, capsys: pytest.CaptureFixture[str]) -> None:
    _secret("weather/key", "SESAME")
    key = hospital.fcm.service_account()["private_key"]
    for text in (json.dumps(hospital.fcm.service_account()), key, json.dumps({"private_key": key})):
        _secret(SECRET, text)
        show(rooms.examine(Subject("made-up", hospital)))
        shown = capsys.readouterr().out
        assert "SESAME" not in shown
        assert key[30:60] not in shown


def test_words_of_others_do_not_reach_the_terminal(hospital: Any) -> None:
    _boto3(hospital, boto3="1.30\x1b[2J" + "9" * 1000)
    _sitemap(hospital, {"sources": [{"id": "\x1b[2J"}]})
    for finding in hospital.findings().values():
        assert "\x1b" not in finding.detail + finding.remedy
        assert len(finding.detail) < 1000


def test_lines_of_a_log_that_are_no_runs_are_passed_over(hospital: Any) -> None:
    hospital.forget_runs()
    hospital.ran("monitor", minutes_ago=1)
    for number, line in enumerate(['"invoked"', "invoked {", "[" * 100_000 + '"invoked"']):
        hospital.ran("orchestrator", minutes_ago=number + 2, message=line)
    assert "tick of NoticeOrchestrator" in hospital.ill()


FINDINGS = (ok("a", "fine"), failed("b", "broken", "mend it"), off("c", "not wanted"))


def test_people_read_a_table_without_colours_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    assert show(FINDINGS) is False
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["a", "ok", "fine"],
        ["b", "failed", "broken"],
        ["mend", "it"],
        ["c", "off", "not", "wanted"],
        ["1", "failure"],
    ]
    assert show(FINDINGS[:1]) is True


def test_a_terminal_has_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    show(FINDINGS)
    assert "\x1b[1;31mfailed" in capsys.readouterr().out


def test_machines_read_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_json("made-up", FINDINGS) is False
    said = json.loads(capsys.readouterr().out)
    assert (said["stack"], said["is_well"]) == ("made-up", False)
    assert said["findings"][1] == {
        "name": "b",
        "status": "failed",
        "detail": "broken",
        "remedy": "mend it",
    }


def test_the_command_ends_with_1_where_something_fails(
    hospital: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "CHECKS", {"lists": CHECKS["lists"]})
    assert main(["doctor", "--stack", "made-up"]) == 0
    assert "all is well" in capsys.readouterr().out
    _without(hospital, "config/sitemap.json")
    assert main(["doctor", "--stack", "made-up", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["is_well"] is False
    assert main(["doctor", "--stack", "another"]) == 1
    assert "another" in capsys.readouterr().err


def test_before_the_first_tick_nothing_can_be_read_and_nothing_is_wrong(hospital: Any) -> None:
    """The monitor writes the first file; its schedule is off until the deployment is examined."""
    hospital.deploy(ScheduleState="DISABLED")
    _without(hospital, "data/index.json")
    assert hospital.findings()["CDN reads"].status == "off"


def _stack_that_is(status: str) -> Diagnosis:
    class Formation:
        def client(self, *_: Any, **__: Any) -> "Formation":
            return self

        def describe_stacks(self, **_: Any) -> Any:
            return {"Stacks": [{"StackStatus": status}]}

    return next(iter(rooms.examine(Subject("made-up", Formation()))))


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        ("ROLLBACK_COMPLETE", "`sam delete --stack-name made-up`, wait for a minute"),
        ("ROLLBACK_FAILED", "`sam delete --stack-name made-up`, wait for a minute"),
        ("CREATE_FAILED", "`sam delete --stack-name made-up`, wait for a minute"),
        ("UPDATE_ROLLBACK_COMPLETE", "the release before is in service"),
        ("UPDATE_ROLLBACK_FAILED", "continue-update-rollback --stack-name made-up"),
        ("UPDATE_FAILED", "rollback-stack --stack-name made-up"),
        ("REVIEW_IN_PROGRESS", "never executed: deploy"),
        ("UPDATE_ROLLBACK_IN_PROGRESS", "wait until it has ended"),
        ("DELETE_IN_PROGRESS", "wait until it has ended"),
        ("DELETE_FAILED", "delete the stack again"),
        ("A_LATER_STATUS", "events at CloudFormation"),
        ("", "events at CloudFormation"),
    ],
)
def test_each_status_of_a_stack_has_its_own_remedy(status: str, remedy: str) -> None:
    """CloudFormation updates no stack whose first deployment failed: "deploy again" cannot work."""
    finding = _stack_that_is(status)
    assert finding.status == "failed"
    assert (status or "without a status") in finding.detail
    assert remedy in finding.remedy


@pytest.mark.parametrize("status", ["CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE"])
def test_a_stack_that_was_deployed_is_well(status: str) -> None:
    assert _stack_that_is(status).status == "ok"


def test_readers_come_by_tls_and_a_local_stack_is_told_so() -> None:
    real = place_of("d1.cloudfront.net", "https://s3.ap-northeast-2.amazonaws.com")
    assert (real.base, real.headers) == ("https://d1.cloudfront.net", {})
    local = place_of("d1.cloudfront.net", "http://127.0.0.1:4566")
    assert local.base == "http://127.0.0.1:4566"
    assert local.headers == {"Host": "d1.cloudfront.localhost", "X-Forwarded-Proto": "https"}
    # A host that only looks like AWS's.
    assert place_of("d1.cloudfront.net", "http://amazonaws.com.example").base.startswith("http:")
