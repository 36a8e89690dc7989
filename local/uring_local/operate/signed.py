"""Signed requests to a deployed stack's HTTP API, with the caller's AWS credentials."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlsplit

import boto3
import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import BotoCoreError
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError

from uring.aws.errors import translated
from uring.errors import Misconfigured, Unavailable
from uring.segments import NOT_A_SEGMENT, is_segment
from uring_local.words import printable

_SERVICE: Final = "execute-api"
# Seconds to connect, and to respond: API Gateway gives a function thirty.
_TIMEOUTS: Final = (5, 35)
_MAX_BYTES: Final = 1024 * 1024
_AWS: Final = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")
_FORBIDDEN: Final = 403
# Proxies on the way may change other headers.
_SIGNED: Final = ("Content-Type", "If-Match", "If-None-Match")


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """A response: its status, and the JSON object in its body; empty without one.

    Args:
        text: the beginning of a body that is not a JSON object.
        headers: names in lower case.
    """

    status: int
    document: Mapping[str, Any]
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_success(self) -> bool:
        """True when the status is 2xx."""
        return self.status // 100 == 2  # noqa: PLR2004


class SignedApi:
    """An HTTP API behind AWS_IAM.

    Args:
        base: the address to which paths are added, without a trailing slash.
        session: a boto3 session with credentials and region.
    """

    def __init__(self, base: str, session: boto3.Session) -> None:
        self._base = base
        self._auth = SigV4(session)

    def get(
        self,
        path: str,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ApiAnswer:
        """Send a GET; see `post`."""
        return self._request("GET", path, params=query, headers=headers)

    def post(
        self, path: str, document: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> ApiAnswer:
        """Send a JSON object; return the response, whatever its status.

        Raises:
            Unavailable: no response; it is unknown if anything was done.
            Misconfigured: no credentials, or they are refused.
        """
        given = {"Content-Type": "application/json", **(headers or {})}
        return self._request("POST", path, data=json.dumps(document).encode(), headers=given)

    def _request(self, method: str, path: str, **what: Any) -> ApiAnswer:
        url = f"{self._base}{path}"
        try:
            with requests.request(
                method,
                url,
                auth=self._auth,
                timeout=_TIMEOUTS,
                allow_redirects=False,
                stream=True,
                **what,
            ) as response:
                answer = _read(response)
        except (requests.RequestException, HTTPError) as error:
            is_open = "" if method == "GET" else "; it may have been done"
            raise Unavailable(f"{url}: no answer ({type(error).__name__}){is_open}") from error
        if answer.status == _FORBIDDEN:
            raise Misconfigured(
                f"{url}: refused; the caller needs execute-api:Invoke of this API, and a clock "
                "that is right to five minutes"
            )
        return answer


class SigV4(AuthBase):
    """Signs each outgoing request; as `requests`' own hook it also prevents the use of ~/.netrc."""

    def __init__(self, session: boto3.Session) -> None:
        self._session = session

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the signature of method, address, body, and headers of type and condition."""
        credentials = self._session.get_credentials()
        if not self._session.region_name:
            raise Misconfigured("no region; give --region, or set AWS_REGION")
        if credentials is None:
            raise Misconfigured("no AWS credentials; run with a role or AWS_* variables")
        signed = {name: request.headers[name] for name in _SIGNED if name in request.headers}
        copy = AWSRequest(method=request.method, url=request.url, data=request.body, headers=signed)
        try:
            frozen = credentials.get_frozen_credentials()
        except BotoCoreError as error:
            raise Misconfigured(f"AWS credentials: {error}; renew them") from error
        SigV4Auth(frozen, _SERVICE, self._session.region_name).add_auth(copy)
        request.headers.update(dict(copy.headers.items()))
        return request


def api_address(outputs: Mapping[str, str], *, name: str, stack: str) -> str:
    """Return the address of a stack's HTTP API, on AWS or on a local stack.

    AWS's host name of an API begins with its id. That host does not exist for a local stack: there
    the API has a path.

    Args:
        outputs: the stack's outputs.
        name: the API's name; its output is ``{name}Url``.
        stack: the stack's name, for the message.

    Raises:
        Misconfigured: the stack has no such API.
    """
    url = outputs.get(f"{name}Url")
    if url is None:
        raise Misconfigured(f"stack {stack} has no output {name}Url; deploy this release")
    with translated("apigatewayv2"):
        endpoint = str(boto3.client("apigatewayv2").meta.endpoint_url)
    if (urlsplit(endpoint).hostname or "").endswith(_AWS):
        return url.rstrip("/")
    api_id, _, _ = (urlsplit(url).hostname or "").partition(".")
    return f"{endpoint.rstrip('/')}/_aws/{_SERVICE}/{api_id}"


def segment(name: str) -> str:
    """Return a name encoded as one segment of a path.

    Raises:
        Misconfigured: a client on the way would make another address of it.
    """
    if not is_segment(name):
        raise Misconfigured(f"{printable(name)!r} is not a name: {NOT_A_SEGMENT}; correct it")
    return quote(name, safe="")


def _read(response: requests.Response) -> ApiAnswer:
    body = response.raw.read(_MAX_BYTES, decode_content=True)
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    headers = {name.lower(): value for name, value in response.headers.items()}
    if isinstance(document, dict):
        return ApiAnswer(response.status_code, document, "", headers)
    return ApiAnswer(response.status_code, {}, body[:500].decode(errors="replace"), headers)
