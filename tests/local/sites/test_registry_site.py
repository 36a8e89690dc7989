"""The registries' site, as a reader meets it over HTTP."""

from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
import urllib3
from registry_reader import ListReader, get, list_of

from uring_local.loopback import Request
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import (
    BYEOLHA,
    MULGYEOL,
    REGISTRIES,
    File,
    Registry,
    Row,
)
from uring_local.sites.registry.page import list_page
from uring_local.sites.registry.site import TIMEOUT_SECONDS, RegistrySite
from uring_local.sites.registry.stories import MONTH
from uring_local.sites.registry.words import CHAPTERS

SEED = 2


@pytest.fixture(scope="module")
def played() -> Iterator[RegistrySite]:
    """A site that has seen a month; it stands wherever a test moves it."""
    with RegistrySite(SEED) as site:
        site.advance(MONTH)
        yield site
    assert site.failures == []


@pytest.fixture
def site(played: RegistrySite) -> RegistrySite:
    played.advance(1)
    return played


def day_with(site: RegistrySite, story: str, registry: Registry = BYEOLHA) -> int:
    """The first day of a trouble, a trap or a story."""
    return next(note.day for note in site.scripts[registry.id].notes if note.story == story)


def file_of(site: RegistrySite, fate: str, registry: Registry = BYEOLHA) -> File:
    return next(f for f in site.scripts[registry.id].files.values() if f.fate == fate)


def download(site: RegistrySite, registry: Registry, file: File) -> urllib3.BaseHTTPResponse:
    return get(site, f"/downloadContentsFile.do?key={registry.key}&fileNo={file.number}")


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.id)
def test_the_rows_of_the_page_are_those_of_the_model_without_comments(
    site: RegistrySite, registry: Registry
) -> None:
    served = [row for row in site.page(registry).served if not row.is_comment]
    read = list_of(site, registry)
    assert [(row.title, row.file_nos) for row in read.rows] == [
        (row.title, {row.file_no}) for row in served
    ]
    assert len(served) == registry.size
    assert [name for name in read.chapters if "장 " in name] == [
        f"제 {number}장 {name}" for number, name in enumerate(CHAPTERS, 1)
    ]


def test_what_was_given_up_stands_in_a_comment_as_a_row(site: RegistrySite) -> None:
    (comment,) = list_of(site, BYEOLHA).comments
    (row,) = (row for row in site.page(BYEOLHA).rows if row.is_comment)
    assert f'<p class="text_left">{row.title}</p>' in comment
    assert f"fileNo={row.file_no}" in comment


def test_the_titles_of_some_links_are_those_of_another_regulation(site: RegistrySite) -> None:
    rows = list_of(site, BYEOLHA).rows
    wrong = [row for row in rows if not row.labels[0].startswith(f"{row.title} ")]
    titles = {row.title for row in rows}
    assert len(wrong) == 4
    assert all(row.labels[1].removesuffix(" 내려받기") in titles for row in wrong)


def test_links_resolve_to_two_folders_and_their_ampersands_are_raw(site: RegistrySite) -> None:
    text = list_page(BYEOLHA, site.page(BYEOLHA))
    assert "&amp;" not in text
    row = list_of(site, BYEOLHA).rows[0]
    preview, file = (urljoin(site.url(BYEOLHA), href) for href in row.hrefs)
    number = min(row.file_nos)
    base = f"http://{site.host}"
    assert preview == f"{base}/www/previewMenuCntFile.do?key=610&fileNo={number}"
    assert file == f"{base}/downloadContentsFile.do?key=610&fileNo={number}"
    assert "innerWrap" in get(site, preview.removeprefix(base)).data.decode()
    assert get(site, file.removeprefix(base)).status == 200


@pytest.mark.parametrize(
    ("trap", "is_it"),
    [
        ("letters", lambda rows: [row for row in rows if row.file_nos == {"12a4"}]),
        ("no_title", lambda rows: [row for row in rows if not row.title]),
        ("twice", lambda rows: [row for row in rows if row.file_nos == {"99998"}]),
        ("repeated", lambda rows: [row for row in rows[1:] if row.file_nos == rows[0].file_nos]),
        ("changed_places", lambda rows: [row for row in rows if row.file_nos == {"99997"}]),
    ],
)
def test_the_page_has_its_traps_on_some_days(site: RegistrySite, trap: str, is_it: object) -> None:
    assert callable(is_it)
    site.advance(day_with(site, trap))
    page = list_page(BYEOLHA, site.page(BYEOLHA))
    if site.page(BYEOLHA).trouble:
        site.advance(site.day + 1)
        page = list_page(BYEOLHA, site.page(BYEOLHA))
    assert len(is_it(ListReader(page).rows)) == 1


