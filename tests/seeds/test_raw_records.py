"""Each good record of a raw file counts and each bad one is named, whatever is beside it (S3)."""

import io
import json
import random
from collections.abc import Iterator
from itertools import chain, count

import pytest
from fakes.seeds import raw_file, record

from uring.seeds.files import raw
from uring.seeds.files.parts import BadRecord, as_record
from uring.seeds.files.raw import NoDataset, RawRecords


def records_of(body: bytes, chunk: int = 1 << 20) -> tuple[list[object], str]:
    source = io.BytesIO(body)
    records = RawRecords(lambda amount: source.read(min(amount, chunk)))
    return [*records], records.problem


def test_the_records_of_a_file_are_read_in_order() -> None:
    listed = [record(f"https://a{number}.example.com/") for number in range(1_000)]
    assert records_of(raw_file(listed)) == (listed, "")


@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_a_byte_order_mark_is_no_part_of_a_file(chunk: int) -> None:
    listed = [record("https://a.com/"), 2]
    assert records_of(b"\xef\xbb\xbf" + raw_file(listed), chunk) == (listed, "")


def test_meta_may_stand_behind_the_records() -> None:
    body = b'{"records": [{"raw_url": "a"}], "meta": {"records": [{"raw_url": "b"}]}}'
    records = RawRecords(io.BytesIO(body).read)
    assert [*records] == [{"raw_url": "a"}]
    assert records.meta == {"records": [{"raw_url": "b"}]}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'["records"]',
        b'{"meta": {}}',
        b'{"records": {}}',
        b'{"records": []}',
        b'{"data": [{"raw_url": "https://mom.gov.sg/"}]}',
        b"\x1f\x8b\x08\x00",
        b'{"records": [{"a": undefined}]}',
        b'{"records": [1, null, {"domain": "mom.gov.sg"}]}',
        b'{"records": [], "refused": [{"raw_url": "https://mom.gov.sg/"}]}',
        raw_file([1]).decode().encode("utf-16"),
    ],
)
def test_a_file_of_another_shape_has_no_records(body: bytes) -> None:
    with pytest.raises(NoDataset, match="must be an object"):
        records_of(body)


LISTED = [record(f"https://d{number}.com/", more=[{"a": ["x"]}]) for number in range(12)]
PARTS = [json.dumps(each).encode() for each in LISTED]
DEEP = b"[" * 3_000 + b"]" * 3_000


def with_one(part: bytes, place: int = 5) -> bytes:
    """A file of twelve records, one of which is this text."""
    parts = [part if place == number else each for number, each in enumerate(PARTS)]
    return b'{"meta": {"a": 1}, "records": [' + b", ".join(parts) + b"]}"


def others(found: list[object], place: int = 5) -> bool:
    """Whether every record but that one was read."""
    return all(each in found for number, each in enumerate(LISTED) if number != place)


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize(
    "value",
    [b'"caf\xe9"', b'"a\x00b"', b'"a\nb"', b"1e999", b"9" * 70, b"9" * 5_000, b"NaN", b'"\\ud800"'],
)
def test_what_javascript_reads_is_read(value: bytes, chunk: int) -> None:
    """The document reads the file as text: a byte that is not UTF-8 is U+FFFD."""
    part = PARTS[5].replace(b'"crtsh"', value)
    found, problem = records_of(with_one(part), chunk)
    assert (len(found), others(found), problem) == (12, True, "")
    assert as_record(found[5])["raw_url"] == "https://d5.com/"


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("place", [0, 5, 11])
@pytest.mark.parametrize(
    "value",
    [
        b'"a "b" c"',
        b'"a "b c"',
        b'"\\q"',
        b"undefined",
        b"[",
        b"]",
        b"}",
        DEEP,
        b"'x'",
        b"1,",
        b"+1",
        b"0x10",
        b'{"a": 1]',
    ],
)
def test_a_record_that_is_no_json_costs_itself(value: bytes, place: int, chunk: int) -> None:
    part = PARTS[place].replace(b'"crtsh"', value)
    found, problem = records_of(with_one(part, place), chunk)
    assert others(found, place)
    assert len(found) == 12
    assert isinstance(found[place], BadRecord)
    assert problem == ""


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize(
    "part",
    [
        b"]",
        b"[",
        b"}",
        b"{",
        b'"',
        b":",
        b"x",
        b"\xff",
        b"]]",
        b"null",
        b'"text"',
        b"7",
        b"[]",
        b"[1]",
    ],
)
def test_what_stands_between_two_records_costs_neither(part: bytes, chunk: int) -> None:
    found, problem = records_of(with_one(part), chunk)
    assert (others(found), problem) == (True, "")


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 20])
def test_commas_may_be_missing_or_too_many(chunk: int) -> None:
    body = with_one(PARTS[5])
    assert records_of(body.replace(b"}, {", b"} {"), chunk) == (LISTED, "")
    assert records_of(body.replace(b"}]}]}", b"}]},]}").replace(b"}, {", b"},, {"), chunk) == (
        LISTED,
        "",
    )


