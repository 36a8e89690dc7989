"""Docstrings, comments, messages and pages are plain English: no turn has to be learned."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = sorted(
    path for folder in ("layers", "local", "functions") for path in (ROOT / folder).rglob("*.py")
)
# The folders whose string literals are read, too.
MESSAGES = ("layers", "functions", "local")
# Strings that are not English, each by its beginning.
NOT_ENGLISH = ("script style nav aside footer",)  # names of HTML elements
PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("*.md"),
        ROOT / "bench" / "README.md",
        ROOT / "events" / "README.md",
        ROOT / "template.yaml",
    ]
)
# A turn, and the plain way to say it.
TURNS = {
    r"(that|which|it) (is|are|was|were) none": 'the noun: "a malformed date", "an unknown id"',
    r"one that (is|has) no": 'the noun: "a page without rows"',
    r"(?<!there )(is|was) no (?!longer|more|earlier|later|older|newer|larger|other|one)[a-z]+": (
        '"is not a ..."'
    ),
    r"(none )?of ours": "the owner's name",
    r"of others": "the owner's name",
    r"anew": '"again"',
    r"whoever": 'the person: "the caller", "the reader"',
    r"stands? in the way": '"the error", "the reason"',
    r"what stands": "the noun",
    r"aside": '"except", or the place',
    r"so many": '"this number of", "up to n"',
    r"tells? (of|that)|(is|are|was|were|be|been) told": '"logged", "reported", "pushed", "shown"',
    r"of (which|whom)": "two sentences",
    r"no news": '"is not pushed"',
    r"(one|those) that": "the noun",
    r"as ever": '"as before"',
    r"likewise": '"in the same way", "also"',
    r"as far as": '"where", "if", "up to"',
    r"(what|that) is there": '"what exists", "is stored"',
    r"who asks": '"the caller"',
    r"heed(s|ed)?": '"follow"',
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, the lines of a page, with their line numbers."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    elif path.suffix == ".yaml":
        for number, line in enumerate(source.splitlines(), start=1):
            if "#" in line or "Description" in line:
                yield number, line
    else:
        # A paragraph's turns run over its line ends.
        number = 1
        for paragraph in source.split("\n\n"):
            yield number, paragraph
            number += paragraph.count("\n") + 2


def remedies(text: str) -> Iterator[str]:
    """Each turn of a text, and the plain way."""
    for turn, plain in TURNS.items():
        for found in re.finditer(rf"\b({turn})\b", re.sub(r"\s+", " ", text), re.IGNORECASE):
            yield f'"{found[0]}": write {plain}'


def messages(source: str) -> Iterator[tuple[int, str]]:
    """The string literals of a module that people may read, with {} for each value."""
    tree = ast.parse(source)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)  # a docstring
        if node in skipped:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if " " in text.strip() and not text.startswith(NOT_ENGLISH):
            yield getattr(node, "lineno", 1), text


def turns(path: Path) -> list[str]:
    """The lines of a file that are to be said plainly, each with its remedy."""
    return [
        f"{path.relative_to(ROOT)}:{number}: {remedy}"
        for number, text in texts(path)
        for remedy in remedies(text)
    ]


@pytest.mark.parametrize("place", MESSAGES)
def test_messages_are_plain(place: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{number}: {remedy}"
        for path in CODE
        if ROOT / place in path.parents
        for number, text in messages(path.read_text("utf-8"))
        for remedy in remedies(text)
    ] == []


def test_a_turn_in_a_message_is_found() -> None:
    source = '''
def read(name: str) -> str:
    """It is anew here: a docstring, read elsewhere."""
    key = "anew"
    if name:
        raise ValueError(f"{name!r} is no id; " "write it anew")
    return {"a key": f"it took {name or 'so many'} s"}
'''
    found = [(number, text, [*remedies(text)]) for number, text in sorted(messages(source))]
    assert found == [
        (
            6,
            "{} is no id; write it anew",
            ['"is no id": write "is not a ..."', '"anew": write "again"'],
        ),
        (7, "a key", []),
        (7, "it took {} s", []),
        (7, "so many", ['"so many": write "this number of", "up to n"']),
    ]


@pytest.mark.parametrize("place", ["layers", "local", "functions"])
def test_docstrings_and_comments_are_plain(place: str) -> None:
    assert [line for path in CODE if ROOT / place in path.parents for line in turns(path)] == []


def test_pages_and_the_template_are_plain() -> None:
    assert [line for path in PAGES for line in turns(path)] == []


def test_a_turn_is_found_with_its_remedy() -> None:
    odd = "A key that\nis none of ours: whoever asks gets it anew."
    plain = "An unknown key: there is no value, and the caller gets the default again."
    assert [*remedies(odd)] == [
        '"that is none": write the noun: "a malformed date", "an unknown id"',
        '"none of ours": write the owner\'s name',
        '"anew": write "again"',
        '"whoever": write the person: "the caller", "the reader"',
    ]
    assert [*remedies(plain)] == []
