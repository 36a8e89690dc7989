"""Public data as the page reads it: what becomes of the copy, of the clock, of the room."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from notices_published import Opened

_WITH: Final = """
  const at = (path) => new URL(path, document.baseURI).href;
  const [{dataOf}, {now}, {open, LARGEST}] = await Promise.all(
    ["data", "clock", "store"].map((name) => import(at(`./app/${name}.js`))));
  const answers = [];
  const store = await open();
  const data = dataOf(store, async () => answers.shift());
  const behind = () => Math.round((Date.now() - now()) / 86_400_000);
"""


@pytest.fixture
def run(opened: Opened) -> Callable[[str], Any]:
    """Run the body of an asynchronous function beside data whose `answers` it gives."""
    page = opened("#/")
    return lambda body: page.evaluate(f"async () => {{ {_WITH} {body} }}")


def test_broken_json_replaces_no_copy_though_its_text_is_asked_for(
    run: Callable[[str], Any],
) -> None:
    """Pages of an archive read `latest.json` as text; without a copy it is called broken."""
    assert run(
        """const load = (path) => data.load(path, {as: "text"});
        answers.push(new Response('{"a": 1}'), new Response('{"a": '), new Response("{"));
        await load("cse/latest.json");
        const {state, body} = await load("cse/latest.json");
        const {body: kept} = await data.known("cse/latest.json");
        return [state, body, kept, (await load("law/latest.json")).state];"""
    ) == ["stored", '{"a": 1}', {"a": 1}, "broken"]


def test_lines_that_break_off_are_kept_as_they_came(run: Callable[[str], Any]) -> None:
    """An archive is read line by line: half of one costs that line alone."""
    assert run(
        """answers.push(new Response('{"a": 1}\\n{"b'));
        const {state, body} = await data.load("cse/archive/202603.jsonl", {as: "text"});
        return [state, body];"""
    ) == ["ok", '{"a": 1}\n{"b']


def test_only_what_was_asked_of_the_server_moves_the_clock(run: Callable[[str], Any]) -> None:
    """The browser's own copy of a file that never changes may be a year old."""
    assert run(
        """const old = () => {
          const date = new Date(Date.now() - 100 * 86_400_000).toUTCString();
          return new Response("{}", {headers: {date}});
        };
        answers.push(old(), old());
        await data.load("rules/one.json");
        const before = behind();
        await data.load("index.json", {fresh: true});
        return [before, behind()];"""
    ) == [0, 100]


def test_a_clock_that_is_minutes_wrong_is_set_and_the_networks_seconds_are_not(
    run: Callable[[str], Any],
) -> None:
    """Weather is judged in minutes, also after the network is gone."""
    assert run(
        """const ago = (minutes) => {
          const date = new Date(Date.now() - minutes * 60_000).toUTCString();
          return new Response("{}", {headers: {date}});
        };
        const found = [];
        for (const minutes of [50, 1, -10]) {
          answers.push(ago(minutes));
          await data.load("index.json", {fresh: true});
          found.push(Math.round((Date.now() - now()) / 60_000));
        }
        return found;"""
    ) == [50, 0, -10]


def test_copies_that_grow_stay_within_their_room(run: Callable[[str], Any]) -> None:
    """Not only a path that is new is weighed: a short file becomes a long one."""
    assert run(
        """const long = JSON.stringify("x".repeat(LARGEST.objects / 10 - 2));
        const paths = Array.from({length: 12}, (_, number) => `${number}/latest.json`);
        answers.push(...paths.map(() => new Response("1")));
        answers.push(...paths.map(() => new Response(long)));
        for (const path of [...paths, ...paths]) await data.load(path);
        const size = async () => [...(await store.entries("objects")).values()]
          .reduce((sum, {text}) => sum + text.length, 0);
        // It is forgotten after what asked has gone on.
        for (let tries = 0; await size() > LARGEST.objects; tries += 1) {
          if (tries > 500) return false;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        return true;"""
    )
