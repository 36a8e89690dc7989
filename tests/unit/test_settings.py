"""Settings: every variable that is missing or wrong is named, at once."""

import pytest

from uring.errors import Misconfigured
from uring.settings import NoticeWorkerSettings, NotifierSettings, OrchestratorSettings

ORCHESTRATOR = {
    "DATA_BUCKET": "bucket",
    "CONFIG_KEY": "config/sitemap.json",
    "WORK_QUEUE_URL": "https://q/",
    "TICK_MINUTES": "10",
}
WORKER = {
    "DATA_BUCKET": "bucket",
    "WORK_DLQ_URL": "https://d/",
    "NOTIFY_QUEUE_URL": "https://n/",
}
NOTIFIER = {
    "LEDGER_TABLE": "ledger",
    "NOTIFY_QUEUE_URL": "https://n/",
    "NOTIFY_DLQ_URL": "https://d/",
    "SENT_RETENTION_DAYS": "15",
}


def test_the_variables_are_read_and_others_passed_over() -> None:
    settings = OrchestratorSettings.read({**ORCHESTRATOR, "PATH": "/bin"})
    assert settings.tick_minutes == 10
    assert settings.data_bucket == "bucket"


@pytest.mark.parametrize(
    ("model", "environment"),
    [
        (OrchestratorSettings, ORCHESTRATOR),
        (NoticeWorkerSettings, WORKER),
        (NotifierSettings, NOTIFIER),
    ],
)
def test_everything_that_is_missing_is_named(
    model: type[OrchestratorSettings | NoticeWorkerSettings | NotifierSettings],
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
        ("TICK_MINUTES", "61"),
    ],
)
def test_a_wrong_value_names_its_variable_and_not_the_value(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=f"^environment: {name}: ") as caught:
        OrchestratorSettings.read({**ORCHESTRATOR, name: value})
    assert "ten" not in str(caught.value)


@pytest.mark.parametrize("days", ["0", "401", "1.5"])
def test_the_retention_has_bounds(days: str) -> None:
    with pytest.raises(Misconfigured, match="SENT_RETENTION_DAYS"):
        NotifierSettings.read({**NOTIFIER, "SENT_RETENTION_DAYS": days})


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
    assert NoticeWorkerSettings.read({**WORKER, **more}).allowed_private_hosts == hosts


def test_fcm_is_googles_with_default_credentials_unless_told_otherwise() -> None:
    settings = NotifierSettings.read(NOTIFIER)
    assert settings.fcm_endpoint == ""
    assert settings.fcm_credentials_secret == ""
    assert settings.fcm_project_id == ""
