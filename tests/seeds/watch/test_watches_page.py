"""docs/watches.md: every key, kind and field is in it, and its example is one."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest
from fakes.watched_domains import WatchWorld, sitemap

from uring.seeds.watch.watch import Kind, Watch

PAGE = (Path(__file__).parents[3] / "docs" / "watches.md").read_text("utf-8")
CODE = frozenset(re.findall(r"`([^`\n]+)`", PAGE))


@pytest.mark.parametrize("key", [*Watch.model_fields, *get_args(Kind)])
def test_every_key_and_kind_is_explained(key: str) -> None:
    assert key in CODE


def test_the_example_is_a_watch() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert Watch.model_validate(json.loads(example)).shards == 4


def test_every_field_that_readers_have_is_explained() -> None:
    world = WatchWorld()
    world.web.sites["mom.gov.sg"].sitemap = sitemap()
    world.check()
    # By turns: it alternates.
    for body in [b"User-agent: *\nDisallow: /\n", b"User-agent: *\nAllow: /\n"] * 3:
        world.site.robots = body
        world.check()
    assert {"since", "alternates"} <= world.items()["mom.gov.sg/robots.txt"].keys()
    engine = {"revision", "hash", "first_seen"}
    shown = {name for item in world.items().values() for name in item}
    assert shown - engine <= CODE


def test_the_kinds_that_are_pushed_by_default_are_the_first_six() -> None:
    table = re.findall(r"`((?:robots|sitemap)_\w+)`", PAGE)
    default = Watch.model_fields["push"].default
    assert set(default) == set(table[:6])
