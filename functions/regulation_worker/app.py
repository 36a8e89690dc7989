"""Entry point of the regulation worker: jobs become synced registries."""

import os

from uring.regulations.bootstrap.worker import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
