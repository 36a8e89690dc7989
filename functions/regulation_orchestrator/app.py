"""Entry point of the regulation orchestrator: the daily tick becomes jobs."""

import os

from uring.regulations.bootstrap.orchestrator import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
