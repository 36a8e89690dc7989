"""One page, however it is sent, has one set of hashes (N20)."""

import re
from datetime import date
from pathlib import Path

import pytest

from uring.notices.page import read_page
from uring.notices.source import Source
from uring.sources.site import text_of

FIXTURES = Path(__file__).parents[1] / "fixtures"

UTF8, KOREAN = "text/html; charset=utf-8", "text/html; charset=euc-kr"
SENT = {
    "utf-8, declared": ("utf-8", UTF8, ""),
    "utf-8, not declared": ("utf-8", "text/html", ""),
    "utf-8, declared as euc-kr": ("utf-8", KOREAN, "euc-kr"),
    "cp949, declared": ("cp949", KOREAN, "euc-kr"),
    "cp949, in the page alone": ("cp949", "text/html", "euc-kr"),
    "cp949, not declared": ("cp949", None, ""),
    "cp949, the header says utf-8": ("cp949", UTF8, "euc-kr"),
    "cp949, the page says utf-8": ("cp949", KOREAN, "utf-8"),
    "cp949, both say latin-1": ("cp949", "text/html; charset=iso-8859-1", "iso-8859-1"),
}


@pytest.mark.parametrize("name", ["gnuboard", "k2web", "cms_mode_list"])
@pytest.mark.parametrize("way", SENT)
def test_it_has_the_hashes_of_the_page_as_it_is(name: str, way: str) -> None:
    folder = FIXTURES / name
    source = Source.model_validate_json((folder / "entry.json").read_text(encoding="utf-8"))
    html = (folder / "input.html").read_text(encoding="utf-8")
    encoding, content_type, meta = SENT[way]
    bare = re.sub(r"<meta[^>]*charset[^>]*>", "", html)
    tag = f'<meta charset="{meta}">' if meta else ""
    sent = bare.replace("<head>", f"<head>{tag}", 1) if "<head>" in bare else tag + bare
    body = sent.encode(encoding, "xmlcharrefreplace")
    text = text_of(source, body, content_type)
    today = date(2026, 3, 2)
    found = [item.hash for item in read_page(source, text, source.url, today).items]
    assert found == [item.hash for item in read_page(source, html, source.url, today).items]
    assert len(found) > 1
