"""Entry point of the notice worker: jobs become checked departments."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.notice_worker", os.environ)
