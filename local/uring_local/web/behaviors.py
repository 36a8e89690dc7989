"""The cache behaviors of the template's distribution: an address → an origin, and its headers.

The parts of CloudFront that a reader on loopback can see: caches, compression and TLS are not
played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from uring_local.template.template import Template
from uring_local.template.values import TemplateValues

_ROOT: Final = "/"


@dataclass(frozen=True, slots=True)
class Behavior:
    """A behavior, and the headers that its policy adds to every response.

    Attributes:
        pattern: of the paths, ``/data/*``; the default's is ``*``.
        origin_path: prefix of the path at the origin, ``/web``; empty for none.
        methods: the allowed methods.
        headers: by name.
        cross_origin: further headers for a request with an Origin.
        is_bucket: whether the origin is the bucket.
    """

    pattern: str
    origin_path: str
    methods: Sequence[str]
    headers: Mapping[str, str]
    cross_origin: Mapping[str, str]
    is_bucket: bool


@dataclass(frozen=True, slots=True)
class Distribution:
    """The behaviors in their order, the default one last, and the object of the root."""

    behaviors: Sequence[Behavior]
    root_object: str

    def behavior(self, path: str) -> Behavior:
        """Return the first behavior whose pattern matches a path; the default matches all."""
        return next(each for each in self.behaviors if fnmatchcase(path, each.pattern))

    def key(self, path: str) -> str:
        """Return the bucket's key for a decoded path; ``/`` is the root object."""
        named = f"{_ROOT}{self.root_object}" if path == _ROOT else path
        return f"{self.behavior(path).origin_path}{named}"[1:]


def read_distribution(template: Template) -> Distribution:
    """Return the distribution of a template, resolved with its parameters.

    Raises:
        StackFailed: the template uses a function that is not supported here.
    """
    conditions, resources = template.conditions, template.document["Resources"]
    values = TemplateValues(conditions, conditions.values)
    config = values.of(resources["Distribution"]["Properties"]["DistributionConfig"])
    origins = {origin["Id"]: origin for origin in config["Origins"]}

    def read(behavior: Mapping[str, Any]) -> Behavior:
        origin = origins[behavior["TargetOriginId"]]
        reference = behavior["ResponseHeadersPolicyId"][2:-1]
        policy = values.of(resources[reference]["Properties"]["ResponseHeadersPolicyConfig"])
        return Behavior(
            behavior.get("PathPattern", "*"),
            origin.get("OriginPath", ""),
            behavior["AllowedMethods"],
            _headers(policy),
            _cross_origin(policy.get("CorsConfig", {})),
            "S3OriginConfig" in origin,
        )

    listed = [*config["CacheBehaviors"], config["DefaultCacheBehavior"]]
    return Distribution([read(each) for each in listed], config["DefaultRootObject"])


def _headers(policy: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in policy.get("SecurityHeadersConfig", {}).items():
        match name:
            case "ContentSecurityPolicy":
                found["Content-Security-Policy"] = value["ContentSecurityPolicy"]
            case "ContentTypeOptions":
                found["X-Content-Type-Options"] = "nosniff"
            case "ReferrerPolicy":
                found["Referrer-Policy"] = value["ReferrerPolicy"]
            case "StrictTransportSecurity":
                found["Strict-Transport-Security"] = f"max-age={value['AccessControlMaxAgeSec']}"
    for each in policy.get("CustomHeadersConfig", {}).get("Items", ()):
        found[each["Header"]] = each["Value"]
    return found


def _cross_origin(cors: Mapping[str, Any]) -> dict[str, str]:
    if not cors:
        return {}
    return {
        "Access-Control-Allow-Origin": ", ".join(cors["AccessControlAllowOrigins"]["Items"]),
        "Access-Control-Expose-Headers": ", ".join(cors["AccessControlExposeHeaders"]["Items"]),
    }
