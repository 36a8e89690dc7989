"""Entry point of the seed file worker: raw files become messages, one for each domain."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.seed_file_worker", os.environ)
