"""The client as its readers see it: a page, its files, and its settings for push."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.readers import ask, read
from uring_local.doctor.subject import Subject
from uring_local.web.place import SiteAddress, place_of

_OK: Final = 200
_FILE: Final = re.compile(r'"\./(r/[0-9a-f]+/[^"]+)"')
_DEPLOY: Final = "deploy: the template has it, so somebody changed the distribution"


def check_client(subject: Subject) -> Iterator[Diagnosis]:
    """Yield findings on how the distribution serves the client; none without a distribution."""
    if subject.parameter("Cdn") == "DISABLED":
        return
    place = place_of(subject.output("DistributionDomain"), subject.client("s3").meta.endpoint_url)
    upload = f"uring web upload --stack {subject.stack}"
    status, headers, page = read(place, "/")
    yield _judged_page(status, headers, upload)
    if status == _OK:
        yield _judged_files(place, page, upload)
        # Without web push a client polls, and the families' findings say so.
        if subject.parameter("WebPush") == "ENABLED":
            yield _judged_push(subject, place, upload)


def _judged_page(status: int, headers: Mapping[str, str], upload: str) -> Diagnosis:
    if status != _OK:
        return failed("client", f"/ answers {status} instead of 200: no client is uploaded", upload)
    if "default-src 'none'" not in headers.get("Content-Security-Policy", ""):
        return failed("client", "/ has no strict Content-Security-Policy", _DEPLOY)
    if headers.get("Cache-Control") != "no-cache":
        kept = headers.get("Cache-Control") or "no Cache-Control"
        return failed("client", f"/ has {kept}: browsers keep an old release", upload)
    return ok("client", "/ answers 200, with its policy")


def _judged_files(place: SiteAddress, page: str, upload: str) -> Diagnosis:
    """Judge the release by the first file that the page names."""
    found = _FILE.search(page)
    if not found:
        return failed("client files", "the page names no file of a release", upload)
    path = f"/{found[1]}"
    status, headers = ask(place, path)
    if status != _OK:
        return failed("client files", f"{path} answers {status} instead of 200", upload)
    if "immutable" not in headers.get("Cache-Control", ""):
        return failed("client files", f"{path} is fetched again at each visit", upload)
    return ok("client files", f"{path} answers 200, and browsers keep it")


def _judged_push(subject: Subject, place: SiteAddress, upload: str) -> Diagnosis:
    """Judge whether browsers get pushes from the project that the stack pushes with."""
    _, _, text = read(place, "/config.json")
    remedy = f"{upload} --firebase FILE --vapid-key KEY"
    try:
        project = json.loads(text)["push"]["firebase"]["projectId"]
    except (ValueError, LookupError, TypeError):
        return failed("client push", "config.json names no Firebase app: browsers poll", remedy)
    if project != subject.parameter("FcmProjectId"):
        wanted = subject.parameter("FcmProjectId")
        return failed("client push", f"config.json names {project}, the stack {wanted}", remedy)
    return ok("client push", f"config.json names {project}")
