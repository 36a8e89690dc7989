"""Clients of AWS's services, built once on first use, and a count of the calls they make.

botocore reads the root certificates again for each connection: some 12 ms of CPU. Its documentation
has no way to share a TLS context. ``AWS_CA_BUNDLE`` may name a file with fewer of them.
"""

import re
import threading
from collections import Counter
from functools import cache
from typing import Any, Final, Literal, get_args

import botocore
from botocore.config import Config

from uring.aws.session import FunctionSession
from uring.errors import Misconfigured

Service = Literal[
    "bedrock-runtime", "dynamodb", "lambda", "s3", "secretsmanager", "sns", "sqs", "translate"
]
"""Every service that a function calls."""

OLDEST_BOTO3: Final = (1, 36)
"""The first version with all parameters used here; Lambda's own depends on runtime and region.

It counts for boto3 and for botocore, which are released together.
"""

_VERSION: Final = re.compile(r"(\d{1,6})\.(\d{1,6})")


def check_boto3(version: str) -> None:
    """Refuse a version of boto3 without the parameters used here.

    Raises:
        Misconfigured: the version is too old or malformed.
    """
    numbers = _VERSION.match(version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST_BOTO3:
        oldest = ".".join(map(str, OLDEST_BOTO3))
        raise Misconfigured(
            f"boto3 of the runtime is {version[:40]}, {oldest} is needed: deploy with a newer "
            "PythonRuntime, or put boto3 into requirements/layer.in"
        )


@cache
def _config(service: Service) -> Config:
    # Short time-outs: a worker serves ten sites, and every call here is safe to repeat.
    config = Config(
        connect_timeout=3,
        read_timeout=10,
        retries={"mode": "standard", "total_max_attempts": 3},
        max_pool_connections=20,
        # Objects are small and sent over TLS; a checksum of each costs more than it is worth.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        # botocore would build its own again for every request: a sixth of the cost of a call.
        user_agent="uRing",
    )
    # The caller waits for a function; a second call would run it in parallel to the first.
    patient = config.merge(Config(read_timeout=150, retries={"total_max_attempts": 1}))
    return {
        "lambda": patient,
        # A model writes for minutes, and a second call would be paid for as well.
        "bedrock-runtime": patient.merge(Config(read_timeout=300)),
        # Ten thousand bytes take seconds, and a second call would be paid for as well.
        "translate": patient.merge(Config(read_timeout=30)),
    }.get(service, config)


class CallCounter:
    """Counts AWS calls by operation, such as ``s3:GetObject``."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def watch(self, client: Any) -> None:
        """Count the calls of a client from now on."""
        service = client.meta.service_model.service_name
        client.meta.events.register(
            f"before-call.{service}",
            lambda model, **_: self.add(f"{service}:{model.name}"),
        )

    def take(self) -> dict[str, int]:
        """Return the counts since the last `take`, sorted by name, and begin at 0."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return dict(sorted(counts.items()))

    def add(self, name: str) -> None:
        """Count a call."""
        with self._lock:
            self._counts[name] += 1


class Clients:
    """Clients of one process; safe to share between threads.

    Args:
        session: a boto3 session; a `FunctionSession` by default, which reads region, credentials
            and endpoints from the environment.

    Raises:
        Misconfigured: boto3 is too old.
    """

    def __init__(self, session: Any = None) -> None:
        check_boto3(botocore.__version__)
        self.calls = CallCounter()
        self.boto3_version = botocore.__version__
        self._session = session
        self._clients: dict[str, Any] = {}
        self._lock = threading.Lock()

    def get(self, service: Service) -> Any:
        """Return the client of a service, built at the first call."""
        with self._lock:
            if service not in self._clients:
                if self._session is None:
                    self._session = FunctionSession(get_args(Service))
                client = self._session.client(service, config=_config(service))
                self.calls.watch(client)
                if service == "s3":
                    client.meta.events.register_last("before-call.s3", _send_at_once)
                self._clients[service] = client
            return self._clients[service]


def _send_at_once(params: dict[str, Any], **_: Any) -> None:
    """Send an object's body at once: ``Expect: 100-continue`` costs every PUT a round trip.

    It saves something only when S3 refuses a large body.
    """
    params["headers"].pop("Expect", None)
