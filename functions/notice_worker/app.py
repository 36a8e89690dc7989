"""Entry point of the notice worker: jobs become checked departments."""

import os

from uring.notices.bootstrap.worker import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
