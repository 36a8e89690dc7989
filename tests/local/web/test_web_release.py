"""A release: addresses for ever, entry files that name them, and an order that breaks no reader."""

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from uring_local.web.release import Release, ReleaseInvalid, ReleaseObject, read_release

ENTRIES = [
    "web/sw.js",
    "web/manifest.webmanifest",
    "web/config.json",
    "web/status/index.html",
    "web/status/",
    "web/index.html",
]


def by_key(release: Release) -> dict[str, ReleaseObject]:
    return {file.key: file for file in release.files}


def named(key: str, body: bytes) -> set[str]:
    """The release files that an entry file names, as keys."""
    found = re.findall(r'"(\.{1,2}/[^"]*)"', body.decode())
    return {normpath(join(dirname(key), each)) for each in found if "/r/" in each}


def test_all_but_the_entry_files_have_an_address_for_ever(client: Path) -> None:
    release = read_release(client)
    assert re.fullmatch(r"[0-9a-f]{12}", release.id)
    files = by_key(release)
    folder = f"web/r/{release.id}"
    assert files.keys() - {*ENTRIES} == {
        f"{folder}/{name}"
        for name in (
            *("app/main.js", "icons/one.svg", "status/status.js", "style.css", "uring.js"),
            "vendor/LICENSE",
        )
    }
    for key, file in files.items():
        is_entry = key in ENTRIES
        kept = "no-cache" if is_entry else "public, max-age=31536000, immutable"
        assert file.cache_control == kept


def test_entry_files_name_the_files_of_their_release_and_nothing_else_changes(client: Path) -> None:
    release = read_release(client)
    files, r = by_key(release), f"r/{release.id}"
    assert files["web/index.html"].body.decode() == (
        f'<!doctype html><link rel="stylesheet" href="./{r}/style.css">'
        '<link rel="manifest" href="./manifest.webmanifest">'
        f'<script type="module" src="./{r}/app/main.js"></script>\n'
    )
    assert files["web/sw.js"].body.decode() == (
        f'import {{ fold }} from "./{r}/uring.js";\n'
        f'const ASSETS = ["./", "./index.html", "./{r}/uring.js", "./{r}/app/main.js", '
        f'"./{r}/style.css"];\n'
        'const DATA = "./data/index.json";\n'
    )
    assert json.loads(files["web/manifest.webmanifest"].body) == {
        "start_url": "./",
        "icons": [{"src": f"./{r}/icons/one.svg"}],
    }
    assert files["web/status/index.html"].body.decode() == (
        f'<script type="module" src="../{r}/status/status.js"></script>'
        f'<link rel="stylesheet" href="../{r}/style.css"><a href="../index.html">client</a>\n'
    )
    assert files[f"web/{r}/app/main.js"].body == (client / "app/main.js").read_bytes()


def test_the_folder_of_the_operators_page_is_the_page(client: Path) -> None:
    """The distribution completes no folder's address but the root's."""
    files = by_key(read_release(client))
    page, folder = files["web/status/index.html"], files["web/status/"]
    assert (folder.body, folder.content_type) == (page.body, page.content_type)


@pytest.mark.parametrize("are_joined", [False, True])
def test_whoever_reads_while_an_upload_is_under_way_finds_what_is_named(
    client: Path, *, are_joined: bool
) -> None:
    """After each put, over the release before it: every address in every entry file is there."""
    before = {file.key: file.body for file in read_release(client, are_joined=are_joined).files}
    (client / "uring.js").write_text("export const fold = 1;\n", encoding="utf-8")
    (client / "app/new.js").write_text("export const added = 1;\n", encoding="utf-8")
    page = (client / "index.html").read_text(encoding="utf-8")
    (client / "index.html").write_text(f'{page}"./app/new.js"', encoding="utf-8")
    release = read_release(client, are_joined=are_joined)
    assert [file.key for file in release.files][-len(ENTRIES) :] == ENTRIES
    bucket = dict(before)
    for file in release.files:
        bucket[file.key] = file.body
        wanted = {name for key in ENTRIES for name in named(key, bucket[key])}
        assert wanted
        assert wanted <= bucket.keys(), f"after {file.key}"


