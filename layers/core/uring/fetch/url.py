"""Strict parsing of http and https URLs, so that no two readers can see different hosts in one.

Doubtful input is refused, not repaired: control characters, backslashes, user names, percent
signs in hosts. Hosts that end in a number are IPv4 addresses in all their spellings
(``0x7f.1``, ``2130706433``, ``0177.0.0.1``), as in url.spec.whatwg.org, section 3.5.

A message shows a hostile text as one short line without control characters or secrets.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, NoReturn
from urllib.parse import quote, urlsplit

from uring.errors import FetchFailed

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_LONGEST: Final = 120
_LONGEST_URL: Final = 4096
_LONGEST_HOST: Final = 253
_LAST_PORT: Final = 65_535
_IPV4_BYTES: Final = 4
_BYTE: Final = 255
_NETLOC: Final = re.compile(
    r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>[^:\[\]]+))(?::(?P<port>[0-9]{0,5}))?"
)
_FORBIDDEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\\u2028\u2029]")
_HOST: Final = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
    r"(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_OCTAL: Final = re.compile(r"0[0-7]*")
# The characters that a path or query keeps; the percent sign because an escape must not be
# escaped again.
_SAFE: Final = "!$%&'()*+,-./:;=?@_~[]"

# The marks before what may be a secret, with the characters that become them by NFKC.
_AT: Final = re.compile("[@\ufe6b\uff20]|%(?:25)*40")
_PARAMETERS: Final = re.compile(
    "[?\u2047-\u2049\ufe16\ufe56\uff1f#\ufe5f\uff03;\u037e\ufe14\ufe54\uff1b&\ufe60\uff06"
    "=\u207c\u208c\ufe66\uff1d]|%(?:25)*(?:3f|23|3b|26|3d)",
    re.IGNORECASE,
)
# A port with other characters than digits may be a password.
_PASSWORD: Final = re.compile(r"(//[^/:\[\]]*:)(?![0-9]*(?:/|\Z))[^/]*")


@dataclass(frozen=True, slots=True)
class Target:
    """A URL, taken apart.

    Attributes:
        scheme: ``http`` or ``https``.
        host: lower-case A-labels without a trailing dot, or an IP literal without brackets.
        port: as given, or the scheme's own.
        resource: path and query, ASCII, starting with ``/``.
        literal: the address where the host is an IP literal, which is not resolved; else None.
    """

    scheme: str
    host: str
    port: int
    resource: str
    literal: IPv4Address | IPv6Address | None

    @property
    def authority(self) -> str:
        """``host:port``, with brackets around IPv6: the form of ``allowed_private_hosts``."""
        return f"{self._bracketed}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port (RFC 6454)."""
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        """The URL in canonical form, without its fragment."""
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self._bracketed}{port}{self.resource}"

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if isinstance(self.literal, IPv6Address) else self.host


def parse_url(text: str) -> Target:
    """Parse a URL.

    Raises:
        FetchFailed: ``bad_address``, for all but a plain http or https URL.
    """
    stripped = text.strip(" ")
    if len(stripped) > _LONGEST_URL:
        _refuse(text, f"is longer than {_LONGEST_URL} characters")
    if _FORBIDDEN.search(stripped):
        _refuse(text, "has a control character or a backslash")
    try:
        parts = urlsplit(stripped)
    except ValueError as error:
        raise _failure(text, "is not a valid URL") from error
    if parts.scheme not in DEFAULT_PORTS:
        _refuse(text, "is neither http nor https")
    if "@" in parts.netloc:
        _refuse(text, "has a user name or password: send an Authorization header instead")
    found = _NETLOC.fullmatch(parts.netloc)
    if found is None:
        _refuse(text, "has no valid host and port")
    literal: IPv4Address | IPv6Address | None
    if found["ipv6"]:
        host, literal = _ipv6(text, found["ipv6"])
    else:
        host, literal = _name_or_ipv4(text, found["name"])
    port = int(found["port"] or DEFAULT_PORTS[parts.scheme])
    if port > _LAST_PORT:
        _refuse(text, f"has a port above {_LAST_PORT}")
    return Target(
        scheme=parts.scheme,
        host=host,
        port=port,
        resource=_resource(text, parts.path, parts.query),
        literal=literal,
    )


