"""Entry point of the regulation orchestrator: the daily tick becomes jobs."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.regulation_orchestrator", os.environ)
