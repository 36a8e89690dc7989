"""Entry point of the document intake: uploads and removals become jobs."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.document_intake", os.environ)
