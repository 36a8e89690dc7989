"""Entry point of the orchestrator: a schedule's tick becomes jobs."""

import os

from uring.notices.bootstrap.orchestrator import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
