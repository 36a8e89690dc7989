"""Entry point of the text extractor: a stored file becomes its text."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.extract.bootstrap", os.environ)
