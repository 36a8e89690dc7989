"""Entry point of the regulation worker: jobs become synced registries."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.regulation_worker", os.environ)
