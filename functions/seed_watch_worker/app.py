"""Entry point of the watch's worker: jobs become watched domains."""

import os

from uring.runtime.invocation import EntryPoint
from uring.seeds.watch.bootstrap.worker import build

handler = EntryPoint(build, os.environ)
