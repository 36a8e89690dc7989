"""Entry point of the weather orchestrator: a tick becomes a job for each due product."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.weather_orchestrator", os.environ)
