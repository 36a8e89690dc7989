"""Entry point of the notifier: published changes become pushes."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.push.bootstrap", os.environ)
