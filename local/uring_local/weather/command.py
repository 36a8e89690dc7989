"""The arguments of `uring weather parse`."""

import argparse
from pathlib import Path
from typing import Any


def add_weather(commands: Any) -> None:
    """Register ``weather parse`` with the command line's parser."""
    weather = commands.add_parser("weather", help="look at what a weather gateway answered")
    actions = weather.add_subparsers(required=True, metavar="COMMAND")
    parse = actions.add_parser(
        "parse",
        help="read recorded METAR, SPECI, TAF, warnings or answers",
        description="Reads each file as the worker would: IWXXM alone, in a bulletin, or in an "
        "answer of either gateway, and lists of warnings. Shows what it says, or why it is not "
        "believed. Exit code 1 if any file is not read; an error that a gateway answered is one.",
    )
    parse.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parse.add_argument("--json", action="store_true", help="one JSON object per file and line")
    parse.set_defaults(command=_parse)


def _parse(options: argparse.Namespace) -> bool:
    # pydantic and rich are for this command alone.
    from uring_local.weather.files import read_recording  # noqa: PLC0415
    from uring_local.weather.show import show_json, show_text  # noqa: PLC0415

    show = show_json if options.json else show_text
    well = True
    for path in options.files:
        reading = read_recording(path)
        show(reading)
        well = well and reading.well
    return well
