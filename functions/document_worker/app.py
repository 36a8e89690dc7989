"""Entry point of the document worker: jobs become texts, translations and issues."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.documents.bootstrap.worker", os.environ)
