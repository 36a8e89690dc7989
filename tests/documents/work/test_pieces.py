"""Texts in pieces: joined they are the text, and no letter is taken apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.documents.work.masks import mask
from uring.documents.work.pieces import pieces, size

PROPERTY = settings(max_examples=300, deadline=None, database=None, derandomize=True)

LETTERS = (
    "\u1112\u1161\u11ab",
    "e\u0301\u0323",
    "👩\u200d👩\u200d👧",
    "👍🏽",
    "❤\ufe0f",
    "🇰🇷",
    "\r\n",
)
texts = st.lists(
    st.sampled_from([*LETTERS, *"가 a.\n。", "다. ", "\ud800", "⟦12⟧"]) | st.characters(),
    max_size=90,
).map("".join)


@PROPERTY
@given(texts, st.integers(64, 200))
def test_joined_they_are_the_text_and_none_is_too_long(text: str, limit: int) -> None:
    cut = list(pieces(text, limit))
    assert "".join(cut) == text
    assert all(0 < size(piece) <= limit for piece in cut)


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("shift", range(8))
def test_no_letter_is_taken_apart(letter: str, shift: int) -> None:
    cut = list(pieces("a" * shift + letter * 40, 64))
    assert len(cut) > 1
    for piece in cut:
        assert piece.lstrip("a") == letter * (len(piece.lstrip("a")) // len(letter))


@pytest.mark.parametrize("shift", range(8))
def test_no_mark_is_taken_apart(shift: int) -> None:
    masked = mask("a" * shift + "가**나**" * 60)
    for piece in pieces(masked.text, 64):
        part = masked.part(piece)
        assert part.unmask(piece) is not None
        assert piece.count("⟦") == piece.count("⟧") == len(part.kept)


def test_a_letter_without_an_end_is_cut_all_the_same() -> None:
    cut = list(pieces("e" + "\u0301" * 1_000, 64))
    assert max(map(size, cut)) <= 64
    assert len(cut) < 40


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("가나 다라. " * 3 + "마바 사아" * 3, "가나 다라. " * 3),
        ("가나。" * 7 + "다라", "가나。" * 7),
        ("그는 “간다.” 하고 " * 9, "그는 “간다.” "),
        ("가나 " * 30, "가나 " * 9),
    ],
)
def test_a_piece_ends_with_a_sentence_or_else_a_word(text: str, first: str) -> None:
    assert next(pieces(text, 66)).endswith(first[-4:])
