"""Settings: every variable that is missing or wrong is named, at once."""

from typing import Any

import pytest

from uring.errors import Misconfigured
from uring.functions import monitor, notifier, weather_orchestrator, weather_worker
from uring.functions.orchestrators import EntriesTickSettings
from uring.functions.workers import WorkerSettings
from uring.notices.watched import NoticeMonitorSettings

ORCHESTRATOR = {
    "DATA_BUCKET": "bucket",
    "CONFIG_KEY": "config/sitemap.json",
    "WORK_QUEUE_URL": "https://q/",
    "TICK_MINUTES": "10",
}
WORKER = {
    "DATA_BUCKET": "bucket",
    "WORK_QUEUE_URL": "https://q/",
    "WORK_DLQ_URL": "https://d/",
    "NOTIFY_QUEUE_URL": "https://n/",
}
WEATHER_ORCHESTRATOR = {
    "WORK_QUEUE_URL": "https://q/",
    "TICK_MINUTES": "5",
    "METAR_MINUTES": "10",
    "TAF_MINUTES": "30",
    "WARNING_MINUTES": "5",
}
WEATHER_WORKER = {
    **WORKER,
    "GATEWAY_URL": "https://gateway.invalid/api",
    "GATEWAY_KEY_NAME": "authKey",
    "METAR_PATH": "m",
    "TAF_PATH": "t",
    "WARNING_PATH": "w",
    "AIRPORTS": "RKSI,RKPC",
    "PUSH_KINDS": "speci,warning_raised",
}
MONITOR = {
    "DATA_BUCKET": "bucket",
    "OWN_NAME": "stack-monitor:live",
    "ALARM_TOPIC_ARN": "arn:aws:sns:x:1:alarms",
    "WATCHED_FAMILIES": "notices,weather",
}
NOTIFIER = {
    "LEDGER_TABLE": "ledger",
    "NOTIFY_QUEUE_URL": "https://n/",
    "NOTIFY_DLQ_URL": "https://d/",
    "SENT_RETENTION_DAYS": "15",
}


def test_the_variables_are_read_and_others_passed_over() -> None:
    settings = EntriesTickSettings.read({**ORCHESTRATOR, "PATH": "/bin"})
    assert settings.tick_minutes == 10
    assert settings.data_bucket == "bucket"


@pytest.mark.parametrize(
    ("model", "environment"),
    [
        (EntriesTickSettings, ORCHESTRATOR),
        (WorkerSettings, WORKER),
        (weather_orchestrator.Settings, WEATHER_ORCHESTRATOR),
        (weather_worker.Settings, WEATHER_WORKER),
        (notifier.Settings, NOTIFIER),
        (monitor.Settings, MONITOR),
        (NoticeMonitorSettings, {"CONFIG_KEY": "config/sitemap.json"}),
    ],
)
def test_everything_that_is_missing_is_named(
    model: Any,
    environment: dict[str, str],
) -> None:
    model.read(environment)
    with pytest.raises(Misconfigured, match="the template sets these variables") as caught:
        model.read({})
    for name in environment:
        assert f"{name}: Field required" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATA_BUCKET", ""),
        ("TICK_MINUTES", ""),
        ("TICK_MINUTES", "ten"),
        ("TICK_MINUTES", "0"),
        ("TICK_MINUTES", "1441"),
    ],
)
def test_a_wrong_value_names_its_variable_and_not_the_value(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=f"^environment: {name}: ") as caught:
        EntriesTickSettings.read({**ORCHESTRATOR, name: value})
    assert "ten" not in str(caught.value)


@pytest.mark.parametrize("days", ["0", "401", "1.5"])
def test_the_retention_has_bounds(days: str) -> None:
    with pytest.raises(Misconfigured, match="SENT_RETENTION_DAYS"):
        notifier.Settings.read({**NOTIFIER, "SENT_RETENTION_DAYS": days})


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        (None, set()),
        ("", set()),
        (" ", set()),
        ("127.0.0.1:8000", {"127.0.0.1:8000"}),
        ("a:1,b:2", {"a:1", "b:2"}),
        (" a:1 , b:2\n", {"a:1", "b:2"}),
    ],
)
def test_private_hosts_are_a_list_that_is_empty_by_default(
    value: str | None, hosts: set[str]
) -> None:
    more = {} if value is None else {"ALLOWED_PRIVATE_HOSTS": value}
    assert WorkerSettings.read({**WORKER, **more}).allowed_private_hosts == hosts


def test_fcm_is_googles_with_default_credentials_unless_told_otherwise() -> None:
    settings = notifier.Settings.read(NOTIFIER)
    assert settings.fcm_endpoint == ""
    assert settings.fcm_credentials_secret == ""
    assert settings.fcm_project_id == ""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AIRPORTS", ""),
        ("AIRPORTS", "RKSI,rkpc"),
        ("AIRPORTS", "RKSI RKPCX"),
        ("PUSH_KINDS", "speci,rain"),
        ("RUNWAYS", "RKSI:15L"),
        ("GATEWAY_URL", "ftp://gateway.invalid"),
        ("GATEWAY_URL", "https://gateway.invalid/?key=1"),
        ("GATEWAY_URL", "http://gateway.invalid/api"),
        ("GATEWAY_URL", "http://127.0.0.1:9/api"),
        ("GATEWAY_KEY_NAME", "a&b=c"),
        ("METAR_PATH", "x#y"),
        ("TAF_PATH", "?x"),
        ("WARNING_PATH", ""),
        ("ALLOWED_PRIVATE_HOSTS", "127.0.0.1"),
        ("CONTACT", "운영자"),
        ("CONTACT", "a@b\r\nX-Y: z"),
    ],
)
def test_a_wrong_setting_of_the_weather_is_named(name: str, value: str) -> None:
    hosts = {"ALLOWED_PRIVATE_HOSTS": "127.0.0.1:8"}
    with pytest.raises(Misconfigured, match=name):
        weather_worker.Settings.read({**WEATHER_WORKER, **hosts, name: value})


def test_airports_keep_their_order_and_no_push_may_be_wanted() -> None:
    settings = weather_worker.Settings.read(
        {**WEATHER_WORKER, "AIRPORTS": "RKSS, RKSI", "PUSH_KINDS": ""}
    )
    assert settings.airports == ("RKSS", "RKSI")
    assert settings.push_kinds == set()


def test_a_wrong_runway_names_the_parameter_and_the_remedy() -> None:
    with pytest.raises(
        Misconfigured, match=r"RUNWAYS: .*WeatherRunways: '15L=324': the true heading"
    ):
        weather_worker.Settings.read({**WEATHER_WORKER, "RUNWAYS": "RKSI:15L=324"})


def test_a_stand_in_s_key_may_travel_without_tls() -> None:
    weather_worker.Settings.read(
        {
            **WEATHER_WORKER,
            "GATEWAY_URL": "http://127.0.0.1:8/api",
            "ALLOWED_PRIVATE_HOSTS": "127.0.0.1:8",
        }
    )


@pytest.mark.parametrize("minutes", ["0", "7", "1445", "-5"])
def test_an_interval_is_a_multiple_of_the_tick(minutes: str) -> None:
    with pytest.raises(Misconfigured, match="TAF_MINUTES"):
        weather_orchestrator.Settings.read({**WEATHER_ORCHESTRATOR, "TAF_MINUTES": minutes})
