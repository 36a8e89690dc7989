"""Operations and invocations as units of AWS's prices."""

from collections import defaultdict
from typing import Final

from uring_local.cost.counts import (
    INVOCATION_LINE_BYTES,
    PLATFORM_LINE_BYTES,
    START_MILLISECONDS,
    read_operations,
)
from uring_local.cost.deployment import Deployment
from uring_local.cost.workload import Workload

MONTH_SECONDS: Final = 30 * 86_400

# Lambda gives a whole core at this memory, and less below it.
_WHOLE_CORE_MEGABYTES: Final = 1_769
_HOURS: Final = MONTH_SECONDS // 3_600
_GB: Final = 1e9


class Usage:
    """A month's use, by family and unit.

    Attributes:
        amounts: by family and unit.
        assumed: by unit, the assumptions that its amount rests on.
    """

    def __init__(self, deployment: Deployment, workload: Workload) -> None:
        self.amounts: defaultdict[tuple[str, str], float] = defaultdict(float)
        self.assumed: defaultdict[str, set[str]] = defaultdict(set)
        self.deployment = deployment
        self.workload = workload
        self._operations = read_operations()
        self._metrics: defaultdict[tuple[str, str, str], float] = defaultdict(float)

    def add(self, family: str, unit: str, amount: float, *assumed: str) -> None:
        """Add an amount; ``assumed`` names its assumptions."""
        self.amounts[family, unit] += amount
        if amount:
            self.assumed[unit] |= {*assumed}

    def operate(
        self,
        family: str,
        name: str,
        times: float,
        *,
        side_by_side: float = 1,
        is_stored: bool = True,
    ) -> None:
        """Add an operation, done a number of times.

        Args:
            family: of the operation.
            name: of the operation.
            times: in the month.
            side_by_side: operations that wait for AWS at the same time.
            is_stored: False where its stored bytes are added by `store`.
        """
        operation = self._operations[name]
        counted = operation.counted
        calls = {unit: count * times for unit, count in counted.calls.items()}
        # Deletions are free.
        calls.pop("s3_delete", None)
        for unit, amount in calls.items():
            self.add(family, unit, amount)
        if is_stored:
            self.store(family, name, times)
        self._log(family, counted.line_bytes * times)
        for metric in self.deployment.metrics(operation.function).intersection(counted.metrics):
            self._metrics[family, operation.function, metric] += times
        self.compute(family, operation.function, operation.milliseconds * times)
        waits = operation.requests * times * self.workload.call_seconds / side_by_side
        self.wait(family, operation.function, waits, "call_seconds")

    def store(self, family: str, name: str, times: float, key: str = "") -> None:
        """Add an operation's stored bytes: a version is kept until the lifecycle deletes it.

        Args:
            family: of the operation.
            name: of the operation.
            times: in the month.
            key: of an object that has a rule of its own in the bucket's lifecycle.
        """
        months = self.deployment.version_months(key)
        size = self._operations[name].counted.stored_bytes
        self.add(family, "s3_gb_month", size * times / _GB * months)

    def invoke(
        self, family: str, function: str, times: float, seconds: float = 0, *assumed: str
    ) -> None:
        """Add invocations; each waits ``seconds`` beside its operations."""
        self.add(family, "lambda_request", times, *assumed)
        self._log(family, (PLATFORM_LINE_BYTES + INVOCATION_LINE_BYTES) * times)
        self.wait(family, function, seconds * times, *assumed)
        if self.deployment.functions[function].sources:
            # A receive and a deletion; the sending is counted by the sender.
            self.add(family, "sqs_request", 2 * times, *assumed)

    def start(self, family: str, function: str, times: float, *, secrets: int = 0) -> None:
        """Add the cold starts among ``times`` invocations; each cold start reads ``secrets``."""
        cold = times * self.workload.cold
        if cold:
            self.assumed[self.deployment.gb_second].add("cold")
        self.wait(family, function, START_MILLISECONDS / 1e3 * cold)
        self.add(family, "secret_call", secrets * cold, "cold")

    def compute(self, family: str, function: str, milliseconds: float) -> None:
        """Add CPU of a whole core, as the time that the function's share of a core takes."""
        memory = self.deployment.functions[function].memory_megabytes
        self.wait(family, function, milliseconds / 1e3 * max(1, _WHOLE_CORE_MEGABYTES / memory))

    def wait(self, family: str, function: str, seconds: float, *assumed: str) -> None:
        """Add run time of a function, as GB-seconds."""
        gigabytes = self.deployment.functions[function].memory_megabytes / 1_024
        self.add(family, self.deployment.gb_second, seconds * gigabytes, *assumed)

    def count_metrics(self) -> None:
        """Add the custom metrics: each is billed for the hours in which it was written."""
        for (family, _, _), times in self._metrics.items():
            self.add(family, "metric", min(1.0, times / _HOURS))
        self._metrics.clear()

    def _log(self, family: str, size: float) -> None:
        self.add(family, "log_gb", size / _GB)
        # CloudWatch compresses stored logs, to about a seventh.
        self.add(family, "log_gb_month", size / _GB * self.deployment.log_months * 0.15)
