"""Entry point of the subscription API: browsers' topics."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.subscriptions.bootstrap", os.environ)
