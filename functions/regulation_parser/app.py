"""Entry point of the regulation parser: files become texts."""

import os

from uring.regulations.bootstrap.parser import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
