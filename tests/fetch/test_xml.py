"""Strangers' XML costs little whatever it holds, and nothing in it is looked up."""

import time
from contextlib import suppress
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.fetch.xml import Element, XmlLimits, XmlRefused, parse_xml

PROPERTY = settings(max_examples=200, deadline=None)
FULL = 1_999_900


def refused(document: str, limits: XmlLimits | None = None) -> str:
    with pytest.raises(XmlRefused) as caught:
        parse_xml(document, limits or XmlLimits())
    return caught.value.reason


def test_names_are_local_and_text_keeps_its_order() -> None:
    root = parse_xml(
        '\r\n<?xml version="1.0" encoding="EUC-KR"?>\n'
        '<r xmlns="urn:a" x:k="1" y:k="2" k="3">'
        "<dc:d>가<b>나</b>다<![CDATA[<&]]>&lt;</dc:d><!-- --></r>"
    )
    (child,) = root.children
    assert (root.name, root.prefix, root.attributes) == ("r", "", {"k": "3"})
    assert (child.name, child.prefix, child.text) == ("d", "dc", "가나다<&<")
    assert [each.name for each in root.walk()] == ["r", "d", "b"]


def test_half_a_character_is_a_question_mark() -> None:
    assert parse_xml("<a>\ud800</a>").text == "?"


def test_a_prefixed_attribute_counts_where_no_plain_one_has_its_name() -> None:
    assert parse_xml('<r xlink:href="a" xmlns:q="b"/>').attributes == {"href": "a"}


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE a [<!ENTITY b "cc"><!ENTITY d "&b;&b;">]><a>&d;</a>',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>',
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/"> %b;]><a/>',
        "<!DOCTYPE html><html/>",
    ],
)
def test_a_doctype_is_refused_before_what_it_declares(document: str) -> None:
    assert refused(document) == "doctype"


@pytest.mark.parametrize(
    "document",
    ["", " ", "글", "<a>", "<a></b>", "<a>&nbsp;</a>", "<a b='1' b='2'/>", "<a>\0</a>", "<a/><b/>"],
)
def test_what_is_no_xml_is_malformed_with_its_place(document: str) -> None:
    assert refused(document) == "malformed"
    with pytest.raises(XmlRefused, match=r"line \d+, column \d+: "):
        parse_xml(document)


@pytest.mark.parametrize(
    ("document", "name", "size"),
    [
        ("<a>é</a>", "document", 8),
        ("<a><b><c/></b></a>", "depth", 3),
        ("<a><b/><b/></a>", "elements", 3),
        ("<a b='' c=''/>", "attributes", 2),
        ("<a>12<b/>3</a>", "text", 3),
    ],
)
def test_what_has_just_the_size_of_a_limit_passes(document: str, name: str, size: int) -> None:
    assert parse_xml(document, XmlLimits(**{name: size})).name == "a"
    assert refused(document, XmlLimits(**{name: size - 1})) == "limit"


@pytest.mark.parametrize(
    "document",
    [
        "<a>" * (FULL // 3),
        "<a>" + "<b/>" * (FULL // 4 - 10) + "</a>",
        "<a " + " ".join(f"a{n}=''" for n in range(180_000)) + "/>",
        "<a>" + ("<b " + " ".join(f"a{n}=''" for n in range(50)) + "/>") * 4_500 + "</a>",
        "<a>" + "&#65;" * (FULL // 5 - 10) + "</a>",
        "<a>" + "x<![CDATA[y]]>" * (FULL // 15) + "</a>",
        "<a>" + "<![CDATA[" * (FULL // 9 - 10),
        "<!--" + "- " * (FULL // 2 - 10),
        "<" + "a" * (FULL - 10) + "/>",
        "<a>" + "".join(f"<n{n}>1</n{n}>2" for n in range(45_000)) + "</a>",
        "<a>" + "<?a b?>" * (FULL // 7 - 10) + "</a>",
    ],
    ids=["deep", "wide", "attributes", "tags", "references", "pieces", "open-cdata", "open-comment",
         "name", "names", "instructions"],
)  # fmt: skip
def test_two_megabytes_of_anything_take_seconds_at_most(document: str) -> None:
    began = time.process_time()
    with suppress(XmlRefused):
        assert len(parse_xml(document).text) <= FULL
    assert time.process_time() - began < 3


names = st.sampled_from(["a", "b", "item", "제목"])
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=8)
trees = st.recursive(
    st.tuples(names, st.dictionaries(names, texts, max_size=2), st.lists(texts, max_size=2)),
    lambda inner: st.tuples(
        names, st.dictionaries(names, texts, max_size=2), st.lists(inner | texts, max_size=3)
    ),
    max_leaves=8,
)


def written(tree: tuple) -> ET.Element:
    name, attributes, content = tree
    element = ET.Element(name, attributes)
    last = None
    for part in content:
        if isinstance(part, tuple):
            last = written(part)
            element.append(last)
        elif last is None:
            element.text = (element.text or "") + part
        else:
            last.tail = (last.tail or "") + part
    return element


def same(ours: Element, theirs: ET.Element) -> bool:
    children = list(ours.children)
    return (
        (ours.name, ours.attributes) == (theirs.tag, theirs.attrib)
        and ours.text == "".join(theirs.itertext())
        and len(children) == len(theirs)
        and all(map(same, children, theirs))
    )


@PROPERTY
@given(trees)
def test_what_is_written_is_read_as_another_parser_reads_it(tree: tuple) -> None:
    document = ET.tostring(written(tree), encoding="unicode")
    assert same(parse_xml(document), ET.fromstring(document))  # noqa: S314 - our own


@PROPERTY
@given(st.text(st.sampled_from("<>/!?[]&;a='\" -\x00\ud800가") | st.characters()))
def test_any_text_is_read_or_refused(document: str) -> None:
    with suppress(XmlRefused):
        assert parse_xml(document).name
