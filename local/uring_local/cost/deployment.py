"""A deployment of the template, as far as it is billed."""

from collections.abc import Iterable, Mapping
from typing import Any

from uring_local.families import NAMES
from uring_local.project import ROOT
from uring_local.template.families import family_of, switching_on
from uring_local.template.template import Function, Template, load


class Deployment:
    """A stack that is made of the template.

    Args:
        template: with the deployment's parameters.
    """

    def __init__(self, template: Template) -> None:
        self._conditions = template.conditions
        self._resources: Mapping[str, Any] = template.document["Resources"]
        self.functions: Mapping[str, Function] = template.deployed()

    @property
    def families(self) -> tuple[str, ...]:
        """The families that it has."""
        deployed = {family_of(function) for function in self.functions}
        return tuple(name for name in NAMES if name in deployed)

    def number(self, parameter: str) -> float:
        """Return the value of a parameter that is a number."""
        return float(self._conditions.values[parameter])

    @property
    def gb_second(self) -> str:
        """The unit of the functions' time."""
        return f"gb_second_{self._conditions.values['Architecture']}"

    @property
    def alarms(self) -> int:
        """The metrics that alarms look at: one each, several of one with metric math."""
        return sum(
            sum("MetricStat" in each for each in alarm.get("Metrics", ())) or 1
            for alarm in self._of_type("AWS::CloudWatch::Alarm").values()
        )

    @property
    def dashboards(self) -> int:
        """The dashboards."""
        return len(self._of_type("AWS::CloudWatch::Dashboard"))

    @property
    def secrets(self) -> int:
        """The secrets that parameters name."""
        return sum(
            name.endswith("Secret") and value != ""
            for name, value in self._conditions.values.items()
        )

    @property
    def airports(self) -> int:
        """The airports that the weather is asked for."""
        return self._conditions.values["WeatherAirports"].count(",") + 1

    @property
    def queues_polled(self) -> int:
        """The queues that feed functions."""
        return sum(
            event["Type"] == "SQS"
            for name in self.functions
            for event in self._resources[name]["Properties"].get("Events", {}).values()
        )

    @property
    def has_cdn(self) -> bool:
        """True when readers come through CloudFront."""
        return bool(self._of_type("AWS::CloudFront::Distribution"))

    @property
    def version_months(self) -> float:
        """The months for which what was replaced in the bucket is kept."""
        rules = self._bucket["LifecycleConfiguration"]["Rules"]
        kept = [rule.get("NoncurrentVersionExpiration", {}) for rule in rules]
        return max(float(each.get("NoncurrentDays", 0)) for each in kept) / 30

    @property
    def log_months(self) -> float:
        """The months for which logs are kept."""
        return self.number("LogRetentionDays") / 30

    def metrics(self, function: str) -> frozenset[str]:
        """Return the counters of a function that are metrics; the others are no more than text."""
        return frozenset(self.functions[function].environment["METRICS"].split(","))

    def interval(self, function: str) -> int:
        """Return the seconds from one of its schedule's events to the next."""
        return self.functions[function].schedules[0].interval_seconds

    def concurrency(self, function: str) -> float:
        """Return how many of its invocations a queue begins at once."""
        events = self._resources[function]["Properties"]["Events"].values()
        scaling = [each["Properties"].get("ScalingConfig") for each in events]
        most = next(each["MaximumConcurrency"] for each in scaling if each)
        return self.number(most["Ref"]) if isinstance(most, dict) else float(most)

    @property
    def _bucket(self) -> Mapping[str, Any]:
        (bucket,) = self._of_type("AWS::S3::Bucket").values()
        return bucket

    def _of_type(self, kind: str) -> dict[str, Mapping[str, Any]]:
        return {
            name: each.get("Properties", {})
            for name, each in self._resources.items()
            if each["Type"] == kind and self._conditions.keep(each)
        }


def deployment(families: Iterable[str] = ("notices",), **parameters: str) -> Deployment:
    """Return a deployment of the project's template.

    Args:
        families: that it has beside the notices.
        parameters: further values; by default the template's, and a secret for FCM.

    Raises:
        Misconfigured: an unknown family.
    """
    given = {"FcmCredentialsSecret": "fcm/account", **switching_on(families), **parameters}
    return Deployment(load(ROOT / "template.yaml", given, "uring"))
