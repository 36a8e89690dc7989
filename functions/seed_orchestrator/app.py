"""Entry point of the seed orchestrator: datasets become messages, one a raw file."""

import os

from uring.runtime.invocation import EntryPoint

handler = EntryPoint("uring.seeds.bootstrap.orchestrator", os.environ)
