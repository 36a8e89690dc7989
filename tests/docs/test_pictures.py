"""The documents' pictures are there, small, and those that their scripts make."""

import re
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
# A page with three of them is loaded over a phone's network in a second.
MOST_BYTES = 120_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_picture_of_a_page_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for source in re.findall(r"!\[[^\]]+\]\(([^)]+)\)|<img src=\"([^\"]+)\" alt=\"[^\"]+\"", text):
        assert (page.parent / "".join(source)).is_file()
    assert text.count("<img ") == len(re.findall(r"<img src=\"[^\"]+\" alt=\"[^\"]+\"", text))


def test_the_pictures_of_the_client_are_those_that_the_script_takes() -> None:
    taken = {picture.name for picture in run_path(str(DOCS / "pictures.py"))["PICTURES"]}
    assert taken == {path.name for path in DOCS.glob("*.webp")}
    shown = "".join(page.read_text("utf-8") for page in PAGES)
    assert all(name in shown for name in taken)


def test_a_picture_is_small() -> None:
    for path in DOCS.glob("*.webp"):
        assert path.read_bytes()[8:12] == b"WEBP"
        assert path.stat().st_size < MOST_BYTES, path.name


def test_the_architecture_is_as_its_script_draws_it() -> None:
    drawn = run_path(str(DOCS / "architecture_svg.py"))["draw"]()
    assert (DOCS / "architecture.svg").read_text("utf-8") == drawn
