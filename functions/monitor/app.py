"""Entry point of the monitor: what the states say becomes health, feeds, index and alerts."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.watch.bootstrap", os.environ)
