"""The `uring` command: every command of the rooms, put together."""

import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from importlib.metadata import version
from io import TextIOWrapper
from typing import Any, Final, TypeVar

from cyclopts import App, CycloptsError, Group, Parameter, UnknownCommandError

from uring.errors import UringError
from uring_local.add.command import add_source
from uring_local.cost.command import show_cost
from uring_local.deploy.command import deploy_stack
from uring_local.doctor.command import examine_stack
from uring_local.documents import commands as attachments
from uring_local.documents import commands_of_issues as found
from uring_local.documents.commands_of_locks import locks
from uring_local.domains.commands import (
    collect_domains,
    normalize_urls,
    read_robots_files,
    read_sitemap_files,
    show_domain,
)
from uring_local.entries.commands import (
    check_config,
    diff_pages,
    print_schema,
    show_rhythm,
    try_entry,
)
from uring_local.look.commands import check_source, list_sources, watch_stack
from uring_local.operate.commands import (
    compile_functions,
    copy_data,
    decide_board,
    push_test,
    repair_state,
    retract_pushes,
    show_state,
    split_config,
    upload_config,
    write_env,
)
from uring_local.options import WrongUsage
from uring_local.oversee.commands import pause_source, resume_source, show_refused
from uring_local.queues.commands import list_queues, redrive_letters, show_letters
from uring_local.region import regional
from uring_local.regulations.commands import (
    diff_files,
    extract_files,
    fill_history,
    list_dead_letters,
    parse_page,
    retry_dead_letters,
)
from uring_local.run.command import run
from uring_local.seeds.commands import (
    list_rejected,
    migrate_datasets,
    orchestrate,
    pause_partition,
    resume_partition,
    retry_rejected,
    show_report,
    show_status,
    stop_partition,
    work_queue,
)
from uring_local.weather.command import parse_files
from uring_local.web.commands import upload_client

# As of a program that SIGPIPE ended.
_PIPE_CLOSED: Final = 141
_HELP: Final = "help"
# Of two options: --verion and --version; not --json and --version.
_ALIKE: Final = 0.7
R = TypeVar("R")
_OPTIONS: Final = ("--help", "--version", "--install-completion")

