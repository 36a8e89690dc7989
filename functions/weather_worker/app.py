"""Entry point of the weather worker: a job becomes one run of a product."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.weather_worker", os.environ)
