"""`uring documents locks`: what it shows, what it breaks, its exit codes."""

import json
from collections.abc import Callable

import pytest
from fakes.tables import MemoryTable

from uring.locks import Lease, Locks
from uring_local.cli import main
from uring_local.documents import locks as module

PAGE = "ac-2026"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> MemoryTable:
    found = MemoryTable()
    monkeypatch.setattr(module, "open_table", lambda stack, page: found)  # noqa: ARG005
    return found


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_(*arguments: str) -> tuple[int, str, str]:
        code = main(["documents", "locks", *arguments, "--stack", "uring-dev"])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_


def taken(table: MemoryTable, *path: str, what: str = "") -> Lease:
    lease = Locks(table).attempt(PAGE, path, what=what)
    assert lease is not None
    return lease


def test_a_page_without_locks(table: MemoryTable, run: Run) -> None:
    assert run(PAGE) == (0, "no locks, and nobody waits\n", "")
    code, out, _ = run(PAGE, "--json")
    assert (code, json.loads(out)) == (0, {"page": PAGE, "locks": [], "waiting": []})
    assert table.items == {}


def test_holders_and_waiters_are_a_table_that_controls_no_terminal(
    table: MemoryTable, run: Run
) -> None:
    one = taken(table, "policies", "a", what="translating [red]a[/red] \x1b[2J")
    two = taken(table, "issues")
    # A ticket whose waiter died.
    waiter = {"owner": "w\x1b", "path": "", "expires_at_ms": 1, "since_ms": 1}
    item = {**(table.get(PAGE, "locks") or {}), "ticket": 4, "waiting:4": json.dumps(waiter)}
    table.items[PAGE, "locks"] = item
    code, out, _ = run(PAGE)
    lines = [line.split() for line in out.splitlines()]
    assert code == 0
    assert "\x1b" not in out
    assert "translating [red]a[/red]" in out
    assert lines[1][0] == "policies/a"
    assert lines[1][-2:] == [str(one.fence), one.owner]
    assert lines[2] == ["issues", "0", "s", lines[2][3], "s", str(two.fence), two.owner]
    assert lines[4][:4] == ["1", "the", "page", lines[4][3]]
    assert lines[4][-2:] == ["dead", "w\\x1b"]


def test_one_lock_is_broken_and_no_other(table: MemoryTable, run: Run) -> None:
    one, two = taken(table, "policies", "a", what="translate"), taken(table, "issues")
    code, out, _ = run(PAGE, "--break", str(one.fence))
    assert code == 0
    assert out.splitlines()[0] == (
        f"broken: policies/a, translate, fence {one.fence}; the next write of its holder will be "
        "refused"
    )
    assert not table.transact(PAGE, [one.check()])
    assert table.transact(PAGE, [two.check()])
    assert run(PAGE, "--break", str(one.fence))[0] == 1
    assert run(PAGE, "--break", "7")[1].startswith("no lock has the fence 7; nothing was changed")


def test_machines_are_told_what_was_broken(table: MemoryTable, run: Run) -> None:
    lease = taken(table)
    code, out, _ = run(PAGE, "--break", "7", "--json")
    document = json.loads(out)
    assert (code, document["broken"]) == (1, None)
    assert document["locks"][0]["lock"] == "the page"
    code, out, _ = run(PAGE, "--break", str(lease.fence), "--json")
    document = json.loads(out)
    assert (code, document["broken"]["fence"], document["locks"]) == (0, lease.fence, [])


def test_damaged_locks_are_refused_with_the_remedy(table: MemoryTable, run: Run) -> None:
    table.items[PAGE, "locks"] = {"version": 1, "fence": "x", "ticket": 1}
    code, out, err = run(PAGE, "--break", "7")
    assert (code, out) == (1, "")
    assert "set it to" in err


@pytest.mark.parametrize("page", ["a/b", "", "job", "\x1b[2J", "x" * 129])
def test_a_name_that_no_page_has_is_refused(run: Run, page: str) -> None:
    code, out, err = run(page)
    assert (code, out) == (1, "")
    assert "not a name of a page" in err
    assert "\x1b" not in err


@pytest.mark.parametrize("fence", ["x", "1.5", "", "1_0", "9" * 5000, "٣"])
def test_a_fence_is_a_number(table: MemoryTable, run: Run, fence: str) -> None:
    taken(table)
    with pytest.raises(SystemExit) as ended:
        run(PAGE, "--break", fence)
    assert ended.value.code == 2
