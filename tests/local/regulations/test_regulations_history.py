"""`uring regulations history`: what a portal lists is fetched once, slowly, and never lost."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from uring.errors import UringError
from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.fetch.http import Fetcher
from uring.regulations.source import Registry
from uring.regulations.texts.state import TextVersion
from uring_local.cli import main
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.regulations import past_texts
from uring_local.regulations.history import Backfill, Filled
from uring_local.regulations.paced import PacedSite
from uring_local.regulations.past_texts import KnownHistory, KnownRevision, PastTexts

NOW = datetime(2026, 11, 27, 3, tzinfo=UTC)
HTML = {"Content-Type": "text/html; charset=utf-8"}
# Of each regulation the revisions, the newest first: number, label, words of its second article.
LAWS: dict[str, list[tuple[str, str, str]]] = {
    "31": [
        ("905", "2026.03.01 일부개정", "실험은 두 사람이 한다."),
        ("640", "2021.9.2 일부개정", "실험은 한 사람이 한다."),
        ("12", "2003. 1. 15. 제정", "실험은 교수가 한다."),
    ],
    "44": [("77", "2010.05.05 제정", "도서는 두 주 빌린다.")],
}
TITLES = {"31": "실험실 안전 규정", "44": "도서관 규정"}


class Portal:
    """A small law portal of its own making.

    Attributes:
        asked: how often each path with its query was asked.
        robots: its robots.txt.
        answers: answers in place of the portal's own, by a part of the address.
    """

    def __init__(self) -> None:
        self.laws = {number: [*revisions] for number, revisions in LAWS.items()}
        self.asked: Counter[str] = Counter()
        self.robots = "User-agent: *\nAllow: /\n"
        self.answers: dict[str, Answer] = {}

    def respond(self, request: Request) -> Answer:
        self.asked[request.target] += 1
        for part, answer in self.answers.items():
            if part in request.target:
                return answer
        if request.path == "/robots.txt":
            return Answer(200, self.robots.encode(), {"Content-Type": "text/plain"})
        page = request.path.removeprefix("/lmxsrv/law/")
        number = request.query.get("SEQ", "")
        if page == "lawListManager.do":
            return Answer(200, self._list().encode(), HTML)
        if page == "lawFullView.do":
            options = "".join(
                f'<option value="{revision}">{label}</option>'
                for revision, label, _ in self.laws[number]
            )
            body = f'<select id="histroySeq"><option value="0">연혁</option>{options}</select>'
            return Answer(200, body.encode(), HTML)
        if page == "lawFullContent.do":
            revisions = {revision: words for revision, _, words in self.laws[number]}
            words = revisions[request.query["SEQ_HISTORY"]]
            body = f"<p>제1조(목적) 이 규정은 안전을 정한다.</p><p>제2조(실험) {words}</p>"
            return Answer(200, f"<html><body>{body}</body></html>".encode(), HTML)
        return Answer(404)

    def _list(self) -> str:
        rows = "".join(
            f"<tr><td><a href=\"javascript:fullPopupPost({number}, {revisions[0][0]},'x');\">"
            f"{TITLES[number]}</a></td></tr>"
            for number, revisions in self.laws.items()
        )
        return f"<table>{rows}</table>"


@cache
def read_once(body: bytes, formats: tuple[str, ...]) -> Extraction:
    """Each file's text, by the real readers: one process a file, and not one a run."""
    return extract(body, formats=formats)


class Waiting:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


Run = Callable[..., Filled]


@pytest.fixture
def portal() -> Portal:
    return Portal()


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()


@pytest.fixture
def run(portal: Portal, waiting: Waiting, tmp_path: Path) -> Any:
    with LoopbackServer(portal.respond) as site:
        url = f"http://{site.host}/lmxsrv/law/lawListManager.do"
        entry = {"id": "egret", "name": "Rules", "url": url, "preset": "lmxsrv"}

        def fill(title: str | None = None, folder: str = "out", most: int = 99) -> Filled:
            fetcher = Fetcher(user_agent="uRing/1", allowed_private_hosts=[site.host])
            paced = PacedSite(fetcher, 5, sleep=waiting.sleep, monotonic=lambda: waiting.now)
            return Backfill(
                Registry.model_validate(entry),
                paced,
                lambda body, formats: read_once(body, tuple(formats)),
                tmp_path / folder,
                most=most,
                clock=lambda: NOW,
                tell=lambda _: None,
            ).run(title)

        yield fill


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".new"
    }


