"""Nothing makes the fetcher connect inwards: not an address, a spelling, a name or a redirect.

The judge is the interpreter's own report of every connection (`dialled`), not the fetcher's word.
"""

import socket
import time
from collections.abc import Callable, Iterator

import pytest
from dialled import Dialled, dialling
from scripted_server import ScriptedServer, answer, redirecting, saying

from uring.errors import FetchFailed
from uring.fetch.http import Fetcher
from uring.fetch.request import Request

Serve = Callable[..., ScriptedServer]

PUBLIC = "8.8.8.8"
NAMES = {
    "site.test": [PUBLIC],
    "localhost": ["127.0.0.1", "::1"],
    "localhost.localdomain": ["127.0.0.1"],
    "127.0.0.1.nip.test": ["127.0.0.1"],
    "inside.test": ["10.0.0.1"],
    "metadata.test": ["169.254.169.254"],
    "six.test": ["::1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "compatible.test": ["::127.0.0.1"],
    "nat64.test": ["64:ff9b::7f00:1"],
    "6to4.test": ["2002:7f00:1::"],
    "teredo.test": ["2001:0:4136:e378:8000:63bf:80ff:fffe"],
    "unspecified.test": ["0.0.0.0"],  # noqa: S104 - an address to refuse
    "mixed.test": [PUBLIC, "127.0.0.1"],
    "mixed-first.test": ["127.0.0.1", PUBLIC],
    "mixed-six.test": ["2606:4700:4700::1111", "fd00::1"],
    "late.test": [*(f"8.8.{number}.8" for number in range(40)), "10.0.0.1"],
}


def wide(text: str) -> str:
    """The same in full-width characters, as a Korean keyboard can give them."""
    return "".join(chr(ord(character) + 0xFEE0) for character in text)


# Every spelling of 127.0.0.1 and its kin that some resolver or browser takes.
ADDRESSES = [
    "0.0.0.0",  # noqa: S104 - to refuse
    "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.255", "0", "0x0",
    "2130706433", "017700000001", "0x7f000001", "0X7F.0.0.1", "0177.0.0.01", "0x7f.1",
    "0000000000177.0.0.1", "0x000000000000007f.0.0.1", "127.0x0.0.0x1", "127.0.1.", "2130706433.",
    "4294967295", "10.1", "192.168.257", "172.16.1", "169.254.169.254", "0xa9fea9fe", "2852039166",
    "0251.0376.0251.0376", "169.16689662", "169.254.43518", "100.100.100.200", "168.63.129.16",
    "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255",
    # other digits, letters and dots, which IDNA turns into these
    wide("127.0.0.1"), wide("0x7f.1"), wide("localhost"), wide("LOCALHOST."),
    "127\u30020\u30020\u30021", "127\uff0e0\uff0e0\uff0e1", "127\uff610\uff610\uff611",
    "\u2460\u2461\u2466.\u24ea.\u24ea.\u2460", "\u00b9\u00b2\u2077.\u2070.\u2070.\u00b9",
    "\U0001d7cf\U0001d7d0\U0001d7d5.\U0001d7ce.\U0001d7ce.\U0001d7cf",
    "\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3", "loc\u00adalhost",
    "localhost", "LOCALHOST", "localhost.", "localhost.localdomain", "127.0.0.1.nip.test",
    # IPv6, and IPv4 inside it
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]", "[::127.0.0.1]", "[::7f00:1]", "[::169.254.169.254]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[fe80::1]", "[fec0::1]",
    "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[100::1]", "[2001:db8::1]", "[3fff::1]",
    "[5f00::1]", "[::1%25lo]", "[::1%lo]", "[fe80::1%25eth0]", "[::ffff:0x7f.1]", "[::ffff:127.1]",
    *(name for name in NAMES if name != "site.test"),
]  # fmt: skip

