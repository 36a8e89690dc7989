"""Entry point of the document store's HTTP API."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.documents.bootstrap.api", os.environ)
