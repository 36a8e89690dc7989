"""Entry point of the document intake: uploads and removals become jobs."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.documents.bootstrap.intake", os.environ)
