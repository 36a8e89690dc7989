"""The distribution as its readers see it: 200, 304, 403, and a browser's preflight."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import urllib3
from urllib3.exceptions import HTTPError

from uring.aws.objects import S3Bucket
from uring.errors import Unavailable
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.subject import Subject
from uring_local.web.place import SiteAddress, place_of

_NAME: Final = "CDN"
_PUBLIC: Final = "/data/index.json"
# Exists on every working stack, and must not be readable.
_PRIVATE: Final = "/config/sitemap.json"
_MISSING: Final = "/data/nobody/archive/190001.jsonl"
_MOST_BYTES: Final = 262_144
_TIMEOUT: Final = urllib3.Timeout(connect=5, read=10)
_PREFLIGHT: Final = {
    "Origin": "https://reader.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}
_DEPLOY: Final = "deploy: the template has it, so somebody changed the distribution"


def check_readers(subject: Subject) -> Iterator[Diagnosis]:
    """Yield findings on a first read, a repeated one, forbidden ones, and a browser's preflight."""
    if subject.parameter("Cdn") == "DISABLED":
        yield off(
            _NAME, "Cdn is DISABLED: nobody can read", "deploy with Cdn=ENABLED once verified"
        )
        return
    client = subject.client("s3")
    place = place_of(subject.output("DistributionDomain"), client.meta.endpoint_url)
    yield _judged_private(*ask(place, _PRIVATE))
    yield _judged_missing(*ask(place, _MISSING))
    if S3Bucket(client, subject.output("BucketName")).get(_PUBLIC[1:]) is None:
        if not subject.is_scheduled:
            yield off("CDN reads", "ScheduleState is DISABLED: the monitor writes the first file")
            return
        yield failed(
            "CDN reads",
            "data/index.json does not exist yet, so nothing can be read",
            "examine again after the monitor's first run, ten minutes",
        )
        return
    status, headers = ask(place, _PUBLIC)
    yield _judged_read(status, headers)
    if status == 200:  # noqa: PLR2004
        again, _ = ask(place, _PUBLIC, {"If-None-Match": headers.get("ETag", "")})
        yield _judged_unchanged(again)
    yield _judged_preflight(*ask(place, _PUBLIC, _PREFLIGHT, "OPTIONS"))


def _judged_private(status: int, _headers: Mapping[str, str]) -> Diagnosis:
    if status == 403:  # noqa: PLR2004
        return ok("CDN private", f"{_PRIVATE} answers 403")
    if status == 200:  # noqa: PLR2004
        return failed("CDN private", f"{_PRIVATE} is public", _DEPLOY)
    return failed("CDN private", f"{_PRIVATE} answers {status} instead of 403", _DEPLOY)


def _judged_read(status: int, headers: Mapping[str, str]) -> Diagnosis:
    if status != 200:  # noqa: PLR2004
        remedy = "a new distribution takes some minutes; after that deploy again"
        return failed("CDN reads", f"{_PUBLIC} answers {status} instead of 200", remedy)
    if not headers.get("ETag"):
        return failed("CDN reads", f"{_PUBLIC} has no ETag", _DEPLOY)
    return ok("CDN reads", f"{_PUBLIC} answers 200")


def _judged_unchanged(status: int) -> Diagnosis:
    if status == 304:  # noqa: PLR2004
        return ok("CDN unchanged", "an unchanged file answers 304")
    detail = f"an unchanged file answers {status} instead of 304"
    remedy = f"examine again, it may have changed in between; {_DEPLOY}"
    return failed("CDN unchanged", detail, remedy)


def _judged_preflight(status: int, headers: Mapping[str, str]) -> Diagnosis:
    allowed = headers.get("Access-Control-Allow-Headers", "").lower()
    if status in {200, 204} and ("if-none-match" in allowed or allowed.strip() == "*"):
        return ok("CDN browsers", "OPTIONS allows If-None-Match")
    return failed(
        "CDN browsers",
        f"OPTIONS answers {status} and allows {allowed or 'no header'}: web clients read nothing",
        _DEPLOY,
    )


def _judged_missing(status: int, _headers: Mapping[str, str]) -> Diagnosis:
    if status == 403:  # noqa: PLR2004
        return ok("CDN missing", "a missing month answers 403")
    detail = f"a missing month answers {status} instead of 403: readers take it for a month"
    return failed("CDN missing", detail, _DEPLOY)


def ask(
    place: SiteAddress, path: str, headers: Mapping[str, str] | None = None, method: str = "GET"
) -> tuple[int, Mapping[str, str]]:
    """Send one request and return status and headers; redirects are not followed.

    Raises:
        Unavailable: there was no response.
    """
    status, answered, _ = _asked(place, path, headers, method, 0)
    return status, answered


def read(place: SiteAddress, path: str) -> tuple[int, Mapping[str, str], str]:
    """Send one GET and return status, headers and the beginning of the text; see `ask`."""
    return _asked(place, path, None, "GET", _MOST_BYTES)


def _asked(
    place: SiteAddress, path: str, headers: Mapping[str, str] | None, method: str, most_bytes: int
) -> tuple[int, Mapping[str, str], str]:
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
        body: bytes = answer.read(most_bytes) if most_bytes else b""
        answer.close()
    except HTTPError as error:
        raise Unavailable(f"{url}: no answer ({type(error).__name__})") from error
    finally:
        pool.clear()
    return answer.status, answer.headers, body.decode("utf-8", "replace")
