"""Feeds as they are in the wild: bases, alternatives, permanent links, what stands around them."""

import time
from datetime import date
from typing import Any

import pytest

from uring.errors import SuspectPage
from uring.notices.item import NoticeItem
from uring.notices.page import read_page, rows_of
from uring.notices.source import Source
from uring.sources.rows import Page

URL = "https://feed.example.ac.kr/out/feed.xml"
TODAY = date(2026, 3, 2)


def source(preset: str, /, **keys: Any) -> Source:
    head = {"id": "ibis", "name": "따오기학과", "url": URL, "preset": preset}
    return Source.model_validate(head | keys)


def items_of(preset: str, text: str, /, **keys: Any) -> tuple[NoticeItem, ...]:
    return read_page(source(preset, **keys), text, URL, TODAY).items


def page_of(preset: str, text: str, /, **keys: Any) -> Page[NoticeItem]:
    return rows_of(source(preset, **keys), text, URL, TODAY)


def rss(*items: str, root: str = "<rss>", channel: str = "<channel>") -> str:
    rows = "".join(f"<item>{item}</item>" for item in items)
    return f"{root}{channel}{rows}</channel></rss>"


def atom(entry: str, feed: str = "<feed>", opening: str = "<entry>") -> str:
    more = "<id>urn:1</id><title>갈대밭 정비</title><updated>2026-02-25T00:00:00Z</updated>"
    return f"{feed}{opening}{more}{entry}</entry></feed>"


ITEM = "<title>갈대밭 정비</title>"
BLOG = "https://blog.example.ac.kr/ongoing/"


class TestBase:
    @pytest.mark.parametrize(
        ("feed", "opening", "link", "wanted"),
        [
            (f'<feed xml:base="{BLOG}">', "<entry>", '<link href="/abs/2"/>', "/abs/2"),
            (f'<feed xml:base="{BLOG}">', "<entry>", '<link href="2"/>', "/ongoing/2"),
            ("<feed>", f'<entry xml:base="{BLOG}">', '<link href="2"/>', "/ongoing/2"),
            ("<feed>", "<entry>", f'<link xml:base="{BLOG}" href="2"/>', "/ongoing/2"),
            (f'<feed xml:base="{BLOG}">', '<entry xml:base="2026/">', '<link href="3"/>',
             "/ongoing/2026/3"),
            (f'<feed xml:base="{BLOG}a">', '<entry xml:base="b/">',
             '<link xml:base="../c/" href="../4"/>', "/ongoing/4"),
            (f"<feed xml:base=' {BLOG} '>", "<entry>", "<link> 5 </link>", "/ongoing/5"),
            (f'<feed xml:base="{BLOG}">', "<entry>", f'<link href="{BLOG}6"/>', "/ongoing/6"),
        ],
    )  # fmt: skip
    def test_a_link_is_resolved_against_the_nearest_base(
        self, feed: str, opening: str, link: str, wanted: str
    ) -> None:
        (item,) = items_of("atom", atom(link, feed, opening))
        assert item.link == f"https://blog.example.ac.kr{wanted}"

    @pytest.mark.parametrize("place", ["rss", "channel", "item", "link"])
    def test_rss_has_bases_too(self, place: str) -> None:
        text = rss(f"<guid>9</guid>{ITEM}<link>2</link>")
        text = text.replace(f"<{place}>", f'<{place} xml:base="{BLOG}">')
        assert [item.link for item in items_of("rss", text)] == [f"{BLOG}2"]

    @pytest.mark.parametrize("base", ["", "sub/", "/out/", "javascript:x", "http://[", "x" * 5_000])
    def test_a_base_without_a_host_stays_on_the_host_of_the_feed(self, base: str) -> None:
        text = atom('<link href="/v/2"/>', f'<feed xml:base="{base}">')
        assert items_of("atom", text)[0].link == "https://feed.example.ac.kr/v/2"

    def test_a_relative_base_counts_from_the_address_of_the_feed(self) -> None:
        text = atom('<link href="2"/>', '<feed xml:base="../sub/">')
        assert items_of("atom", text)[0].link == "https://feed.example.ac.kr/sub/2"

    def test_an_attribute_that_is_called_base_is_none(self) -> None:
        text = atom('<link href="/v/2"/>', f'<feed base="{BLOG}" x:base="{BLOG}">')
        assert items_of("atom", text)[0].link == "https://feed.example.ac.kr/v/2"

    def test_ids_and_templates_are_as_they_were(self) -> None:
        text = rss(f"{ITEM}<link>7</link>").replace("<rss>", f'<rss xml:base="{BLOG}">')
        (item,) = items_of("rss", text, fields={"link": {"template": "/v/{id}"}})
        assert (item.id, item.link) == ("7", "https://feed.example.ac.kr/v/7")

    def test_bases_that_grow_cost_nothing(self) -> None:
        deep = "".join(f'<g xml:base="{"a" * 900}/">' for _ in range(40))
        text = f'<rss xml:base="{"b" * 900_000}">{deep}' + '<h xml:base="c/"/>' * 40_000
        began = time.process_time()
        with pytest.raises(SuspectPage):
            items_of("rss", text + "</g>" * 40 + "</rss>")
        assert time.process_time() - began < 4


