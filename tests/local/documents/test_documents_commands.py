"""`uring documents` over the real API: what is asked, what is told, the exit codes."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

import pytest
from fakes.document_api import PAGE, TEXT, ApiWorld

from uring.documents.names import ISSUES_LOCK, derived_id
from uring.errors import Unavailable
from uring.tables import Write
from uring_local.cli import main
from uring_local.documents import attach, waiting
from uring_local.documents import client as client_module
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.signed import ApiAnswer
from uring_local.stack.describe import StackDescription

OUTPUTS = {"DocumentApiUrl": "https://abc.execute-api.eu-west-1.example"}


class WorldApi:
    """Stands for `SignedApi`: asks the API of a world.

    Attributes:
        before: is called with each path before it is asked; it may work on jobs, or fail.
    """

    world: ApiWorld
    before: Callable[[str], object]

    def __init__(self, base: str, _: object) -> None:
        assert base.endswith("/_aws/execute-api/abc")

    def get(self, path: str, query: Mapping[str, str] | None = None) -> ApiAnswer:
        return self._ask("GET", f"{path}?{urlencode(query)}" if query else path, None, {})

    def post(self, path: str, document: Any, headers: Mapping[str, str] | None = None) -> ApiAnswer:
        return self._ask("POST", path, json.dumps(document), headers or {})

    def _ask(self, method: str, path: str, body: str | None, given: Mapping[str, str]) -> ApiAnswer:
        WorldApi.before(path)
        headers = {name.lower(): value for name, value in given.items()}
        reply = WorldApi.world.ask(method, path, body, headers)
        return ApiAnswer(reply.status, reply.json)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> ApiWorld:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: StackDescription({}, OUTPUTS))
    monkeypatch.setattr(client_module, "SignedApi", WorldApi)
    WorldApi.world = ApiWorld()
    WorldApi.before = staticmethod(lambda _: None)
    monkeypatch.setattr(waiting.time, "sleep", WorldApi.world.sleep)
    # Default arguments are bound when a function is defined.
    monkeypatch.setitem(waiting.awaited.__kwdefaults__, "sleep", WorldApi.world.sleep)
    return WorldApi.world


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run_(name: str, *arguments: str) -> tuple[int, str, str]:
        code = main(["documents", name, *arguments, "--stack", "uring-dev"])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_


Run = Callable[..., tuple[int, str, str]]


def works(world: ApiWorld, after: int, do: Callable[[str], object]) -> None:
    """Let the worker do its job when it is asked for the ``after``-th time."""
    asked = 0

    def before(path: str) -> None:
        nonlocal asked
        if "/jobs/" in path:
            job = path.rpartition("/")[2].partition("?")[0]
            asked += 1
            world.jobs.begin(job, f"reading: {asked} of {after}")
            if asked == after:
                do(job)

    WorldApi.before = staticmethod(before)


def test_attachments_are_listed(world: ApiWorld, run: Run) -> None:
    for source in ("a.pdf", "leave.pdf", "scan.pdf", "old.pdf"):
        world.upload(source)
    world.extract("leave.pdf")
    world.extract("leave.pdf", "번역", "ko")
    world.extract("leave.pdf", "x", "fr", original_sha256="other")
    world.extract("scan.pdf", "", outcome="needs_ocr", reason="a scan: \x1b[2Jsearch it")
    world.extract("old.pdf")
    world.upload("old.pdf", b"newer")
    code, out, _ = run("policies", PAGE)
    assert code == 0
    rows = {line.split()[0]: " ".join(line.split()[2:]) for line in out.splitlines()[1:5]}
    assert rows == {
        "a.pdf": "not extracted",
        "leave.pdf": "text 40 (fr) ko",
        "old.pdf": "outdated 40",
        "scan.pdf": "needs ocr 0",
    }
    assert "scan.pdf: a scan: \\x1b[2Jsearch it" in out
    assert run("policies", "nobody") == (
        1,
        "no attachments; `uring documents upload` adds one\n",
        "",
    )
    code, out, _ = run("policies", PAGE, "--json")
    assert json.loads(out)["policies"][0]["source"] == "a.pdf"


def test_lists_and_texts_of_any_length_are_whole(world: ApiWorld, run: Run) -> None:
    for number in range(120):
        world.upload(f"p{number:03}.pdf")
    text = "휴가는 스물다섯 날이다.\n" * 40_000
    world.extract("p000.pdf", text)
    _, out, _ = run("policies", PAGE, "--json")
    assert len(json.loads(out)["policies"]) == 120
    code, out, _ = run("policy", PAGE, "p000.pdf")
    assert (code, out) == (0, text)


def test_a_text_is_printed_and_controls_no_terminal(world: ApiWorld, run: Run) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf", "a\tb\n\x1b]0;x\x07\u202ec\n")
    assert run("policy", PAGE, "leave.pdf") == (0, "a\tb\n\\x1b]0;x\\x07\\u202ec\n", "")


def test_a_text_is_written_to_a_file(world: ApiWorld, run: Run, tmp_path: Path) -> None:
    world.upload("leave.pdf")
    world.extract("leave.pdf")
    file = tmp_path / "leave.md"
    code, out, _ = run("policy", PAGE, "leave.pdf", "--output", str(file))
    assert (code, file.read_text(encoding="utf-8")) == (0, TEXT)
    assert out.startswith("40 characters written to ")


def test_a_text_that_is_not_there_is_told_with_the_remedy(world: ApiWorld, run: Run) -> None:
    world.upload("leave.pdf")
    code, out, _ = run("policy", PAGE, "leave.pdf")
    assert code == 1
    assert out.startswith("refused (404): Not Found: there is no such text yet: submit a job")
    world.extract("leave.pdf")
    world.upload("leave.pdf", b"newer")
    code, out, err = run("policy", PAGE, "leave.pdf")
    assert (code, out) == (1, TEXT)
    assert "--wait makes the text again" in err


def test_a_text_that_is_waited_for_is_made_once(world: ApiWorld, run: Run) -> None:
    world.upload("leave.pdf")

    def extract(job: str) -> None:
        world.extract("leave.pdf", "번역", "ko")
        world.extract("leave.pdf")
        world.jobs.finish(job, {})

    works(world, 3, extract)
    code, out, err = run("policy", PAGE, "leave.pdf", "--language", "ko", "--wait")
    assert (code, out) == (0, "번역\n")
    assert err.splitlines() == [
        "submitted",
        "running: reading: 1 of 3",
        "running: reading: 2 of 3",
    ]
    assert run("policy", PAGE, "leave.pdf", "--language", "ko", "--wait") == (0, "번역\n", "")
    assert len(world.queue.accepted) == 1


def test_a_job_that_fails_is_told_with_its_reason(world: ApiWorld, run: Run) -> None:
    works(world, 1, lambda job: world.jobs.fail(job, "CapReached", "no money\x07", ["a", "b"]))
    code, out, _ = run("analyse", PAGE, "--wait")
    assert code == 1
    assert out.splitlines()[1:] == [
        "failed",
        f"  by {world.caller}",
        "  CapReached: no money\\x07",
        "    a",
        "    b",
    ]


def test_a_job_is_submitted_and_looked_at(world: ApiWorld, run: Run) -> None:
    code, out, _ = run("analyse", PAGE)
    job = out.split()[1].removesuffix(":")
    assert code == 0
    assert out == (
        f"job {job}: issues of {PAGE}\nsubmitted\n  by {world.caller}\n"
        f"`uring documents job {PAGE} {job} --wait` shows its progress\n"
    )
    world.jobs.spent(job, 12_345)
    world.jobs.finish(job, {"issues": 3})
    code, out, _ = run("job", PAGE, job, "--wait")
    assert (code, out.splitlines()[1:]) == (
        0,
        ["done", f"  by {world.caller}", "  issues: 3", "  cost: 0.0123 dollars"],
    )
    code, out, _ = run("job", PAGE, job, "--json")
    assert json.loads(out)["result"] == {"issues": 3}
    assert run("job", PAGE, derived_id("x"))[0] == 1


def test_a_wait_survives_an_outage_but_not_a_long_one(world: ApiWorld, run: Run) -> None:
    failures = 3

    def before(path: str) -> None:
        nonlocal failures
        if "/jobs/" in path:
            failures -= 1
            if failures >= 0:
                raise Unavailable("no answer")
            world.jobs.finish(path.rpartition("/")[2].partition("?")[0], {})

    WorldApi.before = staticmethod(before)
    assert run("analyse", PAGE, "--wait")[0] == 0
    failures = 100
    code, _, err = run("analyse", PAGE, "--wait")
    assert (code, err.splitlines()[-1]) == (1, "uring: no answer")
    assert failures == 95


def test_issues_are_listed_the_gravest_first(world: ApiWorld, run: Run) -> None:
    world.find("one", severity="low")
    world.find("two", severity="critical", is_stale=True, title="\x1b[31mred")
    code, out, _ = run("issues", PAGE)
    first, second = out.splitlines()[1:3]
    assert (code, first.split()[1:]) == (0, ["critical", "open", "stale", "\\x1b[31mred"])
    assert second.split()[1] == "low"
    _, out, _ = run("issues", PAGE, "--severity", "low", "--state", "open", "--json")
    assert len(json.loads(out)["issues"]) == 1
    assert run("issues", PAGE, "--state", "archived")[1] == "no such issues\n"
    assert "analyse" in run("issues", "nobody")[1]


def test_an_issue_is_edited_as_it_is_now(world: ApiWorld, run: Run, tmp_path: Path) -> None:
    issue = world.find()
    notes = tmp_path / "notes.md"
    notes.write_text("# seen\n\x1b[2J", encoding="utf-8")
    assert run("classify", PAGE, issue.id, "low")[0] == 0
    assert run("annotate", PAGE, issue.id, "--file", str(notes))[0] == 0
    code, out, _ = run("transition", PAGE, issue.id, "resolved")
    assert code == 0
    assert out.splitlines()[:3] == [
        "leave is unclear",
        "low, resolved (can become open or archived)",
        f"version 4, of {issue.updated}",
    ]
    assert "  leave.pdf [2:7] “Leave”" in out
    assert out.endswith("notes\n# seen\n\\x1b[2J\n")
    assert run("issue", PAGE, issue.id)[1] == out


def test_an_edit_that_is_refused_says_why(world: ApiWorld, run: Run) -> None:
    issue = world.find(version=3)
    code, out, _ = run("classify", PAGE, issue.id, "low", "--if-match", '"v2"')
    assert code == 1
    assert out.startswith("refused (412): Precondition Failed: another edit came first")
    archived = world.find("archived", state="archived")
    code, out, _ = run("transition", PAGE, archived.id, "resolved")
    assert (code, "it can become open" in out) == (1, True)
    world.locks.acquire(PAGE, ISSUES_LOCK, wait_seconds=0, what="apply")
    code, out, _ = run("classify", PAGE, issue.id, "low", "--json")
    assert (code, json.loads(out)["status"], json.loads(out)["holder"]) == (1, 423, "apply")
    assert run("annotate", PAGE, issue.id)[0] == 1


def test_nothing_is_cleared_without_yes(world: ApiWorld, run: Run) -> None:
    code, out, _ = run("clear", PAGE)
    assert (code, "--yes" in out) == (1, True)
    assert not world.queue.accepted
    works(world, 1, lambda job: world.jobs.finish(job, {"removed": 7}))
    assert run("clear", PAGE, "--yes", "--wait")[0] == 0


def test_a_page_that_is_none_is_told_its_field(world: ApiWorld, run: Run) -> None:
    assert not world.table.items
    code, out, _ = run("issues", "a:b")
    assert code == 1
    assert out.splitlines()[1].startswith("  path.page: ")


def test_files_become_attachments(
    world: ApiWorld, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Named:
        name = "bucket"

    monkeypatch.setattr(attach, "open_bucket", lambda _: Named())
    monkeypatch.setattr(attach, "S3Bucket", lambda *_: world.bucket)
    files = [tmp_path / "leave.pdf", tmp_path / "travel: rules.md"]
    for file in files:
        file.write_bytes(b"abc")
    code, out, _ = run("put", PAGE, str(files[0]))
    assert (code, out) == (0, "leave.pdf: 3 bytes\n")
    code, _, err = run("put", PAGE, *map(str, files))
    assert (code, "travel: rules.md: not a name of an attachment" in err) == (1, True)
    assert "see --source" in err
    assert run("put", PAGE, str(files[1]), "--source", "travel.md")[0] == 0
    assert {*world.bucket.bodies()} == {
        f"pages/{PAGE}/attachments/leave.pdf",
        f"pages/{PAGE}/attachments/travel.md",
    }
    assert run("put", "system", str(files[0]))[0] == 1
    assert run("put", PAGE)[0] == 1
    assert run("put", PAGE, *map(str, files), "--source", "x")[0] == 1
    monkeypatch.setattr(attach, "_MOST_BYTES", 2)
    assert "split it" in run("put", PAGE, str(files[0]))[2]


def test_the_openapi_document_needs_no_stack(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["documents", "openapi"]) == 0
    assert json.loads(capsys.readouterr().out)["info"]["title"] == "uRing documents"


def test_the_history_of_an_issue_says_who_did_what(world: ApiWorld, run: Run) -> None:
    issue = world.find()
    assert run("history", PAGE, issue.id) == (0, "no edits\n", "")
    world.caller = "arn:aws:iam::123456789012:user/kim"
    assert run("classify", PAGE, issue.id, "low")[0] == 0
    assert run("transition", PAGE, issue.id, "archived")[0] == 0
    code, out, _ = run("history", PAGE, issue.id)
    first, second = (line.split() for line in out.splitlines()[1:])
    assert (code, first[1:]) == (0, ["transition", "open", "archived", world.caller])
    assert second[1:] == ["classify", "high", "low", world.caller]
    _, out, _ = run("history", PAGE, issue.id, "--json")
    assert [each["what"] for each in json.loads(out)["edits"]] == ["transition", "classify"]


def test_names_of_files_in_parts_are_uploaded_in_one_form(
    world: ApiWorld, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Finder of macOS writes them; blanks and brackets are names as well."""

    class Named:
        name = "bucket"

    monkeypatch.setattr(attach, "open_bucket", lambda _: Named())
    monkeypatch.setattr(attach, "S3Bucket", lambda *_: world.bucket)
    file = tmp_path / normalize("NFD", "[공고] 학칙 (안).txt")
    file.write_text("text", "utf-8")
    assert run("put", PAGE, str(file))[0] == 0
    assert {*world.bucket.bodies()} == {f"pages/{PAGE}/attachments/[공고] 학칙 (안).txt"}


def test_what_a_list_leaves_out_is_told(world: ApiWorld, run: Run) -> None:
    world.upload("ok.pdf")
    world.bucket.plant(f"pages/{PAGE}/attachments/a:\x1bb", b"")
    code, out, err = run("policies", PAGE)
    assert (code, "ok.pdf" in out) == (0, True)
    assert err.startswith("a:\\x1bb is not an attachment: it has one of ")
    world.table.transact(PAGE, [Write("issue:x", {"title": "x"})])
    code, out, err = run("issues", PAGE)
    assert (code, err) == (0, "left out: 1 item, malformed or of a newer release\n")
    assert json.loads(run("issues", PAGE, "--json")[1]) == {"issues": [], "unreadable": 1}


def test_a_list_is_followed_behind_an_empty_part(world: ApiWorld, run: Run) -> None:
    for number in range(5_001):
        world.bucket.plant(f"pages/{PAGE}/attachments/a:{number:04}", b"")
    world.upload("ok.pdf")
    assert "ok.pdf" in run("policies", PAGE)[1]
