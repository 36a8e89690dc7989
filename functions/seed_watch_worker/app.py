"""Entry point of the watch's worker: jobs become watched domains."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.seed_watch_worker", os.environ)
