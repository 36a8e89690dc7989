"""Which addresses are fetched from, and by which of their names they are recognised."""

import socket
import threading
from collections.abc import Callable
from ipaddress import ip_address
from itertools import count

import pytest
from scripted_server import ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.address import AddressGuard, is_public
from uring.fetch.http import Fetcher, _trusted
from uring.fetch.request import Request
from uring.fetch.resolve import system_resolver
from uring.fetch.url import parse_url, shown_url
from uring.fetch.wire import GuardedSocket

Serve = Callable[..., ScriptedServer]

PRIVATE = [
    "0.0.0.0",  # noqa: S104 - an address to refuse, not to bind to
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::169.254.169.254",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "168.63.129.15",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2400:cb00::1",
    "2606:4700:4700::1111",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_no_special_purpose_address_is_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_neighbours_of_special_blocks_are_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://site.test", "http://site.test/"),
        (" HTTPS://Site.TEST:443/A?b=C#d ", "https://site.test/A?b=C"),
        ("http://site.test:/", "http://site.test/"),
        ("http://site.test./", "http://site.test/"),
        ("http://site.test:8080?a", "http://site.test:8080/?a"),
        ("http://대학교.kr/", "http://xn--9d0bw1iy17a.kr/"),
        ("http://\uff53\uff49te\u3002test/", "http://site.test/"),
        ("http://xn--9d0bw1iy17a.kr/", "http://xn--9d0bw1iy17a.kr/"),
        # Hangul as macOS decomposes it, capitals, and two letters that IDNA 2003 replaced.
        ("http://\u1103\u1162학교.KR./", "http://xn--9d0bw1iy17a.kr/"),
        ("http://BÜCHER.Site.Test/", "http://xn--bcher-kva.site.test/"),
        ("http://faß.de/", "http://xn--fa-hia.de/"),
        ("http://\u03b2\u03cc\u03bb\u03bf\u03c2.test/", "http://xn--nxasmm1c.test/"),
        ("http://a_b.site.test/", "http://a_b.site.test/"),
        (
            "http://site.test/가?나=%EB%8B%A4&x=a+b",
            "http://site.test/%EA%B0%80?%EB%82%98=%EB%8B%A4&x=a+b",
        ),
        ('http://site.test/a{b}|<c>"^`', "http://site.test/a%7Bb%7D%7C%3Cc%3E%22%5E%60"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0X7F000001/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://017700000001/", "http://127.0.0.1/"),
        ("http://127.0.0.1./", "http://127.0.0.1/"),
        ("http://\uff11\uff12\uff17\uff0e0\u30020\uff61\uff11/", "http://127.0.0.1/"),
        ("http://169.254.43518/", "http://169.254.169.254/"),
        ("http://0x/", "http://0.0.0.0/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://[0:0:0:0:0:FFFF:7F00:1]/", "http://[::ffff:7f00:1]/"),
    ],
)
def test_a_url_has_one_form(text: str, url: str) -> None:
    target = parse_url(text)
    # How IPv4-mapped addresses are written differs between versions of Python.
    assert target.url.replace("::ffff:127.0.0.1", "::ffff:7f00:1") == url
    assert parse_url(target.url) == target


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/list.do",
        "site.test",
        "//site.test/",
        "http:",
        "http://",
        "http:///path",
        "http:site.test",
        "ftp://site.test/",
        "file:///etc/passwd",
        "gopher://site.test/",
        "http://user@site.test/",
        "http://user:pass@site.test/",
        "http://site.test@127.0.0.1/",
        "http://site.test\\@127.0.0.1/",
        "http://site.test/a\\b",
        "http://site.test/\r\nHost: inside",
        "http://site.test/\t",
        "http://si\nte.test/",
        "http://site.test/\0",
        "http://site.test/\x7f",
        "http://site.test/\u2028",
        "http://site%2etest/",
        "http://127.0.0.1%2f/",
        "http://site.test:80:80/",
        "http://site.test:-1/",
        "http://site.test:+80/",
        "http://site.test:\uff18\uff10/",
        "http://site.test:100000/",
        "http://site .test/",
        "http://.site.test/",
        "http://site..test/",
        "http://-site.test/",
        "http://site!.test/",
        "http://" + "a" * 64 + ".test/",
        "http://" + "a." * 127 + "test/",
        "http://한\u200d국.test/",
        "http://a\u200db.test/",
        "http://a℀b.test/",
        "http://☃.test/",
        "http://\u0301가.test/",
        "http://가..test/",
        "http://-가.test/",
        "http://가-/",
        "http://xn--zz.가.test/",
        "http://1\u05d0.test/",
        "http://가\u200b\u2024나.test\u2488/",
        "http://" + "가" * 64 + ".test/",
        "http://" + "가." * 200 + "test/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://1.2.3.08/",
        "http://4294967296/",
        "http://a.1/",
        "http://a.0x1/",
        "http://[::1/",
        "http://[::1]x/",
        "http://[::1%25eth0]/",
        "http://[fe80::1%eth0]/",
        "http://[v1.a]/",
        "http://[127.0.0.1]/",
        "http://[]/",
        "http://site.test/\ud800",
        "http://site.test/" + "a" * 5000,
    ],
)
def test_a_doubtful_url_is_refused(text: str) -> None:
    with pytest.raises(FetchFailed) as failed:
        parse_url(text)
    assert failed.value.reason == "bad_address"
    assert failed.value.detail.isprintable()
    assert len(failed.value.detail) < 300


