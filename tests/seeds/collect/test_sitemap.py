"""Bytes that are, or are not, a sitemap: whatever they are, they are read and never an error."""

import gzip
import tracemalloc
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.seeds.collect import sitemap_xml
from uring.seeds.collect.gunzip import gunzip
from uring.seeds.collect.sitemap import SitemapFile, read_sitemap

CAP = 10 * 1024 * 1024
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
URLSET = (
    '<urlset xmlns="urn:example" xmlns:image="urn:image">\n'
    "<url><loc>https://agency.gov.sg/a?x=1&amp;y=2</loc><lastmod>2026-01-01</lastmod>"
    "<image:image><image:loc>https://agency.gov.sg/a.png</image:loc></image:image></url>\n"
    "<url><loc> <![CDATA[https://agency.gov.sg/뉴스]]> </loc></url>\n"
    "<url><loc></loc></url>\n</urlset>\n"
)


def read(body: str | bytes, *, truncated: bool = False, cap: int = CAP) -> SitemapFile:
    body = body.encode() if isinstance(body, str) else body
    return read_sitemap(body, truncated=truncated, max_bytes=cap)


def entry(loc: str) -> str:
    return f"<url><loc>{loc}</loc></url>"


@pytest.mark.parametrize(
    "document",
    [
        URLSET,
        DECLARATION + URLSET,
        "\n \t" + DECLARATION + URLSET,
        "\ufeff" + DECLARATION + URLSET,
        "<!-- made by a tool -->" + URLSET + "<!-- in 3 ms -->",
        '<?xml-stylesheet href="x.xsl"?>' + URLSET,
        URLSET.replace("<urlset", "<sm:urlset")
        .replace("</urlset", "</sm:urlset")
        .replace("<url>", "<sm:url>")
        .replace("</url>", "</sm:url>")
        .replace("<loc>", "<sm:loc>")
        .replace("</loc>", "</sm:loc>"),
        URLSET.replace(' xmlns="urn:example" xmlns:image="urn:image"', ""),
        URLSET.replace("\n", "\r"),
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_one_sitemap_is_read_alike_in_every_form(document: str, codec: str) -> None:
    file = read(document.encode(codec))
    assert (file.kind, file.url_count, file.refused) == ("urlset", 2, 1)
    assert (file.parse_mode, file.truncated, file.reason) == ("strict", False, "")


def test_a_declared_encoding_counts_where_the_bytes_do_not_say_it() -> None:
    body = f'<?xml version="1.0" encoding="EUC-KR"?><urlset>{entry("https://a.sg/뉴스")}</urlset>'
    file = read(body.encode("cp949"))
    assert (file.kind, file.url_count, file.encoding) == ("urlset", 1, "cp949")
    file = read(body.encode())
    assert (file.kind, file.url_count, file.encoding) == ("urlset", 1, "utf-8")


@pytest.mark.parametrize("declared", ["", "UTF-8", "ISO-8859-1", "no-such"])
def test_bytes_that_are_no_utf8_are_latin(declared: str) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    file = read(f"{head}<urlset>{entry('https://a.sg/café')}</urlset>".encode("latin-1"))
    assert (file.kind, file.url_count, file.parse_mode) == ("urlset", 1, "strict")
    assert file.encoding == ("cp1252" if declared.startswith("ISO") else "latin-1")


def test_a_letter_beyond_the_plane_does_not_cost_four_times_the_memory() -> None:
    """As text of Python, ten megabytes with one emoji are forty, twice over."""
    entries = entry("https://a.sg/1") * 100_000 + entry("https://a.sg/😀")
    packed = f"<urlset>{entries}</urlset>".encode()
    tracemalloc.start()
    try:
        assert read(packed).url_count == 100_001
        assert tracemalloc.get_traced_memory()[1] < len(packed)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("document", "kind", "count"),
    [
        ("<rss><channel><item/><item><link>x</link></item></channel></rss>", "rss", 2),
        ('<r:RDF xmlns="urn:rss"><item/><item/><item/></r:RDF>', "rss", 3),
        ("<feed><entry/><entry/></feed>", "feed", 2),
        ("<a:feed><a:entry/><title/></a:feed>", "feed", 1),
        ("https://a.sg/1\nhttps://a.sg/2\r\n\nnothing\nhttp://a.sg/3", "text", 3),
        ("https://a.sg/1\rhttps://a.sg/2\r", "text", 2),
        ("\ufeffhttps://a.sg/1", "text", 1),
        ("# our pages\nhttps://a.sg/1\n# https://a.sg/2\n", "text", 1),
        ("  # one\r\n\r\n#two\r\nhttps://a.sg/1", "text", 1),
        ("<urlset/>", "urlset", 0),
    ],
)
def test_the_root_element_decides(document: str, kind: str, count: int) -> None:
    file = read(document)
    assert (file.kind, file.url_count, file.parse_mode) == (kind, count, "strict")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("<!DOCTYPE html><html><body><loc>https://a.sg/</loc></body></html>", "html"),
        ("<!doctype HTML>\n<HTML><p>404", "html"),
        ("<html xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9'><urlset/></html>", "html"),
        (f"<html><p style='{'a' * 30_000}'>", "html"),
        ('{"urlset": []}', "not_a_sitemap"),
        ("Not found: https://a.sg/sitemap.xml", "not_a_sitemap"),
        ("# a page\nNot found\nhttps://a.sg/sitemap.xml", "not_a_sitemap"),
        ("# https://a.sg/1", "not_a_sitemap"),
        ("#\n" * 100_000, "not_a_sitemap"),
        ("<url><loc>https://a.sg/</loc></url>", "not_a_sitemap"),
        ("<" * 10_000, "not_a_sitemap"),
        ("<!-- urlset", "not_a_sitemap"),
        (bytes(10_000), "not_a_sitemap"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\r", "not_a_sitemap"),
        ("https://a.sg/" + "a" * 3_000, "not_a_sitemap"),
    ],
)
def test_what_is_no_sitemap_is_none(body: str | bytes, reason: str) -> None:
    file = read(body)
    assert (file.kind, file.url_count, file.locs, file.reason) == (None, 0, (), reason)


