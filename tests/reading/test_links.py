"""One notice has one address, whatever page, session or fragment its link carries (N20)."""

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.errors import FetchFailed
from uring.reading.links import (
    LinkRefused,
    base_of,
    call_argument,
    canonical,
    fill,
    path_segment,
    query_parameter,
    resolve,
)

PAGE = "https://reef.example.ac.kr/board/list.do?b=3"


def resolved(href: str, keep: tuple[str, ...] | None = None) -> str:
    return resolve(href, PAGE, canonical(PAGE, keep), keep)


@pytest.mark.parametrize(
    ("href", "link"),
    [
        ("?mode=view&no=5", "https://reef.example.ac.kr/board/list.do?mode=view&no=5"),
        ("./view.do?no=5", "https://reef.example.ac.kr/board/view.do?no=5"),
        ("view.do?no=5", "https://reef.example.ac.kr/board/view.do?no=5"),
        ("/view/5", "https://reef.example.ac.kr/view/5"),
        ("../5", "https://reef.example.ac.kr/5"),
        ("//other.example.com/5", "https://other.example.com/5"),
        ("HTTP://Other.Example.COM:80/5", "http://other.example.com/5"),
        ("https://other.example.com:443", "https://other.example.com/"),
        ("https://other.example.com:8443/5", "https://other.example.com:8443/5"),
        ("view.do?no=5#comments", "https://reef.example.ac.kr/board/view.do?no=5"),
        ("view.do;jsessionid=A1_b.n2?no=5", "https://reef.example.ac.kr/board/view.do?no=5"),
        ("view.do;JSESSIONID=A1", "https://reef.example.ac.kr/board/view.do"),
        ("v?no=5&page=3&PHPSESSID=x&pageIndex=1&sid=2", "https://reef.example.ac.kr/board/v?no=5"),
        ("v?page=3", "https://reef.example.ac.kr/board/v"),
        (
            "v?article.offset=0&z=1&a=2",
            "https://reef.example.ac.kr/board/v?article.offset=0&z=1&a=2",
        ),
        ("v?q=%ED%95%99&r=학", "https://reef.example.ac.kr/board/v?q=%ED%95%99&r=%ED%95%99"),
        ("v?key=&&no=5", "https://reef.example.ac.kr/board/v?key=&no=5"),
        ("글 5", "https://reef.example.ac.kr/board/%EA%B8%80%205"),
    ],
)
def test_links_are_resolved_and_have_one_spelling(href: str, link: str) -> None:
    assert resolved(href) == link
    assert resolved(link) == link


def test_an_allow_list_keeps_its_parameters_in_the_order_of_the_page() -> None:
    link = resolved("v?page=2&no=5&mode=view&x=1", ("mode", "no", "page"))
    assert link == "https://reef.example.ac.kr/board/v?page=2&no=5&mode=view"
    assert resolved("v?NO=5&mode=v", ("no", "mode")) == "https://reef.example.ac.kr/board/v?mode=v"


@pytest.mark.parametrize(
    ("href", "words"),
    [
        ("", "is not an address"),
        ("#", "is not an address"),
        ("#a5", "is not an address"),
        ("javascript:void(0)", "is not an address"),
        ("JavaScript: view(5)", "is not an address"),
        ("mailto:a@example.com", "is not an address"),
        ("ftp://example.com/5", "is not an address"),
        ("data:text/html,5", "is not an address"),
        ("http://[", "is not an address"),
        ("http://user@example.com/5", "user name"),
        ("http://exa mple.com/5", "host"),
        (PAGE + "#", "back to the list"),
        ("?b=3&page=2", "back to the list"),
    ],
)
def test_a_link_that_leads_nowhere_asks_for_a_template(href: str, words: str) -> None:
    with pytest.raises(LinkRefused, match="template") as caught:
        resolved(href)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "href", ["?b=3", "list.do?b=3", "tel:1?key=b=3", "http://[?b=3", "//[b]/?b=3"]
)
def test_no_refusal_shows_the_parameters_of_an_address(href: str) -> None:
    """The list's own may hold the key of an interface."""
    with pytest.raises(LinkRefused) as caught:
        resolve(href, PAGE, PAGE, None)
    assert "b=3" not in str(caught.value)


def test_a_link_too_long_for_a_push_is_refused() -> None:
    with pytest.raises(LinkRefused, match="link_parameters"):
        resolved("v?x=" + "a" * 1100)


@pytest.mark.parametrize("value", [".", ".."])
def test_no_value_of_a_template_changes_its_path(value: str) -> None:
    with pytest.raises(LinkRefused, match="would change the path"):
        fill("view/{id}/text", value, "")
    assert fill("view/{id}/text", "a", value) == "view/a/text"


def test_templates_are_filled_with_encoded_values() -> None:
    assert fill("v?no={id}&t={value}", "a/ b", "ㅎ&") == "v?no=a%2F%20b&t=%E3%85%8E%26"
    assert fill("v?no={id}", "{value}", "x") == "v?no=%7Bvalue%7D"


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("view.do?fid=9&uid=147&mode=v", "147"),
        ("?uid=147#x", "147"),
        ("?UID=1&uid=147", "147"),
        ("?fuid=1&uid=147", "147"),
        ("?uid=1+4%377", "1 477"),
        ("?a=1;uid=147", "147"),
        ("?uid", ""),
        ("view/uid=147", None),
        ("?x=%26uid=3", None),
        ("#?uid=3", "3"),
    ],
)
def test_parameters_are_found_by_name(address: str, found: str | None) -> None:
    assert query_parameter(address, "uid") == found


