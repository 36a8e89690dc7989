"""What a deployment of the template makes, as far as it is billed."""

from collections.abc import Mapping
from typing import Any, Final

from uring_local.project import ROOT
from uring_local.template.template import Function, Template, load

FAMILIES: Final[Mapping[str, str]] = {
    "FcmCredentialsSecret": "fcm/account",
    "WeatherKeySecret": "weather/key",
    "RegistriesKey": "config/registries.json",
    "WatchesKey": "config/watches.json",
}
"""The parameters that switch on what waits for a secret or a list."""


class Deployment:
    """A stack that is made of the template.

    Args:
        template: with the deployment's parameters.
    """

    def __init__(self, template: Template) -> None:
        document = template.document
        defaults = {
            name: str(each.get("Default", "")) for name, each in document["Parameters"].items()
        }
        self._values = {**defaults, **template.parameters}
        self._conditions: Mapping[str, Any] = document["Conditions"]
        self._resources: Mapping[str, Any] = document["Resources"]
        self.functions: Mapping[str, Function] = template.functions

    def number(self, parameter: str) -> float:
        """Return the value of a parameter that is a number."""
        return float(self._values[parameter])

    @property
    def gb_second(self) -> str:
        """The unit of the functions' time."""
        return f"gb_second_{self._values['Architecture']}"

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
        return sum(name.endswith("Secret") and value != "" for name, value in self._values.items())

    @property
    def airports(self) -> int:
        """The airports that the weather is asked for."""
        return self._values["WeatherAirports"].count(",") + 1

    @property
    def queues_polled(self) -> int:
        """The queues that feed functions, and are asked for it."""
        return sum(
            self._is_polled(event.get("Properties", {}))
            for name in self.functions
            for event in self._resources[name]["Properties"].get("Events", {}).values()
            if event["Type"] == "SQS"
        )

    @property
    def has_cdn(self) -> bool:
        """Whether readers come through CloudFront."""
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

    def _is_polled(self, trigger: Mapping[str, Any]) -> bool:
        match trigger.get("Enabled", True):
            case {"Fn::If": [condition, then, otherwise]}:
                return bool(then if self._holds({"Condition": condition}) else otherwise)
            case is_enabled:
                return bool(is_enabled)

    def _of_type(self, kind: str) -> dict[str, Mapping[str, Any]]:
        return {
            name: each.get("Properties", {})
            for name, each in self._resources.items()
            if each["Type"] == kind and self._holds({"Condition": each.get("Condition")})
        }

    def _holds(self, condition: Any) -> bool:
        match condition:
            case {"Condition": None}:
                return True
            case {"Condition": name}:
                return self._holds(self._conditions[name])
            case {"Fn::Equals": [left, right]}:
                return self._value(left) == self._value(right)
            case {"Fn::Not": [operand]}:
                return not self._holds(operand)
            case {"Fn::And": operands}:
                return all(self._holds(operand) for operand in operands)
            case {"Fn::Or": operands}:
                return any(self._holds(operand) for operand in operands)
        raise ValueError(f"{condition} is not read here")

    def _value(self, operand: Any) -> str:
        return self._values[operand["Ref"]] if isinstance(operand, dict) else str(operand)


def deployment(parameters: Mapping[str, str] = FAMILIES) -> Deployment:
    """Return a deployment of the project's template, by default one with every family."""
    return Deployment(load(ROOT / "template.yaml", parameters, "uring"))
