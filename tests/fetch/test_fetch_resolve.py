"""DNS answers are kept for a minute, and a kept one passes the guard like a new one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore
from time import monotonic

import pytest
from scripted_server import answer, saying
from tls_chains import Serve

from uring.errors import FetchFailed
from uring.fetch.address import AddressGuard
from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring.fetch.resolve import KeptAnswers
from uring.fetch.url import parse_url

_AT_ONCE = 5


class Names:
    """A resolver with answers by turns, and the clock that its keeper has."""

    def __init__(self, *answers: list[str] | OSError) -> None:
        self.now = 0.0
        self.asked: list[str] = []
        self._answers = [*answers]
        self.kept = KeptAnswers(self.ask, lambda: self.now)

    def ask(self, host: str, _port: int, _timeout: float) -> list[str]:
        self.asked.append(host)
        given = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(given, OSError):
            raise given
        return given


def test_a_name_is_asked_for_once_a_minute() -> None:
    """Counted from when it was asked, so that a slow answer is no older than it seems."""
    names = Names(["192.0.2.1"], ["192.0.2.2"])
    seen = []
    for now in (0, 1, 60, 61, 120):
        names.now = now
        seen += names.kept("site.test", 443, 5)
    assert seen == ["192.0.2.1"] * 3 + ["192.0.2.2"] * 2
    assert len(names.asked) == 2


def test_an_answer_is_of_one_name_and_port() -> None:
    names = Names(["192.0.2.1"])
    for host, port in (("a.test", 443), ("b.test", 443), ("a.test", 80)):
        names.kept(host, port, 5)
    assert names.asked == ["a.test", "b.test", "a.test"]


@pytest.mark.parametrize("first", [OSError("no such name"), TimeoutError(), []])
def test_no_answer_is_not_kept(first: list[str] | OSError) -> None:
    names = Names(first, ["192.0.2.1"])
    if isinstance(first, OSError):
        with pytest.raises(type(first)):
            names.kept("site.test", 443, 5)
    else:
        assert not names.kept("site.test", 443, 5)
    assert names.kept("site.test", 443, 5) == ("192.0.2.1",)


@pytest.mark.parametrize("fails", [False, True])
def test_those_who_ask_at_once_ask_once_unless_it_fails(*, fails: bool) -> None:
    begun, calls = Semaphore(0), []

    def clock() -> float:
        begun.release()
        return 0.0

    def resolver(*_: object) -> list[str]:
        calls.append(1)
        if len(calls) == 1:
            for _each in range(_AT_ONCE):
                assert begun.acquire(timeout=30)
        if fails:
            raise OSError("no such name")
        return ["192.0.2.1"]

    def ask(_: int) -> object:
        try:
            return kept("site.test", 443, 30)
        except OSError as error:
            return str(error)

    kept = KeptAnswers(resolver, clock)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = [*pool.map(ask, range(_AT_ONCE))]
    assert answers == ["no such name" if fails else ("192.0.2.1",)] * _AT_ONCE
    assert len(calls) == (_AT_ONCE if fails else 1)


def test_who_waits_for_anothers_lookup_waits_no_longer_than_its_own_time() -> None:
    asked, go_on = Semaphore(0), Event()

    def resolver(*_: object) -> list[str]:
        asked.release()
        assert go_on.wait(30)
        return ["192.0.2.1"]

    kept = KeptAnswers(resolver, monotonic)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept, "site.test", 443, 30)
        asked.acquire()
        with pytest.raises(TimeoutError):
            kept("site.test", 443, 0.01)
        go_on.set()
        assert first.result() == ("192.0.2.1",)


def test_a_flood_of_addresses_is_not_kept() -> None:
    """The guard judges all of them, each time."""
    names = Names([f"192.0.2.{number}" for number in range(33)])
    for _ in range(2):
        assert len(names.kept("site.test", 443, 5)) == 33
    assert len(names.asked) == 2


def test_a_flood_of_names_is_not_kept() -> None:
    names = Names(["192.0.2.1"])
    for number in range(1025):
        names.kept(f"{number}.test", 443, 5)
    names.kept("1.test", 443, 5)
    assert len(names.asked) == 1025
    names.kept("0.test", 443, 5)
    assert len(names.asked) == 1026


def test_a_kept_answer_is_checked_each_time() -> None:
    names = Names(["127.0.0.1"])
    inward = AddressGuard((), names.kept)
    for _ in range(2):
        with pytest.raises(FetchFailed) as failed:
            inward.addresses(parse_url("http://site.test/"), 5)
        assert failed.value.reason == "refused_address"
    assert len(names.asked) == 1


def test_a_name_that_turns_inward_is_refused_when_it_is_asked_for_again() -> None:
    names = Names(["8.8.8.8"], ["127.0.0.1"])
    guard = AddressGuard((), names.kept)
    for _ in range(2):
        assert [str(one) for one in guard.addresses(parse_url("http://site.test/"), 5)] == [
            "8.8.8.8"
        ]
    names.now = 61
    with pytest.raises(FetchFailed, match="not public"):
        guard.addresses(parse_url("http://site.test/"), 5)


def test_a_site_that_moved_is_found_by_the_next_check(serve: Serve) -> None:
    """Its kept address takes no connection any more: the minute is not waited for."""
    server = serve(saying(answer(b"page")))
    authority = f"site.test:{server.port}"
    names = Names(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"])
    fetcher = Fetcher(
        user_agent="t", allowed_private_hosts=[authority], resolver=names.ask, monotonic=lambda: 0.0
    )
    fetch = Request(f"http://{authority}/")
    assert fetcher.fetch(fetch).body == b"page"
    server.stop()
    with pytest.raises(FetchFailed, match="cannot connect"):
        fetcher.fetch(fetch)
    with pytest.raises(FetchFailed, match="cannot connect"):
        fetcher.fetch(fetch)
    serve(saying(answer(b"moved")), port=server.port)
    assert fetcher.fetch(fetch).body == b"moved"
    assert len(names.asked) == 3


@pytest.mark.parametrize(
    ("answers", "address"),
    [
        (["93.184.216.34", "93.184.216.35"], "93.184.216.34"),
        (["2606:2800:220:1:248:1893:25c8:1946"], "2606:2800:220:1::"),
    ],
)
def test_the_address_of_a_host_is_the_one_that_is_connected_to_first(
    answers: list[str], address: str
) -> None:
    """An owner of IPv6 has 64 bits of it."""
    names = Names(answers)
    fetcher = Fetcher(user_agent="t", resolver=names.ask, monotonic=lambda: names.now)
    assert [fetcher.address("https://site.com/x", 5) for _ in range(2)] == [address] * 2
    assert len(names.asked) == 1


@pytest.mark.parametrize(
    ("url", "answers", "reason"),
    [
        ("https://site.com/", ["127.0.0.1"], "refused_address"),
        ("https://site.com/", OSError("no such name"), "dns"),
        ("https://site.com/", TimeoutError(), "timeout"),
        ("ftp://site.com/", ["93.184.216.34"], "bad_address"),
    ],
)
def test_a_host_without_an_address_fails_as_its_request_would(
    url: str, answers: list[str] | OSError, reason: str
) -> None:
    names = Names(answers)
    with pytest.raises(FetchFailed, match=reason):
        Fetcher(user_agent="t", resolver=names.ask).address(url, 5)


def test_behind_a_stand_in_no_host_has_an_address_of_its_own() -> None:
    names = Names(["93.184.216.34"])
    fetcher = Fetcher(user_agent="t", resolver=names.ask, stand_in="127.0.0.1:9")
    assert (fetcher.address("https://site.com/", 5), names.asked) == ("", [])
