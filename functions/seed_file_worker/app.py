"""Entry point of the seed file worker: raw files become messages, one a domain."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.seeds.bootstrap.files", os.environ)