def test_a_password_in_a_url_is_refused_with_the_remedy() -> None:
    with pytest.raises(FetchFailed, match="Authorization header"):
        parse_url("http://user:pass@site.test/")


@pytest.mark.parametrize(
    "text",
    [
        "http://u:s3cret@site.test/",
        "http://u:s3?cret@site.test/",
        "http://u:s3/cret@site.test/",
        "ftp://site.test/?key=s3cret",
        "ftp://site.test/#s3cret",
        "u:s3cret@site.test",
        # Forms without scheme or slashes, and queries that have a scheme themselves.
        "site.test/list?serviceKey=s3cret",
        "site.test?serviceKey=s3cret",
        "//site.test/?serviceKey=s3cret",
        "/list?serviceKey=s3cret",
        "?serviceKey=s3cret",
        "#s3cret",
        "http:/site.test/?serviceKey=s3cret",
        "http:site.test?serviceKey=s3cret",
        "https;//site.test/?serviceKey=s3cret",
        "site.test/?next=http://other.test/&serviceKey=s3cret",
        "site.test/?serviceKey=s3cret&next=http://other.test/",
        "site.test/#token=s3cret://",
        # The mark is escaped, forgotten or another character of the same look.
        "ftp://site.test/%3FserviceKey=s3cret",
        "ftp://site.test/%253fserviceKey=s3cret",
        "ftp://site.test/%23s3cret",
        "ftp://site.test/\uff1fserviceKey=s3cret",
        "ftp://site.test/\ufe56s3cret",
        "ftp://site.test/\u2047s3cret",
        "ftp://site.test/\uff03s3cret",
        "ftp://site.test/list&serviceKey=s3cret",
        "ftp://site.test/serviceKey=s3cret",
        "ftp://site.test/list;jsessionid=s3cret",
        "http://site.test\t/?serviceKey=s3cret",
        "http://site.test\\?serviceKey=s3cret",
        "http://site.test:99999/?serviceKey=s3cret",
        "http://[::1?serviceKey=s3cret",
        "http://site.test/?serviceKey=s3cret\ud800",
        "http://site.test/?serviceKey=s3cret" + "a" * 5000,
        # So is the one behind a password.
        "http://u:s3cret%40site.test/",
        "http://u:s3cret%2540site.test/",
        "http://u:s3cret\uff20site.test/",
        "http://u:s3cret\ufe6bsite.test/",
        "http://u:s3cret/",
        "http://u:123s3cret/",
        "http://" + "a" * 5000 + ":s3cret@site.test/",
        "https:/site.test/?key=s3cret",
        "https:site.test?key=s3cret",
        "//site.test/?key=s3cret",
        "site.test/?key=s3cret",
        "?key=s3cret",
        "http:\\\\site.test?key=s3cret",
        "https:site.test#s3cret",
        "https:site.test/a&key=s3cret",
        "ftp://site.test/a;jsessionid=s3cret",
        "ftp://site.test/a%3Fkey=s3cret",
        "ftp://site.test/a%253fkey=s3cret",
        "ftp://site.test/a\uff1fkey=s3cret",
        "http://u:s3cret%40site.test\\",
        "u:s3cret@h://site.test",
    ],
)
def test_no_message_repeats_a_secret(text: str) -> None:
    with pytest.raises(FetchFailed) as failed:
        parse_url(text)
    assert "s3" not in str(failed.value)
    assert "cret" not in str(failed.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ftp://site.test/list", "ftp://site.test/list"),
        ("ftp://site.test/list?page=2", "ftp://site.test/list…"),
        ("http://site.test:8080000/", "http://site.test:8080000/"),
        ("http://[::1]x:1/", "http://[::1]x:1/"),
        ("gopher://가.test/학칙", "gopher://가.test/학칙"),
        ("javascript:view('3')", "javascript:view('3')"),
    ],
)
def test_a_message_shows_enough_of_an_address_to_find_it(text: str, shown: str) -> None:
    assert shown_url(text) == shown


