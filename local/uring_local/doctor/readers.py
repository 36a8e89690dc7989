"""The distribution as its readers meet it: 200, 304, 403, and the browser's question before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import HTTPError

from uring.aws.objects import S3Objects
from uring.errors import Unavailable
from uring_local.doctor.finding import Finding, failed, off, ok
from uring_local.doctor.subject import Subject

_NAME: Final = "CDN"
_PUBLIC: Final = "/data/index.json"
# Exists on every stack that works, and is nobody's to read.
_PRIVATE: Final = "/config/sitemap.json"
_AWS: Final = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")
_TIMEOUT: Final = urllib3.Timeout(connect=5, read=10)
_PREFLIGHT: Final = {
    "Origin": "https://reader.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}
_DEPLOY: Final = "deploy: the template has it, so somebody changed the distribution"


@dataclass(frozen=True, slots=True)
class Place:
    """The address of the distribution, and the headers that a local stack wants."""

    base: str
    headers: Mapping[str, str]


def place_of(domain: str, endpoint: str) -> Place:
    """Return where a distribution is reached.

    Args:
        domain: the distribution's.
        endpoint: where S3 is: on a local stack it answers for distributions too.
    """
    address = urlsplit(endpoint)
    if (address.hostname or "").endswith(_AWS):
        return Place(f"https://{domain}", {})
    # MiniStack's way; it takes the word of a header for TLS.
    host = f"{domain.partition('.')[0]}.cloudfront.localhost"
    return Place(endpoint.rstrip("/"), {"Host": host, "X-Forwarded-Proto": "https"})


def check_readers(subject: Subject) -> Iterator[Finding]:
    """Yield how the distribution answers a first read, a second, a wrong one, and a browser."""
    if subject.parameter("Cdn") == "DISABLED":
        yield off(
            _NAME, "Cdn is DISABLED: nobody can read", "deploy with Cdn=ENABLED once verified"
        )
        return
    client = subject.client("s3")
    place = place_of(subject.output("DistributionDomain"), client.meta.endpoint_url)
    yield _judged_private(*_ask(place, _PRIVATE))
    if S3Objects(client, subject.output("BucketName")).get(_PUBLIC[1:]) is None:
        yield failed(
            "CDN reads",
            "there is no index yet, so nothing can be read",
            "examine again after the monitor's first run, ten minutes",
        )
        return
    status, headers = _ask(place, _PUBLIC)
    yield _judged_read(status, headers)
    if status == 200:  # noqa: PLR2004
        again, _ = _ask(place, _PUBLIC, {"If-None-Match": headers.get("ETag", "")})
        yield _judged_unchanged(again)
    yield _judged_preflight(*_ask(place, _PUBLIC, _PREFLIGHT, "OPTIONS"))


def _judged_private(status: int, _headers: Mapping[str, str]) -> Finding:
    if status == 403:  # noqa: PLR2004
        return ok("CDN private", f"{_PRIVATE} answers 403")
    if status == 200:  # noqa: PLR2004
        return failed("CDN private", f"{_PRIVATE} can be read by everybody", _DEPLOY)
    return failed("CDN private", f"{_PRIVATE} answers {status} instead of 403", _DEPLOY)


def _judged_read(status: int, headers: Mapping[str, str]) -> Finding:
    if status != 200:  # noqa: PLR2004
        remedy = "a new distribution takes some minutes; after that deploy again"
        return failed("CDN reads", f"{_PUBLIC} answers {status} instead of 200", remedy)
    if not headers.get("ETag"):
        return failed("CDN reads", f"{_PUBLIC} has no ETag", _DEPLOY)
    return ok("CDN reads", f"{_PUBLIC} answers 200")


def _judged_unchanged(status: int) -> Finding:
    if status == 304:  # noqa: PLR2004
        return ok("CDN unchanged", "what a reader has answers 304")
    detail = f"what a reader has answers {status} instead of 304"
    return failed("CDN unchanged", detail, f"ask again, it may have changed in between; {_DEPLOY}")


def _judged_preflight(status: int, headers: Mapping[str, str]) -> Finding:
    allowed = headers.get("Access-Control-Allow-Headers", "").lower()
    if status in {200, 204} and ("if-none-match" in allowed or allowed.strip() == "*"):
        return ok("CDN browsers", "OPTIONS allows If-None-Match")
    return failed(
        "CDN browsers",
        f"OPTIONS answers {status} and allows {allowed or 'no header'}: web clients read nothing",
        _DEPLOY,
    )


def _ask(
    place: Place, path: str, headers: Mapping[str, str] | None = None, method: str = "GET"
) -> tuple[int, Mapping[str, str]]:
    """Ask once; redirects are not followed, bodies not read."""
    pool = urllib3.PoolManager(num_pools=1)
    url = f"{place.base}{path}"
    try:
        answer: Any = pool.request(
            method,
            url,
            headers={**place.headers, **(headers or {})},
            timeout=_TIMEOUT,
            redirect=False,
            retries=False,
            preload_content=False,
        )
        answer.close()
    except HTTPError as error:
        raise Unavailable(f"{url}: no answer ({type(error).__name__})") from error
    finally:
        pool.clear()
    return answer.status, answer.headers