@pytest.mark.parametrize("changed", ["uring.js", "index.html", "sw.js", "status/index.html"])
def test_any_other_source_is_another_release(client: Path, changed: str) -> None:
    """Of an entry file too: the worker, which keeps the page, is the same bytes otherwise."""
    before = read_release(client)
    assert read_release(client) == before
    path = client / changed
    path.write_text(f"{path.read_text(encoding='utf-8')}\n", encoding="utf-8")
    assert read_release(client).id != before.id


def test_a_name_is_part_of_what_is_hashed(client: Path) -> None:
    before = read_release(client)
    (client / "style.css").rename(client / "styles.css")
    page = (client / "index.html").read_text(encoding="utf-8")
    for name in ("index.html", "sw.js", "status/index.html"):
        page = (client / name).read_text(encoding="utf-8")
        (client / name).write_text(page.replace("/style.css", "/styles.css"), encoding="utf-8")
    assert read_release(client).id != before.id


def test_the_configuration_is_of_a_deployment_and_of_no_release(client: Path) -> None:
    shipped = read_release(client)
    configured = read_release(client, {"push": {"events": "./push/events"}})
    assert configured.id == shipped.id
    assert json.loads(by_key(configured)["web/config.json"].body) == {
        "push": {"events": "./push/events"}
    }
    assert json.loads(by_key(shipped)["web/config.json"].body) == {"push": None}


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("web/index.html", "text/html; charset=utf-8"),
        ("web/status/", "text/html; charset=utf-8"),
        ("web/sw.js", "text/javascript; charset=utf-8"),
        ("web/manifest.webmanifest", "application/manifest+json; charset=utf-8"),
        ("web/config.json", "application/json; charset=utf-8"),
        ("app/main.js", "text/javascript; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
        ("icons/one.svg", "image/svg+xml; charset=utf-8"),
        ("vendor/LICENSE", "text/plain; charset=utf-8"),
    ],
)
def test_each_file_says_what_it_is(client: Path, name: str, content_type: str) -> None:
    release = read_release(client)
    key = name if name.startswith("web/") else f"web/r/{release.id}/{name}"
    assert by_key(release)[key].content_type == content_type


def test_hidden_files_stay_at_home(client: Path) -> None:
    before = read_release(client)
    (client / ".DS_Store").write_bytes(b"\0")
    (client / ".git").mkdir()
    (client / ".git" / "config.js").write_text("secret", encoding="utf-8")
    assert read_release(client) == before


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("app/main.ts", "let x: number", "main.ts: .ts is not a type"),
        (
            "index.html",
            '<script src="./app/mian.js">',
            "index.html: names app/mian.js, which does not exist",
        ),
        ("sw.js", "import './uring.jss.js';", "sw.js: names uring.jss.js"),
    ],
)
def test_what_would_be_a_broken_client_is_refused(
    client: Path, name: str, text: str, problem: str
) -> None:
    (client / name).write_text(text, encoding="utf-8")
    with pytest.raises(ReleaseInvalid, match=re.escape(problem)):
        read_release(client)


def test_a_folder_without_a_page_is_no_client(client: Path) -> None:
    (client / "index.html").unlink()
    with pytest.raises(ReleaseInvalid, match=r"web/index\.html: no such file"):
        read_release(client)


def test_a_page_in_another_encoding_is_refused(client: Path) -> None:
    (client / "index.html").write_bytes("<title>공지</title>".encode("euc-kr"))
    with pytest.raises(ReleaseInvalid, match="save it as UTF-8"):
        read_release(client)


def test_a_link_could_lead_anywhere(client: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (client / "note.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(ReleaseInvalid, match="is a link"):
        read_release(client)
