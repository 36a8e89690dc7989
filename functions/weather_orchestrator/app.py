"""Entry point of the weather orchestrator: a tick becomes a job for each product that is due."""

import os

from uring.runtime.invocation import EntryPoint
from uring.weather.bootstrap.orchestrator import build

handler = EntryPoint(build, os.environ)
