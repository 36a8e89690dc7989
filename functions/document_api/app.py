"""Entry point of the document store's HTTP API."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.document_api", os.environ)
