"""The table in docs/weather.md has every field of the published JSON, where it is and its unit."""

import json
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel

from uring.clock import parse_timestamp
from uring.weather.due import marked, noted
from uring.weather.files import document
from uring.weather.gateway.warnings import AirportWarnings
from uring.weather.iwxxm import fields
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.iwxxm.timeline import Piece
from uring.weather.product import Product, merge
from uring.weather.runways import Runway, wind_on
from uring.weather.state import WeatherState

PAGE = Path(__file__).parents[2] / "docs" / "weather.md"
FIXTURES = sorted((Path(__file__).parent / "fixtures" / "reports").glob("*.json"))
MODELS: dict[str, type[BaseModel]] = {"M": Metar, "T": Taf, "W": AirportWarnings}
PRODUCTS: dict[str, Product] = {"M": "metar", "T": "taf", "W": "warning"}
CONDITIONS = r"(observation|trend\[\]|base|changes\[\])\."
UNITS = {
    fields.Utc: "UTC",
    fields.Degrees: "°",
    fields.Knots: "KT",
    fields.Metres: "m",
    fields.Feet: "ft",
    fields.Celsius: "°C",
    fields.Hectopascals: "hPa",
}


class Row(NamedTuple):
    products: set[str]
    unit: str
    values: set[str]


def table() -> dict[str, Row]:
    """The rows of the page by field; what is "as" another field has its rows."""
    found: dict[str, Row] = {}
    for line in PAGE.read_text("utf-8").splitlines():
        match = re.match(r"\| `([^`]+)` \| ([MTW ]+) \| ([^|]*)\|", line)
        if match is None:
            continue
        field, where, meaning = match[1], set(match[2].split()), match[3].strip()
        assert field not in found, f"{field} is there twice"
        if other := re.fullmatch(r"as `(.+)`", meaning):
            for name, row in list(found.items()):
                if name.startswith(other[1]):
                    found[field + name.removeprefix(other[1])] = row._replace(products=where)
            continue
        first, _, _ = meaning.partition(" ")
        values = set(re.findall("`([^`]+)`", meaning))
        found[field] = Row(where, first.rstrip(",;"), values)
    return found


def leaves(kind: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every plain value that a type can hold, with the annotation that says its unit."""
    origin, parts = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        for name, inner in get_type_hints(kind, include_extras=True).items():
            if name in kind.model_fields:
                yield from leaves(inner, f"{path}.{name}".lstrip("."))
    elif origin in (Union, types.UnionType):
        (inner,) = (part for part in parts if part is not types.NoneType)
        yield from leaves(inner, path)
    elif origin is tuple:
        yield from leaves(parts[0], f"{path}[]")
    elif origin is Annotated and kind not in UNITS:
        yield from leaves(parts[0], path)
    else:
        yield path, kind


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Every plain value of a JSON document."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list) and value:
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def named(path: str, known: set[str]) -> str:
    """The field as the table has it."""
    short = re.sub(f"^{CONDITIONS}", "….", path)
    return short if short in known else path


def model_fields() -> dict[str, tuple[set[str], list[Any]]]:
    """By field: the products that have it, and its annotations there."""
    known = set(table())
    found: dict[str, tuple[set[str], list[Any]]] = {}
    for product, model in MODELS.items():
        for path, kind in leaves(model):
            where, kinds = found.setdefault(named(path, known), (set(), []))
            where.add(product)
            kinds.append(kind)
    for path, kind in leaves(Piece, "timeline[]"):
        found[path] = ({"T"}, [kind])
    wind = {"direction": 90, "speed": 5, "gust": None}
    for name in wind_on(wind, [Runway("09", 90)])[0]:
        kind = fields.Knots if name != "runway" else str
        found[f"observation.wind.runways[].{name}"] = ({"M"}, [kind])
    return found


def ours() -> dict[str, set[str]]:
    """The fields around the reports: those of a file, and of an airport that failed for long."""
    found: dict[str, set[str]] = {}
    now = parse_timestamp("2026-05-04T03:00:00Z")
    old = dict.fromkeys(("observation_time", "issued", "valid_end"), "2026-05-02T03:00:00Z")
    report = {"warnings": [], "header": old}
    for letter, product in PRODUCTS.items():
        kept = merge(product, {"RKZA": report}, {}, ["RKZA"], now).airports
        shown = marked(product, kept, noted(product, kept, {}, now), now)
        state = WeatherState(source=product, airports=shown, fetched_at="2026-05-04T03:00:00Z")
        file = json.loads(document(state))
        marks = {name for name in file.pop("airports")["RKZA"] if name.startswith("_")}
        for name in [*file, *marks]:
            found.setdefault(name, set()).add(letter)
    return found


def test_the_table_has_every_field_once_and_no_other() -> None:
    expected = {field: where for field, (where, _) in model_fields().items()} | ours()
    assert {field: row.products for field, row in table().items()} == expected


def test_the_table_has_each_field_s_unit() -> None:
    rows = table()
    told = {
        field: {UNITS.get(kind, "") for kind in kinds}
        for field, (_, kinds) in model_fields().items()
    }
    units = set(UNITS.values())
    assert {
        field: {rows[field].unit if rows[field].unit in units else ""} for field in told
    } == told


def test_the_table_has_the_values_of_each_field_that_has_few() -> None:
    rows = table()
    few = {
        field: {str(value).replace("True", "true") for kind in kinds for value in get_args(kind)}
        for field, (_, kinds) in model_fields().items()
        if all(get_origin(kind) is Literal for kind in kinds)
    }
    assert len(few) > 10
    assert {field: rows[field].values for field in few} == few


def covered(path: str, known: set[str]) -> bool:
    """Whether the table has it; what is null or empty stands for all that is in it."""
    if re.fullmatch(CONDITIONS, f"{path}."):
        return True
    spelled = {path, re.sub(f"^{CONDITIONS}", "….", path)}
    inside = tuple(each + more for each in spelled for more in (".", "[]"))
    return bool(spelled & known) or any(field.startswith(inside) for field in known)


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.stem)
def test_the_table_has_every_key_of_a_report(fixture: Path) -> None:
    known = set(table())
    model = Taf if fixture.stem.startswith("taf") else Metar
    report = model.model_validate_json(fixture.read_bytes()).model_dump(mode="json")
    assert [path for path in paths(report) if not covered(path, known)] == []