@pytest.mark.parametrize("chunk", [1, 7, 100, 1 << 20])
def test_a_record_may_hold_the_beginning_of_one(chunk: int) -> None:
    """What is JSON is read as it stands, also where it looks like two."""
    listed = [record(f"https://{n}.com/", also=[record("https://b.com/")]) for n in range(9)]
    assert records_of(raw_file(listed), chunk) == (listed, "")


def orders(kind: str, count: int) -> list[dict[str, object]]:
    """Records with their keys in this order, which may be another one in each."""
    chance, listed = random.Random(kind), []
    for number in range(count):
        own: dict[str, object] = record(f"https://d{number}.com/", more=[{"a": 1}, {"b": ["x"]}])
        keys = sorted(own) if kind == "sorted" else [*own]
        if kind == "mixed":
            chance.shuffle(keys)
        elif kind == "other":
            keys.sort(key="confidence".__ne__)
        own = {key: own[key] for key in keys}
        if kind == "nested":
            inner = {next(iter(own)): f"https://inner{number}.com/"}
            own |= {"from": inner, "also": [inner, {**inner, "more": {"c": [inner, inner]}}]}
        listed.append(own)
    return listed


KINDS = ["sorted", "mixed", "other", "nested"]
DAMAGES = {
    "no first brace": lambda part: part[1:],
    "no last brace": lambda part: part[:-1],
    "no colon": lambda part: part.replace(":", " ", 1),
    "half": lambda part: part[: len(part) // 2],
    "quotes": lambda part: part.replace("crtsh", 'a "b" c'),
    "an open quote": lambda part: part.replace("crtsh", 'a "b c'),
    "a bracket behind": lambda part: part + "]",
    "brackets behind": lambda part: part + "]}",
    "a bracket before": lambda part: "[" + part,
    "a brace within": lambda part: part.replace('"crtsh"', '"a"}'),
    "a brace lost": lambda part: part.replace('"x"]}', '"x"]'),
    "a bracket lost": lambda part: part.replace('"x"]}]', '"x"]}'),
    "both lost": lambda part: part.replace('"x"]}]', '"x"]'),
    "text": lambda _: "<b>error</b>",
    "nothing": lambda _: "",
}


def own_urls(found: list[object]) -> set[object]:
    return {each.get("raw_url") for each in found if isinstance(each, dict)} - {None}


@pytest.mark.parametrize("place", [0, 1, 20, 39])
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_record_costs_itself_in_any_order_of_keys(kind: str, damage: str, place: int) -> None:
    """Also where it is the first, or others stand in it; no URL is of a record's inside."""
    listed = orders(kind, 40)
    parts = [json.dumps(each) for each in listed]
    parts[place] = DAMAGES[damage](parts[place])
    body = '{"meta": {"n": 40}, "records": [' + ", ".join(parts) + "]}"
    found, problem = records_of(body.encode())
    good = {each["raw_url"] for number, each in enumerate(listed) if number != place}
    assert own_urls(found) - {listed[place]["raw_url"]} == good
    # The last one's brackets may be the file's.
    assert not problem or (place, damage) == (39, "both lost")


@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_bad_records_cost_themselves(kind: str) -> None:
    listed = orders(kind, 4_000)
    parts = [json.dumps(each) for each in listed]
    for number in range(0, 2_600, 2):
        parts[number] = parts[number].replace("crtsh", 'a "b" c')
    found, problem = records_of(f'{{"records": [{", ".join(parts)}]}}'.encode())
    good = [each for number, each in enumerate(listed) if number >= 2_600 or number % 2]
    assert [each for each in found if not isinstance(each, BadRecord)] == good
    assert (len(found), problem) == (4_000, "")


@pytest.mark.parametrize(
    "behind",
    [
        b', "meta": {"n": 1, "example": {"raw_url": "https://example.com/"}}}',
        b', "refused": [{"raw_url": "https://spam.com/"}, {"raw_url": "https://b.com/"}]}',
        b', "a": [], "refused": [{"raw_url": "https://spam.com/"}]} , ',
        b'}\n{"raw_url" ',
    ],
)
def test_a_list_ends_where_its_file_goes_on(behind: bytes) -> None:
    assert records_of(with_one(PARTS[5])[:-1] + behind) == (LISTED, "")


def test_a_long_end_that_is_no_json_is_no_end() -> None:
    """It may hold hundreds of records."""
    body = with_one(b"{" + b"x, 'y', " * 10_000, 11)
    found, problem = records_of(body)
    assert found[:11] == LISTED[:11]
    assert problem == "after record 12: its last part is not JSON and longer than a record"


def damaged(part: bytes, chance: random.Random) -> bytes:
    signs = (b'"', b"{", b"}", b"]", b"[", b"\\", b",", b"\xff", b":", b"\x00")
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(part) or 1)
        new = chance.choice((b"", b"", chance.choice(signs), chance.randbytes(1)))
        cut = chance.choice((0, 1, 1, 3, 40)) if new else chance.choice((1, 3, 40))
        part = part[:at] + new + part[at + cut :]
    return part


