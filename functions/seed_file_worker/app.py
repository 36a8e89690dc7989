"""Entry point of the seed file worker: raw files become messages, one a domain."""

import os

from uring.runtime.invocation import EntryPoint
from uring.seeds.bootstrap.files import build

handler = EntryPoint(build, os.environ)