def lines(folder: Path, number: str) -> list[dict[str, Any]]:
    text = (folder / "egret" / "archive" / f"{number}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_each_listed_revision_has_a_text_a_difference_and_a_line(
    run: Run, tmp_path: Path, portal: Portal, waiting: Waiting
) -> None:
    filled = run()
    assert (filled.regulations, filled.fetched, filled.well) == (2, 4, True)
    out = tmp_path / "out"
    assert [
        name for name in files(out) if name.startswith(("egret/texts/", "egret/differences/"))
    ] == [
        "egret/differences/31@12-640.html",
        "egret/differences/31@12-640.json",
        "egret/differences/31@640-905.html",
        "egret/differences/31@640-905.json",
        "egret/texts/31@12.md",
        "egret/texts/31@640.md",
        "egret/texts/31@905.md",
        "egret/texts/44@77.md",
    ]
    told = [
        (line["kind"], line["date"], line["fileRevision"], line["articles_changed"])
        for line in lines(out, "31")
    ]
    assert told == [
        ("new", "2003-01-15", "12", None),
        ("text_changed", "2021-09-02", "640", "1"),
        ("text_changed", "2026-03-01", "905", "1"),
    ]
    assert {(line["backfilled"], line["push"]) for line in lines(out, "31")} == {(True, False)}
    document = json.loads((out / "egret/differences/31@640-905.json").read_text("utf-8"))
    assert [article["key"] for article in document["articles"]] == ["제2조"]
    assert document["previousFileRevision"] == "640"
    # robots.txt once; then a pause before every page and text but the first.
    assert portal.asked["/robots.txt"] == 1
    assert portal.asked.total() == 1 + 1 + 2 + 4
    assert waiting.waits == [5] * 6


def test_a_second_run_asks_for_the_list_of_regulations_alone(run: Run, portal: Portal) -> None:
    run()
    portal.asked.clear()
    again = run()
    assert (again.fetched, again.known, again.well) == (0, 4, True)
    assert sorted(portal.asked) == ["/lmxsrv/law/lawListManager.do", "/robots.txt"]


def test_one_regulation_is_named_by_its_letters(run: Run, tmp_path: Path) -> None:
    assert run("실험실  안전규정").fetched == 3
    assert not (tmp_path / "out/egret/texts/44@77.md").exists()
    with pytest.raises(UringError, match="lists no regulation '실험실'"):
        run("실험실")


def test_small_runs_come_to_the_same_folder_as_one(run: Run, tmp_path: Path) -> None:
    run(folder="whole")
    ends = []
    while not ends or not ends[-1].well:
        ends.append(run(most=2))
        assert len(ends) < 9
    assert ends[0].left == "2 requests made: run it again for the rest"
    assert files(tmp_path / "out") == files(tmp_path / "whole")


def test_a_run_killed_at_any_write_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(folder="whole")
    whole = files(tmp_path / "whole")
    real = past_texts.os.replace
    # Each file of the folder is a write, and each list and line of the archive one more.
    for kill_at in range(len(whole)):
        left = kill_at

        def dying(draft: Path, path: Path) -> None:
            nonlocal left
            if not left:
                raise KeyboardInterrupt
            left -= 1
            real(draft, path)

        monkeypatch.setattr(past_texts.os, "replace", dying)
        with pytest.raises(KeyboardInterrupt):
            run(folder=f"at {kill_at}")
        monkeypatch.setattr(past_texts.os, "replace", real)
        assert run(folder=f"at {kill_at}").well
        assert files(tmp_path / f"at {kill_at}") == whole


def test_a_new_revision_is_added_and_nothing_else_is_asked_for(
    run: Run, portal: Portal, tmp_path: Path
) -> None:
    run()
    portal.laws["31"].insert(0, ("930", "2026.11.20 일부개정", "실험은 세 사람이 한다."))
    portal.asked.clear()
    assert run().fetched == 1
    law = "/lmxsrv/law"
    assert sorted(portal.asked) == [
        f"{law}/lawFullContent.do?SEQ=31&SEQ_HISTORY=930",
        f"{law}/lawFullView.do?SEQ=31",
        f"{law}/lawListManager.do",
        "/robots.txt",
    ]
    assert lines(tmp_path / "out", "31")[-1]["difference"] == "differences/31@905-930.html"


