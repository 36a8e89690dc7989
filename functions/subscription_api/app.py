"""Entry point of the subscription API: browsers' topics."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.subscription_api", os.environ)