def guard(*answers: str, allowed: tuple[str, ...] = ()) -> AddressGuard:
    return AddressGuard(allowed, lambda _host, _port, _timeout: answers)


@pytest.mark.parametrize(
    "answers", [("10.0.0.1",), ("8.8.8.8", "127.0.0.1"), ("2001:4860::1", "::1"), ("fe80::1%1",)]
)
def test_one_private_answer_spoils_a_name(answers: tuple[str, ...]) -> None:
    with pytest.raises(FetchFailed) as failed:
        guard(*answers).addresses(parse_url("http://site.test/"), 1)
    assert failed.value.reason == "refused_address"


def test_public_answers_are_kept_in_order_once() -> None:
    found = guard("2001:4860::1", "8.8.8.8", "8.8.8.8").addresses(parse_url("http://a.test"), 1)
    assert [str(address) for address in found] == ["2001:4860::1", "8.8.8.8"]


@pytest.mark.parametrize("port", [0, 22, 81, 8080, 9001, 65535])
def test_ports_other_than_80_and_443_are_refused(port: int) -> None:
    with pytest.raises(FetchFailed) as failed:
        guard("8.8.8.8").addresses(parse_url(f"http://site.test:{port}/"), 1)
    assert failed.value.reason == "refused_address"
    assert f'"site.test:{port}"' in failed.value.detail


@pytest.mark.parametrize("url", ["http://site.test:443/", "https://site.test:80/"])
def test_both_web_ports_go_with_both_schemes(url: str) -> None:
    assert guard("8.8.8.8").addresses(parse_url(url), 1)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:8081/", "127.0.0.1:8081"),
        ("http://0x7f.1:8081/", "127.0.0.1:8081"),
        ("http://[::1]:8081/", "[::1]:8081"),
        ("http://127.0.0.1/", "127.0.0.1:80"),
        ("https://site.test:8443/", "site.test:8443"),
    ],
)
def test_an_allowed_host_skips_both_checks(url: str, allowed: str) -> None:
    assert guard("127.0.0.1", allowed=(allowed,)).addresses(parse_url(url), 1)


@pytest.mark.parametrize(
    "allowed", ["127.0.0.1:808", "127.0.0.1:80810", "27.0.0.1:8081", "127.0.0.1", "*", ""]
)
def test_a_host_is_allowed_by_its_exact_name_only(allowed: str) -> None:
    with pytest.raises(FetchFailed):
        guard(allowed=(allowed,)).addresses(parse_url("http://127.0.0.1:8081/"), 1)


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "dns"),
        (OSError("odd\x1b[31m"), "dns"),
        (TimeoutError(), "timeout"),
    ],
)
def test_a_name_without_an_answer(raised: OSError, reason: str) -> None:
    def resolver(_host: str, _port: int, _timeout: float) -> list[str]:
        raise raised

    with pytest.raises(FetchFailed) as failed:
        AddressGuard((), resolver).addresses(parse_url("http://site.test/"), 1)
    assert failed.value.reason == reason
    assert failed.value.detail.isprintable()


@pytest.mark.parametrize("answers", [(), ("no address",)])
def test_a_useless_answer_is_a_dns_failure(answers: tuple[str, ...]) -> None:
    with pytest.raises(FetchFailed) as failed:
        guard(*answers).addresses(parse_url("http://site.test/"), 1)
    assert failed.value.reason == "dns"


def test_a_name_is_resolved_once_for_all_hops_and_the_answer_is_used(serve: Serve) -> None:
    """A second DNS answer (rebinding) is never asked for: the checked address is connected to."""
    server = serve(redirecting("/again"), saying(answer(b"page")))
    asked: list[str] = []

    def resolver(host: str, _port: int, _timeout: float) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    authority = f"site.test:{server.port}"
    fetcher = Fetcher(user_agent="t", allowed_private_hosts=[authority], resolver=resolver)
    assert fetcher.fetch(Request(f"http://{authority}/")).body == b"page"
    assert asked == ["site.test"]
    assert server.received[0].headers["host"] == authority