def test_an_error_page_in_place_of_a_list_takes_nothing_away(
    run: Run, portal: Portal, tmp_path: Path
) -> None:
    run()
    before = lines(tmp_path / "out", "31")
    portal.laws["31"].insert(0, ("930", "2026.11.20 일부개정", "실험은 세 사람이 한다."))
    portal.answers["lawFullView.do?SEQ=31"] = Answer(200, "점검 중입니다".encode(), HTML)
    assert [run().failed for _ in range(4)] == [1] * 4
    assert lines(tmp_path / "out", "31") == before
    portal.answers.clear()
    assert run().well
    assert lines(tmp_path / "out", "31")[-1]["difference"] == "differences/31@905-930.html"


def test_a_list_of_the_newest_alone_keeps_what_was_listed(
    run: Run, portal: Portal, tmp_path: Path
) -> None:
    portal.laws["44"] = [("80", "", "셋."), ("79", "", "둘."), ("77", "", "하나.")]
    run()
    portal.laws["44"] = [("81", "", "넷."), ("80", "", "셋.")]
    assert run().well
    told = [(line["fileRevision"], line["kind"]) for line in lines(tmp_path / "out", "44")]
    assert told == [("77", "new"), *((each, "text_changed") for each in ("79", "80", "81"))]


@pytest.mark.parametrize(
    ("listed", "known", "merged"),
    [
        ("54", "321", "54321"),
        ("531", "4321", "54321"),
        ("31", "4321", "4321"),
        ("3", "", "3"),
        ("4", "34", "34"),
    ],
)
def test_known_revisions_keep_their_places(listed: str, known: str, merged: str) -> None:
    first, earlier = (
        [KnownRevision(revision=each, url="https://egret.example.ac.kr/") for each in side]
        for side in (listed, known)
    )
    history = KnownHistory(title="학칙", file_no="1", newest="5", revisions=first)
    assert "".join(each.revision for each in history.with_known(earlier).revisions) == merged


def test_todays_revision_outside_of_a_dated_list_is_the_last() -> None:
    days = {"9": "", "1": "2001-01-01", "2": "2002-01-01", "3": "2003-01-01"}
    revisions = [
        KnownRevision(revision=each, date=day, url="https://egret.example.ac.kr/")
        for each, day in days.items()
    ]
    history = KnownHistory(title="학칙", file_no="1", newest="9", revisions=revisions)
    assert [each.revision for each in history.in_time] == ["1", "2", "3", "9"]


def test_a_list_whose_names_lead_out_of_the_folder_is_read_again(run: Run, tmp_path: Path) -> None:
    """A folder may come from others."""
    run()
    file = tmp_path / "out/egret/history/44.json"
    stored = json.loads(file.read_text("utf-8"))
    stored["revisions"].append({**stored["revisions"][0], "revision": "x/../../../../escaped"})
    file.write_text(json.dumps(stored), "utf-8")
    assert run().well
    assert not list(tmp_path.rglob("*escaped*"))
    assert "escaped" not in file.read_text("utf-8")


def test_no_difference_leads_over_a_text_that_is_missing(
    run: Run, portal: Portal, tmp_path: Path
) -> None:
    portal.answers["SEQ_HISTORY=640"] = Answer(200, b"\x89PNG\r\n\x1a\n", {})
    assert (run().failed, run().failed, run().failed) == (1, 1, 1)
    told = [(line["fileRevision"], line["difference"]) for line in lines(tmp_path / "out", "31")]
    assert told == [("12", None), ("905", None)]
    portal.asked.clear()
    # After three tries it is given up, and still said to be missing.
    assert run().failed == 1
    assert not [path for path in portal.asked if "SEQ_HISTORY=640" in path]


def test_equal_words_have_no_difference(run: Run, portal: Portal, tmp_path: Path) -> None:
    words = LAWS["44"][0][2]
    portal.laws = {"44": [("80", "", "도서는 한 주 빌린다."), ("78", "", words), ("77", "", words)]}
    assert run().well
    told = [
        (line["articles_changed"], line["difference"]) for line in lines(tmp_path / "out", "44")
    ]
    assert told == [(None, None), ("0", None), ("1", "differences/44@78-80.html")]


