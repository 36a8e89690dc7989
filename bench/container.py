"""`uring seeds work` over a queue of the embedded stack: CPU and memory a domain, many at once.

    PYTHONPATH=tests .venv/bin/python bench/container.py [--domains 1000] [--at-once 100]

Each answer of a site takes ``--seconds``, so that most domains wait at any moment, as on the web.
The process receives from SQS, writes five objects and two items a domain, logs four lines and
deletes its message. No TLS, and no home page. Linux, for /proc.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import boto3
from domain_web import DomainWeb, name

from uring.aws.queues import FifoQueue
from uring.changes.retry import Backoff
from uring.seeds.messages import DomainMessage, PartitionInfo
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.project import ROOT
from uring_local.queues.pairs import depth
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.stack.ministack import MiniStack
from uring_local.stack.resources import create
from uring_local.stack.stack import Endpoint
from uring_local.template.template import load

_INFO: Final = PartitionInfo(country="sg", category="news", date="2026-01-28")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_WARM_UP: Final = 0.2


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", type=int, default=1_000)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    web = DomainWeb(options.domains)

    def respond(request: Request) -> Answer:
        return replace(web.respond(request), seconds=options.seconds)

    with LoopbackServer(respond) as server, MiniStack() as stack:
        os.environ.update(stack.environment)
        _measure(stack, f"127.0.0.1:{server.port}", options)
    print(f"{sum(map(len, web.asked.values())) / options.domains:.1f} requests a domain")


def _measure(stack: Endpoint, web: str, options: argparse.Namespace) -> None:
    own = {"Seeds": "ENABLED", "WebStandIn": web, "DomainSpacingSeconds": "0"}
    template = load(TEMPLATE, {**PARAMETERS, **own, "DomainHomepage": "false"}, "bench")
    created = create(template, boto3.Session())
    queue, sqs = created.physical_ids["DomainQueue"], boto3.client("sqs")
    FifoQueue(sqs, queue, backoff=Backoff()).send([*map(_message, range(options.domains))])
    with subprocess.Popen(  # noqa: S603 - this program, no shell
        [
            *(sys.executable, "-c", "from uring_local.cli import main; main()"),
            *("seeds", "work", "--at-once", str(options.at_once)),
        ],
        cwd=ROOT,
        env={**os.environ, **stack.environment, **created.environments["DomainWorker"]},
        stdout=subprocess.DEVNULL,
    ) as process:
        first = _wait(sqs, queue, options.domains * (1 - _WARM_UP))
        began, before = time.perf_counter(), _cpu_seconds(process.pid)
        last = _wait(sqs, queue, 0)
        seconds, cpu = time.perf_counter() - began, _cpu_seconds(process.pid) - before
        peak = _peak_megabytes(process.pid)
        process.terminate()
    settled = first - last
    print(f"{settled} domains after {options.domains - first} others, {options.at_once} at once")
    print(f"CPU ms a domain        {cpu / settled * 1000:.1f}")
    print(f"domains a CPU second   {settled / cpu:.0f}")
    print(f"domains a second       {settled / seconds:.1f}")
    print(f"peak MB                {peak:.0f}")


def _message(number: int) -> DomainMessage:
    return DomainMessage(
        domain_id=f"com:sg:{name(number)}",
        domain_url=f"https://{name(number)}/",
        registrable_domain=name(number),
        authority="com",
        partition_info=_INFO,
    )


def _wait(sqs: Any, queue: str, most: float) -> int:
    while (found := depth(sqs, queue)) > most:
        time.sleep(0.2)
    return found


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _peak_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main()
