"""The guard of outgoing connections: public addresses only, resolved once (S15).

The connection is made to the very addresses that were checked, so a second DNS answer cannot
turn it inwards (rebinding); every redirect passes through here again. A name is refused if any of
its addresses is not public: a mixed answer is an attack or a mistake, and neither should depend
on which address is tried first.
"""

from collections.abc import Callable, Collection, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

from uring.errors import FetchFailed
from uring.fetch.url import DEFAULT_PORTS, Target, one_line, parse_url

IPAddress: TypeAlias = IPv4Address | IPv6Address

Resolver: TypeAlias = Callable[[str, int, float], Sequence[str]]
"""``(host, port, timeout_seconds)`` → every address of the name, as IP literals.

Raises TimeoutError when time is up, another OSError (``socket.gaierror``) for a name without
addresses.
"""

STAND_IN_SCHEME: Final = "X-Forwarded-Proto"
"""The header that carries the scheme of the URL to a stand-in."""

# IANA IPv4 Special-Purpose Address Registry, with multicast and 240/4. The three blocks that are
# routed (AS112, AMT, the 6to4 relays) are infrastructure and hold no sites.
_REFUSED_V4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "168.63.129.16/32",  # the platform service of Azure, a public-looking address
        "169.254.0.0/16",  # link-local, the metadata services of clouds
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
# Only 2000::/3 is global unicast. The blocks outside need no list: loopback, v4-mapped,
# v4-compatible, NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), unique local, link- and site-local,
# multicast. Inside, the IANA IPv6 Special-Purpose Address Registry takes these out.
_GLOBAL_UNICAST_V6: Final = IPv6Network("2000::/3")
_REFUSED_V6: Final = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # IETF protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
# RFC 6761, 6762, 7686, 8375, and ICANN's name for private use.
_INWARD_NAMES: Final = frozenset(
    {"localhost", "local", "localdomain", "internal", "invalid", "test", "onion", "arpa"}
)


def is_public(address: IPAddress) -> bool:
    """Return whether an address can belong to a site of the public internet.

    ``ipaddress.is_global`` does not suffice: it passes NAT64, 6to4, multicast and fec0::/10.
    """
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _REFUSED_V4)
    return address in _GLOBAL_UNICAST_V6 and not any(address in block for block in _REFUSED_V6)


def refused_port(target: Target) -> str | None:
    """Return the reason to refuse the port of a target that is not allowed; None for 80 and 443."""
    if target.port in DEFAULT_PORTS.values():
        return None
    return (
        f"port {target.port} of {one_line(target.host)} is neither 80 nor 443;"
        f' a test site is allowed by naming "{one_line(target.authority)}"'
    )


def refused_address(target: Target, address: IPAddress) -> str | None:
    """Return the reason to refuse an address of the target; None for a public one."""
    if is_public(address):
        return None
    where = "" if target.literal else f" at {address}, which is"
    return f"{one_line(target.host)} is{where} not public"


def never_public(target: Target) -> str | None:
    """Return the reason to refuse a target before its name is resolved.

    Only the port, an IP literal and the name itself are judged. None means that the addresses
    decide.
    """
    if reason := refused_port(target):
        return reason
    if target.literal is not None:
        return refused_address(target, target.literal)
    name = target.host.rpartition(".")[2]
    if name in _INWARD_NAMES or name == target.host:
        return f"{one_line(target.host)} is a name of inner networks, which is not public"
    return None


class AddressGuard:
    """The guard: it turns a target into the addresses to connect to, or refuses it.

    Args:
        allowed_private_hosts: ``host:port`` as in ``Target.authority``, matched exactly; these
            skip the port check and the address check. Empty in production.
        resolver: see ``Resolver``.
    """

    def __init__(self, allowed_private_hosts: Collection[str], resolver: Resolver) -> None:
        self._allowed = frozenset(allowed_private_hosts)
        self._resolver = resolver

    def addresses(self, target: Target, timeout_seconds: float) -> list[IPAddress]:
        """Return the addresses of a target, in the resolver's order and without repetition.

        Raises:
            FetchFailed: ``refused_address``, ``dns`` or ``timeout``.
        """
        allowed = target.authority in self._allowed
        if not allowed and (reason := refused_port(target)):
            raise FetchFailed("refused_address", reason)
        if target.literal is None:
            found = self._resolve(target, timeout_seconds)
        else:
            found = [target.literal]
        if not allowed:
            for address in found:
                if reason := refused_address(target, address):
                    raise FetchFailed("refused_address", reason)
        return found

    def _resolve(self, target: Target, timeout_seconds: float) -> list[IPAddress]:
        host = one_line(target.host)
        try:
            answers = self._resolver(target.host, target.port, timeout_seconds)
            found = [ip_address(answer) for answer in dict.fromkeys(answers)]
        except TimeoutError as error:
            raise FetchFailed("timeout", f"no DNS answer for {host} in time") from error
        except (OSError, ValueError) as error:
            raise FetchFailed("dns", f"{host} cannot be resolved: {one_line(error)}") from error
        if not found:
            raise FetchFailed("dns", f"{host} has no address")
        return found


class StandIn:
    """One server that answers for every name of the web, in tests and simulations.

    It speaks plain HTTP. ``Host`` names the site, ``STAND_IN_SCHEME`` the scheme. Addresses of
    inner networks are refused as in production, so that the guard is seen at work.

    Args:
        authority: ``HOST:PORT``, the host a loopback address such as ``127.0.0.1``.

    Raises:
        ValueError: the authority is not a loopback address with a port.
    """

    def __init__(self, authority: str) -> None:
        remedy = "name a loopback address and its port, such as 127.0.0.1:8080"
        try:
            server = parse_url(f"http://{authority}/")
        except FetchFailed as error:
            raise ValueError(f"the stand-in {authority!r} is not an address: {remedy}") from error
        if server.literal is None or not server.literal.is_loopback:
            raise ValueError(f"the stand-in {authority!r} is not on loopback: {remedy}")
        self._server = server
        self.address: IPAddress = server.literal

    def dialled(self, target: Target) -> Target:
        """Return the stand-in's own address, to connect to instead of a target.

        Raises:
            FetchFailed: ``refused_address``: the target can never be public.
        """
        if reason := never_public(target):
            raise FetchFailed("refused_address", reason)
        return self._server
