"""Entry point of the seed orchestrator: datasets become messages, one a raw file."""

import os
from functools import cache
from typing import Any

from uring.runtime.invocation import Context, Function
from uring.seeds.bootstrap.orchestrator import build


@cache
def function() -> Function:
    """Built on the first invocation of this process and kept."""
    return build(os.environ)


def handler(event: dict[str, Any], context: Context) -> Any:
    """Lambda calls this."""
    return function().handle(event, context)
