"""Entry point of the document janitor: what is dead goes, what was missed is looked at."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.documents.bootstrap.janitor", os.environ)