class TestAlternatives:
    @pytest.mark.parametrize(
        ("item", "wanted"),
        [
            ("<guid></guid><link>/v?no=1</link>", "/v?no=1"),
            ("<guid/><guid>g-2</guid><link>/v?no=1</link>", "g-2"),
            ("<guid> \n </guid><link/><link>/v?no=1</link>", "/v?no=1"),
            ("<guid><![CDATA[]]></guid><link>/v?no=1</link>", "/v?no=1"),
            ("<guid>g-1</guid><link>/v?no=1</link>", "g-1"),
        ],
    )
    def test_the_first_id_that_says_something_counts(self, item: str, wanted: str) -> None:
        (found,) = items_of("rss", rss(f"{ITEM}{item}"))
        assert (found.id, found.link) == (wanted, "https://feed.example.ac.kr/v?no=1")

    @pytest.mark.parametrize(
        "dates",
        [
            "<pubDate></pubDate><dc:date>2026-02-25T10:00:00+09:00</dc:date>",
            "<pubDate/><pubDate>Wed, 25 Feb 2026 10:00:00 +0900</pubDate>",
            "<pubDate>0000-00-00</pubDate><dc:date>2026-02-25</dc:date>",
            "<pubDate>Invalid Date</pubDate><a10:updated>2026-02-25T01:00:00Z</a10:updated>",
        ],
    )
    def test_no_date_is_lost_to_an_empty_one(self, dates: str) -> None:
        (item,) = items_of("rss", rss(f"<guid>1</guid><link>/v/1</link>{ITEM}{dates}"))
        assert item.date == "2026-02-25"

    def test_a_named_part_is_looked_for_in_each_alternative(self) -> None:
        fields = {"id": {"select": "guid, link", "parameter": "no"}}
        item = f"<guid>tag:x</guid><link>/v?no=5</link>{ITEM}"
        assert items_of("rss", rss(item), fields=fields)[0].id == "5"

    def test_json_takes_the_first_value_that_says_something(self) -> None:
        keys = {"preset": None, "kind": "json", "rows": "list", "fields": {
            "id": "no, seq", "title": "title, subject", "date": "day, created",
            "category": {"select": "kind, group", "optional": True},
            "link": "url, href"}}  # fmt: skip
        text = (
            '{"list": [{"no": "", "seq": 4, "title": " ", "subject": "갈대밭", "day": "-",'
            ' "created": "2026-02-25", "kind": [], "group": "행사", "url": "", "href": "/v/4"}]}'
        )
        (item,) = items_of("rss", text, **keys)
        assert item == NoticeItem(
            id="4", title="갈대밭", date="2026-02-25", category="행사",
            link="https://feed.example.ac.kr/v/4", is_pinned=False,
        )  # fmt: skip

    def test_a_page_takes_the_first_part_that_says_something(self) -> None:
        fields = {
            "id": {"select": "a.key, a.title", "attribute": "data-no"},
            "title": "a.icon, a.title",
            "date": {"select": "td.edited, td.created", "empty": ["-"]},
            "link": "a.icon, a.title",
        }
        keys = {"preset": None, "kind": "html", "rows": "tr", "fields": fields}
        row = (
            "<tr><td><a class=key></a><a class=icon><img></a><a class=title data-no={0} href=v/{0}>"
            "글 {0}</a><td class=edited>{1}<td class=created>2026-02-25"
        )
        text = "<table>" + "".join(row.format(no, "-" if no % 2 else "") for no in range(1, 5))
        items = items_of("rss", text, **keys)
        assert [item.id for item in items] == ["1", "2", "3", "4"]
        assert {item.date for item in items} == {"2026-02-25"}
        assert items[0].link == "https://feed.example.ac.kr/out/v/1"
        assert items[0].title == "글 1"

    @pytest.mark.parametrize("select", ["td a", "td :is(a, b)", "td a[title='x, y']"])
    def test_one_selector_has_no_alternatives(self, select: str) -> None:
        """The second link of a row leads elsewhere."""
        fields = {"id": {"select": "td", "attribute": "data-no"}, "title": select, "link": "td a"}
        keys = {"preset": None, "kind": "html", "rows": "tr", "fields": fields}
        row = "<tr><td data-no=1><a href=a title='x, y'></a><a href=b title='x, y'>첨부</a>"
        page = page_of("rss", f"<table>{row}", **keys)
        assert page.items == ()
        assert "fields.title" in (page.rows[0].reason or "")

    def test_a_page_does_not_look_for_a_pattern_in_other_parts(self) -> None:
        """Id and link would be of two anchors."""
        fields = {
            "id": {"select": "a.x, a.y", "attribute": "href", "pattern": r"v/(\d+)"},
            "title": "a.y", "link": "a.x, a.y",
        }  # fmt: skip
        keys = {"preset": None, "kind": "html", "rows": "tr", "fields": fields}
        page = page_of(
            "rss", "<table><tr><td><a class=x href=k>말</a><a class=y href=v/1>글", **keys
        )
        assert "fields.id.pattern" in (page.rows[0].reason or "")


