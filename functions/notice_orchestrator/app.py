"""Entry point of the orchestrator: a schedule's tick becomes jobs."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.notice_orchestrator", os.environ)
