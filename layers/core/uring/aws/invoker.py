"""An asynchronous invocation of a function."""

import json
from collections.abc import Mapping
from typing import Any

from uring.aws.errors import translated


class Invoker:
    """Invokes one function with events."""

    def __init__(self, client: Any, function: str) -> None:
        self._client = client
        self._function = function

    def __call__(self, event: Mapping[str, Any], /) -> None:
        """Send an event without waiting for the result; Lambda retries a failed run.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such function, or no permission.
        """
        with translated(f"lambda:Invoke {self._function}"):
            self._client.invoke(
                FunctionName=self._function,
                InvocationType="Event",
                Payload=json.dumps(event).encode(),
            )