def test_an_index_gives_its_children_in_order() -> None:
    children = "".join(
        f"<sitemap><loc>https://a.sg/{n}.xml</loc><lastmod>2026</lastmod></sitemap>" for n in "bab"
    )
    file = read(f"<sitemapindex>{children}</sitemapindex>")
    assert file.kind == "sitemapindex"
    assert file.locs == ("https://a.sg/b.xml", "https://a.sg/a.xml", "https://a.sg/b.xml")
    assert file.url_count == 3


@pytest.mark.parametrize(
    "children",
    [
        "<sitemap>\nhttps://a.sg/1\n</sitemap><sitemap>https://a.sg/2</sitemap>",
        "<sitemap>https://a.sg/1<lastmod>2026</lastmod></sitemap><loc>https://a.sg/2</loc>",
        "<loc>https://a.sg/1</loc><loc>https://a.sg/2</loc>",
        "<sitemap><loc>https://a.sg/1</loc><loc>https://a.sg/2</loc></sitemap>",
        "<sitemap><loc><url>https://a.sg/1</url></loc></sitemap><loc>https://a.sg/2</loc>",
        "<sitemap><lastmod>1</lastmod><loc>https://a.sg/1</loc></sitemap><loc>https://a.sg/2</loc>",
    ],
)
def test_an_index_that_is_built_wrongly_is_read_as_it_was_meant(children: str) -> None:
    file = read(f"<sitemapindex>{children}</sitemapindex>")
    assert file.locs == ("https://a.sg/1", "https://a.sg/2")


@pytest.mark.parametrize(
    ("document", "kind", "count", "reason"),
    [
        (f"<urlset>{entry('https://a.sg/?a=1&b=2') * 3}</urlset>", "urlset", 3, "malformed"),
        (f"<urlset>{entry('https://a.sg/&nbsp;') * 2}</urlset>", "urlset", 2, "malformed"),
        (f"<urlset>{entry('https://a.sg/1') * 4}</urlset>junk", "urlset", 4, "malformed"),
        (f"<urlset>{entry('https://a.sg/1')}</url></urlset>", "urlset", 1, "malformed"),
        (f"<s:urlset><s:loc>https://a.sg/&x</s:loc>{entry('b')}", "urlset", 1, "malformed"),
        ("<urlset>& <loc><![CDATA[https://a.sg/1]]></loc><loc> </loc>", "urlset", 1, "malformed"),
        (
            f"Warning: x in y.php\n<urlset>{entry('https://a.sg/1')}</urlset>",
            "urlset",
            1,
            "malformed",
        ),
        ("<rss>&<item></item><item/><itemx>", "rss", 2, "malformed"),
        ("<feed>&<entry></entry>", "feed", 1, "malformed"),
        (
            '<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><loc>https://a.sg/&a;</loc></urlset>',
            "urlset",
            1,
            "doctype",
        ),
    ],
)
def test_broken_xml_is_searched_for_its_urls(
    document: str, kind: str, count: int, reason: str
) -> None:
    file = read(document)
    assert (file.kind, file.url_count) == (kind, count)
    assert (file.parse_mode, file.reason) == ("recovered", reason)