def test_a_dead_first_address_leaves_time_for_the_next(serve: Serve) -> None:
    server = serve(saying(answer(b"page")))
    authority = f"site.test:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[authority],
        resolver=lambda _host, _port, _timeout: ["127.0.0.2", "::1", "127.0.0.1"],
    )
    assert fetcher.fetch(Request(f"http://{authority}/")).body == b"page"


def test_a_silent_first_address_gets_half_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def silent(_address: object, _target: object, timeout_seconds: float) -> None:
        given.append(timeout_seconds)
        raise TimeoutError

    monkeypatch.setattr("uring.fetch.wire._open", silent)
    fetcher = Fetcher(
        user_agent="t",
        resolver=lambda _host, _port, _timeout: [f"8.8.8.{number}" for number in range(9)],
        monotonic=lambda: 100.0,
    )
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request("http://site.test/", timeout_seconds=20))
    assert (given, failed.value.reason) == ([10.0, 10.0, 10.0, 20.0], "timeout")


def test_a_peer_at_another_address_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(saying(answer(b"page")))
    monkeypatch.setattr(GuardedSocket, "getpeername", lambda _self: ("10.0.0.1", server.port))
    fetcher = Fetcher(user_agent="t", allowed_private_hosts=[server.host])
    with pytest.raises(FetchFailed, match=r"10\.0\.0\.1 instead") as failed:
        fetcher.fetch(Request(server.url()))
    assert failed.value.reason == "refused_address"
    assert not server.received


def test_the_system_resolver_knows_this_machine() -> None:
    assert set(system_resolver("localhost", 80, 5)) <= {"127.0.0.1", "::1"}


def test_the_system_resolver_keeps_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lookup that hangs costs the caller its time-out, and hung ones do not pile up."""
    release = threading.Event()
    over: list[bool] = []

    def hang(*_args: object, **_options: object) -> list[object]:
        over.append(release.wait(60))
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    before = threading.active_count()
    for _ in range(18):
        with pytest.raises(TimeoutError):
            system_resolver("site.test", 80, 0.02)
    assert over == [], "no caller has waited for its lookup"
    hung = [thread for thread in threading.enumerate() if thread.name == "uring-dns"]
    assert len(hung) == threading.active_count() - before == 16
    assert all(thread.daemon for thread in hung)
    release.set()
    for thread in hung:
        thread.join(60)
    monkeypatch.undo()
    assert system_resolver("localhost", 80, 5)


@pytest.mark.parametrize("raised", [socket.gaierror(-2, "unknown"), UnicodeError("label too long")])
def test_the_system_resolver_passes_a_failure_on(
    monkeypatch: pytest.MonkeyPatch, raised: Exception
) -> None:
    def fail(*_args: object, **_options: object) -> list[object]:
        raise raised

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(OSError, match=r"unknown|label"):
        system_resolver("site.test", 80, 5)


def test_the_deadline_covers_the_lookup() -> None:
    """The resolver is told how much time is left, and that is less after each hop."""
    told: list[float] = []
    now = count(100.0)

    def resolver(_host: str, _port: int, timeout_seconds: float) -> list[str]:
        told.append(timeout_seconds)
        raise TimeoutError

    fetcher = Fetcher(user_agent="t", resolver=resolver, monotonic=lambda: next(now))
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(Request("http://site.test/", timeout_seconds=20))
    assert (told, failed.value.reason) == ([19.0], "timeout")


@pytest.mark.parametrize(
    ("target", "following", "trusted"),
    [
        ("http://site.test/", "http://site.test/x", True),
        ("http://site.test/", "https://site.test/x", True),
        ("http://site.test/", "https://other.test/", False),
        ("http://site.test/", "http://other.test/", False),
        ("http://site.test/", "https://site.test:8443/", False),
        ("http://site.test/", "http://site.test:8080/", False),
        ("http://site.test:8080/", "https://site.test/", False),
        ("https://site.test/", "http://site.test/", False),
    ],
)
def test_secrets_follow_a_redirect_within_their_origin_or_to_its_tls(
    target: str, following: str, *, trusted: bool
) -> None:
    assert _trusted(parse_url(target), parse_url(following)) is trusted
