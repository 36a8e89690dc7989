"""Entry point of the regulation worker: jobs become synced registries."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.regulations.bootstrap.worker", os.environ)
