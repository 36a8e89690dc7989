"""Entry point of the document janitor: what is dead goes, what was missed is looked at."""

import os

from uring.documents.bootstrap.janitor import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
