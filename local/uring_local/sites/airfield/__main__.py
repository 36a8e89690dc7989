"""``python -m uring_local.sites.airfield --port 8082``: the gateways alone, in real time."""

import argparse
import sys
import time
from datetime import UTC, datetime

from uring_local.sites.airfield import Airfield


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m uring_local.sites.airfield", description=__doc__
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--port", type=int, default=8082, help="0 picks a free one")
    parser.add_argument("--failing", type=float, default=0.0, metavar="SHARE", help="0 to 1")
    parser.add_argument("--seconds", type=float, default=0.0, help="end after so many; 0 never")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    opened = datetime.now(UTC)
    with Airfield(
        options.seed, opened=opened, failing=options.failing, port=options.port
    ) as airfield:
        print(f"{airfield.url}\nauthKey={airfield.key}", flush=True)
        try:
            while not options.seconds or time.monotonic() - began < options.seconds:
                time.sleep(min(1.0, options.seconds or 1.0))
                airfield.advance(max(opened, datetime.now(UTC)))
                _tell(airfield)
        except KeyboardInterrupt:
            print("stopped")
    return 0


def _tell(airfield: Airfield) -> None:
    for call in airfield.take_calls():
        print(call.product, call.icao or "all airports", call.fault or "", flush=True)


if __name__ == "__main__":
    sys.exit(main())
