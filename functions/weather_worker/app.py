"""Entry point of the weather worker: a job becomes one run of a product."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.weather.bootstrap.worker", os.environ)
