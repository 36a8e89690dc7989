"""`uring seeds`: collections of whole lists of domains.

boto3, requests, pydantic and rich are imported where they are needed: the other commands, and
`--help`, do without them.
"""

from datetime import date
from typing import Annotated, Final

from cyclopts import ArgumentCollection, Group, Parameter
from cyclopts.validators import Number

from uring_local.options import Json


def _either(choices: ArgumentCollection) -> None:
    if len([choice for choice in choices if choice.has_tokens]) != 1:
        raise ValueError("write either --stack or --bucket")


_WHERE: Final = Group("Where", validator=_either)


def orchestrate(
    *,
    stack: str,
    country: str | None = None,
    category: str | None = None,
    date: date | None = None,
    force: bool = False,
    most: Annotated[int | None, Parameter(validator=Number(gte=1, lte=10**9))] = None,
    dollars: Annotated[float | None, Parameter(validator=Number(gt=0, lte=10**6))] = None,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Print a plan, and begin to collect the domains of all raw files, or of some.

    Finished files are not read again: each costs one look. A stopped partition goes on if country,
    category and date name it; a paused one does not. Exit code 1 if it is refused, 2 without a
    filter and without --yes.

    Args:
        stack: the deployed stack's name.
        country: two letters; by default all countries.
        category: such as news; by default all categories.
        date: YYYY-MM-DD; by default all days.
        force: collect finished files again.
        most: the domains that this run may send; its files stop there, and the next run goes on.
        dollars: the same in dollars, at the price of a domain by `uring cost`.
        yes: collect everything, without a filter.
        as_json: print plan and response as one JSON object.
    """
    from pydantic import ValidationError

    from uring.errors import Misconfigured
    from uring.seeds.messages import OrchestrateRequest
    from uring_local.seeds.orchestrate import orchestrate

    given = {"country": country, "category": category, "date": date and date.isoformat()}
    try:
        request = OrchestrateRequest.model_validate({**given, "force": force, "most": most})
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        raise Misconfigured(f"--{problem['loc'][0]}: {problem['msg']}") from error
    return orchestrate(stack, request, dollars=dollars, yes=yes, as_json=as_json)


def pause_partition(partition: str, /, *, stack: str) -> bool:
    """Let the messages of a partition wait, for weeks if need be; they use up no try.

    Exit code 1 if it was never collected, or is stopped.

    Args:
        partition: its name, such as sg/news/2026-01-28.
        stack: the deployed stack's name.
    """
    from uring_local.seeds import hold

    return hold.pause(stack, partition)


def resume_partition(partition: str, /, *, stack: str) -> bool:
    """Let the messages of a paused partition go on, within half an hour.

    Exit code 1 if it was never collected, or is stopped: `uring seeds collect` goes on then.

    Args:
        partition: its name, such as sg/news/2026-01-28.
        stack: the deployed stack's name.
    """
    from uring_local.seeds import hold

    return hold.resume(stack, partition)


def stop_partition(partition: str, /, *, stack: str, yes: bool = False) -> bool:
    """Let the messages of a partition end unasked, and its files unread.

    `uring seeds collect` with its country, category and date goes on where it was. Exit code 1
    if it was never collected, 2 without --yes.

    Args:
        partition: its name, such as sg/news/2026-01-28.
        stack: the deployed stack's name.
        yes: stop it.
    """
    from uring_local.seeds import hold

    return hold.stop(stack, partition, yes=yes)


def show_status(
    partition: str = "",
    /,
    *,
    stack: str,
    watch: bool = False,
    every: Annotated[float, Parameter(validator=Number(gt=0, lte=3600))] = 2,
    as_json: Json = False,
) -> bool:
    """Show the progress of collections, their pace, and the queues.

    Exit code 1 if there is no collection, a raw file could not be read, or nothing moves any more.

    Args:
        partition: its name, such as sg/news/2026-01-28, or a prefix of names.
        stack: the deployed stack's name.
        watch: go on until all is over.
        every: seconds between two readings.
        as_json: print one JSON object for each reading.
    """
    from uring_local.seeds.watch import status

    return status(stack, partition, watch=watch, every=every, as_json=as_json)


def show_report(
    *, stack: str, weekly: bool = False, date: date | None = None, as_json: Json = False
) -> bool:
    """Print a stored report on the collections of a day, or of a week.

    Exit code 1 if that day or week has no report.

    Args:
        stack: the deployed stack's name.
        weekly: the report of a week.
        date: YYYY-MM-DD, the day, or any day of the week; by default the newest report.
        as_json: print every figure as JSON.
    """
    from uring_local.seeds import report

    return report.show_report(stack, "weekly" if weekly else "daily", date, as_json=as_json)


def work_queue(
    *,
    queue: str | None = None,
    stack: str | None = None,
    at_once: Annotated[int, Parameter(validator=Number(gte=1, lte=1000))] = 50,
    until_empty: bool = False,
    grace: Annotated[float, Parameter(validator=Number(gte=1, lte=3600))] = 7,
) -> bool:
    """Run the domain worker in this process, until SIGTERM or Ctrl-C.

    It may work beside the Lambda function and other processes on one queue: each domain is
    collected once. The settings are the function's, by --stack, or else variables of this process
    with the same names. At a signal it receives nothing more, ends what it is doing, and gives back
    what is not done in time. Exit code 0, or 1 if it cannot begin.

    Args:
        queue: the URL of the domain queue; by default the stack's, or WORK_QUEUE_URL.
        stack: the deployed stack's name.
        at_once: domains in work at once. A process uses one core.
        until_empty: end once the queue has been empty for a minute.
        grace: seconds from a signal until work that is not done is given back.
    """
    from uring_local.seeds.work import work

    return work(queue, stack, at_once=at_once, until_empty=until_empty, grace_seconds=grace)


def list_rejected(partition: str = "", /, *, stack: str, as_json: Json = False) -> bool:
    """Print the records of raw files that could not be used, each with its reason and text.

    Exit code 1 if there are any.

    Args:
        partition: its name, such as sg/news/2026-01-28; by default all.
        stack: the deployed stack's name.
        as_json: print them as one JSON array, with up to 4,000 characters of each.
    """
    from uring_local.seeds import rejected

    return rejected.list_rejected(stack, partition, as_json=as_json)


def retry_rejected(partition: str, /, *, stack: str) -> bool:
    """Read the files of a partition that have rejected records again, from their beginning.

    Their marks and checkpoints are deleted, and the partition is orchestrated. Domains that are
    collected are not asked again: each costs one look. Exit code 1 if there is no such file.

    Args:
        partition: its name, such as sg/news/2026-01-28.
        stack: the deployed stack's name.
    """
    from uring_local.seeds import rejected

    return rejected.retry_rejected(stack, partition)


def migrate_datasets(
    *,
    stack: Annotated[str | None, Parameter(group=_WHERE)] = None,
    bucket: Annotated[str | None, Parameter(group=_WHERE)] = None,
    country: str | None = None,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Copy datasets from research/datasets/ to the current layout, and verify each copy.

    Without --yes nothing is written. Originals stay, and no file is ever replaced. Exit code 1 if
    a target has other content, or a copy failed.

    Args:
        stack: the deployed stack, whose bucket has both layouts.
        bucket: the bucket, by its name.
        country: two letters; by default all countries.
        yes: copy.
        as_json: print one JSON object with every file.
    """
    from uring_local.seeds.migrate import migrate

    return migrate(bucket, stack, country, write=yes, as_json=as_json)
