"""`uring seeds collect`: shows a plan, and begins the collection through the HTTP API."""

import json
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

import boto3

from uring.seeds.messages import OrchestrateRequest
from uring.seeds.partition import Partition, dataset_prefix
from uring.seeds.progress import STOPPED
from uring_local.cost.deployment import Deployment
from uring_local.operate.bucket import deployed_with
from uring_local.operate.problems import problem_lines
from uring_local.operate.signed import SignedApi, api_address
from uring_local.seeds.copies import CopyingBucket
from uring_local.seeds.plan import (
    HEAD_BYTES,
    CollectionPlan,
    budget,
    deployed_as,
    dollars_of_a_domain,
    make_plan,
    way_of,
)
from uring_local.seeds.status import open_progress
from uring_local.words import counted, printable

_API: Final = "SeedApi"
_ROUTE: Final = "/api/v1/seeds/orchestrate"
_USAGE: Final = 2


def orchestrate(
    stack: str, request: OrchestrateRequest, *, dollars: float | None, yes: bool, as_json: bool
) -> bool:
    """Print the plan of a collection, begin it, print the response; return whether it was begun.

    Args:
        stack: the deployed stack's name.
        request: the filter, with a budget in domains.
        dollars: a budget; None for none.
        yes: begin without a filter, too.
        as_json: print one JSON object.

    Raises:
        SystemExit: 2, there is neither a filter nor ``yes``; the plan was printed.
        Misconfigured: no such stack, no API, no permission, or a budget below one domain.
        Unavailable: S3 or the API did not respond.
    """
    session, description = boto3.Session(), deployed_with(stack, "seeds")
    deployed = deployed_as(description.parameters)
    each = dollars_of_a_domain(deployed, session.region_name)
    request = request.model_copy(update={"most": budget(request.most, dollars, each)})
    bucket = open_copies(description.outputs["BucketName"])
    plan = _plan(bucket, request, deployed, each, goes_on=_goes_on(stack, request))
    if not as_json:
        print(*plan.lines(), sep="\n")
    if not (yes or request.has_filter):
        if as_json:
            print(json.dumps({"plan": plan.document()}))
        else:
            print("without a filter everything is collected: repeat it with --yes")
        raise SystemExit(_USAGE)
    return begin(stack, request, plan=plan if as_json else None, as_json=as_json)


def begin(
    stack: str,
    request: OrchestrateRequest,
    *,
    plan: CollectionPlan | None = None,
    as_json: bool = False,
) -> bool:
    """Request a collection and print the response; return whether the collection was begun.

    Args:
        stack: the deployed stack's name.
        request: the filter.
        plan: to print with the response as JSON.
        as_json: print one JSON object.

    Raises:
        Misconfigured: no such stack, no API, or no permission.
        Unavailable: the API did not respond.
    """
    base = api_address(deployed_with(stack, "seeds").outputs, name=_API, stack=stack)
    answer = SignedApi(base, boto3.Session()).post(_ROUTE, request.model_dump(exclude_none=True))
    if as_json:
        planned = {"plan": plan.document()} if plan else {}
        document = {"status": answer.status, **planned, **answer.document}
        print(json.dumps(document, ensure_ascii=False))
    elif answer.is_success:
        _print_begun(answer.document, stack)
    else:
        print(*problem_lines(answer), sep="\n")
    return answer.is_success


def _goes_on(stack: str, request: OrchestrateRequest) -> bool:
    """Return whether a request lets a stopped partition go on."""
    if not (request.country and request.category and request.date):
        return False
    partition = Partition(request.country, request.category, request.date)
    started = open_progress(stack).started(partition)
    return started is not None and started.held == STOPPED


def _plan(
    bucket: CopyingBucket,
    request: OrchestrateRequest,
    deployed: Deployment,
    dollars_each: float,
    *,
    goes_on: bool,
) -> CollectionPlan:
    def head(key: str) -> bytes:
        reading = bucket.open(key)
        if reading is None:
            return b""
        with closing(reading):
            return reading.read(HEAD_BYTES)

    return make_plan(
        bucket.objects(dataset_prefix(request.country, request.category, request.date)),
        head,
        request,
        concurrency=int(deployed.concurrency("DomainWorker")),
        dollars_each=dollars_each,
        way=way_of(deployed),
        goes_on=goes_on,
    )


def open_copies(name: str) -> CopyingBucket:
    """Return the bucket of this name, whose listing has sizes."""
    return CopyingBucket(boto3.client("s3"), name)


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
    for partition, state in document.get("held", {}).items():
        print(f"{printable(str(partition))} is {printable(str(state))}, and passed over")
    if not document.get("is_complete", True):
        print("another invocation sends the rest")
    if files:
        print(f"`uring seeds status --stack {stack} --watch` shows its progress")
    elif not document.get("held"):
        print("no raw file matches; they are below `datasets/` in the bucket")
