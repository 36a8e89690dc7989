"""Entry point of the notice worker: jobs become checked departments."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.notices.bootstrap.worker", os.environ)
