"""Memory and CPU of the seed file worker on raw files, beside a bare pass of its parser.

    PYTHONPATH=tests .venv/bin/python bench/raw_files.py [--megabytes 20 200 1000] [--json]

The worker is its entry point in a fresh process a file. The file comes from a stand-in for S3, each
domain goes to a stand-in for SQS, ten messages a call. Idle is the memory before the first message;
a bare pass is `RawRecords` over the same bytes, which keeps nothing.
"""

import argparse
import json
import os
import time
from typing import Any

from lines import Child
from workers import batches, start

from uring.seeds.messages import PartitionInfo, SeedMessage
from uring.seeds.partition import build_raw_dataset_path

_INFO = PartitionInfo(country="sg", category="news", date="2026-01-28")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[20, 200, 1_000])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with Child("serve", dict(os.environ)) as world:
        figures = [_measure(world, megabytes) for megabytes in options.megabytes]
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{'MB':>6}{'records':>10}{'idle MB':>9}{'peak MB':>9}{'more MB':>9}", end="")
    print(f"{'CPU s':>8}{'us a record':>13}{'bare s':>8}{'wall s':>8}")
    for each in figures:
        more = each["peak_megabytes"] - each["idle_megabytes"]
        print(f"{each['megabytes']:>6}{each['records']:>10,}{each['idle_megabytes']:>9.0f}", end="")
        print(f"{each['peak_megabytes']:>9.0f}{more:>9.0f}{each['seconds']:>8.1f}", end="")
        print(
            f"{each['seconds'] / each['records'] * 1e6:>13.0f}{each['bare_seconds']:>8.1f}", end=""
        )
        print(f"{each['wall']:>8.1f}")


def _measure(world: Child, megabytes: int) -> dict[str, Any]:
    key = build_raw_dataset_path("sg", "news", "2026-01-28", 1)
    place = world.ask(raw_file=megabytes, key=f"bench/{key}")
    message = SeedMessage(file_path=key, partition_info=_INFO)
    (event,) = batches([(message.name, message.group, message.body())])
    with start("SeedFileWorker", place["aws"]) as worker:
        bare = worker.ask(bare=f"{place['aws']}/bench/{key}")
    with start("SeedFileWorker", place["aws"]) as worker:
        idle = worker.ask(events=[])
        began = time.perf_counter()
        done = worker.ask(events=[event])
        wall = time.perf_counter() - began
    return {
        "megabytes": megabytes,
        "records": place["records"],
        "idle_megabytes": idle["peak_bytes"] / 1e6,
        "peak_megabytes": done["peak_bytes"] / 1e6,
        "seconds": done["seconds"],
        "bare_seconds": bare["seconds"],
        "wall": wall,
    }


if __name__ == "__main__":
    main()
