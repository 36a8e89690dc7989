"""Entry point of the watch's worker: jobs become watched domains."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.seeds.watch.bootstrap.worker", os.environ)
