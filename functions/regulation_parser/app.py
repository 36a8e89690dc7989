"""Entry point of the regulation parser: files become texts."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.regulations.bootstrap.parser", os.environ)
