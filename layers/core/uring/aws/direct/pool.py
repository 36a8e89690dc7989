"""Connections that are kept, and answers read from them up to a size and a time."""

import threading
import time
from collections.abc import Mapping
from typing import Any, Final

from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ReadTimeoutError,
    SSLError,
)
from urllib3 import (
    BaseHTTPResponse,
    HTTPConnectionPool,
    Timeout,
    connection_from_url,
    exceptions,
)

from uring.aws.direct.answers import (
    MOST_BYTES,
    MOST_REFUSAL_BYTES,
    SUCCESS_BELOW,
    Answer,
    malformed,
)
from uring.aws.direct.place import trust

BODY_SECONDS: Final = 60.0
"""In which a body is read; a piece of it may take the read time-out besides."""

_PIECE_BYTES: Final = 256 * 1024


class Pool:
    """The connections of one client, by origin; safe to share between threads.

    Never too few: beyond those that are kept, a connection is made and closed again.

    Args:
        config: of boto3's client: time-outs, and how many connections are kept.
    """

    def __init__(self, config: Any) -> None:
        self._timeout = Timeout(connect=config.connect_timeout, read=config.read_timeout)
        self._kept = config.max_pool_connections
        self._origins: dict[str, HTTPConnectionPool] = {}
        self._lock = threading.Lock()

    def exchange(
        self, method: str, origin: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Answer:
        """Send a request and return its answer, whatever its status; follow no redirect.

        Raises:
            HTTPClientError: there is none, or it breaks off.
        """
        where = origin + target
        try:
            response = self._of(origin).urlopen(
                method,
                target,
                **_sent(headers, body),
                retries=False,
                redirect=False,
                assert_same_host=False,
                preload_content=False,
                decode_content=False,
            )
            return _read(response, where)
        except exceptions.SSLError as error:
            raise SSLError(endpoint_url=where, error=error) from error
        except exceptions.NewConnectionError as error:
            raise EndpointConnectionError(endpoint_url=where, error=error) from error
        except exceptions.ConnectTimeoutError as error:
            raise ConnectTimeoutError(endpoint_url=where, error=error) from error
        except exceptions.ReadTimeoutError as error:
            raise ReadTimeoutError(endpoint_url=where, error=error) from error
        except exceptions.ProtocolError as error:
            raise ConnectionClosedError(endpoint_url=where, error=error) from error
        except exceptions.HTTPError as error:
            raise malformed(str(error)) from error

    def _of(self, origin: str) -> HTTPConnectionPool:
        with self._lock:
            if origin not in self._origins:
                more = {"ssl_context": trust()} if origin.startswith("https:") else {}
                self._origins[origin] = connection_from_url(
                    origin, maxsize=self._kept, timeout=self._timeout, **more
                )
            return self._origins[origin]


def _sent(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Return headers and body as urllib3 sends them: what is large in pieces, a time-out for each.

    It gives the whole of a body the time of a connection: 50 MB would need a line of 140 Mbit/s.
    """
    if len(body) <= _PIECE_BYTES:
        return {"headers": headers, "body": body or None}
    whole = memoryview(body)
    pieces = [whole[at : at + _PIECE_BYTES] for at in range(0, len(body), _PIECE_BYTES)]
    return {"headers": {**headers, "Content-Length": str(len(body))}, "body": pieces}


def _read(response: BaseHTTPResponse, where: str) -> Answer:
    most = MOST_BYTES if response.status < SUCCESS_BELOW else MOST_REFUSAL_BYTES
    until = time.monotonic() + BODY_SECONDS
    pieces, size = [], 0
    while piece := response.read1(_PIECE_BYTES, decode_content=False):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            response.close()
            return Answer(response.status, response.headers, None)
        if time.monotonic() > until:
            response.close()
            raise ReadTimeoutError(endpoint_url=where, error="the body does not end")
    response.release_conn()
    return Answer(response.status, response.headers, b"".join(pieces))
