"""Releases: whether each function's alias runs the last deployment."""

from collections.abc import Iterator
from typing import Any, Final

from uring.aws.errors import translated
from uring_local.doctor.finding import Diagnosis, failed, ok
from uring_local.doctor.subject import Subject
from uring_local.template.template import ALIAS
from uring_local.words import counted

# A version is a copy of these, made at its publication.
_COPIED: Final = ("CodeSha256", "Environment", "Layers", "MemorySize", "Runtime", "Timeout")
_PAGE: Final = "docs/operations.md, Releases"


def check_releases(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the aliases: each must run one version, the newest."""
    functions = subject.physical("AWS::Lambda::Function")
    client = subject.client("lambda")
    split, behind = list[str](), list[str]()
    for logical, name in sorted(functions.items()):
        with translated(f"lambda:GetAlias {name}:{ALIAS}"):
            alias = client.get_alias(FunctionName=name, Name=ALIAS)
        with translated(f"lambda:GetFunctionConfiguration {name}"):
            newest = client.get_function_configuration(FunctionName=name)
            live = client.get_function_configuration(FunctionName=name, Qualifier=ALIAS)
        if alias.get("RoutingConfig", {}).get("AdditionalVersionWeights"):
            split.append(logical)
        elif _copied(newest) != _copied(live):
            behind.append(f"{logical} ({alias['FunctionVersion']})")
    if split:
        yield failed(
            "releases",
            f"two versions at once: {', '.join(split)}",
            "a release is under way: examine again in half an hour; deploy it again if it was "
            "stopped",
        )
    elif behind:
        yield failed(
            "releases",
            f"older than the last deployment: {', '.join(behind)}",
            "put back by hand: deploy the wanted release with Gradual=false. A parameter missing "
            f"from samconfig.toml: add it, build, deploy ({_PAGE})",
        )
    else:
        yield ok("releases", f"{counted(len(functions), 'function')} as deployed last")


def _copied(configuration: dict[str, Any]) -> dict[str, Any]:
    found = {key: configuration.get(key) for key in _COPIED}
    return found | {"Layers": [each["Arn"] for each in configuration.get("Layers", [])]}
