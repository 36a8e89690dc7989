"""``python -m uring_local.sites.campus --seed 7 --port 8081``: the site alone, moving by itself."""

import argparse
import itertools
import json
import sys
import time
from pathlib import Path

from uring_local.sites.campus import Campus


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted, one tick every so many seconds."""
    parser = argparse.ArgumentParser(prog="python -m uring_local.sites.campus", description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--port", type=int, default=8081, help="0 picks a free one")
    parser.add_argument("--every", type=float, default=60.0, metavar="SECONDS", help="of one tick")
    parser.add_argument("--ticks", type=int, default=0, help="end after so many; 0 never ends")
    parser.add_argument("--sitemap", type=Path, metavar="FILE", help="write the sources there")
    options = parser.parse_args(arguments)
    with Campus(options.seed, port=options.port) as campus:
        print(f"http://{campus.host}/")
        for source in campus.sitemap()["sources"]:
            print(f"  {source['id']:<16} {source['url']}")
        if options.sitemap:
            text = json.dumps(campus.sitemap(), ensure_ascii=False, indent=2)
            options.sitemap.write_text(text + "\n", encoding="utf-8")
        try:
            _run(campus, options.ticks, options.every)
        except KeyboardInterrupt:
            print("stopped")
    return 0


def _run(campus: Campus, ticks: int, seconds: float) -> None:
    for tick in itertools.count(1):
        if ticks and tick > ticks:
            return
        campus.advance(tick)
        changes = [entry for entry in campus.journal if entry.tick == tick]
        trouble = ", ".join(f"{name}: {what.kind}" for name, what in campus.troubles.items())
        print(f"tick {tick}: {len(changes)} changes {trouble}".rstrip(), flush=True)
        time.sleep(seconds)


if __name__ == "__main__":
    sys.exit(main())
