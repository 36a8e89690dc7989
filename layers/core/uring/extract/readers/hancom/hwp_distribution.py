"""Documents for distribution (배포용): their text is encrypted with a key that the file holds.

"한글 문서 파일 형식: 배포용 문서" (Hancom): the first record of each section has 256 bytes. Their
first word seeds a linear congruential generator, whose bytes hide the others; the key lies behind
an offset of the word's last four bits. What follows is AES-128 in blocks of their own. No password
is needed or guessed: the word processor opens such a file for everybody.
"""

from typing import Final

from uring.extract.readers.hancom.hwp_records import damaged

_TAG: Final = 28
_DATA: Final = 256
_BLOCK: Final = 16
_ROUNDS: Final = 10
# The blocks are turned in pieces, each byte of a block in a plane of its own.
_PIECE: Final = 1 << 20


def plain(stream: bytes) -> bytes:
    """Return the stream of a section as other files have it, still packed.

    Raises:
        Unreadable: ``damaged`` for a stream without a key.
    """
    head = int.from_bytes(stream[:4], "little")
    if head & 0x3FF != _TAG or head >> 20 != _DATA or len(stream) < 4 + _DATA:
        raise damaged("a section for distribution has no key")
    cipher = stream[4 + _DATA :]
    cipher = cipher[: len(cipher) // _BLOCK * _BLOCK]
    turn = _Turn(_round_keys(_key(stream[4 : 4 + _DATA])))
    pieces = (cipher[at : at + _PIECE] for at in range(0, len(cipher), _PIECE))
    return b"".join(map(turn.decrypt, pieces))


def _key(data: bytes) -> bytes:
    seed = number = int.from_bytes(data[:4], "little")
    shown = bytearray(data)
    left = mask = 0
    for at in range(_DATA):
        if not left:
            number = (number * 214013 + 2531011) & 0xFFFFFFFF
            mask = number >> 16 & 0xFF
            number = (number * 214013 + 2531011) & 0xFFFFFFFF
            left = (number >> 16 & 0xF) + 1
        left -= 1
        if at >= 4:  # noqa: PLR2004 - the seed is not hidden
            shown[at] ^= mask
    offset = 4 + (seed & 0xF)
    return bytes(shown[offset : offset + _BLOCK])


# AES (FIPS 197), decryption alone: tables of bytes that `bytes.translate` applies to a whole plane.


def _times(left: int, right: int) -> int:
    product = 0
    while right:
        product ^= left if right & 1 else 0
        left = left << 1 ^ (0x11B if left & 0x80 else 0)
        right >>= 1
    return product


def _substitution() -> bytes:
    table = bytearray(256)
    power = inverse = 1
    while True:
        # 3 generates the field, and 0xF6 is its inverse.
        power, inverse = _times(power, 3), _times(inverse, 0xF6)
        spread = inverse ^ inverse << 1 ^ inverse << 2 ^ inverse << 3 ^ inverse << 4
        table[power] = (spread ^ spread >> 8) & 0xFF ^ 0x63
        if power == 1:
            break
    table[0] = 0x63
    return bytes(table)


_FACTORS: Final = (14, 11, 13, 9)
_SBOX: Final = _substitution()
_INVERSE: Final = bytes(_SBOX.index(value) for value in range(256))
_PRODUCTS: Final = {by: bytes(_times(value, by) for value in range(256)) for by in (1, *_FACTORS)}


def _round_keys(key: bytes) -> list[bytes]:
    words = [key[at : at + 4] for at in range(0, _BLOCK, 4)]
    constant = 1
    for number in range(4, 4 * (_ROUNDS + 1)):
        word = words[-1]
        if number % 4 == 0:
            word = (word[1:] + word[:1]).translate(_SBOX)
            word = bytes([word[0] ^ constant]) + word[1:]
            constant = _times(constant, 2)
        words.append(bytes(a ^ b for a, b in zip(words[-4], word, strict=True)))
    return [b"".join(words[at : at + 4]) for at in range(0, len(words), 4)]


class _Turn:
    """The tables of a key."""

    def __init__(self, keys: list[bytes]) -> None:
        self._last = [bytes(value ^ part for value in range(256)) for part in keys[_ROUNDS]]
        self._first = [_turned(part, 1) for part in keys[0]]
        self._middle = [
            [[_turned(part, by) for by in _FACTORS] for part in key] for key in keys[1:_ROUNDS]
        ]

    def decrypt(self, cipher: bytes) -> bytes:
        """Return the plain text of whole blocks."""
        planes = [cipher[at::_BLOCK].translate(self._last[at]) for at in range(_BLOCK)]
        for tables in reversed(self._middle):
            planes = _mixed(_shifted(planes), tables)
        out = bytearray(len(cipher))
        for at, plane in enumerate(_shifted(planes)):
            out[at::_BLOCK] = plane.translate(self._first[at])
        return bytes(out)


def _shifted(planes: list[bytes]) -> list[bytes]:
    """Return the planes with the rows shifted back, row 1 by one column and so on."""
    return [planes[(at - 4 * (at % 4)) % _BLOCK] for at in range(_BLOCK)]


def _mixed(planes: list[bytes], tables: list[list[bytes]]) -> list[bytes]:
    """Return the planes with the columns mixed back, the key of their round included."""
    mixed = []
    for at in range(_BLOCK):
        total = 0
        for place in range(at // 4 * 4, at // 4 * 4 + 4):
            part = planes[place].translate(tables[place][(place - at) % 4])
            total ^= int.from_bytes(part, "little")
        mixed.append(total.to_bytes(len(planes[at]), "little"))
    return mixed


def _turned(part: int, by: int) -> bytes:
    """Return the table that substitutes a byte back, adds a byte of the key, and multiplies."""
    return bytes(_PRODUCTS[by][value ^ part] for value in _INVERSE)
