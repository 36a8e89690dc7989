"""Entry point of the domain worker: domains become stored results."""

import os

from uring.runtime.invocation import EntryPoint
from uring.seeds.bootstrap.domains import build

handler = EntryPoint(build, os.environ)
