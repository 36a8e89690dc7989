"""Entry point of the monitor: sources' states become health, feeds, index and alerts."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.monitor", os.environ)
