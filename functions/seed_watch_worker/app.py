"""Entry point of the watch's worker: jobs become watched domains."""

import os
from functools import cache
from typing import Any

from uring.runtime.invocation import Context, Function
from uring.seeds.watch.bootstrap.worker import build


@cache
def function() -> Function:
    """Built on the first invocation of this process and kept."""
    return build(os.environ)


def handler(event: dict[str, Any], context: Context) -> Any:
    """Lambda calls this."""
    return function().handle(event, context)
