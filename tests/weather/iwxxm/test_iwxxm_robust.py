"""Whatever the tree, it is a report or a refusal, and a report is one that can be stored."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.errors import ReportRefused
from uring.weather.iwxxm.reports import Metar, Taf
from uring.weather.iwxxm.tree import Element, parse_tree

TEXTS = [
    path.read_text("utf-8")
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "reports").glob("*.xml"))
]
WORDS = sorted(
    {each.tag for text in TEXTS for each in parse_tree(text).iter()}
    | {"", "0", "-1", "1e9", "NaN", "²", "٣", "3124", "9999", "0024", "true", "#t1", "#v1", "M"}
    | {"2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T24:00:00Z", "T", "//"}
    | {value for text in TEXTS for each in parse_tree(text).iter() for value in each.attrib}
    | {
        value
        for text in TEXTS
        for each in parse_tree(text).iter()
        for value in each.attrib.values()
    }
)
values = st.one_of(st.sampled_from(WORDS), st.text(max_size=8), st.integers().map(str))


def mutate(data: st.DataObject, root: Element) -> None:
    """One change of a random element: its text, an attribute, its name, its place."""
    elements = list(root.iter())
    one = data.draw(st.sampled_from(elements))
    other = data.draw(st.sampled_from(elements))
    how = data.draw(st.sampled_from(["text", "attribute", "forget", "name", "drop", "copy"]))
    if how == "text":
        attributes = dict(one.attrib)
        one.clear()
        one.text, one.attrib = data.draw(values), attributes
    elif how == "attribute":
        one.attrib[data.draw(values)] = data.draw(values)
        for name in one.attrib:
            one.attrib[name] = data.draw(st.one_of(st.just(one.attrib[name]), values))
    elif how == "forget":
        one.attrib.clear()
    elif how == "name":
        one.tag = data.draw(values)
    elif how == "drop":
        if other in list(one):
            one.remove(other)
    elif other not in one.iter() and one not in other.iter():
        one.append(other)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_tree_is_a_report_or_a_refusal(data: st.DataObject) -> None:
    root = parse_tree(data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 4))):
        mutate(data, root)
    try:
        report, _ = read_report(root, expected=data.draw(st.sampled_from([None, "RKZA"])))
    except ReportRefused as error:
        told = error.detail
    else:
        kind = Metar if isinstance(report, Metar) else Taf
        assert kind.model_validate_json(report.model_dump_json()) == report
        told = report.header.icao
    assert 0 < len(told.strip()) < 600
