"""The billed facts of a deployment of the template."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from uring_local.families import NAMES
from uring_local.project import ROOT
from uring_local.template.families import family_of, switching_on
from uring_local.template.template import Template, TemplateFunction, load
from uring_local.template.values import TemplateValues

_DAYS: Final = 30
_OF_A_THOUSAND: Final = 1_024
_HALF_A_DAY: Final = 0.5


class Deployment:
    """A stack made from the template.

    Args:
        template: resolved with the deployment's parameters.
    """

    def __init__(self, template: Template) -> None:
        self._conditions = template.conditions
        self._resources: Mapping[str, Any] = template.document["Resources"]
        self.functions: Mapping[str, TemplateFunction] = template.deployed()

    @property
    def families(self) -> tuple[str, ...]:
        """The deployed families, in the order in which they are shown."""
        deployed = {family_of(function) for function in self.functions}
        return tuple(name for name in NAMES if name in deployed)

    def text(self, parameter: str) -> str:
        """Return the value of a parameter.

        Raises:
            KeyError: there is no such parameter.
        """
        return str(self._conditions.values[parameter])

    def number(self, parameter: str) -> float:
        """Return the value of a numeric parameter.

        Raises:
            KeyError: there is no such parameter.
        """
        return float(self._conditions.values[parameter])

    @property
    def gb_second(self) -> str:
        """The price unit of the functions' time, which depends on their architecture."""
        return f"gb_second_{self._conditions.values['Architecture']}"

    @property
    def alarms(self) -> int:
        """The number of metrics that alarms watch: one each, more for an alarm with metric math."""
        return sum(
            sum("MetricStat" in each for each in alarm.get("Metrics", ())) or 1
            for alarm in self._of_type("AWS::CloudWatch::Alarm").values()
        )

    @property
    def dashboards(self) -> int:
        """The number of dashboards."""
        return len(self._of_type("AWS::CloudWatch::Dashboard"))

    @property
    def secrets(self) -> int:
        """The number of secrets that parameters name."""
        return sum(
            name.endswith("Secret") and value != ""
            for name, value in self._conditions.values.items()
        )

    @property
    def airports(self) -> int:
        """The number of airports of the weather family."""
        return self._conditions.values["WeatherAirports"].count(",") + 1

    @property
    def queues_polled(self) -> int:
        """The number of queues that functions poll."""
        return sum(
            event["Type"] == "SQS"
            for name in self.functions
            for event in self._resources[name]["Properties"].get("Events", {}).values()
        )

    @property
    def container_size(self) -> tuple[float, float]:
        """The processors and the gigabytes of a container of the domain worker."""
        task = self._resources["SeedContainerTask"]["Properties"]
        return int(task["Cpu"]) / _OF_A_THOUSAND, int(task["Memory"]) / _OF_A_THOUSAND

    @property
    def has_cdn(self) -> bool:
        """True when readers come through CloudFront."""
        return bool(self._of_type("AWS::CloudFront::Distribution"))

    def version_months(self, key: str) -> float:
        """Return the months for which the bucket keeps a replaced version of an object.

        Where several rules reach a key, S3 takes the shortest; it deletes at the midnight after.
        """
        kept = [
            float(rule["NoncurrentVersionExpiration"]["NoncurrentDays"])
            for rule in self._bucket["LifecycleConfiguration"]["Rules"]
            if "NoncurrentVersionExpiration" in rule and key.startswith(rule.get("Prefix", ""))
        ]
        return (min(kept) + _HALF_A_DAY) / _DAYS

    @property
    def log_months(self) -> float:
        """The months for which logs are kept."""
        return self.number("LogRetentionDays") / 30

    def metrics(self, function: str) -> frozenset[str]:
        """Return the counters that a function writes as metrics; the others are only logged."""
        return frozenset(self.functions[function].environment["METRICS"].split(","))

    def interval(self, function: str) -> int:
        """Return the seconds between two events of a function's schedule."""
        return self.functions[function].schedules[0].interval_seconds

    @property
    def resting_ticks(self) -> frozenset[str]:
        """The rules of schedules that the parameters switch off, by logical id."""
        values = TemplateValues(self._conditions, self._conditions.values)
        return frozenset(
            f"{function}{name}"
            for function in self.functions
            for name, event in self._resources[function]["Properties"].get("Events", {}).items()
            if event["Type"] == "Schedule"
            and values.of(event["Properties"].get("State", "ENABLED")) == "DISABLED"
        )

    def concurrency(self, function: str) -> float:
        """Return the number of invocations that a function's queue may have at once."""
        parameter, most = self.bound(function)
        return self.number(parameter) if parameter else float(most)

    def bound(self, function: str) -> tuple[str, int]:
        """Return the parameter that bounds a function's concurrency, or the number.

        A function without a queue has no bound: an empty name and 0.
        """
        events = self._resources[function]["Properties"].get("Events", {}).values()
        scaling = [each["Properties"].get("ScalingConfig") for each in events]
        most = next((each["MaximumConcurrency"] for each in scaling if each), 0)
        return (str(most["Ref"]), 0) if isinstance(most, dict) else ("", int(most))

    def throttle(self, api: str) -> float:
        """Return the requests a second that an HTTP API lets through."""
        settings = self._resources[api]["Properties"]["DefaultRouteSettings"]
        return float(settings["ThrottlingRateLimit"])

    def called(self, function: str) -> tuple[str, ...]:
        """Return the functions that a function calls and waits for."""
        values = self.functions[function].environment.values()
        named = (str(each.get("Ref", "")) for each in values if isinstance(each, dict))
        aliases = {f"{name}.Alias": name for name in self.functions}
        return tuple(aliases[name] for name in named if name in aliases)

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
        families: to switch on beside the notices.
        parameters: values that replace the template's defaults; a secret for FCM is always given.

    Raises:
        Misconfigured: an unknown family.
    """
    given = {"FcmCredentialsSecret": "fcm/account", **switching_on(families), **parameters}
    return Deployment(load(ROOT / "template.yaml", given, "uring"))