def test_a_base_that_is_no_address_is_passed_over() -> None:
    assert base_of("/new/", PAGE) == "https://reef.example.ac.kr/new/"
    assert base_of("javascript:x", PAGE) == PAGE
    assert base_of("http://[", PAGE) == PAGE


BASES = (
    PAGE,
    "http://reef.example.ac.kr",
    "https://reef.example.ac.kr:8443/a//b/../c;x=1/d;jsessionid=9?q=1#f",
    "http://reef.example.ac.kr/글/목록?page=1",
    "http://[2001:db8::1]/a/b",
    "HTTP://Reef.Example.ac.kr:80/a",
    "http://[",
)
PIECES = (
    *(
        "/",
        "//",
        "./",
        "../",
        "/.",
        "?",
        "&",
        "#",
        ";",
        "=",
        ":",
        "%",
        "+",
        "%2e",
        "%zz",
        " ",
        "\\",
    ),
    *("a", "view.do", "no=5", "page=2", "PAGE=2", "p%61ge=2", ";jsessionid=A", "글", "@", "~", "."),
    *(
        "http:",
        "https://reef.example.ac.kr",
        "https://reef.example.ac.kr/",
        "a" * 900,
        "javascript",
    ),
)


@given(
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.sampled_from(BASES),
    st.sampled_from([None, ("no", "a"), ("p%61ge",), ()]),
)
def test_a_plain_link_is_joined_to_what_the_long_way_makes_of_it(
    href: str, base: str, keep: tuple[str, ...] | None
) -> None:
    """One base is taken apart for all links of a page; the result is that of taking each apart."""
    try:
        link = resolve(href, base, "", keep)
    except LinkRefused:
        return
    assert link == canonical(urljoin(base, href), keep)


@given(st.text())
def test_any_href_is_a_canonical_link_or_refused(href: str) -> None:
    try:
        link = resolved(href)
    except LinkRefused:
        return
    assert link.isascii()
    assert link.startswith(("http://", "https://"))
    assert canonical(link, None) == link


@given(st.text(max_size=40), st.text(max_size=40))
def test_canonical_twice_is_canonical_once(path: str, query: str) -> None:
    try:
        once = canonical(f"http://reef.example.ac.kr/{path}?{query}", None)
    except FetchFailed:
        return
    assert canonical(once, None) == once


@pytest.mark.parametrize(
    ("address", "number", "segment"),
    [
        ("/bbs/cse/775/5737/artclView.do", 1, "bbs"),
        ("/bbs/cse/775/5737/artclView.do", 4, "5737"),
        ("/bbs/cse/775/5737/artclView.do?a=/x/", -2, "5737"),
        ("https://a.example:8080/b/c/", 1, "b"),
        ("https://a.example/b/c/#/d/e", -1, "c"),
        ("//a.example/b", 1, "b"),
        ("b/c", 1, "b"),
        ("/b//c", 2, "c"),
        ("/%EA%B3%B5%EC%A7%80/1", 1, "공지"),
        ("/b", 2, None),
        ("/b", -2, None),
        ("https://a.example", 1, None),
        ("https://a.example", -1, None),
        ("?no=1", 1, None),
        ("", -1, None),
        ("javascript:view/5", 1, None),
        ("mailto:a/b", -1, None),
    ],
)
def test_a_segment_is_counted_in_the_path_alone(
    address: str, number: int, segment: str | None
) -> None:
    assert path_segment(address, number) == segment


@pytest.mark.parametrize(
    ("code", "number", "argument"),
    [
        ("jf_viewArtcl('cse','775','5737')", 3, "5737"),
        ("javascript:view( 67937 );", 1, "67937"),
        ("return $go(\"a\", 'b,c' , 3)", 2, "b,c"),
        ("go('a', '', 3)", 2, ""),
        ("go('(1)', 'b')", 2, "b"),
        ("page_move( 'noticeView', { no: 67937 } )", 2, "{ no: 67937 }"),
        ("if(ok('x')) { view('y', 5); }", 2, "5"),
        ("if (confirm('x')) view('y')", 1, "x"),
        ("view('a')", 2, None),
        ("view()", 1, None),
        ("view", 1, None),
        ("", 1, None),
        ("view('a", 1, None),
        ("('a')", 1, None),
    ],
)
def test_an_argument_is_counted_in_the_first_call_that_has_so_many(
    code: str, number: int, argument: str | None
) -> None:
    assert call_argument(code, number) == argument


@given(st.text(st.sampled_from("f(')\",1 :/?#") | st.characters()), st.integers(1, 20))
def test_any_text_has_a_part_or_none(text: str, number: int) -> None:
    assert path_segment(text, number) != ""
    assert path_segment(text, -number) != ""
    argument = call_argument(text, number)
    assert argument is None or argument in text