# Addresses in which two readers could see two hosts: the inner one must be out of reach.
TRICKS = [
    "http://site.test@127.0.0.1/", "http://site.test:80@127.0.0.1/", "http://a:b@localhost/",
    "http://site.test%40127.0.0.1/", "http://site.test@@127.0.0.1/", "http://@127.0.0.1/",
    "http://127.0.0.1:80@site.test:80@127.0.0.1/", "http://site.test&@127.0.0.1# @inside.test/",
    "http://site.test\\@127.0.0.1/", "http://127.0.0.1\\@site.test/", "http:\\\\127.0.0.1/",
    f"http://site.test{wide('@')}127.0.0.1/", f"http://127.0.0.1{wide('/')}@site.test/",
    f"http://127.0.0.1{wide('#')}@site.test/", f"http://127.0.0.1{wide('?')}@site.test/",
    f"http://127.0.0.1{wide(':')}80/", f"http://site.test{wide('%')}40127.0.0.1/",
    "http://127.0.0.1%00.site.test/", "http://127.0.0.1%0a.site.test/", "http://127.0.0.1%2f@x/",
    "http://%31%32%37.0.0.1/", "http://127%2e0.0.1/", "http://127.0.0.1\t.site.test/",
    "http://127.0.0.1\r\n.site.test/", "http://127.0.0.1 .site.test/", "http://127.0.0.1\0/",
    "http://127.0.0.1:80:443/", "http://127.0.0.1:080x/", "http://127.0.0.1:/", "http://[::1]:080/",
    "http://[::1]@site.test/", "http://[site.test]@127.0.0.1/", "http://site.test]@[::1]/",
    "HTTP://127.0.0.1/", "hTTps://127.0.0.1/", "http:127.0.0.1", "http:/127.0.0.1/",
    "http:///127.0.0.1/", "http:////127.0.0.1/", "//127.0.0.1/", "http://127.0.0.1:22/",
    "http://127.0.0.1:9001/2018-06-01/runtime/invocation/next", "http://site.test:9001/",
    "http://site.test:0/", "http://site.test:65536/", "file:///etc/passwd", "file://127.0.0.1/x",
    "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/_PING", "dict://127.0.0.1:11211/", "ldap://x/",
    "jar:http://127.0.0.1!/", "data:text/html,x", "ws://127.0.0.1/", "unix:/var/run/docker.sock",
    "http+unix://%2fvar%2frun%2fdocker.sock/", "view-source:http://127.0.0.1/",
]  # fmt: skip


@pytest.fixture
def dialled() -> Iterator[Dialled]:
    with dialling() as dialled:
        yield dialled


def resolver(host: str, port: int, timeout_seconds: float) -> list[str]:
    del port, timeout_seconds
    if host not in NAMES:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")
    return NAMES[host]


def refused(fetcher: Fetcher, request: Request) -> FetchFailed:
    with pytest.raises(FetchFailed) as failed:
        fetcher.fetch(request)
    assert failed.value.detail.isprintable()
    return failed.value


WHOLLY = ("refused_address", "bad_address", "dns")


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", ADDRESSES)
def test_no_inward_address_is_connected_to(dialled: Dialled, scheme: str, host: str) -> None:
    fetcher = Fetcher(user_agent="t", resolver=resolver)
    assert refused(fetcher, Request(f"{scheme}://{host}/")).reason in WHOLLY
    assert dialled.addresses == []
    assert dialled.names == [], "nothing but the given resolver is asked"


@pytest.mark.parametrize("url", TRICKS)
def test_no_spelling_of_a_url_leads_inwards(dialled: Dialled, url: str) -> None:
    fetcher = Fetcher(user_agent="t", resolver=resolver)
    assert refused(fetcher, Request(url)).reason in WHOLLY
    assert dialled.addresses == []


@pytest.mark.parametrize(
    "url",
    [
        "http://site.test/@127.0.0.1/",
        "http://site.test?@127.0.0.1/",
        "http://site.test#@127.0.0.1/",
        "http://site.test:80/http://127.0.0.1/",
        "http://site.test./",
        f"http://{wide('SITE')}.{wide('test')}/",
    ],
)
def test_what_stands_behind_the_host_is_no_host(dialled: Dialled, url: str) -> None:
    refused(Fetcher(user_agent="t", resolver=resolver), Request(url))
    assert dialled.addresses == [f"{PUBLIC}:80"]


def test_an_octal_part_is_what_a_browser_reads(dialled: Dialled) -> None:
    """And it is dialled as the number that was checked, so no second reading of it exists."""
    refused(Fetcher(user_agent="t", resolver=resolver), Request("http://0127.0.0.1/"))
    assert dialled.addresses == ["87.0.0.1:80"]


def fetcher_by_way_of(server: ScriptedServer) -> Fetcher:
    return Fetcher(user_agent="t", allowed_private_hosts=[server.host], resolver=resolver)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 Other", "307 Temp", "308 Perm"])
