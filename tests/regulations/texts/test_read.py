"""How files are fetched, and how their texts reach readers in spite of other runs (R10)."""

from collections.abc import Collection
from typing import Any

import pytest
from fakes.registry import REGISTRY, SITE, Rule, plain_extract, registry_page
from fakes.worlds import RegulationWorld

from uring.extract.extraction import Extraction
from uring.fetch.http import Response
from uring.fetch.request import Request
from uring.regulations.texts.files import TextProjections

FIRST = "제1조(목적) 이 학칙은 교육을 정한다.\n\n제2조(학과) 학과는 셋이다."
SECOND = FIRST.replace("셋", "넷")
CHARTER, REVISED = Rule("학칙", "868"), Rule("학칙", "900")
ELSEWHERE = "https://files.example.net"
OBEYING = {"request": {"honour_robots": True}}


@pytest.fixture
def world() -> RegulationWorld:
    world = RegulationWorld()
    world.site.files |= {"868": FIRST, "900": SECOND}
    return world


def forbid(world: RegulationWorld, *paths: str) -> None:
    """Let robots.txt forbid these, and note no request of it."""
    fetch, files = world.site.fetch, world.site.files

    def answer(request: Request) -> Response:
        if request.url == f"{SITE}/robots.txt":
            lines = "".join(f"Disallow: {path}\n" for path in paths)
            files["robots"] = f"User-agent: *\n{lines}"
            return fetch(Request(url=f"{SITE}/?fileNo=robots"))
        return fetch(request)

    world.site.fetch = answer  # type: ignore[method-assign]


def asked(world: RegulationWorld) -> list[str]:
    """Return what was asked for, robots.txt aside."""
    urls = [request.url.removeprefix(SITE).partition("?")[0] for request in world.site.requests]
    return [url for url in urls if url != "/"]


def test_a_page_that_robots_forbid_is_not_fetched(world: RegulationWorld) -> None:
    forbid(world, "/www/")
    world.site.show(CHARTER)
    check = world.check(**OBEYING)
    assert (check.outcome, check.reason) == ("failed", "robots")
    assert asked(world) == []


def test_a_file_that_robots_forbid_is_not_fetched(world: RegulationWorld) -> None:
    forbid(world, "/downloadContentsFile.do")
    world.site.show(CHARTER)
    world.check(**OBEYING)
    world.texts.poll()
    assert "/downloadContentsFile.do" not in asked(world)
    assert asked(world)[-1] == "/www/previewMenuCntFile.do"
    assert b"previewMenuCntFile" in world.bucket.body("data/rules/texts/868.md")


def test_a_preview_that_robots_forbid_is_not_fetched(world: RegulationWorld) -> None:
    forbid(world, "/www/preview")
    world.site.files["868"] = "!wrong_format"
    world.site.show(CHARTER)
    world.check(**OBEYING)
    world.texts.poll()
    assert asked(world) == ["/www/contents.do", "/downloadContentsFile.do"]


@pytest.mark.parametrize("elsewhere", [ELSEWHERE, SITE.replace("https:", "http:")])
def test_headers_go_to_the_registrys_own_host_alone_and_never_in_the_clear(
    world: RegulationWorld, elsewhere: str
) -> None:
    request = {"honour_robots": False, "headers": {"Authorization": "Basic dXJpbmc="}}
    world.site.files["868"] = "!wrong_format"
    page = registry_page([CHARTER])
    world.site.page = page.replace("/downloadContents", f"{elsewhere}/downloadContents")
    world.check(request=request)
    world.texts.poll()
    sent = {each.url.partition("?")[0]: dict(each.headers) for each in world.site.requests}
    assert sent == {
        f"{SITE}/www/contents.do": request["headers"],
        f"{SITE}/www/previewMenuCntFile.do": request["headers"],
        f"{elsewhere}/downloadContentsFile.do": {},
    }


@pytest.mark.parametrize("formats", [None, ["hwp", "html"]])
def test_html_is_a_format_only_where_it_is_named(formats: list[str] | None) -> None:
    seen: list[set[str]] = []

    def extract(body: bytes, expected: Collection[str]) -> Extraction:
        seen.append({*expected})
        return plain_extract(body, expected)

    world = RegulationWorld(extract=extract)
    world.day(CHARTER, **({"formats": formats} if formats else {}))
    assert seen == [{*formats} if formats else {"pdf", "hwpx", "hwp", "docx"}]


def test_a_text_is_kept_once(world: RegulationWorld) -> None:
    world.site.files["900"] = FIRST
    world.day(CHARTER)
    world.day(REVISED)
    bodies = [key for key in world.bucket.versions if "/bodies/" in key]
    assert [len(world.bucket.versions[key]) for key in bodies] == [1]


def test_the_same_text_again_leaves_its_last_difference_as_it_is(world: RegulationWorld) -> None:
    world.site.files["901"] = SECOND
    world.day(CHARTER)
    world.day(REVISED)
    (difference,) = [
        key for key in world.bucket.versions if "868-900" in key and key.endswith(".json")
    ]
    world.day(Rule("학칙", "901"))
    assert len(world.bucket.versions[difference]) == 1
    assert [article["key"] for article in world.document(difference)["articles"]] == ["제2조"]


def states_of(world: RegulationWorld) -> tuple[Any, Any]:
    """Return a text's state before and after another reader, of one file."""
    world.day(CHARTER)
    (source,) = world.state_of("rules").texts.values()
    older = world.texts.state_of(source)

    def newer(body: bytes, formats: Collection[str]) -> Extraction:
        read = plain_extract(body, formats)
        return read.model_copy(update={"version": read.version + 1, "text": f"# {read.text}"})

    world.texts.extract = newer
    world.texts.restart()
    world.day(REVISED)
    world.day(CHARTER)
    return older, world.texts.state_of(source)


def projections(world: RegulationWorld) -> TextProjections:
    return world.texts.checker.family.projections(world.texts.job("x", entry=parse_entry()))


def parse_entry() -> dict[str, Any]:
    address = f"{SITE}/868"
    return {
        "registry": REGISTRY,
        "title": "학칙",
        "fileNo": "868",
        "previewUrl": address,
        "downloadUrl": address,
    }


def test_an_older_text_never_replaces_a_newer_one(world: RegulationWorld) -> None:
    older, newer = states_of(world)
    assert older.text.file_no == newer.text.file_no
    before = world.bucket.body("data/rules/texts/868.md")
    projections(world).write(older)
    assert world.bucket.body("data/rules/texts/868.md") == before
    assert b"# " in before


def test_until_a_text_is_published_its_queue_entry_stays(world: RegulationWorld) -> None:
    world.day(CHARTER)
    waiting: dict[str, list[str]] = {}
    put = world.bucket.put

    def noted(key: str, *arguments: Any, **more: Any) -> str:
        waiting[key] = world.keys("queue:")
        return put(key, *arguments, **more)

    world.bucket.put = noted  # type: ignore[method-assign]
    world.day(REVISED)
    folders = ("data/rules/texts/", "data/rules/differences/", "data/rules/archive/")
    published = {key: queued for key, queued in waiting.items() if key.startswith(folders)}
    assert len(published) == 4
    assert set(map(tuple, published.values())) == {("queue:학칙",)}
    assert world.keys("queue:") == []