class TestPermanentLinks:
    @pytest.mark.parametrize("more", ["", ' isPermaLink="true"', " ISPERMALINK='TRUE'"])
    def test_a_guid_is_a_link_where_there_is_no_other(self, more: str) -> None:
        for guid in ("https://blog.example.ac.kr/v/3", "/v/3"):
            (item,) = items_of("rss", rss(f"<guid{more}>{guid}</guid>{ITEM}<link></link>"))
            assert item.link.endswith(".example.ac.kr/v/3")

    @pytest.mark.parametrize(
        "guid",
        [
            '<guid isPermaLink="false">https://blog.example.ac.kr/?p=3</guid>',
            "<guid ispermalink='False'>/v/3</guid>",
            "<guid>12345</guid>",
            "<guid>tag:blog.example.ac.kr,2026:3</guid>",
            "<guid>f81d4fae-7dec-11d0</guid>",
        ],
    )
    def test_a_guid_that_is_no_address_is_never_a_link(self, guid: str) -> None:
        page = page_of("rss", rss(f"{guid}{ITEM}"))
        assert page.items == ()
        assert "fields.link" in (page.rows[0].reason or "")

    def test_it_stays_an_id(self) -> None:
        item = f'<guid isPermaLink="false">12345</guid>{ITEM}<link>/v/3</link>'
        assert items_of("rss", rss(item))[0].id == "12345"


class TestLinks:
    @pytest.mark.parametrize(
        "links",
        [
            '<link rel="self" href="/s"/><link rel="alternate" href="/v/1"/>',
            '<link rel="enclosure" href="/f.pdf"/><link href="/v/1"/>',
            '<link rel=" Alternate " href="/v/1"/>',
            '<link rel="alternate nofollow" href="/v/1"/>',
            '<link rel="" href="/v/1"/>',
            '<link rel="http://www.iana.org/assignments/relation/alternate" href="/v/1"/>',
            '<link rel="replies" href="/r"/><link><![CDATA[/v/1]]></link>',
            '<link/><link href="/v/1"/>',
        ],
    )
    def test_the_notice_is_behind_the_alternate(self, links: str) -> None:
        assert items_of("atom", atom(links))[0].link == "https://feed.example.ac.kr/v/1"

    def test_links_of_atom_in_rss(self) -> None:
        for links in (
            '<atom:link rel="self" href="/s"/><link>/v/1</link>',
            '<a10:link rel="alternate" href="/v/1"/>',
            '<atom:link href="/other"/><link>/v/1</link>',
            '<link></link><atom:link href="/v/1"/>',
        ):
            (item,) = items_of("rss", rss(f"<guid>1</guid>{ITEM}{links}"))
            assert item.link == "https://feed.example.ac.kr/v/1"


FEED = rss(f"<guid>1</guid><link>/v/1</link>{ITEM}")
DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
NETSCAPE = (
    '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN"'
    ' "http://my.netscape.com/publish/formats/rss-0.91.dtd">'
)


