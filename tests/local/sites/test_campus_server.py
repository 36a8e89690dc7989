"""The campus site as HTTP clients meet it."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
import urllib3

from uring_local.loopback import PortTaken
from uring_local.sites.campus import Campus

JSON = dict[str, str]


class Browser:
    """Plain requests for the departments of one site."""

    def __init__(self, campus: Campus, *, timeout: float = 10.0) -> None:
        self.campus = campus
        self.pool = urllib3.PoolManager(retries=False, timeout=timeout, maxsize=30)
        self.sources = {source["id"]: source for source in campus.sitemap()["sources"]}

    def open(self, department: str, **headers: str) -> urllib3.BaseHTTPResponse:
        """Ask for page 1 as its sitemap entry says; ``_`` in a header's name stands for ``-``."""
        source = self.sources[department]
        request = source.get("request", {})
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        body = None
        if request.get("form"):
            body = urlencode(request["form"])
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        return self.pool.request(
            request.get("method", "GET"), source["url"], body=body, headers=sent
        )

    def get(self, path: str) -> urllib3.BaseHTTPResponse:
        """GET any path of the site."""
        return self.pool.request("GET", f"http://{self.campus.host}{path}")


@pytest.fixture
def campus() -> Iterator[Campus]:
    """A site on tick 1 that behaves."""
    with Campus(7, misbehave=False) as site:
        site.advance(1)
        yield site
    assert site.failures == []


@pytest.fixture
def browser(campus: Campus) -> Iterator[Browser]:
    """A browser for it."""
    it = Browser(campus)
    yield it
    it.pool.clear()


def titles(campus: Campus, department: str) -> set[str]:
    """Beginnings of the titles on page 1 that need no escaping."""
    shown = {notice.title for notice, _ in campus.page(department).rows()}
    return {title for title in shown if not set("<>&'\"") & set(title)}


def test_every_list_shows_every_title_of_the_model_in_its_own_encoding(
    campus: Campus, browser: Browser
) -> None:
    encodings = set()
    for department in campus.departments:
        answer = browser.open(department.id)
        encoding = "cp949" if department.style == "gnuboard" else "utf-8"
        encodings.add(answer.headers["Content-Type"])
        assert answer.status == 200
        text = answer.data.decode(encoding)
        assert all(title in text for title in titles(campus, department.id)), department
    assert encodings == {
        "text/html; charset=utf-8",
        "text/html; charset=euc-kr",
        "text/html",
    }
    assert campus.requests == len(campus.departments)


def test_the_post_list_shows_nothing_to_a_get_or_to_another_form(
    campus: Campus, browser: Browser
) -> None:
    source = browser.sources["nurisol_edu"]
    full = browser.open("nurisol_edu").data.decode()
    assert full.count('class="p-subject"') == 17
    for body in (None, "bbsNo=999&pageIndex=1&pageUnit=15", "bbsNo=31"):
        answer = browser.pool.request("POST" if body else "GET", source["url"], body=body)
        assert answer.status == 200
        assert "p-subject" not in answer.data.decode()
    assert titles(campus, "nurisol_edu")


@pytest.mark.parametrize("department", ["nurisol_cse", "nurisol_ee", "nurisol_biz", "nurisol_arch"])
def test_counters_and_session_ids_change_the_bytes_with_every_request(
    browser: Browser, department: str
) -> None:
    assert browser.open(department).data != browser.open(department).data


@pytest.mark.parametrize("department", ["nurisol_edu", "nurisol_med", "nurisol_nurse"])
def test_two_sites_with_one_seed_serve_the_same_bytes(browser: Browser, department: str) -> None:
    browser.campus.advance(6)
    with Campus(7, misbehave=False) as twin:
        twin.advance(6)
        other = Browser(twin)
        assert other.open(department).data == browser.open(department).data
        other.pool.clear()


@pytest.mark.parametrize(
    ("department", "offered", "asked"),
    [
        ("nurisol_med", "ETag", "If_None_Match"),
        ("nurisol_nurse", "Last-Modified", "If_Modified_Since"),
    ],
)
def test_a_validator_gives_304_exactly_until_the_list_changes(
    campus: Campus, browser: Browser, department: str, offered: str, asked: str
) -> None:
    answer = browser.open(department)
    seen = 0
    for tick in range(2, 40):
        before = answer.data
        campus.advance(tick)
        again = browser.open(department, **{asked: answer.headers[offered]})
        fresh = browser.open(department)
        if fresh.data == before:
            # A date is coarser than the list: touched below page 1 counts as changed.
            assert again.status == 304 or offered == "Last-Modified"
            assert again.status == 200 or again.data == b""
            seen += again.status == 304
        else:
            assert again.status == 200
            assert again.data == fresh.data
        answer = fresh
    assert seen > 10


