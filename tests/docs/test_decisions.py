"""docs/decisions: each entry is dated and short, and its names are names of the project."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from uring_local.cli import application

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("*.md"))
ENTRIES = [path for path in PAGES if path.name != "README.md"]
# A page of entries is read before a change, in one go.
MOST_WORDS = 130

_CODE = {".py", ".js", ".mjs", ".html", ".yaml", ".toml", ".json", ".css", ".webmanifest"}
# Of Python, JavaScript, YAML and TOML alike: what is declared, what is assigned or a key.
_DECLARED = re.compile(r"\b(?:class|def|function\*?|const|let)\s+(\w+)")
_KEY = re.compile(r"\b(\w+)[\"']?\??\s*[:=](?!=)")
_TEXT = re.compile(r"""["']([^"'\n]+)["']""")


@cache
def tracked() -> tuple[str, ...]:
    listed = subprocess.run(
        ["git", "ls-files"],  # noqa: S607 - of the machine
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return tuple(name for name in listed.stdout.splitlines() if (ROOT / name).exists())


@cache
def sources() -> tuple[str, ...]:
    """The project's code: no page, no fixture, and not the wrong names of this file."""
    return tuple(
        (ROOT / name).read_text("utf-8")
        for name in tracked()
        if Path(name).suffix in _CODE
        and not name.startswith(("docs/", "tests/docs/", "tests/fixtures/", "web/vendor/"))
    )


@cache
def identifiers() -> frozenset[str]:
    """Names that the code declares, assigns, or has as a parameter, a key or a whole string."""
    found: set[str] = set()
    for text in sources():
        found.update(_DECLARED.findall(text), _KEY.findall(text))
        found.update(word for word in _TEXT.findall(text) if word.isidentifier())
    return frozenset(found)


@cache
def places() -> frozenset[str]:
    """Files and folders, by every end of their paths; modules by their dotted names, too."""
    found: set[str] = set()
    for name in tracked():
        parts = Path(name).parts
        for end in range(1, len(parts) + 1):
            found.update("/".join(parts[start:end]) for start in range(end))
    dotted = {
        name.removesuffix(".py").replace("/", ".") for name in found if name.startswith("uring")
    }
    return frozenset(found | dotted)


@cache
def targets() -> frozenset[str]:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return frozenset(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))


def is_command(words: list[str]) -> bool:
    """Whether `uring` has this command; a group of commands is one."""
    app = application()
    for word in words:
        if word not in list(app):
            return False
        app = app[word]
    return True


def is_member(name: str) -> bool:
    """Whether a class of that name has such a member; by its body, so not an inherited one."""
    owner, _, member = name.partition(".")
    bodies = [
        body
        for text in sources()
        for body in re.findall(rf"^class {owner}\b.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    ]
    word = re.compile(rf"^    (?:async )?(?:def )?{member}\b\s*[(:=]", re.MULTILINE)
    return any(word.search(body) for body in bodies)


def is_known(name: str) -> bool:
    """Whether it is a name of the project."""
    first, *rest = name.split()
    if first == "uring" and rest:
        return is_command(rest)
    if first == "make" and rest:
        return rest[0] in targets()
    if re.fullmatch(r"[A-Z]\w*\.\w+", name):
        return is_member(name)
    if re.fullmatch(r"\w+=\w+", name):
        return all(part in identifiers() for part in name.split("="))
    if name in identifiers() or name.rstrip("/") in places():
        return True
    return "/" in name[:-1] and any(
        name in word for text in sources() for word in _TEXT.findall(text)
    )


def unknown_names(page: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count("`") % 2:
            yield f"{page}:{number}: a name is broken at the end of the line"
        for name in re.findall("`([^`]+)`", line):
            if not is_known(name):
                yield f"{page}:{number}: `{name}` is no name of the project"


@pytest.mark.parametrize("page", ENTRIES, ids=lambda page: page.stem)
def test_each_name_is_one_of_the_project(page: Path) -> None:
    wrong = list(unknown_names(f"docs/decisions/{page.name}", page.read_text("utf-8")))
    assert not wrong, "\n".join([*wrong, "mend the entry, or write other names without backticks"])


@pytest.mark.parametrize(
    "name",
    [
        "CollectNotices",
        "Extraction.is_eternal",
        "NoSuchClass.is_permanent",
        "uring.aws.nowhere",
        "web/nowhere.js",
        "nowhere.toml",
        "state/nowhere/",
        "make nowhere",
        "uring nowhere",
        "uring seeds nowhere",
        "NoSuchParameter",
        "Gradual=sometimes",
        "If-Match",
        "meta.nowhere",
    ],
)
def test_a_wrong_name_is_found_with_its_page_and_line(name: str) -> None:
    text = f"# Decisions\n\nThe class `Extraction` stays, and so does `{name}`.\n"
    assert list(unknown_names("page.md", text)) == [
        f"page.md:3: `{name}` is no name of the project"
    ]


@pytest.mark.parametrize("page", ENTRIES, ids=lambda page: page.stem)
def test_an_entry_is_a_claim_a_date_a_few_sentences_and_the_way_back(page: Path) -> None:
    title, *entries = re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE)
    assert title.startswith("# Decisions on ")
    assert entries
    for entry in entries:
        claim, _, body = entry.partition("\n")
        assert re.match(r"\*20\d\d-\d\d-\d\d\.\* \S", body), claim
        assert "*Back:*" in body, claim
        assert len(body.split()) <= MOST_WORDS, claim


def test_no_claim_stands_twice() -> None:
    claims = re.findall(
        r"^## (.*)", "\n".join(page.read_text("utf-8") for page in ENTRIES), re.MULTILINE
    )
    assert sorted(claims) == sorted(set(claims))


def test_the_index_has_each_page_once() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| \[\w+\]\((\w+\.md)\)", index, re.MULTILINE)) == [
        page.name for page in ENTRIES
    ]


def test_each_package_of_the_library_has_a_page() -> None:
    packages = {path.parent.name for path in ROOT.glob("layers/core/uring/*/__init__.py")}
    # It holds wiring alone: its decisions are those of the whole.
    assert packages - {"functions"} <= {page.stem for page in ENTRIES}