def test_a_recovered_index_gives_usable_children() -> None:
    file = read("<sitemapindex><loc>https://a.sg/?a=1&b=2&amp;c=3</loc></sitemapindex>")
    assert file.locs == ("https://a.sg/?a=1&b=2&c=3",)


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_beginning_counts_what_it_has(cut: int) -> None:
    body = f"<urlset>{entry('https://a.sg/é') * 9}</urlset>".encode()
    whole, begun = read(body), read(body[:-cut], truncated=True)
    assert (begun.kind, begun.truncated, begun.parse_mode) == ("urlset", True, "strict")
    assert 6 <= begun.url_count <= whole.url_count == 9


def test_the_first_megabytes_count_and_say_so() -> None:
    body = f"<urlset>{entry('https://a.sg/1') * 1_000}</urlset>".encode()
    file = read(gzip.compress(body), cap=10_000)
    assert (file.truncated, len(file.content)) == (True, 10_000)
    assert 200 < file.url_count < 400
    assert not read(body, cap=len(body)).truncated
    assert read(body, cap=len(body) - 1).truncated


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_gzip_is_told_by_its_first_bytes(layers: int) -> None:
    body = packed = f"<urlset>{entry('https://a.sg/1')}</urlset>".encode()
    for _ in range(layers):
        packed = gzip.compress(packed)
    file = read(packed)
    assert (file.kind, file.content, file.layers, file.truncated) == ("urlset", body, layers, False)


def test_a_third_layer_stays_on() -> None:
    file = read(gzip.compress(gzip.compress(gzip.compress(b"<urlset/>"))))
    assert (file.kind, file.layers) == (None, 2)


def test_gzip_in_parts_and_with_padding_is_one_file() -> None:
    parts = gzip.compress(b"<urlset>") + gzip.compress(b"</urlset>") + bytes(100_000)
    assert read(parts) == SitemapFile(b"<urlset></urlset>", "urlset", encoding="utf-8", layers=1)


@pytest.mark.parametrize("damage", [slice(0, -9), slice(0, 40)])
def test_cut_gzip_gives_its_beginning(damage: slice) -> None:
    body = f"<urlset>{''.join(entry(f'https://a.sg/{n}') for n in range(99))}</urlset>".encode()
    file = read(gzip.compress(body)[damage])
    assert file.truncated
    assert body.startswith(file.content)


def test_a_flood_of_gzip_members_ends_early() -> None:
    """Each costs a copy of what follows: a million of them would take minutes."""
    unpacked = gunzip(gzip.compress(b"a") * 100_000, CAP)
    assert (len(unpacked.content), unpacked.truncated) == (100, True)


def test_a_bomb_is_opened_as_far_as_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[int] = []
    real = gunzip.__globals__["zlib"].decompressobj

    class Counting:
        def __init__(self, bits: int) -> None:
            self._stream = real(bits)
            self.eof = False

        def decompress(self, piece: bytes, most: int) -> bytes:
            grown.append(len(content := self._stream.decompress(piece, most)))
            return content

    monkeypatch.setattr("uring.seeds.collect.gunzip.zlib.decompressobj", Counting)
    bomb = gzip.compress(bytes(50_000_000))
    assert len(gunzip(bomb, 1_000_000).content) == 1_000_000
    assert sum(grown) == 1_000_001


ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
LAUGHS = f'<!DOCTYPE x [<!ENTITY l0 "lol">{ENTITIES}]><urlset>{entry("&l11;")}</urlset>'