def test_a_random_damage_costs_no_other_record() -> None:
    """The last record's bracket may be the list's: only then does the file seem to end early."""
    chance = random.Random(37)
    for _ in range(400):
        place = chance.choice((0, 5, 11))
        broken = damaged(PARTS[place], chance)
        found, problem = records_of(with_one(broken, place), chance.choice((7, 100, 4_096)))
        assert others(found, place), broken
        assert not problem or place == 11, broken


@pytest.mark.parametrize("kind", KINDS)
def test_a_random_damage_costs_no_other_record_in_any_order(kind: str) -> None:
    chance, listed = random.Random(38), orders(kind, 30)
    parts = [json.dumps(each).encode() for each in listed]
    for _ in range(300):
        place = chance.choice((0, 1, 10, 29))
        broken = damaged(parts[place], chance)
        body = b", ".join([*parts[:place], broken, *parts[place + 1 :]])
        found, problem = records_of(b'{"records": [' + body + b"]}")
        missing = [each for each in listed if each not in found and each is not listed[place]]
        assert not missing, broken
        assert not problem or place == 29, broken


@pytest.mark.parametrize("length", [1, 300, 700])
def test_a_file_that_ends_early_says_where(length: int) -> None:
    body = with_one(PARTS[5])[: -1 - length]
    found, problem = records_of(body)
    assert found == LISTED[: len(found)]
    assert problem == f"after record {len(found)}: the file ends within its list"


def test_what_stands_behind_the_list_is_no_part_of_it() -> None:
    body = with_one(PARTS[5])
    assert records_of(body[:-1]) == (LISTED, "")
    assert records_of(body + b" trailing") == (LISTED, "")


def test_a_broken_head_costs_no_record() -> None:
    body = with_one(PARTS[5]).replace(b'{"a": 1}', b'{"a": 1 1}')
    assert records_of(body) == (LISTED, "")


def test_the_text_of_a_record_is_kept_as_it_stands() -> None:
    bad = b'{"raw_url": "https://b.com/", "a": ' + b"x" * 9_000 + b"}"
    records = RawRecords(io.BytesIO(with_one(bad)).read)
    texts = [records.text for _ in records]
    assert texts[4] == PARTS[4].decode()
    assert texts[5] == bad.decode()[:4_000]


def endless(parts: Iterator[bytes], *, most: int = 300) -> RawRecords:
    """A file that never ends; `read` fails once far more was asked for than is looked through."""
    given = count()

    def read(amount: int) -> bytes:
        assert next(given) < most, "far more was read for one record"
        data = b""
        while len(data) < amount:
            data += next(parts)
        return data[:amount]

    return RawRecords(read)


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (b'{"records": [{"raw_url": 1}, {"raw_url": "', b"x"),
        (b'{"records": [{"raw_url": 1}, {"raw_url": ', b"9"),
        (b'{"records": [{"raw_url": 1}, ', b"["),
        (b'{"records": [{"raw_url": 1}, ', b'{"a":'),
        (b'{"records": [{"raw_url": 1}, ', b"} "),
        (b'{"records": [{"raw_url": 1}, ', b","),
        (b'{"records": [{"raw_url": 1}, "', b"\\"),
    ],
)
def test_a_file_without_an_end_is_given_up(
    begin: bytes, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw, "_LONGEST_JUNK", 2_000_000)
    records = endless(chain([begin], iter(lambda: part * 20_000, b"")), most=80)
    assert [*records] == [{"raw_url": 1}]
    assert "2000000 bytes without a record" in records.problem


@pytest.mark.parametrize(
    "part", [b'{"raw_url":', b'{"raw_url":["', b'{"raw_url":", "', b'{"raw_url":{"a":[']
)
def test_beginnings_without_an_end_take_no_more_time_than_their_length(
    part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is read up to the next one's beginning, not up to the end of what is in memory."""
    lengths: list[int] = []
    decode = json.JSONDecoder.raw_decode

    def counted(self: json.JSONDecoder, text: str, at: int = 0) -> tuple[object, int]:
        lengths.append(len(text) - at)
        return decode(self, text, at)

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", counted)
    body = b'{"records": [{"raw_url": 1}, ' + part * 9_000
    records = RawRecords(io.BytesIO(body).read)
    assert next(iter(records)) == {"raw_url": 1}
    assert sum(lengths) < 100_000_000, "more than a hundred megabytes were looked through"
