"""Lists go on behind what they looked at, and one bad row never takes them away (N23)."""

from typing import Any
from unicodedata import normalize
from urllib.parse import quote

import pytest
from fakes.document_api import PAGE, TEXT, ApiWorld, issue_path

from uring.documents.names import attachments, source_problem
from uring.documents.store.issues import StoredIssue
from uring.tables import Write

ISSUES = f"/api/v1/pages/{PAGE}/issues"
POLICIES = f"/api/v1/pages/{PAGE}/policies"
NAMES = ["학칙.pdf", "교원·직원 규정 #1 & 별표~.docx", "[공고] 안(최종).hwp", "a+b", "leave.pdf"]


@pytest.fixture
def world() -> ApiWorld:
    return ApiWorld()


def damage(world: ApiWorld, issue: StoredIssue, **attributes: Any) -> None:
    item = world.table.get(PAGE, issue.key)
    assert item is not None
    assert world.table.transact(PAGE, [Write(issue.key, {**item, **attributes})])


def whole(world: ApiWorld, path: str, name: str) -> tuple[list[dict[str, Any]], int]:
    """All entries of a list, and the number of its parts."""
    found: list[dict[str, Any]] = []
    after, parts = "", 0
    while after is not None:
        reply = world.get(f"{path}{'&' if '?' in path else '?'}after={after}")
        assert reply.status == 200
        found += reply.json[name]
        after, parts = reply.json["next"], parts + 1
    return found, parts


class TestUnreadable:
    """Items that are malformed, or of a newer release."""

    @pytest.mark.parametrize(
        "attributes",
        [
            {"severity": "extreme"},
            {"schema_version": 2},
            {"references": "["},
            {"references": "[" * 100_000},
            {"history": '[{"at": 1}]'},
            {"version": None},
        ],
    )
    def test_the_others_are_listed_and_these_are_counted(
        self, world: ApiWorld, attributes: dict[str, Any]
    ) -> None:
        world.find("one")
        damage(world, world.find("two"), **attributes)
        world.find("three")
        listed = world.get(ISSUES).json
        assert {each["title"].split()[0] for each in listed["issues"]} == {"one", "three"}
        assert (listed["unreadable"], listed["next"]) == (1, None)

    def test_each_is_counted_in_one_part(self, world: ApiWorld) -> None:
        for number in range(10):
            issue = world.find(str(number))
            if number % 2:
                damage(world, issue, severity="extreme")
        after, counted, titles = "", 0, set()
        while after is not None:
            listed = world.get(f"{ISSUES}?limit=1&after={after}").json
            counted += listed["unreadable"]
            titles |= {each["title"].split()[0] for each in listed["issues"]}
            after = listed["next"]
        assert (counted, titles) == (5, {"0", "2", "4", "6", "8"})

    def test_a_read_of_one_never_says_that_something_was_done(self, world: ApiWorld) -> None:
        issue = world.find()
        for attributes, status in (
            ({"schema_version": 2}, 503),
            ({"schema_version": 1, "title": None}, 500),
        ):
            damage(world, issue, **attributes)
            for path in (issue_path(issue), f"{issue_path(issue)}/history"):
                reply = world.get(path)
                assert reply.status == status
                assert "done" not in reply.text

    @pytest.mark.parametrize("attributes", [{"etag": None}, {"schema_version": 2}, {"notes": "{"}])
    def test_an_attachment_is_listed_without_its_bad_entry(
        self, world: ApiWorld, attributes: dict[str, Any]
    ) -> None:
        for source in ("a", "b"):
            world.upload(source)
            entry = world.extract(source)
        world.table.transact(PAGE, [Write(entry.key, {**entry.item(), **attributes})])
        listed = world.get(POLICIES).json
        assert [(each["source"], bool(each["original"])) for each in listed["policies"]] == [
            ("a", True),
            ("b", False),
        ]
        assert listed["unreadable"] == 1

    def test_a_malformed_text_can_be_made_again(self, world: ApiWorld) -> None:
        world.upload("a")
        entry = world.extract("a")
        world.table.transact(PAGE, [Write(entry.key, {"etag": "x"})])
        reply = world.get(f"{POLICIES}/a")
        assert (reply.status, "submit a job" in reply.json["detail"]) == (404, True)


