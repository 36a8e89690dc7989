"""Entry point of the weather orchestrator: a tick becomes a job for each product that is due."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.weather.bootstrap.orchestrator", os.environ)
