"""docs/clients.md: its examples run, and its table has every key and kind of the messages."""

import json
import re
import subprocess
from pathlib import Path
from typing import get_args

from fakes.clock import VirtualClock
from fakes.fetcher import Notice
from fakes.registry import Rule
from fakes.worlds import NoticeWorld, RegulationWorld, WeatherWorld
from javascript import NODE

from uring.changes.state import Health
from uring.notices.policy import NoticePolicy
from uring.push.payload import compose
from uring.records import archive, latest
from uring.records.retract import RETRACTED
from uring.regulations.family import POLICY as REGULATIONS
from uring.seeds.watch.watch import Kind
from uring.watch.publish import BRIEFLY
from uring.weather.events import EventKind
from uring.weather.files import ProductFiles
from uring.weather.state import WeatherOutboxEvent, WeatherState

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text("utf-8")
EXAMPLE = "\n".join(re.findall(r"```js\n(.*?)```", PAGE, re.DOTALL))
CLAIM = re.compile(r"^(?!const)(.+); // → (.+)$", re.MULTILINE)
EVERY = set(
    re.findall("`([^`]+)`", PAGE.partition("Every one has")[2].partition(", and beside them")[0])
)


def row(family: str) -> tuple[set[str], set[str]]:
    """The keys and the kinds of a family."""
    (line,) = re.findall(rf"^\| \[?{family}\b.*$", PAGE.partition("## Messages")[2], re.MULTILINE)
    *_, keys, kinds, _ = line.split("|")
    return set(re.findall("`([^`]+)`", keys)), set(re.findall("`([^`]+)`", kinds))


def test_the_examples_do_what_they_say(tmp_path: Path) -> None:
    claims = CLAIM.findall(EXAMPLE)
    assert len(claims) == EXAMPLE.count("// →") > 10
    checked = CLAIM.sub(lambda found: f"told.push({found[1]});", EXAMPLE)
    script = tmp_path / "example.mjs"
    library = (ROOT / "web" / "uring.js").as_uri()
    script.write_text(
        f"const told = [];\n{checked.replace('./uring.js', library)}\n"
        "process.stdout.write(JSON.stringify(told));\n",
        "utf-8",
    )
    run = subprocess.run([NODE, script], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [json.loads(value) for _, value in claims]


def sent(world: NoticeWorld | RegulationWorld) -> list[dict[str, str]]:
    texts = world.texts.messages() if isinstance(world, RegulationWorld) else []
    return [compose(change).data for change in [*world.messages(), *texts]]


def test_a_notice_has_the_keys_of_its_row() -> None:
    world = NoticeWorld(VirtualClock())
    world.check()
    world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    world.check()
    (message,) = sent(world)
    keys, kinds = row("notices")
    assert message.keys() == EVERY | keys
    assert kinds == NoticePolicy.model_fields.keys() - {"digest_over"} | {RETRACTED}


def test_a_regulation_has_the_keys_of_its_row_and_its_text_those_of_its_own() -> None:
    world = RegulationWorld()
    for rules in (
        [Rule("학칙", "1"), Rule("규정", "2")],
        [Rule("학칙", "3"), Rule("규정", "2")],
        [Rule("학칙", "3"), Rule("세칙", "2")],
    ):
        world.day(*rules)
    messages = sent(world)
    keys, kinds = row("regulations")
    assert kinds == REGULATIONS.push
    renamed = next(each for each in messages if each["kind"] == "renamed")
    assert renamed.keys() == EVERY | keys
    of_text = next(each for each in messages if each["kind"] == "text_changed")
    keys, kinds = row("their texts")
    assert of_text.keys() == EVERY | keys
    assert kinds == {"text_changed"}


def test_the_others_keys_are_those_of_their_pages() -> None:
    keys, kinds = row("weather")
    told = (ROOT / "docs" / "weather.md").read_text("utf-8").partition("## What devices get")[2]
    assert keys <= set(re.findall("`([^`]+)`", told.partition("## Fields")[0]))
    assert kinds == {*get_args(EventKind)}
    keys, _ = row("watches")
    told = (ROOT / "docs" / "watches.md").read_text("utf-8").partition("## What readers have")[2]
    assert keys == set(re.findall("`([a-z_]+)`", told.partition("## Its cost")[0])) & keys
    assert {kind.partition("_")[0] for kind in get_args(Kind)} == {"robots", "sitemap"}


def delivery(kind: str) -> tuple[str, str]:
    """The urgency and the lifetime of a kind, in the page's words."""
    table = PAGE.partition("## Delivery")[2].partition("\n\n|")[2].partition("\n\n")[0]
    found = None
    for line in table.splitlines()[2:]:
        names, urgency, kept = (cell.strip() for cell in line.strip("|").split("|"))
        groups = [set(re.findall("`([^`]+)`", part)) for part in names.split(";")]
        for group, lifetime in zip(groups, kept.split("; ") * len(groups), strict=False):
            if kind in group:
                found = urgency, lifetime
        if found is None and names.startswith("all others"):
            found = urgency, kept
    assert found is not None
    return found


LIFETIMES = {3_600: "an hour", 21_600: "six hours", 86_400: "a day", 604_800: "a week"}


def test_urgency_and_lifetime_are_those_of_the_table() -> None:
    """Of each family: what its publication says, in its message."""
    notices = NoticeWorld(VirtualClock())
    notices.check()
    for titles in (["셋"], ["셋 (수정)"], ["셋"], [str(each) for each in range(5)]):
        notices.clock.advance(600)
        shown = [Notice(str(3 + at), title) for at, title in enumerate(titles)]
        notices.show(*reversed(shown), Notice("2", "둘"), Notice("1", "하나"))
        notices.check(changes={"digest_over": 3})
    weather = WeatherWorld()
    state = WeatherState(source="metar", health=Health(since="2026-03-02T01:00:00Z"))
    files = ProductFiles("weather", weather.objects, backoff=weather.backoff)
    event = {"event_id": "0" * 40, "detected_at": "2026-03-02T01:00:00Z", "id": "x", "revision": 1}
    told = [
        files.message(state, WeatherOutboxEvent(**event, kind=kind, topic="RKSI", content={}))
        for kind in get_args(EventKind)
    ]
    regulations = RegulationWorld()
    for rules in ([Rule("학칙", "1")], [Rule("학칙", "3")], [Rule("학칙", "3"), Rule("규정", "2")]):
        regulations.day(*rules)
    told += [*notices.messages(), *regulations.messages(), *regulations.texts.messages()]
    for change in told:
        kind = "digest" if change.digest_of else change.kind
        assert (change.urgency, LIFETIMES[change.lifetime_seconds]) == delivery(kind), kind
    kinds = {"new", "edited", "retracted", "text_changed", *get_args(EventKind)}
    assert kinds <= {change.kind for change in told}
    assert any(change.digest_of for change in told)


def test_caching_is_as_it_is_written() -> None:
    table = PAGE.partition("## Caching")[2].partition("## Order")[0]
    assert "| `latest.json` | 5 minutes; of the weather a minute |" in table
    assert (latest.CACHE_CONTROL, archive.CACHE_CONTROL) == (
        "public, max-age=300, s-maxage=5",
        "public, max-age=300",
    )
    assert "| `index.json`, its shards, `health.json` | 1 minute |" in table
    assert BRIEFLY == "public, max-age=60"
