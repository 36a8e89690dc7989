"""A family is there as a whole or not at all (X6): a stack pays for those that it uses."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from expanded import Stack

from uring.errors import Misconfigured
from uring_local.families import FAMILIES as LOCAL
from uring_local.template.expansion import with_defaults
from uring_local.template.families import FAMILIES, switching_on

# By what begins the names of a family's resources. The text extractor is of two.
EXTRACTING = {"regulations", "documents"}
PREFIXES = {
    family.name: (*family.prefixes, *(["TextExtractor"] if family.name in EXTRACTING else []))
    for family in LOCAL
    if family.switch
}
# Data, and what is free while it is empty: a stack that lost sight of a table would begin another.
TABLES = {"RegistryTable", "SeedTable", "DocumentTable"}
EVERY_WAY = [
    families
    for size in range(len(PREFIXES) + 1)
    for families in combinations(PREFIXES, size)
    # A rule refuses watches of domains that nothing collects.
    if "watches" not in families or "seeds" in families
]


def _ids(family: str, names: Any) -> set[str]:
    others = () if family == "watches" else PREFIXES["watches"]
    return {
        name
        for name in names
        if name.startswith(PREFIXES[family])
        and not (family == "seeds" and name.startswith(others))
        and name not in TABLES
    }


def _references(value: Any) -> Iterator[str]:
    """The resources that are named in a resolved value: ``${Queue}``, ``${Queue.Arn}``."""
    if isinstance(value, dict):
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)
    elif isinstance(value, str):
        yield from re.findall(r"\$\{(\w+)(?:\.\w+)?\}", value)


def _depends(resource: dict[str, Any]) -> set[str]:
    named = resource.get("DependsOn", [])
    return {named} if isinstance(named, str) else {*named}


@pytest.mark.parametrize("families", EVERY_WAY, ids=lambda families: "+".join(families) or "none")
def test_no_way_to_deploy_refers_to_what_it_leaves_out(
    template: dict[str, Any], families: tuple[str, ...]
) -> None:
    """CloudFormation refuses such a template: every family alone, none, all, and all between."""
    stack = Stack(template, **switching_on(families))
    for name, resource in stack.resources.items():
        named = {*_references(resource["Properties"])} | _depends(resource)
        assert named <= stack.resources.keys(), name
    for name, output in stack.outputs.items():
        assert {*_references(output)} <= stack.resources.keys(), name


@pytest.mark.parametrize("family", PREFIXES)
def test_a_family_is_there_as_a_whole_or_not_at_all(
    template: dict[str, Any], least_stack: Stack, stack: Stack, family: str
) -> None:
    """Queues, functions, roles, logs, alarms, dashboards, APIs and outputs."""
    alone = Stack(template, **FAMILIES[family])
    assert _ids(family, stack.resources)
    for part in ("resources", "outputs"):
        every = _ids(family, getattr(stack, part))
        assert every <= getattr(alone, part).keys()
        assert every.isdisjoint(getattr(least_stack, part))


def test_notices_alone_have_two_queues_to_poll_and_no_api(least_stack: Stack) -> None:
    """An empty queue that a function polls costs as much as a full one."""
    assert {name for name, _, _ in _polled(least_stack)} == {"NoticeQueue", "NotifyQueue"}
    kinds = {resource["Type"] for resource in least_stack.resources.values()}
    assert "AWS::ApiGatewayV2::Api" not in kinds
    functions = least_stack.of_type("AWS::Lambda::Function").keys()
    assert functions == {"NoticeOrchestrator", "NoticeWorker", "Monitor", "Notifier"}
    told = least_stack.of_type("AWS::S3::Bucket")["Bucket"]["NotificationConfiguration"]
    assert told == {"LambdaConfigurations": []}


def _polled(stack: Stack) -> Iterator[tuple[str, str, bool]]:
    for each in stack.of_type("AWS::Lambda::EventSourceMapping").values():
        (queue,), (function,) = (
            [*_references(each[key])] for key in ("EventSourceArn", "FunctionName")
        )
        yield queue, function, each.get("Enabled", True)


def test_what_is_there_is_polled(stack: Stack) -> None:
    assert all(is_enabled for _, _, is_enabled in _polled(stack))


def test_a_family_that_is_switched_off_keeps_its_table(least_stack: Stack) -> None:
    tables = least_stack.of_type("AWS::DynamoDB::Table")
    assert tables.keys() == TABLES | {"LedgerTable"}
    for table in tables.values():
        assert table["BillingMode"] == "PAY_PER_REQUEST"


def test_the_extractor_is_there_for_either_of_its_families(
    template: dict[str, Any],
) -> None:
    for family in ("regulations", "documents"):
        assert "TextExtractor" in Stack(template, **FAMILIES[family]).resources
    for family in ("weather", "seeds", "watches"):
        assert "TextExtractor" not in Stack(template, **FAMILIES[family]).resources


def test_a_family_s_parameters_are_the_template_s(template: dict[str, Any]) -> None:
    for parameters in FAMILIES.values():
        assert parameters.keys() <= template["Parameters"].keys()
        for name, value in parameters.items():
            assert template["Parameters"][name]["Default"] != value


def test_a_scanner_sees_every_family(template: dict[str, Any], stack: Stack) -> None:
    """It leaves out what the defaults leave out."""
    whole = Stack(with_defaults(template, switching_on(FAMILIES)))
    assert whole.resources == stack.resources
    assert template["Parameters"]["Seeds"]["Default"] == "DISABLED"


def test_an_unknown_family_is_refused_with_the_known_ones() -> None:
    known = f"known families: {', '.join(FAMILIES)}"
    with pytest.raises(Misconfigured, match=known):
        switching_on(["notices", "tides"])
