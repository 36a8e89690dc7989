"""The lines that a played family has for its events: declared, with the events' fields."""

from datetime import date
from typing import Any, ClassVar

import pytest

from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.stage.simulation import Simulation, World
from uring_local.sites.web.simulation import SeedSimulation

WORLD = World(7, date(2026, 3, 2), domains=20)


class Tides(Simulation):
    """A family of two events."""

    family = "tides"
    lines: ClassVar = {"changed": "  changed  {source} {record} {kind}", "checked": ""}

    def advance(self, *_: Any) -> int:
        raise NotImplementedError

    def judge(self, *_: Any) -> Any:
        raise NotImplementedError


def test_a_line_has_the_fields_of_its_event() -> None:
    event = {"event": "changed", "page": "pier", "record": "flood", "kind": "new"}
    assert Tides(WORLD).describe(event) == "  changed  pier flood new"


def test_an_empty_line_says_nothing_and_none_is_the_line_of_any_family() -> None:
    assert Tides(WORLD).describe({"event": "checked"}) == ""
    assert Tides(WORLD).describe({"event": "pushed"}) is None


def test_an_event_of_that_name_without_the_fields_has_the_line_of_any_family() -> None:
    assert Tides(WORLD).describe({"event": "changed", "source": "pier"}) is None


@pytest.mark.parametrize("name", ["changed", "checked", "suspect", "failed"])
def test_what_another_family_tells_is_no_line_of_the_regulations(name: str) -> None:
    with RegistrySimulation(WORLD) as simulation:
        assert simulation.describe({"event": name, "family": "regulation-texts"}) == ""


def test_a_file_without_records_is_told_as_expected() -> None:
    with SeedSimulation(WORLD) as simulation:
        simulation.advance(1, simulation.opened)
        event = {"event": "record_failed", "group": "sg/news/2026-03-02/5", "reason": "a list"}
        assert simulation.describe(event) == ("  expected sg/news/2026-03-02/5: not a dataset")
        assert simulation.describe({**event, "group": "amber-bay-1.com.sg"}) is None
