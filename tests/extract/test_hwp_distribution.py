"""Documents for distribution: the file's own key, and AES as another library has it."""

import os

import pytest
from extract_papers import STATUTE
from hwp_writer import distributed, hwp, record

from uring.extract.readers import hwp as reader
from uring.extract.readers.hancom.hwp_distribution import plain
from uring.extract.readers.reading import ExtractLimits, Unreadable


@pytest.mark.parametrize("seed", [0, 1, 0x2A, 0xFFFFFFFF, 0x12345678])
def test_the_key_lies_where_the_seed_says(seed: int) -> None:
    text = b"a section's records" * 20
    assert plain(distributed(text, seed)).rstrip(b"\0") == text


def test_blocks_are_decrypted_as_another_library_encrypts_them() -> None:
    text = os.urandom((1 << 20) + 48)
    assert plain(distributed(text)) == text


@pytest.mark.parametrize(
    "stream", [b"", b"\0" * 4, record(28, 0, bytes(255)), record(66, 0, bytes(256)), b"\x1c"]
)
def test_a_section_without_key_is_damage(stream: bytes) -> None:
    with pytest.raises(Unreadable) as raised:
        plain(stream)
    assert raised.value.outcome == "damaged"


def test_the_notice_in_place_of_the_text_is_not_read() -> None:
    text = reader.read(hwp(STATUTE, flags=1 | 4), ExtractLimits()).text
    assert "제1조(목적) 이 학칙은" in text
    assert "배포용" not in text


def test_a_bomb_behind_the_key_is_too_big() -> None:
    with pytest.raises(Unreadable) as raised:
        reader.read(hwp(STATUTE, flags=1 | 4, body=bytes(65 << 20)), ExtractLimits())
    assert raised.value.outcome == "too_big"


def test_a_password_is_still_asked_for() -> None:
    with pytest.raises(Unreadable) as raised:
        reader.read(hwp(STATUTE, flags=1 | 2 | 4), ExtractLimits())
    assert raised.value.outcome == "encrypted"
