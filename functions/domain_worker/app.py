"""Entry point of the domain worker: domains become stored results."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.seeds.bootstrap.domains", os.environ)
