"""Entry point of the regulation parser: files become texts."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.regulation_parser", os.environ)
