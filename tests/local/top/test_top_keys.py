"""What a terminal sends, as names of keys."""

import pytest

from uring_local.top.keys import Keys


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b"jk?/", ["j", "k", "?", "/"]),
        (b"\x1b[A\x1bOB\x1b[5~\x1b[6~", ["up", "down", "page up", "page down"]),
        (b"\r\n\x7f\x08\x15\x0c", ["enter", "enter", "back", "back", "clear", "again"]),
        ("한é".encode(), ["한", "é"]),
        # A mouse, a function key, a report of the terminal, control characters: no key of the view.
        (b"\x1b[<0;3;4Mq\x1b[15~\x1b[?62;c\x00\x01j", ["q", "j"]),
        (b"\xff\xfej", ["j"]),
        (b"\x1bp", ["escape", "p"]),
    ],
)
def test_keys_have_names(sent: bytes, keys: list[str]) -> None:
    assert Keys().feed(sent) == keys


@pytest.mark.parametrize("sent", [b"\x1b[A", b"\x1b[5~", "한".encode(), b"\x1bOA"])
def test_a_key_that_comes_in_pieces_is_one_key(sent: bytes) -> None:
    whole, piecewise = Keys(), Keys()
    found = [key for byte in sent for key in piecewise.feed(bytes([byte]))]
    assert found == whole.feed(sent)
    assert not piecewise.is_waiting


def test_escape_alone_is_a_key_once_nothing_follows() -> None:
    keys = Keys()
    assert keys.feed(b"j\x1b") == ["j"]
    assert keys.is_waiting
    assert keys.flush() == ["escape"]
    assert not keys.is_waiting
    assert keys.flush() == []
