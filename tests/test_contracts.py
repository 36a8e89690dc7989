"""Messages between functions: what one end writes the other reads, and anything else is refused."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from fakes import ENTRY
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.contracts import MAX_BODY_CHARACTERS, ChangePublished, Job
from uring.errors import MalformedMessage, NewerRelease

PROPERTY = settings(max_examples=100, deadline=None, database=None, derandomize=True)
WHEN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
# https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
SQS_REFUSES = frozenset([*range(0x9), 0xB, 0xC, *range(0xE, 0x20), 0xFFFE, 0xFFFF])


def change(**more: Any) -> ChangePublished:
    return ChangePublished.model_validate(change_fields(**more))


def change_fields(**more: Any) -> dict[str, Any]:
    return {
        "event_id": "e" * 40,
        "family": "notices",
        "source": "cs",
        "topic": "cs",
        "kind": "new",
        "id": "17",
        "revision": 1,
        "detected_at": "2026-03-02T01:00:00Z",
        "content": {"title": "수강신청", "date": None},
        **more,
    }


def job_fields(**more: Any) -> dict[str, Any]:
    return {
        "family": "notices",
        "source": "cs",
        "scheduled_at": WHEN.isoformat(),
        "interval_minutes": 10,
        "entry": ENTRY,
        **more,
    }


def test_a_job_is_read_as_it_was_written() -> None:
    job = Job.model_validate(job_fields())
    assert Job.parse(job.body()) == job


@PROPERTY
@given(st.text(), st.text(min_size=1, max_size=200))
def test_a_change_is_read_as_it_was_written_and_sqs_takes_it(title: str, record_id: str) -> None:
    made = change(id=record_id, content={"title": title, "date": None})
    assert ChangePublished.parse(made.body()) == made
    assert SQS_REFUSES.isdisjoint(map(ord, made.body()))


def test_a_noncharacter_in_a_title_does_not_block_its_source() -> None:
    """SQS refuses a body with U+FFFE or U+FFFF; the change would stay in the outbox for ever."""
    made = change(content={"title": "a\ufffeb\uffffc"})
    assert SQS_REFUSES.isdisjoint(map(ord, made.body()))
    assert ChangePublished.parse(made.body()) == made


def test_the_job_id_is_one_for_each_source_and_minute() -> None:
    def job_id(when: datetime, source: str = "cs") -> str:
        return Job.model_validate(job_fields(scheduled_at=when, source=source)).job_id

    assert job_id(WHEN) == "cs.20260302T0100"
    assert job_id(WHEN) == job_id(WHEN + timedelta(seconds=59))
    assert job_id(WHEN) != job_id(WHEN + timedelta(minutes=1))
    assert job_id(WHEN) != job_id(WHEN, "ee")


@pytest.mark.parametrize("said", ["high", "urgent", "low", "", None, 7, {"level": "normal"}])
def test_a_push_is_urgent_unless_its_message_says_normal(said: Any) -> None:
    """A word of another release must not make a dead letter of a push."""
    assert change(urgency=said).urgency == "high"
    assert change(urgency="normal").urgency == "normal"
    assert (change().urgency, change().lifetime_seconds) == ("high", 86_400)


def test_the_ledger_key_is_source_record_revision() -> None:
    assert change(id="a#b", revision=2).ledger_key == "cs#a#b#2"


BODIES: dict[str, tuple[str, str]] = {
    "empty": ("", "body: Invalid JSON"),
    "no json": ("notice 17", "body: Invalid JSON"),
    "a list": ("[]", "body: "),
    "null": ("null", "body: "),
    "nothing in it": ("{}", "event_id: Field required"),
    "version 0": (json.dumps(change_fields(version=0)), "version: "),
    "a version that is none": (json.dumps(change_fields(version="many")), "version: "),
    "version 1, of no release": (json.dumps(change_fields(version=1)), "version: "),
    "a number for a text": (json.dumps(change_fields(id=17)), "id: "),
    "a text for a number": (json.dumps(change_fields(revision="many")), "revision: "),
    "revision 0": (json.dumps(change_fields(revision=0)), "revision: "),
    "a short event id": (json.dumps(change_fields(event_id="e" * 39)), "event_id: "),
    "an event id in capitals": (json.dumps(change_fields(event_id="E" * 40)), "event_id: "),
    "a topic with a slash": (json.dumps(change_fields(topic="/topics/cs")), "topic: "),
    "a topic in Korean": (json.dumps(change_fields(topic="컴공")), "topic: "),
    "a topic and a line break": (json.dumps(change_fields(topic="cs\n")), "topic: "),
    "an empty id": (json.dumps(change_fields(id="")), "id: "),
    "a long id": (json.dumps(change_fields(id="x" * 201)), "id: "),
    "content that is no text": (json.dumps(change_fields(content={"n": 1})), r"content\.n: "),
    "half a character": ('{"id": "\\ud800"}', "body: Invalid JSON"),
    "nested for ever": ("[" * 100_000, "body: Invalid JSON"),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_malformed_change_is_refused_with_the_field_and_the_cause(case: str) -> None:
    body, field = BODIES[case]
    with pytest.raises(
        MalformedMessage,
        match=rf"^ChangePublished: (.*; )?{field}.*something else writes to this queue",
    ):
        ChangePublished.parse(body)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"scheduled_at": None}, "scheduled_at"),
        ({"scheduled_at": "2026-03-02T01:00:00"}, "scheduled_at"),
        ({"scheduled_at": "yesterday"}, "scheduled_at"),
        ({"family": ""}, "family"),
        ({"family": "../weather"}, "family"),
        ({"source": ""}, "source"),
        ({"source": "x" * 65}, "source"),
        ({"source": ENTRY}, "source"),
        ({"interval_minutes": 0}, "interval_minutes"),
        ({"interval_minutes": 1441}, "interval_minutes"),
        ({"entry": []}, "entry"),
        ({"entry": None}, "entry"),
    ],
)
def test_a_malformed_job_is_refused(fields: dict[str, Any], place: str) -> None:
    with pytest.raises(MalformedMessage, match=f"^Job: {place}: "):
        Job.parse(json.dumps(job_fields(**fields)))


def test_a_job_of_another_zone_is_the_same_moment() -> None:
    korea = WHEN.astimezone(timezone(timedelta(hours=9)))
    body = json.dumps(job_fields(scheduled_at=korea.isoformat()))
    assert Job.parse(body).scheduled_at == WHEN


class TestReleases:
    """Messages outlive a release in both directions."""

    @pytest.mark.parametrize(
        ("contract", "fields"), [(Job, job_fields()), (ChangePublished, change_fields())]
    )
    @pytest.mark.parametrize("more", [{}, {"source": {"renamed": True}}], ids=str)
    def test_a_newer_version_waits_for_its_release(
        self, contract: type[Job], fields: dict[str, Any], more: dict[str, Any]
    ) -> None:
        """Whether this release could read it or not."""
        with pytest.raises(
            NewerRelease, match=f"^{contract.__name__}: version 3.*the newer release again"
        ):
            contract.parse(json.dumps(fields | {"version": 3} | more))

    @pytest.mark.parametrize(
        ("contract", "fields"), [(Job, job_fields()), (ChangePublished, change_fields())]
    )
    def test_a_key_of_a_later_release_is_ignored(
        self, contract: type[Job], fields: dict[str, Any]
    ) -> None:
        plain = contract.parse(json.dumps(fields))
        assert contract.parse(json.dumps(fields | {"surprise": {"a": 1}})) == plain


def test_a_huge_body_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(MalformedMessage, match=f"at most {MAX_BODY_CHARACTERS} are read"):
        ChangePublished.parse(" " * (MAX_BODY_CHARACTERS + 1))


def test_the_message_never_shows_the_body() -> None:
    with pytest.raises(MalformedMessage) as caught:
        ChangePublished.parse(json.dumps(change_fields(revision="s3cret")))
    assert "s3cret" not in str(caught.value)


def test_many_problems_are_named_and_not_all_of_them() -> None:
    fields = change_fields(content={f"k{number}": number for number in range(500)})
    with pytest.raises(MalformedMessage) as caught:
        ChangePublished.parse(json.dumps(fields))
    assert len(str(caught.value)) < 2000


def test_a_key_of_the_senders_own_is_cut_and_fit_for_a_log() -> None:
    for key in ("k" * 200_000, "a\x00\x1b[2J"):
        with pytest.raises(MalformedMessage) as caught:
            ChangePublished.parse(json.dumps(change_fields(content={key: 1})))
        assert len(str(caught.value)) < 600
        assert str(caught.value).isprintable()


@pytest.mark.parametrize("topic", ["cs", "RKSI", "t" * 128])
def test_the_group_of_a_push_is_its_topic(topic: str) -> None:
    assert change(topic=topic).group == topic


def test_a_topic_that_is_too_long_for_a_group_has_one_of_its_own() -> None:
    """FCM's topics have up to 900 characters, SQS's groups 128."""
    groups = {change(topic=f"{'t' * 800}{number}").group for number in range(3)}
    assert len(groups) == 3
    assert {len(group) for group in groups} == {64}
