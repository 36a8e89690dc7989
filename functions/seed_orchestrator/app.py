"""Entry point of the seed orchestrator: datasets become messages, one a raw file."""

import os

from uring.runtime.invocation import EntryPoint
from uring.seeds.bootstrap.orchestrator import build

handler = EntryPoint(build, os.environ)
