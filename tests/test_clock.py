"""Timestamps: of one length, in the order of time, and read back as they were written."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from uring.clock import parse_timestamp, timestamp

MOMENTS = st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0))


@given(MOMENTS, MOMENTS)
def test_they_sort_as_times_do_and_come_back(one: datetime, other: datetime) -> None:
    assert parse_timestamp(timestamp(one)) == one
    assert (timestamp(one) < timestamp(other)) == (one < other)
    assert len(timestamp(one)) == 20
