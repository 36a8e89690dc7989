"""Entry point of the document worker: jobs become texts, translations and issues."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.document_worker", os.environ)
