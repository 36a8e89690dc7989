"""Entry point of the document janitor: what is dead goes, what was missed is looked at."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.document_janitor", os.environ)
