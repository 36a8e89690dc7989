"""A PDF whose password to open is empty is read, as viewers open it; a real one is asked for."""

import hashlib

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher
from pdf_pages import LATIN, text

from uring.extract.extract import extract
from uring_local.sites.files.pdf import write

PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
FILE = bytes.fromhex("00112233445566778899aabbccddeeff")
PERMISSIONS = (0xFFFFFFC0).to_bytes(4, "little")


def rc4(key: bytes, data: bytes) -> bytes:
    encryptor = Cipher(ARC4(key), None).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def padded(password: str) -> bytes:
    return (password.encode() + PADDING)[:32]


def locked(user: str, owner: str) -> bytes:
    """A page whose text is encrypted with 40 bits (ISO 32000-1, 7.6.3)."""
    of_owner = rc4(md5(padded(owner))[:5], padded(user))
    seed = padded(user) + of_owner + PERMISSIONS + FILE
    key = md5(seed)[:5]
    content_key = md5(key + (4).to_bytes(3, "little") + bytes(2))[:10]
    content = rc4(content_key, text(60, 760, "Statute", LATIN))
    encryption = b"/Encrypt<</Filter/Standard/V 1/R 2/Length 40/P -64/O<%b>/U<%b>>>" % (
        of_owner.hex().encode(),
        rc4(key, PADDING).hex().encode(),
    )
    return write(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            b"/Resources<</Font<</F2 5 0 R>>>>>>",
            4: b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
            5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        },
        encryption,
    )


@pytest.mark.parametrize("owner", ["", "registrar"])
def test_an_empty_password_opens_it_whoever_may_change_it(owner: str) -> None:
    extraction = extract(locked("", owner), formats=["pdf"])
    assert (extraction.outcome, extraction.text) == ("text", "<!-- page 1 -->\n\nStatute\n")


@pytest.mark.parametrize("owner", ["", "registrar"])
def test_a_password_to_open_it_stays_a_password(owner: str) -> None:
    extraction = extract(locked("students", owner), formats=["pdf"])
    assert (extraction.outcome, extraction.is_permanent) == ("encrypted", True)
