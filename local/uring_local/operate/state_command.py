"""The arguments of `uring state show` and `uring state repair`."""

import argparse
from typing import Any


def add_state(commands: Any) -> None:
    """Register ``state show`` and ``state repair`` with the command line's parser."""
    state = commands.add_parser("state", help="look at, or mend, what is known of a source")
    actions = state.add_subparsers(required=True, metavar="COMMAND")
    show = actions.add_parser(
        "show",
        help="what the state says, and whether it agrees with what was published",
        description="Holds a source's state against its archive and latest.json. Exit code 1 if "
        "something is wrong with them; trouble of the site is shown and is none.",
    )
    mend = actions.add_parser(
        "repair",
        help="rebuild it from what was published",
        description="Rebuilds a source's state from its archive and latest.json. Without --yes "
        "nothing is written. A check that runs meanwhile is never overwritten, and what is "
        "replaced is kept beside it as ….broken-….",
    )
    for action in (show, mend):
        action.add_argument("source", metavar="SOURCE_ID")
        place = action.add_mutually_exclusive_group(required=True)
        place.add_argument("--stack", metavar="NAME", help="a deployed stack")
        place.add_argument("--bucket", metavar="B", help="its bucket")
        action.add_argument("--family", default="notices", choices=["notices"])
        action.add_argument("--json", action="store_true")
    mend.add_argument(
        "--skip-damaged", action="store_true", help="pass over lines of the archive that are broken"
    )
    mend.add_argument("--yes", action="store_true", help="do it; without it nothing is written")
    show.set_defaults(command=_show)
    mend.set_defaults(command=_repair)


def _show(options: argparse.Namespace) -> bool:
    # boto3 and rich are for these commands alone.
    from uring_local.operate.bucket import open_bucket  # noqa: PLC0415
    from uring_local.operate.state import show_state  # noqa: PLC0415

    bucket = open_bucket(stack=options.stack, bucket=options.bucket)
    return show_state(bucket, options.family, options.source, as_json=options.json)


def _repair(options: argparse.Namespace) -> bool:
    from uring_local.operate.bucket import open_bucket  # noqa: PLC0415
    from uring_local.operate.state import repair_state  # noqa: PLC0415

    return repair_state(
        open_bucket(stack=options.stack, bucket=options.bucket),
        options.family,
        options.source,
        skip_damaged=options.skip_damaged,
        write=options.yes,
        as_json=options.json,
    )