class TestAround:
    @pytest.mark.parametrize(
        "before",
        [
            NETSCAPE,
            DECLARATION + "\n" + NETSCAPE + "\n",
            DECLARATION + "<!-- made --><?xml-stylesheet href='a.xsl'?>" + NETSCAPE,
            '<!DOCTYPE rss SYSTEM "rss.dtd">',
            "<!DOCTYPE rss>",
            "<!DOCTYPE rss [ ]>",
            "<!doctype rss public '-//x' 'y'>",
            "\ufeff\ufeff",
            "\ufeff \r\n\t" + DECLARATION,
            "\n\n" + DECLARATION,
            "<br />\n<b>Warning</b>: mysql in <b>/a.php</b> on line 3<br />\n" + DECLARATION,
            "<!-- cached -->" + DECLARATION,
            "Notice: x & y\n",
            "PHP Warning\n" + DECLARATION + NETSCAPE,
        ],
    )
    def test_what_stands_before_a_feed_is_read_past(self, before: str) -> None:
        assert [item.id for item in items_of("rss", before + FEED)] == ["1"]

    @pytest.mark.parametrize(
        "after", ["<!-- 0.3 s -->", "\n<script>x&y</script>", "</html>", "done"]
    )
    def test_what_stands_behind_a_feed_is_read_past(self, after: str) -> None:
        assert [item.id for item in items_of("rss", FEED + after)] == ["1"]

    @pytest.mark.parametrize(
        "before",
        [
            '<!DOCTYPE rss [<!ENTITY a "b">]>',
            "<!DOCTYPE rss [<!ENTITY % p SYSTEM 'http://x/'> %p;]>",
            '<!DOCTYPE rss SYSTEM "a.dtd" [<!ENTITY a "b">]>',
            "Warning: x\n<!DOCTYPE rss [<!ENTITY a 'b'>]>",
            "<!DOCTYPE rss [<!ATTLIST item x CDATA 'y'>]>",
            "<!DOCTYPE rss []" + "[]>",
        ],
    )
    def test_declarations_stay_refused(self, before: str) -> None:
        with pytest.raises(SuspectPage) as suspect:
            items_of("rss", before + FEED.replace("갈대밭", "&a;"))
        assert suspect.value.reason == "not_feed"

    def test_entities_of_the_old_declarations_are_letters(self) -> None:
        """RSS 0.91 declares those of HTML; the declarations themselves are not read."""
        text = NETSCAPE + FEED.replace("갈대밭", "Caf&eacute;&nbsp;&amp; B&ouml;rse")
        assert items_of("rss", text)[0].title == "Café & Börse 정비"

    def test_two_feeds_in_a_row_are_none(self) -> None:
        with pytest.raises(SuspectPage):
            items_of("rss", FEED + FEED)

    def test_a_feed_deep_in_a_page_is_none(self) -> None:
        with pytest.raises(SuspectPage):
            items_of("rss", "<html><p>x" + " " * 5_000 + FEED)

    @pytest.mark.parametrize(
        "unit", ["<!--", "<?x ?>", "<!DOCTYPE rss ", "<!DOCTYPE rss 'a' ", "<rss ", " ", "</rss"]
    )
    def test_a_prolog_without_end_takes_no_time(self, unit: str) -> None:
        began = time.process_time()
        for text in (unit * (1_900_000 // len(unit)), FEED + unit * 200_000):
            with pytest.raises(SuspectPage):
                items_of("rss", text + "<")
        assert time.process_time() - began < 8


class TestOtherFeeds:
    def test_rss_1_0_has_its_items_beside_the_channel(self) -> None:
        text = (
            '<r:RDF xmlns:r="rdf" xmlns="rss"><channel><items/></channel>'
            '<item r:about="/v/1"><title>갈대밭</title><link>/v/1</link>'
            "<d:date>2026-02-25</d:date><d:subject>행사</d:subject></item></r:RDF>"
        )
        (item,) = items_of("rss", text)
        assert (item.id, item.title, item.date) == ("/v/1", "갈대밭", "2026-02-25")

    def test_prefixes_may_be_any(self) -> None:
        text = (
            "<ns0:feed><ns0:entry><m:title>그림</m:title><ns0:id>urn:1</ns0:id>"
            "<ns0:title>갈대밭</ns0:title><ns0:published>2026-02-25T00:00:00Z</ns0:published>"
            '<ns0:link href="/v/1"/></ns0:entry></ns0:feed>'
        )
        assert items_of("atom", text)[0].title == "갈대밭"
        podcast = (
            "<itunes:title>회차</itunes:title><itunes:link>/x</itunes:link><guid>1</guid>"
            f"{ITEM}<link>/v/1</link><itunes:pubDate>x</itunes:pubDate>"
        )
        (item,) = items_of("rss", rss(podcast))
        assert (item.title, item.link) == ("갈대밭 정비", "https://feed.example.ac.kr/v/1")

    def test_atom_0_3_has_other_names_for_its_dates(self) -> None:
        text = atom('<link href="/v/1"/><issued>2026-02-24T00:00:00Z</issued>')
        text = text.replace("<updated>2026-02-25T00:00:00Z</updated>", "")
        assert items_of("atom", text)[0].date == "2026-02-24"