@pytest.mark.parametrize(
    ("document", "most"),
    [
        ("<urlset>" + "<a>" * 1_000_000, 21),
        ("<urlset>" + "<a/>" * 2_000_000, 600_001),
        ("<urlset>" + "".join(f"<a{n}/>" for n in range(100_000)), 5_001),
        ("<urlset>" + "<a " + " ".join(f"a{n}=''" for n in range(60)) + "/>" * 9, 2),
        ("<urlset><a " + " ".join(f"a{n}=''" for n in range(900_000)) + "/>", 0),
        (LAUGHS, 0),
    ],
    ids=["depth", "elements", "names", "attributes", "tag", "entities"],
)
def test_expat_is_stopped_at_a_limit(
    document: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in elements that were handed over, not in time."""
    counted: list[int] = []
    real = sitemap_xml.count_xml

    def count(body: bytes, *, truncated: bool, each: None) -> sitemap_xml.Counts:
        counts = real(body, truncated=truncated, each=each)
        counted.append(counts.elements)
        return counts

    monkeypatch.setattr("uring.seeds.collect.sitemap.count_xml", count)
    file = read(document)
    assert counted
    assert counted[0] <= most
    assert file.reason in ("limit", "doctype")
    assert file.url_count <= 1


@pytest.mark.parametrize("prefix", ["", "x:"])
@pytest.mark.parametrize(("kind", "entry"), [("urlset", "url"), ("sitemapindex", "sitemap")])
def test_entries_without_an_end_are_counted_all(kind: str, entry: str, prefix: str) -> None:
    """They lie within each other, deeper than any sitemap is."""
    loc = f"<{prefix}{entry}><{prefix}loc>https://a.sg/</{prefix}loc><lastmod/>"
    file = read(f"<{prefix}{kind}>{loc * 60}</{prefix}{kind}>")
    assert (file.kind, file.url_count, file.parse_mode) == (kind, 60, "recovered")
    assert not file.truncated


def test_items_without_an_end_are_counted_all() -> None:
    file = read("<rss><channel>" + "<item><title/>" * 60 + "</channel></rss>")
    assert (file.kind, file.url_count, file.truncated) == ("rss", 60, False)


def test_a_limit_leaves_what_was_counted() -> None:
    file = read("<urlset>" + entry("https://a.sg/") * 3 + "<a>" * 30)
    assert (file.kind, file.url_count, file.truncated, file.reason) == ("urlset", 3, True, "limit")


@pytest.mark.parametrize("length", [2_048, 2_049, 500_000])
def test_a_loc_has_a_longest(length: int) -> None:
    file = read(f"<urlset>{entry('a' * length)}{entry('b')}</urlset>")
    assert (file.url_count, file.refused) == ((2, 0) if length == 2_048 else (1, 1))
    file = read(f"<urlset>{entry('/' + 'a' * (length - 1))}{entry('/b')}&</urlset>")
    assert (file.url_count, file.refused) == ((2, 0) if length == 2_048 else (1, 1))


def test_no_external_thing_is_looked_up() -> None:
    """Expat hands references over; without a handler nothing is opened."""
    parser = expat.ParserCreate()
    assert parser.ExternalEntityRefHandler is None
    document = '<!DOCTYPE urlset SYSTEM "file:///etc/passwd"><urlset>&x;</urlset>'
    assert read(document).reason == "doctype"


@given(st.binary(max_size=300))
def test_any_bytes_are_read(body: bytes) -> None:
    for given_ in (body, gzip.compress(body), b"<urlset>" + body, b"<sitemapindex><loc>" + body):
        for truncated in (False, True):
            file = read(given_, truncated=truncated)
            assert file.truncated >= truncated
            assert file.url_count >= len(file.locs)
            assert (file.kind is not None) or file.reason


def urlset(*urls: str, declared: str = "") -> str:
    return f"<urlset{declared}>{''.join(f'<url>{url}</url>' for url in urls)}</urlset>"


PAGE = "<loc>https://a.sg/1</loc>"
TWICE = 'xmlns:s="urn:sitemaps" xmlns="urn:sitemaps"'


@pytest.mark.parametrize(
    ("document", "count"),
    [
        # An image in a default namespace of its own, with and without its declaration.
        (urlset(f'{PAGE}<image xmlns="urn:image"><loc>https://a.sg/1.png</loc></image>'), 1),
        (urlset(f"{PAGE}<image><loc>https://a.sg/1.png</loc></image>"), 1),
        (urlset(f"{PAGE}<image:image><image:loc>https://a.sg/1.png</image:loc></image:image>"), 1),
        (urlset(f"{PAGE}<video><thumbnail_loc>/x</thumbnail_loc><loc>/v</loc></video>"), 1),
        # One namespace by two names.
        (f"<urlset {TWICE}><s:url><s:loc>/1</s:loc></s:url>{entry('/2')}</urlset>", 2),
        (f"<s:urlset {TWICE}>{entry('/1')}{entry('/2')}</s:urlset>", 2),
        # A tool that forgot the element between.
        ("<urlset><loc>/1</loc><loc>/2</loc></urlset>", 2),
        ("<urlset><sitemap><loc>/1</loc></sitemap></urlset>", 1),
    ],
)
def test_a_page_is_a_loc_in_an_url_whatever_the_prefix(document: str, count: int) -> None:
    file = read(document)
    assert (file.kind, file.url_count, file.parse_mode) == ("urlset", count, "strict")


def test_what_a_url_has_besides_its_address_is_counted() -> None:
    file = read(
        urlset(
            f"{PAGE}<lastmod>2026-01-02</lastmod><image:image/><image:image/>",
            f"{PAGE}<lastmod> 2026-03-01T09:00:00+09:00 </lastmod><video:video/><news:news/>",
            f'{PAGE}<lastmod>yesterday</lastmod><xhtml:link hreflang="ko" href="/"/><link/>',
        )
    )
    assert file.url_count == 3
    assert file.contents == {"images": 2, "videos": 1, "news": 1, "alternates": 1, "lastmods": 3}
    assert file.newest == "2026-03-01T09:00:00+09:00"


WARNING = "<br />\n<b>Warning</b>:  Undefined x in <b>/srv/x.php</b> on line <b>7</b><br />\n"


@pytest.mark.parametrize("root", ["urlset", "sitemapindex"])
@pytest.mark.parametrize("warning", [WARNING, WARNING * 20, "<p>Notice</p>", "<!-- x --><div/>"])
def test_a_warning_in_markup_before_the_root_is_passed_over(warning: str, root: str) -> None:
    file = read(f"{warning}{DECLARATION}<{root}>{entry('https://a.sg/1')}</{root}>")
    assert (file.kind, file.url_count, file.parse_mode) == (root, 1, "recovered")
    assert not file.truncated


@pytest.mark.parametrize("begin", ["<!DOCTYPE html>", "<html><body>", "<HTML>", WARNING * 60])
def test_a_page_that_shows_a_sitemap_is_none(begin: str) -> None:
    assert read(f"{begin}<pre>{urlset(PAGE)}</pre>").kind is None


@pytest.mark.parametrize(
    ("document", "count"),
    [
        (f"<urlset>{entry('https://a.sg/1')}<url><loc>https://a.sg/2", 1),
        (f"<urlset>{entry('https://a.sg/1')}<url><loc>https://a.sg/2</loc>", 2),
        (f"<urlset>{entry('https://a.sg/1')}", 1),
        (f"<urlset>{entry('https://a.sg/1')}</url", 1),
    ],
)
def test_a_file_without_the_end_of_its_root_is_cut(document: str, count: int) -> None:
    file = read(document)
    assert (file.url_count, file.truncated, file.parse_mode) == (count, True, "recovered")


def test_in_broken_xml_a_text_that_is_no_address_is_no_page() -> None:
    file = read(f"<urlset>{entry('https://a.sg/1')}{entry('see below')}{entry('n/a')}&</urlset>")
    assert (file.url_count, file.refused, file.truncated) == (1, 2, False)


@pytest.mark.parametrize("loc", ["https://a.sg/my file {}.html", "www.a.sg/{}", "//a.sg/{}"])
def test_one_letter_of_broken_xml_costs_no_address(loc: str) -> None:
    """A blank, or no scheme: whoever is strict counts them, too."""
    entries = "".join(entry(loc.format(number)) for number in range(100))
    for document in (f"<urlset>{entries}</urlset>", f"<urlset>{entries}&</urlset>"):
        assert read(document).url_count == 100