TRY: Final = Group("Try, on this machine", sort_key=1)
SOURCES: Final = Group("Sources", sort_key=2)
DEPLOY: Final = Group("Deploy", sort_key=3)
OPERATE: Final = Group("Operate a deployed stack", sort_key=4)
_GENERAL: Final = Group("Options", sort_key=5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 all is well, 1 something is wrong.

    Raises:
        SystemExit: 2, wrong usage.
    """
    tokens = [*(sys.argv[1:] if arguments is None else arguments)]
    _show_any_letter()
    if tokens[:1] == [_HELP]:
        tokens = [*(each for each in tokens if each != _HELP), "--help"]
    try:
        well = application()(
            tokens, exit_on_error=False, print_error=False, result_action="return_value"
        )
        _flush()
    except CycloptsError as error:
        command = " ".join(["uring", *(error.command_chain or ())])
        print(f"{command}: {_told(error, tokens)} ({command} --help)", file=sys.stderr)
        raise SystemExit(2) from None
    except WrongUsage as error:
        print(f"uring: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except UringError as error:
        print(f"uring: {error}", file=sys.stderr)
        return 1
    except SystemExit as error:
        # rich ends the program, with 1, when its reader has enough.
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        return _closed_pipe()
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"uring: {where}{error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 1 if well is False else 0


def _show_any_letter() -> None:
    """Escape the letters that a terminal of another charset lacks, in place of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    # The shell may have closed the output, as in `uring … >&-`.
    if sys.stdout is not None:
        sys.stdout.flush()


def _closed_pipe() -> int:
    """Return the exit code for a reader, such as `head`, that has enough."""
    # Python would flush once more at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return _PIPE_CLOSED


def _told(error: CycloptsError, tokens: Sequence[str]) -> str:
    """Return the error in words; an unknown option before any command has a suggestion too."""
    first = tokens[0] if tokens else ""
    if not (isinstance(error, UnknownCommandError) and first.startswith("-")):
        return str(error)
    close = get_close_matches(first, _OPTIONS, 1, _ALIKE)
    remedy = f"Did you mean {close[0]}?" if close else "Options come after their command."
    return f'Unknown option "{first}". {remedy}'


@cache
def application() -> App:
    """Return the command with all its subcommands, made once a process."""
    uring = App(
        name="uring",
        help="Detects changes in public sources and pushes them once. "
        "`uring help COMMAND` explains a command.",
        version=lambda: version("uring"),
        version_flags=("--version", "-V"),
        default_parameter=Parameter(negative=(), show_default=lambda value: value or None),
        version_format="plaintext",
        suppress_keyboard_interrupt=False,
        group_commands=_GENERAL,
    )
    uring.command(run, sort_key=0, group=TRY)
    uring.command(try_entry, name="try", group=TRY)
    uring.command(diff_pages, name="diff", group=TRY)
    uring.command(show_cost, name="cost", group=TRY)
    uring.command(add_source, name="add", group=SOURCES)
    uring.command(deploy_stack, name="deploy", group=DEPLOY)
    uring.command(compile_functions, name="compile", group=DEPLOY)
    uring.command(regional(write_env), name="env", group=DEPLOY)
    uring.command(regional(copy_data, is_named=True), name="copy", group=DEPLOY)
    uring.command(regional(list_sources), name="list", group=OPERATE)
    uring.command(regional(check_source), name="check", group=OPERATE)
    uring.command(regional(watch_stack), name="top", group=OPERATE)
    uring.command(regional(examine_stack), name="doctor", group=OPERATE)
    uring.command(regional(decide_board), name="decide", group=OPERATE)
    uring.command(regional(pause_source), name="pause", group=OPERATE)
    uring.command(regional(show_refused), name="refused", group=OPERATE)
    uring.command(regional(resume_source), name="resume", group=OPERATE)
    uring.command(regional(retract_pushes), name="retract", group=OPERATE)
    config = App(name="config", group=SOURCES, help="Look after the configuration files.")
    config.command(check_config, name="check")
    config.command(regional(upload_config), name="upload")
    config.command(print_schema, name="schema")
    config.command(split_config, name="split")
    push = App(name="push", group=OPERATE, help="Ask FCM.")
    push.command(regional(push_test), name="test")
    queue = App(name="queue", group=OPERATE, help="Look at the queues, and at dead letters.")
    queue.command(regional(list_queues), name="list")
    queue.command(regional(show_letters), name="show")
    queue.command(regional(redrive_letters), name="redrive")
    state = App(name="state", group=OPERATE, help="Show or repair the state of a source.")
    state.command(regional(show_state), name="show")
    state.command(regional(repair_state), name="repair")
    rhythm = App(name="rhythm", group=SOURCES, help="How often boards are checked.")
    rhythm.command(show_rhythm, name="show")
    weather = App(
        name="weather", group=SOURCES, help="Read the saved answers of a weather gateway."
    )
    weather.command(parse_files, name="parse")
    domains = App(
        name="domains", group=SOURCES, help="Look at a domain: its name, robots.txt and sitemaps."
    )
    commands: dict[str, Callable[..., object]] = {
        "normalize": normalize_urls,
        "robots": read_robots_files,
        "sitemap": read_sitemap_files,
        "collect": collect_domains,
        "show": regional(show_domain),
    }
    for name, command in commands.items():
        domains.command(command, name=name)
    web = App(name="web", group=DEPLOY, help="Look after the client.")
    web.command(regional(upload_client), name="upload")
    for group in (
        config,
        _documents(),
        domains,
        push,
        queue,
        _regulations(),
        rhythm,
        _seeds(),
        state,
        weather,
        web,
    ):
        uring.command(group)
    uring.register_install_completion_command()
    return uring


def _regulations() -> App:
    regulations = App(
        name="regulations", group=SOURCES, help="Look at regulations' files and texts."
    )
    regulations.command(diff_files, name="diff")
    regulations.command(extract_files, name="extract")
    regulations.command(parse_page, name="parse")
    regulations.command(fill_history, name="history")
    letters = App(name="dead-letters", help="Files that could not be read.")
    letters.command(regional(list_dead_letters), name="list")
    letters.command(regional(retry_dead_letters), name="retry")
    regulations.command(letters)
    return regulations


def _seeds() -> App:
    seeds = App(name="seeds", group=OPERATE, help="Collect whole lists of domains.")
    seeds.command(regional(orchestrate), name="collect")
    seeds.command(
        renamed(regional(orchestrate), "seeds orchestrate", "seeds collect"),
        name="orchestrate",
        show=False,
    )
    seeds.command(regional(show_status), name="status")
    seeds.command(regional(pause_partition), name="pause")
    seeds.command(regional(resume_partition), name="resume")
    seeds.command(regional(stop_partition), name="stop")
    seeds.command(regional(work_queue), name="work")
    seeds.command(regional(show_report), name="report")
    seeds.command(regional(migrate_datasets), name="migrate")
    rejected = App(name="rejected", help="Records of raw files that could not be used.")
    rejected.command(regional(list_rejected), name="list")
    rejected.command(regional(retry_rejected), name="retry")
    seeds.command(rejected)
    return seeds


def _documents() -> App:
    documents = App(
        name="documents", group=OPERATE, help="Texts, translations and issues of pages."
    )
    documents.command(regional(attachments.upload))
    documents.command(
        renamed(regional(attachments.upload), "documents put", "documents upload"),
        name="put",
        show=False,
    )
    for command in (
        attachments.policies,
        attachments.policy,
        attachments.analyse,
        found.issues,
        found.issue,
        found.history,
        found.classify,
        found.annotate,
        found.transition,
        attachments.job,
        attachments.clear,
        locks,
        attachments.openapi,
    ):
        documents.command(regional(command))
    return documents


def renamed(command: Callable[..., R], old: str, new: str) -> Callable[..., R]:
    """Return a command under its old name, which it keeps for one release, naming the new one."""

    @wraps(command)
    def by_its_old_name(*arguments: Any, **options: Any) -> R:
        print(f"uring: {old} is {new} now; the next release has that name alone", file=sys.stderr)
        return command(*arguments, **options)

    return by_its_old_name
