"""The campus site's sitemap makes the product's own engine read exactly the model's notices."""

import json
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlencode

import pytest
import urllib3

from uring.fetch.decode import decode_html
from uring.notices.item import NoticeItem
from uring.notices.page import read_page
from uring.notices.source import Source
from uring.sources.rows import Page
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.sites.campus import Campus
from uring_local.sites.campus.watched import written

TODAY = date(2026, 11, 21)


@pytest.fixture
def campus() -> Iterator[Campus]:
    """A site that behaves."""
    with Campus(11, misbehave=False) as site:
        yield site


@pytest.fixture
def pool() -> Iterator[urllib3.PoolManager]:
    """Connections, closed at the end."""
    with urllib3.PoolManager(retries=False, timeout=10) as it:
        yield it


def sources(campus: Campus) -> list[Source]:
    sitemap = NOTICE_ENTRIES.load(json.dumps(campus.sitemap()).encode())
    assert sitemap.problems == ()
    return list(sitemap.sources)


def read(pool: urllib3.PoolManager, source: Source) -> Page[NoticeItem]:
    """Fetch and read one list as the product does."""
    form = dict(source.request.form)
    answer = pool.request(
        source.request.method,
        source.url,
        body=urlencode(form) if form else None,
        headers={"Content-Type": "application/x-www-form-urlencoded"} if form else {},
    )
    label = None if source.encoding == "auto" else source.encoding
    text = decode_html(answer.data, answer.headers["Content-Type"], label).text
    return read_page(source, text, source.url, TODAY)


def test_every_board_on_many_ticks_is_read_as_the_model_shows_it(
    campus: Campus, pool: urllib3.PoolManager
) -> None:
    entries = sources(campus)
    assert [source.id for source in entries] == [d.id for d in campus.departments]
    for tick in (1, 2, 3, 5, 17, 40):
        campus.advance(tick)
        for source in entries:
            page = read(pool, source)
            assert page.skipped == 0
            expected = {
                key: (each.title, each.date, each.category, each.is_pinned)
                for key, each in written(campus.page(source.id)).items()
            }
            assert {
                item.id: (item.title, item.date, item.category, item.is_pinned)
                for item in page.items
            } == expected
            assert [item.id for item in page.items] == list(expected)


def test_nothing_volatile_reaches_a_hash(campus: Campus, pool: urllib3.PoolManager) -> None:
    campus.advance(3)
    for source in sources(campus):
        first, second = read(pool, source), read(pool, source)
        assert [item.hash for item in first.items] == [item.hash for item in second.items]


def test_every_link_leads_to_its_notice(campus: Campus, pool: urllib3.PoolManager) -> None:
    campus.advance(1)
    for source in sources(campus):
        for item in read(pool, source).items[:2]:
            answer = pool.request("GET", item.link)
            assert answer.status == 200
            assert item.date is not None
            assert item.date.encode() in answer.data
