"""Entry point of the text extractor: a stored file becomes its text."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.text_extractor", os.environ)
