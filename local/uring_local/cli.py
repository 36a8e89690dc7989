"""The `uring` command: every command of the rooms, put together."""

import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version

from cyclopts import App, CycloptsError, Parameter

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
_PIPE_CLOSED = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 all is well, 1 something is wrong.

    Raises:
        SystemExit: 2, wrong usage.
    """
    tokens = sys.argv[1:] if arguments is None else arguments
    try:
        well = application()(
            tokens, exit_on_error=False, print_error=False, result_action="return_value"
        )
    except CycloptsError as error:
        command = " ".join(["uring", *(error.command_chain or ())])
        print(f"{command}: {error} ({command} --help)", file=sys.stderr)
        raise SystemExit(2) from None
    except UringError as error:
        print(f"uring: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader, such as `head`, has enough. Python would flush once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"uring: {where}{error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 1 if well is False else 0


def application() -> App:
    """Return the command with all its subcommands."""
    uring = App(
        name="uring",
        help="Detects changes in public sources and pushes them once.",
        version=lambda: version("uring"),
        default_parameter=Parameter(negative=(), show_default=lambda value: value or None),
        version_format="plaintext",
        suppress_keyboard_interrupt=False,
    )
    uring.command(run, sort_key=0)
    uring.command(add_source, name="add")
    uring.command(try_entry, name="try")
    uring.command(diff_pages, name="diff")
    uring.command(show_cost, name="cost")
    uring.command(regional(decide_board), name="decide")
    uring.command(deploy_stack, name="deploy")
    uring.command(regional(examine_stack), name="doctor")
    uring.command(regional(write_env), name="env")
    uring.command(regional(pause_source), name="pause")
    uring.command(regional(show_refused), name="refused")
    uring.command(regional(resume_source), name="resume")
    uring.command(regional(retract_pushes), name="retract")
    uring.command(compile_functions, name="compile")
    uring.command(regional(copy_data), name="copy")
    config = App(name="config", help="Look after the configuration files.")
    config.command(check_config, name="check")
    config.command(regional(upload_config), name="upload")
    config.command(print_schema, name="schema")
    config.command(split_config, name="split")
    push = App(name="push", help="Ask FCM.")
    push.command(regional(push_test), name="test")
    queue = App(name="queue", help="Look at the queues, and at dead letters.")
    queue.command(regional(list_queues), name="list")
    queue.command(regional(show_letters), name="show")
    queue.command(regional(redrive_letters), name="redrive")
    state = App(name="state", help="Show or repair the state of a source.")
    state.command(regional(show_state), name="show")
    state.command(regional(repair_state), name="repair")
    rhythm = App(name="rhythm", help="How often boards are checked.")
    rhythm.command(show_rhythm, name="show")
    weather = App(name="weather", help="Read the saved answers of a weather gateway.")
    weather.command(parse_files, name="parse")
    domains = App(name="domains", help="Look at a domain: its name, robots.txt and sitemaps.")
    commands: dict[str, Callable[..., object]] = {
        "normalize": normalize_urls,
        "robots": read_robots_files,
        "sitemap": read_sitemap_files,
        "collect": collect_domains,
        "show": regional(show_domain),
    }
    for name, command in commands.items():
        domains.command(command, name=name)
    web = App(name="web", help="Look after the client.")
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
    regulations = App(name="regulations", help="Look at regulations' files and texts.")
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
    seeds = App(name="seeds", help="Collect whole lists of domains.")
    seeds.command(regional(orchestrate))
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
    documents = App(name="documents", help="Texts, translations and issues of pages.")
    for command in (
        attachments.put,
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
