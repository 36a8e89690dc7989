"""Ten callers in one process who want one translation, straight from the store."""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NoReturn

from uring.aws.clients import Clients
from uring.aws.objects import S3Bucket
from uring.aws.tables import DynamoTable
from uring.aws.translate import AmazonTranslator
from uring.changes.retry import Backoff
from uring.clock import system_clock
from uring.documents.costs import DailyBudget
from uring.documents.operations.policies import Policies
from uring.documents.work.answers import Answers
from uring.documents.work.translation import DocumentTranslator
from uring.locks import Locks, Once

PAGE: Final = "page-1"
SOURCE: Final = "agreement.txt"
THREADS: Final = 10
# A dead leader is waited for so long.
_LEASE_SECONDS: Final = 20


def main(bucket_name: str, table_name: str, language: str) -> None:
    """Begin when the standard input ends; print who leads, and each caller's text."""
    clients = Clients()
    bucket = S3Bucket(clients.get("s3"), bucket_name)
    table = DynamoTable(clients.get("dynamodb"), table_name, backoff=Backoff())
    locks = Locks(table, lease_seconds=_LEASE_SECONDS)
    policies = Policies(
        table,
        bucket,
        locks,
        _no_extraction,
        DocumentTranslator(AmazonTranslator(clients.get("translate")), Answers(bucket)),
        clock=system_clock,
        once=Once(locks, table),
    )
    budget = DailyBudget(table, cap_micros=1_000_000, stack_micros=1_000_000, clock=system_clock)
    printing = threading.Lock()

    def tell(**fields: Any) -> None:
        with printing:
            sys.stdout.write(f"{json.dumps(fields)}\n")
            sys.stdout.flush()

    def report(activity: str, *, needs: float = 0) -> None:  # noqa: ARG001 - the worker's own
        # Only who does the work has anything to report.
        tell(leads=activity)

    def call(_: int) -> None:
        spend = budget.spend(PAGE, lambda _: None)
        entry = policies.translation(PAGE, SOURCE, language, spend, report)
        tell(text=policies.store.text(entry))

    tell(ready=True)
    sys.stdin.read()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(call, range(THREADS)))


def _no_extraction(*_: object) -> NoReturn:
    raise AssertionError("the original is there")


if __name__ == "__main__":
    main(*sys.argv[1:])
