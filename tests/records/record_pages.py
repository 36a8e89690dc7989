"""Pages of records, for the diff and for what is made of it."""

from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st

from uring.records.diff import ListHints
from uring.records.model import Known, Observation

PROPERTY = settings(max_examples=150, deadline=None, database=None, derandomize=True)
STAMP = "2026-03-02T01:00:00Z"


def saw(record_id: str, version: int = 0, *, marked: bool = False) -> Observation:
    return Observation(record_id, f"hash{version}", {"title": f"{record_id} v{version}"}, marked)


def known_of(seen: Sequence[Observation]) -> dict[str, Known]:
    return {each.id: Known(each.hash, 1, each.is_marked, STAMP, STAMP) for each in seen}


numbers = st.integers(0, 9).map(str)
pages = st.lists(
    st.builds(
        lambda number, version, marked: saw(number, version, marked=marked),
        numbers,
        st.integers(0, 2),
        st.booleans(),
    ),
    unique_by=lambda each: each.id,
    max_size=6,
)
# Also hints that make no sense: they are a family's guess about a site.
hints = st.builds(
    ListHints,
    deleted=st.lists(numbers, max_size=4),
    renamed=st.dictionaries(numbers, numbers, max_size=3),
)
