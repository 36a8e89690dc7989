"""Every board style is a folder of fixtures: a page, its entry, and what must be read."""

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest

from uring.fetch.decode import decode_html
from uring.notices.page import read_page
from uring.notices.source import Source
from uring.sources.rows import Page

FOLDERS = sorted(
    path.parent for path in (Path(__file__).parent.parent / "fixtures").glob("*/entry.json")
)


def read(folder: Path) -> tuple[Page, dict]:
    source = Source.model_validate_json((folder / "entry.json").read_bytes())
    expected = json.loads((folder / "expected.json").read_bytes())
    (answer,) = folder.glob("input.*")
    text = decode_html(answer.read_bytes(), None).text
    seen = {key: date.fromisoformat(day) for key, day in expected.get("first_seen", {}).items()}
    page = read_page(source, text, expected["url"], date.fromisoformat(expected["today"]), seen)
    return page, expected


def test_at_least_six_board_styles_are_covered() -> None:
    assert len(FOLDERS) >= 6


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_page_gives_exactly_the_expected_items_in_order(folder: Path) -> None:
    page, expected = read(folder)
    assert [asdict(item) for item in page.items] == expected["items"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_other_row_is_a_duplicate_or_skipped_for_the_expected_field(folder: Path) -> None:
    page, expected = read(folder)
    skipped = [
        {"row": row.index, "field": row.reason.partition(":")[0]} for row in page.rows if row.reason
    ]
    duplicates = [
        {"row": row.index, "of": row.duplicate_of} for row in page.rows if row.duplicate_of
    ]
    assert skipped == expected["skipped"]
    assert duplicates == expected["duplicates"]
    assert page.skipped == len(skipped)
    assert len(page.rows) == len(page.items) + len(skipped) + len(duplicates)
