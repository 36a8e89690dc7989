"""Entry point of the notifier: published changes become pushes."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.notifier", os.environ)
