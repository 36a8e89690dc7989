"""Files with bytes changed, doubled and lost: a reader returns a text or says why not."""

import random
from types import ModuleType

import pytest
from docx_writer import docx as docx_of
from extract_papers import STATUTE
from hwp_writer import hwp as hwp_of
from hypothesis import given
from hypothesis import strategies as st

from uring.extract.readers import docx, html, hwp, hwpx, pdf, text
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring_local.sites.files.html import html as html_of
from uring_local.sites.files.hwpx import hwpx as hwpx_of
from uring_local.sites.files.pdf import pdf as pdf_of

FILES: list[tuple[ModuleType, bytes]] = [
    (hwp, hwp_of(STATUTE)),
    (hwp, hwp_of(STATUTE, flags=0)),
    (hwp, hwp_of(STATUTE, flags=1 | 4)),
    (hwpx, hwpx_of(STATUTE)),
    (hwpx, hwpx_of(STATUTE, compressed=True)),
    (docx, docx_of(STATUTE)),
    (html, html_of(STATUTE)),
    (text, html_of(STATUTE)),
    (pdf, pdf_of(STATUTE)),
]


def broken(body: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    changed = bytearray(body)
    for _ in range(chance.choice((1, 3, 20))):
        at = chance.randrange(len(changed))
        length = chance.randrange(1, 100)
        kind = chance.random()
        if kind < 0.6:
            changed[at] = chance.choice((0, 255, chance.randrange(256)))
        elif kind < 0.8:
            source = chance.randrange(len(changed))
            changed[at : at + length] = changed[source : source + length]
        elif len(changed) > 1_000:
            del changed[at : at + length]
    return bytes(changed)


@given(st.sampled_from(FILES), st.integers(0, 10_000_000))
def test_a_reader_answers_or_says_why_not(file: tuple[ModuleType, bytes], seed: int) -> None:
    reader, body = file
    try:
        reading = reader.read(broken(body, seed), ExtractLimits())
    except Unreadable as error:
        assert error.reason  # noqa: PT017
    else:
        assert isinstance(reading, FileReading)


def test_a_directory_that_leads_before_the_file_is_damage() -> None:
    body = bytearray(hwpx_of(STATUTE))
    entry = body.index(b"PK\x01\x02", body.index(b"PK\x01\x02") + 1)
    end = body.index(b"PK\x05\x06")
    body[end + 16 : end + 20] = (len(body) * 2).to_bytes(4, "little")
    body[entry + 42 : entry + 46] = bytes(4)
    with pytest.raises(Unreadable) as raised:
        hwpx.read(bytes(body), ExtractLimits())
    assert raised.value.outcome == "damaged"
