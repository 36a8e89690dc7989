"""Entry point of the notifier: published changes become pushes."""

import os

from uring.push.bootstrap import build
from uring.runtime.invocation import EntryPoint

handler = EntryPoint(build, os.environ)