def _ipv6(text: str, digits: str) -> tuple[str, IPv6Address]:
    try:
        literal = IPv6Address(digits)
    except ValueError as error:
        raise _failure(text, "has no valid IPv6 address in its brackets") from error
    return str(literal), literal


def _name_or_ipv4(text: str, name: str) -> tuple[str, IPv4Address | None]:
    host = name.lower()
    if not host.isascii():
        host = _to_ascii(text, host)
    host = host.removesuffix(".")
    if not _HOST.fullmatch(host):
        _refuse(text, "has no valid host name")
    if not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return host, None
    literal = _ipv4(text, host.split("."))
    return str(literal), literal


def _to_ascii(text: str, host: str) -> str:
    """Return a host as A-labels: IDNA 2008 behind the mapping of UTS 46, as in browsers."""
    if len(host) > _LONGEST_HOST:
        _refuse(text, f"has a host name of more than {_LONGEST_HOST} characters")
    # The import takes 40 ms, which a process without such a host need not pay.
    import idna  # noqa: PLC0415

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except UnicodeError as error:
        raise _failure(text, "has a host name that IDNA does not allow") from error


def _ipv4(text: str, parts: list[str]) -> IPv4Address:
    """Read one to four decimal, octal or hexadecimal parts; the last fills the remaining bytes."""
    if not all(_NUMBER.fullmatch(part) for part in parts):
        _refuse(text, "has a host that ends in a number but is not an IPv4 address")
    *leading, last = (_number(text, part) for part in parts)
    free_bytes = _IPV4_BYTES - len(leading)
    if free_bytes < 1 or last >= 256**free_bytes or max(leading, default=0) > _BYTE:
        _refuse(text, "has an IPv4 address with too many or too large parts")
    return IPv4Address(bytes(leading) + last.to_bytes(free_bytes, "big"))


def _number(text: str, part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    if part.startswith("0") and not _OCTAL.fullmatch(part):
        _refuse(text, "has an IPv4 address with an invalid octal part")
    return int(part, 8 if part.startswith("0") else 10)


def _resource(text: str, path: str, query: str) -> str:
    resource = f"{path or '/'}?{query}" if query else path or "/"
    try:
        return quote(resource, safe=_SAFE)
    except UnicodeEncodeError as error:
        raise _failure(text, "has a lone surrogate") from error


def _failure(text: str, problem: str) -> FetchFailed:
    return FetchFailed("bad_address", f"{shown_url(text)} {problem}")


def _refuse(text: str, problem: str) -> NoReturn:
    raise _failure(text, problem)


def one_line(text: object) -> str:
    """Return the first 120 characters, every unprintable one as its escape."""
    shown = str(text)
    if len(shown) > _LONGEST:
        shown = shown[: _LONGEST - 1] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown)


def shown_url(url: str) -> str:
    """Return a URL without user name, password, parameters, query and fragment: maybe secrets.

    Their marks count in any spelling: escaped, or as a character of the same look. Parameters
    without such a mark are cut off too. With an ``@`` any part may be a password, so only the
    scheme is shown.
    """
    if found := _AT.search(url):
        scheme, separator, _ = url[: found.start()].partition("://")
        is_plain = separator and not _PARAMETERS.search(scheme)
        return one_line(f"{scheme}://…") if is_plain else "…"
    shown = _PARAMETERS.split(url, maxsplit=1)[0]
    cut = "…" if len(shown) < len(url) else ""
    return one_line(_PASSWORD.sub(r"\1…", shown[: _LONGEST + 1]) + cut)
