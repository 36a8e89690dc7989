"""Entry point of the document intake: uploads and removals become jobs."""

import os
from functools import cache
from typing import Any

from uring.documents.bootstrap.intake import build
from uring.runtime.invocation import Context, Function


@cache
def function() -> Function:
    """Built on the first invocation of this process and kept."""
    return build(os.environ)


def handler(event: dict[str, Any], context: Context) -> Any:
    """Lambda calls this."""
    return function().handle(event, context)
