"""Entry point of the orchestrator: a schedule's tick becomes jobs."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.notices.bootstrap.orchestrator", os.environ)
