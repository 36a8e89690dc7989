"""Entry point of the domain worker: domains become stored results."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.domain_worker", os.environ)
