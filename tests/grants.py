"""What the roles of the expanded template allow, and how it compares with what is used."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from expanded import PSEUDO, Stack

from uring_local.template.template import ALIAS

# Used by Lambda itself with the function's role, never by its code.
PLATFORM: Final = {
    "logs:CreateLogStream": "Lambda writes the function's log",
    "logs:PutLogEvents": "Lambda writes the function's log",
    "sqs:ReceiveMessage": "the event source mapping polls the queue",
    "sqs:DeleteMessage": "the event source mapping acknowledges",
    "sqs:GetQueueAttributes": "the event source mapping watches the queue's depth",
}

_PLACE: Final = f"{PSEUDO['AWS::Region']}:{PSEUDO['AWS::AccountId']}"
_SECRETS: Final = f"arn:aws:secretsmanager:{_PLACE}:secret:"
_FUNCTIONS: Final = f"arn:aws:lambda:{_PLACE}:function:"


@dataclass(frozen=True, order=True, slots=True)
class Use:
    """An action on a resource, or on a pattern of them, named by logical ids."""

    action: str
    resource: str


def grants(stack: Stack, function: str) -> set[Use]:
    """Every action on every resource pattern that the function's role allows."""
    functions = stack.of_type("AWS::Lambda::Function")
    role = stack.properties(functions[function]["Role"])
    # A function that invokes itself is named there: a reference would be a circle.
    ids = {f"{each['FunctionName']}:{ALIAS}": f"{key}:{ALIAS}" for key, each in functions.items()}
    return {
        Use(action, ids.get(name(resource), name(resource)))
        for statement in statements(role)
        for action in _as_list(statement["Action"])
        for resource in _as_list(statement["Resource"])
    }


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All statements of a role's inline policies."""
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


def name(resource: str) -> str:
    """``Bucket/data/*`` for an ARN that begins with a resource of the template.

    A secret and a function have their names alone: the rest of the ARN is the account's. A function
    is invoked by its alias, ``Function:live``.
    """
    resource = re.sub(rf"\$\{{(\w+)Alias{ALIAS}\}}", rf"\1:{ALIAS}", resource)
    text = re.sub(r"\$\{(\w+)(\.\w+)?\}", r"\1", resource)
    return text.removeprefix(_SECRETS).removeprefix(_FUNCTIONS).removesuffix("-??????")


def allows(grant: Use, use: Use) -> bool:
    """Whether a grant covers a use, as IAM matches names."""
    return grant.action == use.action and fnmatchcase(use.resource, grant.resource)


def refused(allowed: set[Use], used: set[Use]) -> set[Use]:
    """What is used and not allowed."""
    return {use for use in used if not any(allows(grant, use) for grant in allowed)}


def idle(allowed: set[Use], used: set[Use]) -> set[Use]:
    """What is allowed and never used, by the code or by Lambda."""
    return {
        grant
        for grant in allowed
        if grant.action not in PLATFORM and not any(allows(grant, use) for use in used)
    }


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
