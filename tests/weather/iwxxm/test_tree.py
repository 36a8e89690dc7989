"""A tree built in C is the one that the strict reader builds, and refused where that refuses."""

import time
from pathlib import Path

import pytest
from fakes.iwxxm_documents import instant, metar, period, taf, tree
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.fetch.xml import LIMITS, XmlLimits, XmlRefused, parse_xml
from uring.weather.iwxxm import tree as reader
from uring.weather.iwxxm.document import read_report
from uring.weather.iwxxm.names import IWXXM
from uring.weather.iwxxm.tree import NO_NAMES, Element, parse_tree, text_of, tree_of

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures" / "reports").glob("*.xml"))
TEXTS = [path.read_text("utf-8") for path in FIXTURES]
CASES = ["xlink:href", "href", "a:href", "gml:id", "id", "xmlns:q", "xmlns", "uom", "x:uom"]
PIECES = [
    "<![CDATA[<&]]>", "<!-- x -->", "<?a b?>", "&#65;", "&lt;", " 글\r\n", "<a:b:c/>", "<c:/>",
    "<iwxxm:base>1</iwxxm:base>", "<xlink:href>k</xlink:href>", "<id/>", "&nbsp;", "<:x/>", "<x>",
]  # fmt: skip


def plain(part: Element) -> tuple[object, ...]:
    attributes = {k: v for k, v in part.attrib.items() if not k.startswith("xmlns")}
    return part.tag, attributes, part.text or "", part.tail or "", [plain(each) for each in part]


def outcome(document: str, limits: XmlLimits = LIMITS) -> object:
    """What the strict reader makes of a document."""
    try:
        return plain(tree_of(parse_xml(document, limits)))
    except XmlRefused as error:
        return error.reason, error.detail


def built(document: str, limits: XmlLimits = LIMITS) -> object:
    try:
        return plain(parse_tree(document, limits, IWXXM))
    except XmlRefused as error:
        return error.reason, error.detail


tags = st.tuples(
    st.sampled_from(["iwxxm:wind", "gml:id", "id", "b", "q:b", "xlink:href"]),
    st.lists(st.sampled_from(CASES), max_size=4),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(tags | st.sampled_from(PIECES), max_size=8), st.integers(1, 60))
def test_it_is_the_tree_that_the_strict_reader_builds(
    parts: list[tuple[str, list[str]] | str], most: int
) -> None:
    written = [
        part
        if isinstance(part, str)
        else f"<{part[0]}"
        + "".join(f' {k}="{n}"' for n, k in enumerate(part[1]))
        + f"></{part[0]}>"
        for part in parts
    ]
    document = "<METAR>" + "".join(written) + "</METAR>"
    for limits in (LIMITS, XmlLimits(attributes=most % 4, depth=most % 5 + 1, elements=most % 9)):
        assert built(document, limits) == outcome(document, limits)


@pytest.mark.parametrize("text", TEXTS, ids=[path.stem for path in FIXTURES])
def test_reports_are_read_alike(text: str) -> None:
    assert built(text) == outcome(text)
    assert plain(parse_tree(text, known=NO_NAMES)) == plain(tree_of(parse_xml(text)))


@pytest.mark.parametrize(
    ("document", "name", "size"),
    [
        ("<a>é</a>", "document", 8),
        ("<a><b><c/></b></a>", "depth", 3),
        ("<a><b/><b/></a>", "elements", 3),
        ("<a b='' c=''/>", "attributes", 2),
        ("<a xmlns:b='' c='>'/>", "attributes", 2),
        ("<a>12<b/>3</a>", "text", 3),
    ],
)
def test_what_has_just_the_size_of_a_limit_passes(document: str, name: str, size: int) -> None:
    assert parse_tree(document, XmlLimits(**{name: size}), IWXXM).tag == "a"
    with pytest.raises(XmlRefused) as caught:
        parse_tree(document, XmlLimits(**{name: size - 1}), IWXXM)
    assert caught.value.reason == "limit"


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>',
        "<!DOCTYPE html><html/>",
    ],
)
def test_a_doctype_is_refused_whatever_it_declares(document: str) -> None:
    with pytest.raises(XmlRefused, match="DOCTYPE"):
        parse_tree(document)


@pytest.mark.parametrize(
    "document",
    [
        "<a>" * 90_000,
        "<a>" + "<b/>" * 90_000 + "</a>",
        "<a " + " ".join(f"a{n}='>'" for n in range(90_000)) + "/>",
        "<a>" + "x<![CDATA[y]]>" * 90_000 + "</a>",
        "<a>" + "&#65;" * 390_000 + "</a>",
        "<" + "a" * 1_999_000 + "/>",
    ],
    ids=["deep", "wide", "attributes", "pieces", "references", "name"],
)
def test_a_bomb_costs_little_whoever_reads_it(document: str) -> None:
    began = time.process_time()
    result = built(document)
    assert time.process_time() - began < 3
    assert isinstance(result, tuple)


def test_a_report_with_the_usual_prefixes_is_not_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed: list[Element] = []
    monkeypatch.setattr(reader, "_renamed", lambda part: renamed.append(part) or part)
    for text in TEXTS:
        parse_tree(text, known=IWXXM)
    assert len(renamed) <= len(TEXTS) // 4


def test_text_is_that_of_the_children_too() -> None:
    assert text_of(parse_tree("<a>1<b>2</b>3<c/>4</a>")) == "1234"


def test_an_element_without_children_is_there() -> None:
    """Elements of `xml.etree` without children are false: no ``or`` may stand between two."""
    moment = '<TimeInstant id="t"><timePosition>2026-05-04T03:00:00Z</timePosition></TimeInstant>'
    before = instant("2026-05-04T03:00:00Z")
    referring = tree(
        metar().replace("<issueTime>", f"<extension>{moment}</extension><issueTime>"),
        (f"<observationTime>{before}</observationTime>", '<observationTime href="#t"/>'),
        (instant("2026-05-04T03:02:00Z"), instant("2026-05-04T03:29:00Z")),
    )
    header = read_report(referring).report.header
    assert header.model_dump(mode="json")["observation_time"] == "2026-05-04T03:00:00Z"


def test_the_period_that_is_cancelled_may_be_a_reference() -> None:
    first = period("2026-05-04T00:00:00Z", "2026-05-04T12:00:00Z")
    first = first.replace("<TimePeriod>", '<TimePeriod id="p">')
    cancelled = (
        taf()
        .replace("<TAF ", '<TAF isCancelReport="true" ')
        .replace(
            "<baseForecast>",
            f'<cancelledReportValidPeriod href="#p"/><extension>{first}</extension><baseForecast>',
        )
    )
    header = read_report(tree(cancelled)).report.header.model_dump(mode="json")
    assert header["valid_start"] == "2026-05-04T00:00:00Z"
