"""Entry point of the watch's orchestrator: a tick becomes a job for each shard that is due."""

import os

from uring.runtime.invocation import EntryPoint
from uring.seeds.watch.bootstrap.orchestrator import build

handler = EntryPoint(build, os.environ)
