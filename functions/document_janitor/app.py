"""Entry point of the document janitor: removes unused items, refreshes missed attachments."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.document_janitor", os.environ)