def test_half_a_list_and_an_empty_one_look_like_a_page(site: RegistrySite) -> None:
    site.advance(day_with(site, "half"))
    assert 15 < len(list_of(site, BYEOLHA).rows) < 25
    site.advance(day_with(site, "empty"))
    assert list_of(site, BYEOLHA).rows == []


def test_in_an_outage_no_list_comes(site: RegistrySite) -> None:
    target = f"{BYEOLHA.path}?key={BYEOLHA.key}"
    site.advance(day_with(site, "http_503"))
    assert get(site, target).status == 503
    site.advance(day_with(site, "login"))
    assert 'type="password"' in get(site, target).data.decode()
    site.advance(day_with(site, "hangs_up"))
    with pytest.raises(urllib3.exceptions.ProtocolError):
        get(site, target)
    site.advance(day_with(site, "no_answer"))
    answer = site.respond(Request("GET", target))
    assert (answer.manner, answer.seconds > TIMEOUT_SECONDS) == ("cut", True)
    assert get(site, "/robots.txt").data.startswith(b"User-agent: *")


def test_an_unchanged_list_is_304_where_the_site_has_an_etag() -> None:
    """By seed: some have none."""
    seen = set()
    for seed in range(1, 6):
        with RegistrySite(seed) as site:
            site.advance(1)
            target = f"{BYEOLHA.path}?key={BYEOLHA.key}"
            etag = get(site, target).headers.get("ETag")
            seen.add(etag is not None)
            if etag:
                assert get(site, target, **{"If-None-Match": etag}).status == 304
    assert seen == {True, False}


def test_a_file_is_what_its_maker_made(site: RegistrySite) -> None:
    rows = [row for row in site.page(BYEOLHA).rows if not row.is_comment]
    formats: set[str] = set()
    for row in rows[:12]:
        file = site.scripts[BYEOLHA.id].files[row.file_no]
        body = download(site, BYEOLHA, file).data
        assert body == body_of(file)
        assert body.startswith({"pdf": b"%PDF-", "hwpx": b"PK"}[file.format])
        formats.add(file.format)
    assert formats == {"pdf", "hwpx"}


def test_a_page_of_the_second_registry_is_its_own_preview(site: RegistrySite) -> None:
    row = next(row for row in site.page(MULGYEOL).rows if not row.is_comment)
    file = site.scripts[MULGYEOL.id].files[row.file_no]
    preview = get(site, f"/law/previewMenuCntFile.do?key=77&fileNo={row.file_no}")
    assert preview.data == download(site, MULGYEOL, file).data == body_of(file)
    assert file.articles[0].text in preview.data.decode()


def test_an_error_page_and_a_missing_file_last_for_days(site: RegistrySite) -> None:
    for fate, status, sign in (("error_page", 200, "오류"), ("missing", 404, "없는 파일")):
        file = file_of(site, fate)
        site.advance(file.until)
        answer = download(site, BYEOLHA, file)
        assert (answer.status, sign in answer.data.decode()) == (status, True)
        site.advance(file.until + 1)
        assert download(site, BYEOLHA, file).data == body_of(file)


def test_a_busy_site_serves_the_file_at_the_second_try(site: RegistrySite) -> None:
    file = file_of(site, "busy")
    answers = [download(site, BYEOLHA, file).status for _ in range(3)]
    assert answers == [503, 200, 200]


def test_some_files_are_of_no_use_for_good(site: RegistrySite) -> None:
    site.advance(MONTH)
    assert b"/Encrypt" in download(site, BYEOLHA, file_of(site, "encrypted")).data
    assert b"/Scan Do" in download(site, BYEOLHA, file_of(site, "scanned")).data
    bomb = download(site, BYEOLHA, file_of(site, "bomb")).data
    assert bomb.startswith(b"PK")
    assert len(bomb) < 1_000_000


def test_what_is_not_there_is_404(site: RegistrySite) -> None:
    for target in ("/", "/www/rules.do?key=1", "/downloadContentsFile.do?key=610&fileNo=1"):
        assert get(site, target).status == 404


def test_every_row_of_a_month_has_a_file(site: RegistrySite) -> None:
    """But for those that are traps or comments."""
    for registry in REGISTRIES:
        script = site.scripts[registry.id]
        traps = {"12a4", "99997", "99998", "99999"}
        rows: set[Row] = set()
        for day in range(1, MONTH + 1):
            rows |= {row for row in script.page(day).rows if not row.is_comment}
        assert {row.file_no for row in rows} - traps <= script.files.keys()
