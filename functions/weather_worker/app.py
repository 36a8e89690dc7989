"""Entry point of the weather worker: a job becomes one run of a product."""

import os

from uring.runtime.invocation import EntryPoint
from uring.weather.bootstrap.worker import build

handler = EntryPoint(build, os.environ)
