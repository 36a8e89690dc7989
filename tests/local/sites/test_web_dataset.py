"""The raw files of a day say of themselves what is in them."""

import json
from typing import Any

import pytest
from web_reader import expected_of

from uring_local.sites.web.dataset import RawFile, dataset
from uring_local.sites.web.model import Web
from uring_local.sites.web.records import BAD


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(7, 300)


def records(file: RawFile) -> list[Any]:
    found: list[Any] = json.loads(file.body.decode("utf-8-sig"))["records"]
    return found


def test_the_files_of_the_first_day_are_about_every_domain(web: Web) -> None:
    files, expected = expected_of(web, 1)
    assert expected.keys() == web.numbers.keys()
    assert len(files.files) == 5
    assert any(len(sources) > 1 for sources in files.domains.values())


def test_five_thousand_domains_are_in_twenty_files() -> None:
    assert len(dataset(Web(7, 5000), 1).files) == 20


def test_later_days_are_about_a_part_of_the_web(web: Web) -> None:
    days = [expected_of(web, day)[1].keys() for day in range(2, 6)]
    assert all(len(each) == 75 for each in days)
    assert set().union(*days) == web.numbers.keys()


def test_the_figures_of_a_file_are_those_of_its_records(web: Web) -> None:
    for file in dataset(web, 1).files:
        if file.status != "done":
            continue
        rows = records(file)
        assert len(rows) == file.records
        unusable = sum(row in BAD for row in rows)
        assert unusable == file.refused > 0
        assert file.duplicates > 0
        for name, index in file.firsts.items():
            label = name.split(".")[0]
            if not label.startswith("xn--"):
                first = next(at for at, row in enumerate(rows) if label in str(row).lower())
                assert first == index


def test_one_file_has_a_mark_one_breaks_off_and_one_has_no_records(web: Web) -> None:
    marked, broken, *_, shapeless = dataset(web, 1).files
    assert marked.body.startswith(b"\xef\xbb\xbf")
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.body)
    assert isinstance(json.loads(shapeless.body), list)
    assert [file.status for file in (marked, broken, shapeless)] == ["done", "partial", "failed"]


def test_no_domain_behind_a_break_is_in_the_web(web: Web) -> None:
    for file in dataset(web, 1).files:
        tail = file.body[-4:]
        assert (b"ghos" in tail) == (file.status == "partial")


def test_the_same_day_has_the_same_bytes_again(web: Web) -> None:
    """A tick that comes again after a kill puts nothing new into the bucket."""
    assert dataset(web, 3).objects == dataset(Web(7, 300), 3).objects
