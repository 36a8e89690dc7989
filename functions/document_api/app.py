"""Entry point of the document store's HTTP API."""

import os

from uring.documents.bootstrap.api import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
