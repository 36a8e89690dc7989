"""Entry point of the text extractor: a stored file becomes its text."""

import os

from uring.extract.bootstrap import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
