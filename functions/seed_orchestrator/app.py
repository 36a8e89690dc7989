"""Entry point of the seed orchestrator: datasets become messages, one for each raw file."""

import os

from uring.functions.entry_point import EntryPoint

handler = EntryPoint("uring.functions.seed_orchestrator", os.environ)
