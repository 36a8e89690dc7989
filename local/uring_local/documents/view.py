"""Policies, issues, jobs and locks on a terminal. Foreign texts are escaped: none controls it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring_local.words import counted, printable

Shown = Mapping[str, Any]

_MICROS: Final = 1_000_000
_QUOTE: Final = 200
_COLOURS: Final = {"critical": "bold red", "high": "red", "medium": "yellow", "low": ""}
_TAB: Final = "\t"


def plain(text: object, style: str = "") -> Text:
    """Return a foreign text in one line, escaped and without markup."""
    return Text(printable(str(text)), style=style)


def show_policies(policies: Sequence[Shown]) -> None:
    """Print attachments, a line each, then the reasons for missing texts."""
    table = _table("attachment", "uploaded", "text", "characters", "translations")
    for policy in policies:
        original = policy["original"]
        table.add_row(
            plain(policy["source"]),
            plain(policy["modified"] or ""),
            plain(_state(original)),
            f"{original['characters']:,}" if original else "",
            plain(" ".join(_languages(policy["translations"]))),
        )
    _console().print(table)
    for policy in policies:
        original = policy["original"]
        if original and original["reason"]:
            print(printable(f"{policy['source']}: {original['reason']}"))


def show_rest(left_out: Sequence[Shown], unreadable: int) -> None:
    """Print what a list left out, to stderr."""
    console = _console(stderr=True)
    for each in left_out:
        console.print(plain(f"{each['name']} is not an attachment: {each['reason']}"))
    if unreadable:
        console.print(f"left out: {counted(unreadable, 'item')}, malformed or of a newer release")


def show_text(policy: Shown) -> None:
    """Print a text to stdout, and its notes to stderr."""
    notes = list(policy["notes"])
    if not policy["is_current"]:
        notes.insert(0, "the attachment has changed since: --wait makes the text again")
    if policy["reason"]:
        notes.append(policy["reason"])
    for note in notes:
        _console(stderr=True).print(plain(note))
    for line in policy["text"].splitlines():
        print(_TAB.join(map(printable, line.split(_TAB))))


def show_issues(issues: Sequence[Shown]) -> None:
    """Print issues, a line each, the gravest first."""
    grave = list(_COLOURS)
    table = _table("issue", "severity", "state", "", "title")
    for issue in sorted(issues, key=lambda each: grave.index(each["severity"])):
        table.add_row(
            plain(issue["id"]),
            plain(issue["severity"], _COLOURS[issue["severity"]]),
            plain(issue["state"]),
            "stale" if issue["is_stale"] else "not found" if issue["not_found_twice"] else "",
            plain(issue["title"]),
        )
    _console().print(table)


def show_issue(issue: Shown) -> None:
    """Print an issue with its description, quotations and notes."""
    console = _console()
    console.print(plain(issue["title"], "bold"))
    stale = ", stale: the quoted text has changed" if issue["is_stale"] else ""
    if since := issue["not_found_since"]:
        stale += f", not found since {since}"
    can = " or ".join(issue["transitions"])
    console.print(plain(f"{issue['severity']}, {issue['state']} (can become {can}){stale}"))
    console.print(plain(f"version {issue['version']}, of {issue['updated']}"))
    _print_lines(issue["description"])
    for place in issue["references"]:
        quote = place["quote"]
        short = quote if len(quote) <= _QUOTE else f"{quote[:_QUOTE]}…"
        print(printable(f"  {place['source']} [{place['start']}:{place['end']}] “{short}”"))
    if issue["notes"]:
        console.print(plain("notes", "bold"))
        _print_lines(issue["notes"])


def show_history(edits: Sequence[Shown]) -> None:
    """Print edits, a line each, the newest first."""
    table = _table("at", "what", "before", "after", "by")
    for edit in edits:
        table.add_row(*(plain(edit[name]) for name in ("at", "what", "before", "after", "by")))
    _console().print(table)


def show_job(job: Shown) -> None:
    """Print a job with its state, result, error and cost."""
    of = " ".join(str(job[name]) for name in ("source", "language") if job[name])
    activity = f": {job['activity']}" if job["activity"] else ""
    print(printable(f"job {job['id']}: {job['operation']} {of}".rstrip() + f" of {job['page']}"))
    print(printable(f"{job['state']}{activity}"))
    if job["by"]:
        print(printable(f"  by {job['by']}"))
    if job["result"]:
        for name, value in job["result"].items():
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            print(printable(f"  {name.replace('_', ' ')}: {said}"))
    error = job["error"]
    if error:
        print(printable(f"  {error.get('code', 'error')}: {error.get('detail', '')}"))
        for line in error.get("trace", ()):
            print(printable(f"    {line}"))
    if job["cost_micros"]:
        print(f"  cost: {job['cost_micros'] / _MICROS:.4f} dollars")
    if job["state"] not in ("done", "failed"):
        command = f"uring documents job {job['page']} {job['id']} --wait"
        print(printable(f"`{command}` shows its progress"))


def show_locks(locks: Sequence[Shown], waiting: Sequence[Shown]) -> None:
    """Print locks, a line each, and the line of waiters."""
    if not locks and not waiting:
        print("no locks, and nobody waits")
        return
    table = _table("lock", "work", "held", "ends in", "fence", "holder")
    for lock in locks:
        ends = _seconds(lock["seconds_left"]) if lock["seconds_left"] else "dead"
        row = (lock["lock"], lock["what"], _seconds(lock["age_seconds"]), ends, lock["fence"])
        table.add_row(*map(plain, row), plain(lock["owner"]))
    _console().print(table)
    if not waiting:
        return
    table = _table("place", "waits for", "since", "ends in", "waiter")
    for place, ticket in enumerate(waiting, 1):
        ends = _seconds(ticket["seconds_left"]) if ticket["seconds_left"] else "dead"
        row = (place, ticket["lock"], _seconds(ticket["age_seconds"]), ends, ticket["owner"])
        table.add_row(*map(plain, row))
    _console().print(table)


def _seconds(seconds: int) -> str:
    return f"{seconds:,} s"


def _print_lines(text: str) -> None:
    for line in text.splitlines():
        print(printable(line))


def _state(original: Shown | None) -> str:
    if original is None:
        return "not extracted"
    if not original["is_current"]:
        return "outdated"
    return str(original["outcome"]).replace("_", " ")


def _languages(translations: Iterable[Shown]) -> Iterable[str]:
    for each in translations:
        yield each["language"] if each["is_current"] else f"({each['language']})"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column == "characters" else "left")
    return table


def _console(*, stderr: bool = False) -> Console:
    console = Console(highlight=False, stderr=stderr)
    if not console.is_terminal:
        # A pipe gets lines that are not wrapped.
        console = Console(highlight=False, stderr=stderr, width=400)
    return console