def test_most_boards_offer_no_validator(campus: Campus, browser: Browser) -> None:
    offering = {
        department.id
        for department in campus.departments
        if {"ETag", "Last-Modified"} & set(browser.open(department.id).headers)
    }
    assert offering == {"nurisol_med", "nurisol_nurse"}


@pytest.mark.parametrize("department", ["nurisol_cse", "nurisol_art", "nurisol_lib", "nurisol_med"])
def test_misbehaviour_shows_no_notice(campus: Campus, browser: Browser, department: str) -> None:
    known = titles(campus, department)
    encoding = "cp949" if department == "nurisol_art" else "utf-8"
    statuses = {}
    for tick, kind in enumerate(("500", "empty", "login"), start=2):
        campus.advance(tick)
        campus.misbehave(department, kind)  # type: ignore[arg-type]
        answer = browser.open(department, If_None_Match="*")
        statuses[kind] = answer.status
        text = answer.data.decode(encoding)
        assert not any(title in text for title in known)
        assert ("password" in text) == (kind == "login")
    assert statuses == {"500": 500, "empty": 200, "login": 200}
    campus.advance(5)
    healthy = browser.open(department).data.decode(encoding)
    assert any(title in healthy for title in known)


def test_a_slow_page_never_arrives_and_ends_with_the_server(campus: Campus) -> None:
    campus.misbehave("nurisol_cse", "slow", seconds=600)
    browser = Browser(campus, timeout=5)
    source = browser.sources["nurisol_cse"]
    answer = browser.pool.request("GET", source["url"], preload_content=False)
    assert answer.status == 200
    assert answer.read(1) == b"<"
    started = time.monotonic()
    campus.stop()
    assert time.monotonic() - started < 60
    with pytest.raises(urllib3.exceptions.ProtocolError):
        answer.read()
    browser.pool.clear()


def test_a_slow_page_breaks_off_after_its_time(campus: Campus, browser: Browser) -> None:
    campus.misbehave("nurisol_cse", "slow", seconds=0.4)
    started = time.monotonic()
    with pytest.raises(urllib3.exceptions.ProtocolError):
        browser.open("nurisol_cse")
    assert 0.3 < time.monotonic() - started < 60


def test_a_late_page_arrives_whole(campus: Campus, browser: Browser) -> None:
    campus.misbehave("nurisol_edu", "late", seconds=0.3)
    started = time.monotonic()
    text = browser.open("nurisol_edu").data.decode()
    assert time.monotonic() - started >= 0.3
    assert all(title in text for title in titles(campus, "nurisol_edu"))


def test_twenty_clients_at_once_get_whole_pages_while_the_site_moves(campus: Campus) -> None:
    names = [department.id for department in campus.departments] * 20
    browser = Browser(campus)
    with ThreadPoolExecutor(20) as pool:
        answers = [pool.submit(browser.open, name) for name in names]
        for tick in range(2, 10):
            campus.advance(tick)
        results = [answer.result() for answer in answers]
    assert {answer.status for answer in results} == {200}
    assert campus.requests == len(names)
    browser.pool.clear()


def test_stopping_ends_every_thread_and_frees_the_port() -> None:
    before = set(threading.enumerate())
    site = Campus(7).start()
    site.advance(1)
    browser = Browser(site)
    browser.open("nurisol_cse")  # the connection stays open
    port = int(site.host.rpartition(":")[2])
    site.stop()
    site.stop()
    assert set(threading.enumerate()) == before
    with Campus(7, port=port) as again:
        assert again.host == site.host
        with pytest.raises(PortTaken, match=rf"port {port} .* is taken: end the other"):
            Campus(7, port=port)
    browser.pool.clear()


def test_people_can_look_around(campus: Campus, browser: Browser) -> None:
    index = browser.get("/").data.decode()
    assert all(department.name in index for department in campus.departments)
    notice = campus.page("nurisol_cse").normal[0]
    article = browser.get(f"/cse/bbs/400/{notice.id}/artclView.do;jsessionid=1").data.decode()
    assert notice.date.isoformat() in article
    for path in ("/cse/bbs/400/1/artclView.do", "/cse/", "/nowhere", "/cse/bbs/1/artclList.do"):
        assert browser.get(path).status == 404


def test_before_the_first_tick_there_is_nothing() -> None:
    with Campus(7) as site:
        browser = Browser(site)
        assert browser.open("nurisol_cse").status == 404
        assert site.journal == []
        assert site.expected()["nurisol_cse"].hot == []
        browser.pool.clear()
