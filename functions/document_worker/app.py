"""Entry point of the document worker: jobs become texts, translations and issues."""

import os

from uring.documents.bootstrap.worker import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