class TestNext:
    """`next` is where a part ended to look."""

    def test_objects_that_are_no_attachments_are_passed_by(self, world: ApiWorld) -> None:
        for number in range(5_001):
            world.bucket.plant(f"{attachments(PAGE)}a:{number:04}", b"")
        for number in range(3):
            world.upload(f"rules-{number}.pdf")
        first = world.get(POLICIES).json
        assert (first["policies"], bool(first["next"])) == ([], True)
        assert len(first["left_out"]) == 20
        found, parts = whole(world, POLICIES, "policies")
        assert [each["source"] for each in found] == [f"rules-{number}.pdf" for number in range(3)]
        assert parts == 2

    def test_issues_that_nobody_wants_are_passed_by(self, world: ApiWorld) -> None:
        for number in range(2_100):
            world.find(str(number), severity="low")
        found, parts = whole(world, f"{ISSUES}?severity=critical", "issues")
        assert (found, parts) == ([], 2)
        found, parts = whole(world, f"{ISSUES}?limit=100", "issues")
        assert (len(found), parts) == (2_100, 21)

    @pytest.mark.parametrize(
        "tail", ["a/b", "a\n", "\x1b[31m", "..", ".", "😀" * 200, " ", "%", "a" * 800, "/", "-"]
    )
    def test_a_list_goes_on_behind_any_key(self, world: ApiWorld, tail: str) -> None:
        world.bucket.plant(f"{attachments(PAGE)}{tail}", b"")
        for number in range(5_000):
            world.bucket.plant(f"{attachments(PAGE)}!:{number:04}", b"")
        world.upload("휴가.pdf")
        found, parts = whole(world, POLICIES, "policies")
        assert ([each["source"] for each in found], parts) == (["휴가.pdf"], 2)


class TestNames:
    """Names as offices write them."""

    def test_they_are_attachments_with_texts(self, world: ApiWorld) -> None:
        for name in NAMES:
            world.upload(name)
            world.extract(name)
        listed = world.get(POLICIES).json
        assert {each["source"] for each in listed["policies"]} == set(NAMES)
        assert (listed["left_out"], listed["unreadable"]) == ([], 0)
        for name in NAMES:
            for path in (quote(name, safe=""), quote(name), quote(name, safe="·[]& ")):
                reply = world.get(f"{POLICIES}/{path}")
                assert (reply.status, reply.json["text"]) == (200, TEXT), path

    def test_a_path_that_is_decoded_already_is_the_same(self, world: ApiWorld) -> None:
        """API Gateway may hand over either form."""
        world.upload("교원·직원.pdf")
        world.extract("교원·직원.pdf")
        assert world.get(f"{POLICIES}/교원·직원.pdf").status == 200

    @pytest.mark.parametrize("name", NAMES)
    def test_jobs_take_them(self, world: ApiWorld, name: str) -> None:
        body = {"operation": "policy", "source": name}
        assert world.post(f"/api/v1/pages/{PAGE}/jobs", body).json["source"] == name

    def test_an_uploader_is_told_why_an_object_is_left_out(self, world: ApiWorld) -> None:
        for name in ("", normalize("NFD", "휴가.pdf"), "a:b", "a\u202eb", "x" * 300, ".hidden"):
            world.bucket.plant(f"{attachments(PAGE)}{name}", b"")
        world.upload("ok.pdf")
        listed = world.get(POLICIES).json
        assert [each["source"] for each in listed["policies"]] == ["ok.pdf"]
        told = {each["name"]: each["reason"] for each in listed["left_out"]}
        assert len(told) == 5
        assert all(name.isascii() and len(name) <= 200 for name in told)
        assert "normal form C" in told[ascii(normalize("NFD", "휴가.pdf"))[1:-1]]
        assert "leave it out" in told["a:b"]
        assert "shorten" in told["x" * 200]

    @pytest.mark.parametrize(
        "name",
        [
            "..",
            ".",
            ".a",
            "-a",
            "a/b",
            "a\\b",
            "a:b",
            "a%2Fb",
            " a",
            "a ",
            "a\tb",
            "a\nb",
            "a\x00b",
            "a\x7fb",
            "a\u00a0b",
            "a\u3000b",
            "a\u200bb",
            "a\u200db",
            "a\u202eb",
            "a\u2066b",
            "a\ufeffb",
            "a\u3164b",
            "a\u115fb",
            "a\ufe0f",
            "a\U000e0041",
            "a\ue000",
            "a\ud800",
            "\u0301a",
            normalize("NFD", "é"),
            normalize("NFD", "각"),
            "\u212b",
            "학" * 61,
            "a" * 181,
            "a" * 1_000_000,
            "",
        ],
    )
    def test_any_other_name_is_refused_everywhere(self, world: ApiWorld, name: str) -> None:
        assert source_problem(name)
        body = {"operation": "policy", "source": name}
        reply = world.post(f"/api/v1/pages/{PAGE}/jobs", body)
        assert reply.status in (413, 422)
        if len(name) < 1_000:
            path = quote(name, safe="", errors="surrogatepass")
            assert world.get(f"{POLICIES}/{path}").status in (404, 422)
