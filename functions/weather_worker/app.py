"""Entry point of the weather worker: a job becomes one run of a product."""

import os
from functools import cache
from typing import Any

from uring.runtime.invocation import Context, Function
from uring.weather.bootstrap.worker import build


@cache
def function() -> Function:
    """Built on the first invocation of this process and kept."""
    return build(os.environ)


def handler(event: dict[str, Any], context: Context) -> Any:
    """Lambda calls this."""
    return function().handle(event, context)
