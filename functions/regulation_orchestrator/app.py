"""Entry point of the regulation orchestrator: the daily tick becomes jobs."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.regulations.bootstrap.orchestrator", os.environ)
