"""Entry point of the document intake: uploads and removals become jobs."""

import os

from uring.documents.bootstrap.intake import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
