"""The regulations end to end: a simulated month of two registries in one process."""

import pytest
from documented import REGULATIONS, arguments
from uring_command import assert_all_is_well, summary, uring


def test_a_month_ends_with_the_table_texts_and_pushes_that_the_sites_journal_has() -> None:
    """Whatever the sites did: vanish, come back, rename, serve other pages, or no readable file."""
    run = uring(*arguments(REGULATIONS, ticks=30), "--json", "--seed", "3")
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summary(run.stdout)
    assert_all_is_well(found)
    assert found["until"] == "2026-03-31T16:00:00+00:00"
    assert found["runs"].keys() == {"success", "partial", "failed"}
    assert found["kinds"].keys() == {
        "new",
        "edited",
        "renamed",
        "returned",
        "deleted",
        "text_changed",
    }
    assert found["dead_letters"] == 6
    assert found["differences"] == found["kinds"]["text_changed"]


@pytest.mark.parametrize(
    "option", [("--config", "config/sitemap.json"), ("--gateway-fault", "0.1")]
)
def test_what_belongs_to_another_family_is_refused(option: tuple[str, str]) -> None:
    refused = uring("run", "--family", "regulations", *option)
    assert refused.returncode == 2
    assert refused.stderr.startswith("uring run: ")