def test_revisions_with_long_names_have_files(tmp_path: Path) -> None:
    """Two of forty Korean letters in one name are more than a file system takes."""
    texts = PastTexts(tmp_path, "egret")
    names = ["가" * 39 + "1", "가" * 39 + "2"]
    for name in names:
        version = TextVersion(
            file_no="44",
            file_revision=name,
            title="도서관 규정",
            source_url="https://egret.example.ac.kr/",
            source_sha256="",
            text_sha256="",
            format="html",
            read_at="2026-11-27T03:00:00Z",
        )
        texts.put_text(version, f"제1조(목적) {name}을 정한다.\n", "")
    revisions = [KnownRevision(revision=name, url="https://egret.example.ac.kr/") for name in names]
    texts.derive(
        KnownHistory(title="도서관 규정", file_no="44", newest=names[0], revisions=revisions),
        again=True,
    )
    assert len(files(tmp_path)) == 2 + 2 + 1


def test_robots_txt_forbids_and_slows_down(run: Run, portal: Portal, waiting: Waiting) -> None:
    portal.robots = "User-agent: *\nDisallow: /lmxsrv/law/lawFullContent.do\nCrawl-delay: 30\n"
    filled = run()
    assert (filled.fetched, filled.failed) == (0, 4)
    assert not [path for path in portal.asked if "lawFullContent" in path]
    assert set(waiting.waits) == {30}


def test_a_site_that_asks_for_an_hour_is_not_asked(run: Run, portal: Portal) -> None:
    portal.robots = "User-agent: *\nCrawl-delay: 3600\n"
    with pytest.raises(UringError, match="asks for 3600 s"):
        run()
    assert portal.asked.total() == 1


def test_a_refusal_ends_the_run(run: Run, portal: Portal) -> None:
    portal.answers["lawFullContent"] = Answer(429)
    filled = run()
    assert (filled.failed, filled.left) == (1, "the site refuses (forbidden): run it again later")
    assert portal.asked.total() == 1 + 1 + 1 + 1


def test_an_empty_list_gives_todays_text_and_is_asked_again_twice(run: Run, portal: Portal) -> None:
    portal.answers["lawFullView.do?SEQ=44"] = Answer(200, b"<p>...</p>", HTML)
    assert [run("도서관 규정").fetched for _ in range(5)] == [1, 0, 0, 0, 0]
    assert portal.asked["/lmxsrv/law/lawFullView.do?SEQ=44"] == 3


def test_a_damaged_file_of_the_folder_is_fetched_again(run: Run, tmp_path: Path) -> None:
    run()
    text = tmp_path / "out/egret/texts/31@640.md"
    text.write_text("---\ntitle: ", "utf-8")
    (tmp_path / "out/egret/history/44.json").write_text("{", "utf-8")
    again = run()
    assert (again.fetched, again.known, again.well) == (1, 3, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "give the title of a regulation, or --all"),
        (["가 규정", "--all"], "give the title of a regulation, or --all"),
        (["--all"], "has no list of revisions: write history into its entry"),
    ],
)
def test_what_cannot_be_filled_is_said(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"id": "a", "name": "A", "url": "http://127.0.0.1:9/x", "preset": "egov_files"}
    config = tmp_path / "registries.json"
    config.write_text(json.dumps({"registries": [entry]}))
    where = ["--config", str(config), "--out", str(tmp_path / "out")]
    assert main(["regulations", "history", "a", *words, *where]) == 1
    assert told in capsys.readouterr().err


def test_the_command_ends_with_one_when_something_is_left(
    portal: Portal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LoopbackServer(portal.respond) as site:
        url = f"http://{site.host}/lmxsrv/law/lawListManager.do"
        entry = {"id": "egret", "name": "Rules", "url": url, "preset": "lmxsrv"}
        config = tmp_path / "registries.json"
        config.write_text(json.dumps({"registries": [entry]}))
        where = ["--config", str(config), "--out", str(tmp_path / "out"), "--most", "1"]
        assert main(["regulations", "history", "egret", "--all", *where]) == 1
        told = capsys.readouterr().out
        assert main(["regulations", "history", "egret", "--all", *where, "--json"]) == 1
        shown = json.loads(capsys.readouterr().out)
    assert told == (
        "0 regulations, 0 texts fetched, 0 known, 0 failed; "
        "1 request made: run it again for the rest\n"
    )
    assert shown["left"]
