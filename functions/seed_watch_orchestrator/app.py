"""Entry point of the watch's orchestrator: a tick becomes a job for each shard that is due."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.seeds.watch.bootstrap.orchestrator", os.environ)
