"""The `uring` command: run, add, try, diff, config, push test, state, weather parse."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from uring.errors import UringError
from uring_local.fcm.faults import parse_faults
from uring_local.fcm.rules import read_topic
from uring_local.propose.command import add_add
from uring_local.weather.command import add_weather

_SITEMAP = Path("config/sitemap.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code: 0 all is well, 1 something is wrong, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        return 0 if options.command(options) else 1
    except UringError as error:
        print(f"uring: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"uring: {where}{error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="uring", description="Detects changes in public sources and pushes them once."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_run(commands)
    add_add(commands, _SITEMAP)
    _add_try(commands)
    _add_diff(commands)
    _add_config(commands)
    _add_push(commands)
    _add_state(commands)
    add_weather(commands)
    return parser


def _add_run(commands: Any) -> None:
    run = commands.add_parser(
        "run",
        help="run the main job on a stack of this machine",
        description="Runs the application against the bundled campus site, a stand-in for FCM and "
        "an embedded stack, or the stack that AWS_ENDPOINT_URL names. Ends after --ticks with a "
        "summary: exit code 1 if anything was lost, doubled or left in a dead-letter queue.",
    )
    run.add_argument(
        "--in-process", action="store_true", help="run the functions in this process: no build"
    )
    run.add_argument(
        "--family",
        choices=("notices", "weather"),
        default="notices",
        help="weather runs in this process on a simulated clock, a tick is five minutes",
    )
    run.add_argument("--config", type=Path, metavar="F", help="watch these sources, not the campus")
    run.add_argument("--ticks", type=_whole, metavar="N", help="end after N ticks (default: never)")
    run.add_argument(
        "--speed",
        type=_positive,
        metavar="X",
        help="times faster than a tick in ten minutes (default: 60; with --ticks, no waiting; with "
        "--config, 1: real sites are asked no more often than in production)",
    )
    run.add_argument("--seed", type=int, metavar="S", help="of the site's script and the faults")
    run.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST:PORT",
        help="a private address that may be fetched all the same; may be repeated",
    )
    run.add_argument(
        "--fcm-fault",
        action="append",
        default=[],
        type=_faults,
        metavar="KIND:SHARE",
        help="make FCM fail, as 503:0.3, 429:0.1:5, timeout:0.05, drop:0.1, at most "
        "three times in a row for one push; may be repeated",
    )
    run.add_argument(
        "--gateway-fault",
        type=_share,
        default=0.0,
        metavar="SHARE",
        help="of the weather: make that share of the gateway's answers fail, each in its own way",
    )
    run.add_argument("--json", action="store_true", help="one JSON object per event and line")
    run.set_defaults(command=_run, refuse=run.error)


def _add_try(commands: Any) -> None:
    trial = commands.add_parser("try", help="show what an entry extracts from its page")
    trial.add_argument("source", metavar="SOURCE_ID")
    trial.add_argument("--config", type=Path, default=_SITEMAP, metavar="F")
    trial.add_argument("--page", type=Path, metavar="FILE", help="a saved page, not the site")
    trial.add_argument("--url", metavar="URL", help="another address than the entry's")
    trial.add_argument("--json", action="store_true")
    trial.set_defaults(command=_try)


def _add_diff(commands: Any) -> None:
    diff = commands.add_parser(
        "diff",
        help="show the changes that a pair of saved pages would cause",
        description="Takes the first page for what is known and the second for what a check finds: "
        "guards, kinds of change and pushes as the worker has them. Exit code 1 if either page "
        "would not be believed.",
    )
    diff.add_argument("source", metavar="SOURCE_ID")
    diff.add_argument("--before", type=Path, required=True, metavar="FILE")
    diff.add_argument("--after", type=Path, required=True, metavar="FILE")
    diff.add_argument("--config", type=Path, default=_SITEMAP, metavar="F")
    diff.add_argument("--json", action="store_true")
    diff.set_defaults(command=_diff)


def _add_config(commands: Any) -> None:
    config = commands.add_parser("config", help="look after the sitemap")
    actions = config.add_subparsers(required=True, metavar="COMMAND")
    upload = actions.add_parser("upload", help="check it and put it into a deployed stack's bucket")
    upload.add_argument("file", type=Path, nargs="?", default=_SITEMAP, metavar="F")
    upload.add_argument("--stack", required=True, metavar="NAME")
    upload.set_defaults(command=_upload)
    check = actions.add_parser("check", help="name every problem with its place and the remedy")
    check.add_argument("file", type=Path, nargs="?", default=_SITEMAP, metavar="F")
    check.add_argument("--json", action="store_true")
    check.set_defaults(command=_check)
    schema = actions.add_parser("schema", help="print the JSON Schema of the sitemap, for editors")
    schema.set_defaults(command=_schema)


def _add_push(commands: Any) -> None:
    push = commands.add_parser("push", help="ask FCM")
    actions = push.add_subparsers(required=True, metavar="COMMAND")
    test = actions.add_parser(
        "test",
        help="would FCM take a push now? Nothing is delivered",
        description="Has FCM validate one message through the notifier's own sender: key, project, "
        "topic and message. Exit code 1 if it refuses, with the remedy.",
    )
    test.add_argument("--topic", required=True, type=_topic, metavar="T")
    test.add_argument("--stack", metavar="NAME", help="project and secret of a deployed stack")
    test.add_argument("--project", default="", metavar="P", help="Firebase project")
    test.add_argument(
        "--credentials-secret",
        default="",
        metavar="S",
        help="in Secrets Manager (default: Google's application default credentials)",
    )
    test.add_argument("--endpoint", default="", metavar="URL", help="a stand-in for FCM")
    test.add_argument("--json", action="store_true", help="one JSON object")
    test.set_defaults(command=_push_test)


def _add_state(commands: Any) -> None:
    state = commands.add_parser("state", help="look at, or mend, what is known of a source")
    actions = state.add_subparsers(required=True, metavar="COMMAND")
    show = actions.add_parser(
        "show",
        help="what the state says, and whether readers see it",
        description="Exit code 1 if the state is broken or latest.json is not what it says; "
        "trouble of the site is shown and is none.",
    )
    mend = actions.add_parser(
        "repair",
        help="put back the newest version that can be read",
        description="Puts back the newest version of a broken state. Without --yes nothing is "
        "written: exit code 1 if there is something to put back. What a check commits meanwhile "
        "is never overwritten, and what is replaced stays a version of the object.",
    )
    for action in (show, mend):
        action.add_argument("source", metavar="SOURCE_ID")
        action.add_argument("--stack", required=True, metavar="NAME")
        action.add_argument("--family", metavar="F", help="where several have such a source")
        action.add_argument("--json", action="store_true", help="one JSON object")
    mend.add_argument("--yes", action="store_true", help="do it; without it nothing is written")
    show.set_defaults(command=_show_state)
    mend.set_defaults(command=_repair_state)


def _run(options: argparse.Namespace) -> bool:
    if options.family == "weather":
        return _run_weather(options)
    if options.gateway_fault:
        options.refuse("--gateway-fault is of the weather: add --family weather")
    # boto3, firebase-admin and rich are for this command alone.
    from uring_local.run.launch import Options, launch  # noqa: PLC0415

    return launch(
        Options(
            in_process=options.in_process,
            config=options.config,
            ticks=options.ticks,
            speed=options.speed,
            seed=options.seed,
            allow_hosts=options.allow_host,
            fcm_faults=[fault for faults in options.fcm_fault for fault in faults],
            as_json=options.json,
        )
    )


def _run_weather(options: argparse.Namespace) -> bool:
    from uring_local.run.weather_launch import WeatherOptions, launch_weather  # noqa: PLC0415

    if options.config or options.allow_host:
        options.refuse("--config and --allow-host are of the notices: leave them out")
    return launch_weather(
        WeatherOptions(
            ticks=options.ticks,
            speed=options.speed,
            seed=options.seed,
            gateway_fault=options.gateway_fault,
            fcm_faults=[fault for faults in options.fcm_fault for fault in faults],
            as_json=options.json,
        )
    )


def _try(options: argparse.Namespace) -> bool:
    from uring_local.entries.try_entry import try_source  # noqa: PLC0415

    return try_source(
        options.config, options.source, page=options.page, url=options.url, as_json=options.json
    )


def _diff(options: argparse.Namespace) -> bool:
    from uring_local.entries.diff import compare_pages  # noqa: PLC0415

    return compare_pages(
        options.config, options.source, options.before, options.after, as_json=options.json
    )


def _check(options: argparse.Namespace) -> bool:
    from uring_local.entries.try_entry import check_config  # noqa: PLC0415

    return check_config(options.file, as_json=options.json)


def _schema(_: argparse.Namespace) -> bool:
    from uring_local.entries.schema import schema_text  # noqa: PLC0415

    print(schema_text(), end="")
    return True


def _upload(options: argparse.Namespace) -> bool:
    from uring_local.operate.upload import upload_config  # noqa: PLC0415

    return upload_config(options.file, options.stack)


def _push_test(options: argparse.Namespace) -> bool:
    from uring_local.operate.push_test import Destination, push_test  # noqa: PLC0415

    return push_test(
        options.topic,
        Destination(options.project, options.credentials_secret, options.endpoint),
        stack=options.stack,
        as_json=options.json,
    )


def _show_state(options: argparse.Namespace) -> bool:
    from uring_local.operate.state import show_state  # noqa: PLC0415

    return show_state(
        options.source, stack=options.stack, family=options.family, as_json=options.json
    )


def _repair_state(options: argparse.Namespace) -> bool:
    from uring_local.operate.state import repair_state  # noqa: PLC0415

    return repair_state(
        options.source,
        stack=options.stack,
        family=options.family,
        write=options.yes,
        as_json=options.json,
    )


def _checked(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Raise what argparse shows the message of."""

    def checked(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return checked


_faults = _checked(parse_faults)
_topic = _checked(read_topic)


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: give a whole number from 1")
    return int(text)


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number from 0 to below 1")
    return number


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r}: give a number above 0")
    return number