@pytest.mark.parametrize("host", ["127.0.0.1", "inside.test", "mixed.test", "[::ffff:7f00:1]"])
def test_a_redirect_never_leads_inwards(
    serve: Serve, dialled: Dialled, host: str, status: str
) -> None:
    """Nor does a form follow it there."""
    server = serve(redirecting(f"http://{host}/", status))
    request = Request(server.url(), method="POST", form={"key": "s3cret"})
    assert refused(fetcher_by_way_of(server), request).reason == "refused_address"
    assert dialled.addresses == [server.host]


@pytest.mark.parametrize(
    "location",
    [url for url in TRICKS if url.isascii() and "\r" not in url and "\0" not in url],
)
def test_a_redirect_in_any_spelling_never_leads_inwards(
    serve: Serve, dialled: Dialled, location: str
) -> None:
    """What is left of it may be a page of the same site, never another address."""
    server = serve(redirecting(location), saying(answer(b"page")))
    fetcher = fetcher_by_way_of(server)
    try:
        response = fetcher.fetch(Request(server.url()))
    except FetchFailed as failed:
        assert failed.reason in WHOLLY  # noqa: PT017 - one of two good ends
    else:
        assert response.url.startswith(server.url())
    assert set(dialled.addresses) == {server.host}


def test_an_allowed_host_allows_its_own_port_alone(serve: Serve, dialled: Dialled) -> None:
    other = serve(saying(answer(b"inside")))
    server = serve(redirecting(other.url()))
    assert refused(fetcher_by_way_of(server), Request(server.url())).reason == "refused_address"
    assert dialled.addresses == [server.host]


def test_the_last_of_five_redirects_is_checked_as_the_first(serve: Serve, dialled: Dialled) -> None:
    server = serve(*[redirecting("/again")] * 4, redirecting("http://inside.test/"))
    assert refused(fetcher_by_way_of(server), Request(server.url())).reason == "refused_address"
    assert dialled.addresses == [server.host] * 5


def test_a_page_that_refreshes_itself_elsewhere_is_just_a_page(
    serve: Serve, dialled: Dialled
) -> None:
    body = b'<meta http-equiv="refresh" content="0; url=http://127.0.0.1/">'
    server = serve(saying(answer(body, "Refresh: 0; url=http://127.0.0.1/")))
    assert fetcher_by_way_of(server).fetch(Request(server.url())).body == body
    assert dialled.addresses == [server.host]


def test_an_answer_that_changes_between_check_and_use_changes_nothing(dialled: Dialled) -> None:
    """Rebinding: public when it is checked, inward a moment later. It is asked once."""
    asked: list[str] = []

    def rebinding(host: str, _port: int, _timeout: float) -> list[str]:
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    failed = refused(Fetcher(user_agent="t", resolver=rebinding), Request("http://rebind.test/"))
    assert failed.reason == "connect"
    assert asked == ["rebind.test"]
    assert dialled.addresses == [f"{PUBLIC}:80"]
    assert dialled.names == [], "the connection is made to the checked address, not to the name"


def test_an_answer_that_changes_between_two_hops_is_checked_again(
    serve: Serve, dialled: Dialled
) -> None:
    """The redirect leads to the name of the first hop, on a port that is not allowed."""
    server = serve(redirecting("http://site.test/"))
    authority = f"site.test:{server.port}"
    fetcher = Fetcher(
        user_agent="t",
        allowed_private_hosts=[authority],
        resolver=lambda _host, _port, _timeout: ["127.0.0.1"],
    )
    assert refused(fetcher, Request(f"http://{authority}/")).reason == "refused_address"
    assert dialled.addresses == [server.host]


def test_a_flood_of_dns_answers_costs_four_connections(dialled: Dialled) -> None:
    answers = [f"8.{number >> 8}.{number & 255}.8" for number in range(20_000)]
    fetcher = Fetcher(user_agent="t", resolver=lambda _host, _port, _timeout: answers)
    started = time.process_time()
    assert refused(fetcher, Request("http://many.test/")).reason == "connect"
    assert len(dialled.addresses) == 4
    assert time.process_time() - started < 3


def test_the_judge_sees_what_an_ordinary_client_does(dialled: Dialled, serve: Serve) -> None:
    """Without this every test above could pass for a deaf judge."""
    server = serve(saying(answer(b"page")))
    with socket.create_connection(("localhost", server.port), timeout=5):
        pass
    assert dialled.names == ["localhost"]
    assert server.host in dialled.addresses
    with pytest.raises(ConnectionRefusedError, match="not of this machine"):
        socket.create_connection((PUBLIC, 80), timeout=5)
