"""`uring seeds orchestrate`: begins a collection through the stack's HTTP API."""

import json
from collections.abc import Mapping
from typing import Any, Final

import boto3

from uring_local.operate.bucket import deployed_with
from uring_local.operate.problems import problem_lines
from uring_local.operate.signed import SignedApi, api_address
from uring_local.words import counted, printable

_API: Final = "SeedApi"
_ROUTE: Final = "/api/v1/seeds/orchestrate"


def orchestrate(stack: str, request: Mapping[str, Any], *, as_json: bool) -> bool:
    """Request a collection and print the response; return whether the collection was begun.

    Raises:
        Misconfigured: no such stack, no API, or no permission.
        Unavailable: the API did not respond.
    """
    base = api_address(deployed_with(stack, "seeds").outputs, name=_API, stack=stack)
    answer = SignedApi(base, boto3.Session()).post(_ROUTE, request)
    if as_json:
        print(json.dumps({"status": answer.status, **answer.document}, ensure_ascii=False))
    elif answer.is_success:
        _print_begun(answer.document, stack)
    else:
        print(*problem_lines(answer), sep="\n")
    return answer.is_success


def _print_begun(document: Mapping[str, Any], stack: str) -> None:
    files, partitions = document.get("files", 0), document.get("partitions", [])
    where = counted(len(partitions), "partition")
    print(f"{counted(files, 'raw file')} of {where} sent; run {document.get('run')}")
    for partition in partitions:
        print(f"  {printable(str(partition))}")
    if skipped := document.get("skipped", 0):
        print(f"{counted(skipped, 'object')} passed over: the name or folder misses the layout")
        for name in document.get("misnamed", []):
            print(f"  {printable(str(name))}")
    if not document.get("is_complete", True):
        print("another invocation sends the rest")
    if files:
        print(f"`uring seeds status --stack {stack} --watch` shows its progress")
    else:
        print("no raw file matches; they are below `datasets/` in the bucket")
