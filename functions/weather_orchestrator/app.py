"""Entry point of the weather orchestrator: a tick becomes a job for each product that is due."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.weather_orchestrator", os.environ)
