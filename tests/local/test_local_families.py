"""The commands' table of families: whole, and true of the registry, the template and the sites."""

import re
from pathlib import Path
from typing import Any

import pytest
from expanded import TEMPLATE

from uring.errors import Misconfigured
from uring.functions.families import FAMILIES as REGISTERED
from uring.functions.families import family as registered_family
from uring_local.cost.families import USES
from uring_local.entries.families import FAMILIES as FILES
from uring_local.families import FAMILIES, NAMES
from uring_local.project import ROOT
from uring_local.sites.simulations import SIMULATIONS
from uring_local.sites.stage.simulation import Simulation
from uring_local.template.families import family_of
from uring_local.template.template import parse

# What readers, jobs and states call a family, and its list in the index.
WORDS = {word for each in REGISTERED for word in (each.name, each.index_key)}
# A command of one family may name two others.
BY_THE_WAY = 3
# Who says something of each family; a new one has to be written into these alone.
PLACES = {
    "layers/core/uring/functions/families.py",
    "local/uring_local/cost/families.py",
    "local/uring_local/families.py",
    "web/app/families.js",
    "web/status/runbook.js",
}


def test_a_family_of_the_registry_is_a_family_of_the_commands() -> None:
    """Its states and jobs go by one name; documents and subscriptions have none."""
    assert {family.name for family in REGISTERED} <= {*NAMES}
    assert len({*NAMES}) == len(NAMES)


def test_a_family_with_a_list_of_entries_has_a_file() -> None:
    configured = {family.name for family in REGISTERED if family.config}
    assert {file.name for file in FILES} == configured
    for file in FILES:
        assert registered_family(file.name).config == file.key
        assert (ROOT / file.path).is_file()


def test_a_played_family_goes_by_its_name() -> None:
    for name, simulation in SIMULATIONS.items():
        assert isinstance(simulation, type)
        assert issubclass(simulation, Simulation)
        assert simulation.family == name


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_familys_parameters_and_resources_are_in_the_template(family: Any) -> None:
    template = parse(TEMPLATE)
    assert family.switch.keys() <= template["Parameters"].keys()
    queues = [name for name in template["Resources"] if family_of(name) == family.name]
    assert queues
    assert all(name.startswith(family.prefixes) for name in queues if family.switch)


def test_a_familys_use_of_a_month_is_counted() -> None:
    """Watches cost what their collections do."""
    assert {*USES} == {*NAMES} - {"watches"}


def test_five_places_say_something_of_each_family() -> None:
    """A file that names most of them is a list of them: derive it, or give a reason here."""
    assert {path for path in _sources() if len(_named(ROOT / path)) > BY_THE_WAY} == PLACES


def test_who_leaves_a_list_of_families_behind_is_found(tmp_path: Path) -> None:
    """The look itself sees strings, keys and imports, and no words of a sentence."""
    listed = tmp_path / "listed.py"
    listed.write_text('KNOWN = ("notices", "regulations", "seeds", "weather")\n')
    assert len(_named(listed)) > BY_THE_WAY
    listed.write_text('"""Notices, regulations, seeds and weather."""\n')
    assert _named(listed) == set()
    with pytest.raises(Misconfigured, match="is not a family"):
        registered_family("tides")


def _sources() -> list[str]:
    found = [
        path
        for folder, ending in (("layers", "py"), ("local", "py"), ("bench", "py"), ("web", "js"))
        for path in (ROOT / folder).rglob(f"*.{ending}")
        if "vendor" not in path.parts
    ]
    return [path.relative_to(ROOT).as_posix() for path in found]


def _named(path: Path) -> set[str]:
    """Return the families that a file names by a string, a key of an object or an import."""
    text = path.read_text("utf-8")
    words = set(re.findall(r"""["'](\w+)["']|^\s*(\w+): \{|uring\.(\w+)\.""", text, re.MULTILINE))
    found = {word for each in words for word in each} & WORDS
    return {each.name for each in REGISTERED if found & {each.name, each.index_key}}
