"""Entry point of the watch's orchestrator: a tick becomes a job for each due shard."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.seed_watch_orchestrator", os.environ)
