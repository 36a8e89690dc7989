"""The JSON of a configuration file; of a file that is too large, its first entries."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from uring.errors import ConfigInvalid

# Ten thousand entries have ten million bytes, with presets two million.
SIZE_LIMIT: Final = 16_000_000

_DECODER: Final = json.JSONDecoder()
_BETWEEN: Final = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")


class JsonObject(dict[str, Any]):
    """A JSON object; ``repeated`` has the keys that occur more than once in the text."""

    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A configuration file.

    Attributes:
        text: the JSON text that was parsed.
        value: the parsed value.
        is_cut: whether the file is too large, so that its last entries were not read.
    """

    text: str
    value: Any
    is_cut: bool


def read_document(body: bytes, key: str, what: str) -> Document:
    """Parse a file; of a file above `SIZE_LIMIT` only the entries that fit.

    Args:
        body: of the file.
        key: of the list of entries.
        what: the file in words.

    Raises:
        ConfigInvalid: the file as a whole is unreadable; the message has the place and the remedy.
    """
    text = _decoded(body[:SIZE_LIMIT], what, is_cut=len(body) > SIZE_LIMIT)
    if len(body) <= SIZE_LIMIT:
        return Document(text, _parse(text, what), is_cut=False)
    text = _whole_entries(text, key)
    if not text:
        raise ConfigInvalid(f"{what} is larger than {SIZE_LIMIT} bytes; remove some entries")
    return Document(text, _parse(text, what), is_cut=True)


def _decoded(body: bytes, what: str, *, is_cut: bool) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if is_cut and len(body) - error.start < len("\U0001f30a".encode()):
            return body[: error.start].decode("utf-8-sig")
        raise ConfigInvalid(
            f"{what} is not UTF-8 text (byte {error.start}); save the file as UTF-8"
        ) from error


def _whole_entries(text: str, key: str) -> str:
    """Return a JSON document with the complete first entries of the list; empty without any."""
    opening = re.search(rf'"{re.escape(key)}"[ \t\r\n]*:[ \t\r\n]*\[[ \t\r\n]*', text)
    at = opening.end() if opening else len(text)
    last = 0
    while True:
        try:
            _, last = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return f"{text[:last]}]}}" if last else ""
        between = _BETWEEN.match(text, last)
        at = between.end() if between else last


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    result = JsonObject(pairs)
    if len(result) != len(pairs):
        times = Counter(name for name, _ in pairs)
        result.repeated = tuple(name for name in result if times[name] > 1)
    return result


def _parse(text: str, what: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ConfigInvalid(
            f"{what} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}; "
            "look for a missing comma, quote or bracket just before that place"
        ) from error
    except (RecursionError, ValueError) as error:
        raise ConfigInvalid(
            f"{what} is nested too deeply or has a number too long to read; "
            "restore the last version that worked"
        ) from error
