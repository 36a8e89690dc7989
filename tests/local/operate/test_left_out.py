"""The commands of a family against a stack without it: one line, with the remedy."""

import shlex

import pytest

from uring.errors import Misconfigured
from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.upload import what_reads
from uring_local.queues.pairs import Pair, Queue, pair
from uring_local.stack.describe import StackDescription
from uring_local.template.families import FAMILIES, family_of, remedy, switching_on

OFF = {
    name: "DISABLED" if on == "ENABLED" else ""
    for each in FAMILIES.values()
    for name, on in each.items()
}
SEEDS = "stack dev has no seeds; build and deploy with Seeds=ENABLED"
DOCUMENTS = "stack dev has no documents; build and deploy with Documents=ENABLED"
REGULATIONS = (
    "stack dev has no regulations; build and deploy with RegistriesKey=config/registries.json"
)


@pytest.fixture(autouse=True)
def stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack of notices alone; nothing of it can be asked."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    described = StackDescription(OFF, {"BucketName": "bucket"})
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: described)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("seeds collect --date 2026-01-28", SEEDS),
        ("seeds status", SEEDS),
        ("seeds status sg/news --watch", SEEDS),
        ("documents upload page-01 LICENSE", DOCUMENTS),
        ("documents policies page-01", DOCUMENTS),
        ("documents policy page-01 leave.pdf", DOCUMENTS),
        ("documents analyse page-01", DOCUMENTS),
        ("documents issues page-01", DOCUMENTS),
        ("documents job page-01 0123456789abcdef0123456789abcdef", DOCUMENTS),
        ("regulations dead-letters list", REGULATIONS),
        ("regulations dead-letters list quillon", REGULATIONS),
        ("regulations dead-letters retry quillon", REGULATIONS),
    ],
)
def test_a_family_that_is_left_out_is_told_with_its_remedy(
    command: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*shlex.split(command), "--stack", "dev"]) == 1
    assert capsys.readouterr().err == f"uring: {told}\n"


def test_an_uploaded_list_that_nothing_reads_is_told() -> None:
    """A list may come before its deployment; that it waits is no secret."""
    assert what_reads("config/sitemap.json", OFF) == "the next tick reads it"
    assert what_reads("config/registries.json", OFF) == (
        "nothing reads it yet: build and deploy with RegistriesKey=config/registries.json"
    )
    on = switching_on(["watches"])
    assert what_reads("config/watches.json", on) == "the next tick reads it"
    assert "Seeds=ENABLED WatchesKey=" in what_reads("config/watches.json", OFF)


@pytest.mark.parametrize(
    ("queue", "told"),
    [
        ("WeatherQueue", "the stack has no weather; build and deploy with WeatherKeySecret=NAME"),
        ("DomainDeadLetterQueue", "the stack has no seeds; build and deploy with Seeds=ENABLED"),
        ("NotiseQueue", "did you mean NoticeQueue?"),
    ],
)
def test_a_queue_of_a_family_that_is_left_out_is_told(queue: str, told: str) -> None:
    def made(name: str) -> Queue:
        return Queue(name, f"dev-{name}", "http://127.0.0.1:9", 0, 0)

    found = [Pair(made("NoticeQueue"), made("NoticeDeadLetterQueue"))]
    with pytest.raises(Misconfigured) as refused:
        pair(found, queue)
    assert str(refused.value) == f"there is no queue {queue}; {told}"


def test_a_stack_of_an_earlier_release_had_every_family() -> None:
    """Its parameters do not know the switches: it is no reason to refuse its commands."""
    earlier = {"WeatherKeySecret": "weather/key", "RegistriesKey": "", "WatchesKey": ""}
    wanted = {name: remedy(name, earlier) for name in FAMILIES}
    assert {name: how for name, how in wanted.items() if how} == {
        "regulations": "build and deploy with RegistriesKey=config/registries.json",
        "watches": "build and deploy with WatchesKey=config/watches.json",
    }


def test_a_family_that_is_on_is_not_refused() -> None:
    for family in FAMILIES:
        assert remedy(family, OFF | switching_on([family])) == ""
        assert (remedy(family, OFF) == "") is (family == "notices")


def test_a_resource_is_of_the_family_that_its_name_begins_with() -> None:
    names = (
        "SeedWatchQueue",
        "SeedQueue",
        "DomainQueue",
        "NotifyQueue",
        "DocumentQueue",
        "SubscriptionApi",
    )
    families = [family_of(name) for name in names]
    assert families == ["watches", "seeds", "seeds", "notices", "documents", "subscriptions"]
