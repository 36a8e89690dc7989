"""Paths of locks: ``()`` is the root, each further segment names a part of its parent."""

from typing import Final, TypeAlias

Path: TypeAlias = tuple[str, ...]

# With `MOST_ENTRIES`, the fullest catalogue fits into an item of 400 KB.
MOST_BYTES: Final = 200
_SEPARATOR: Final = "/"


def conflicts(one: Path, other: Path) -> bool:
    """Return whether two paths are equal, or one is an ancestor of the other.

    Whole segments compare: ``("policies", "1")`` is not an ancestor of ``("policies", "12")``.
    """
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def joined(path: Path) -> str:
    """Return the stored form of a path: segments with ``/`` between them; "" for the root.

    Raises:
        ValueError: a segment is empty, or has a ``/`` or an unprintable character, or the path is
            longer than 200 bytes.
    """
    for segment in path:
        if not segment or _SEPARATOR in segment or not segment.isprintable():
            raise ValueError(
                f"segment {segment!r} of a lock's path: use printable letters, no slash"
            )
    text = _SEPARATOR.join(path)
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(f"a lock's path has at most {MOST_BYTES} bytes: {text[:40]!r}…")
    return text


def parse_path(text: str) -> Path:
    """Return the inverse of `joined`.

    Raises:
        ValueError: the text is not a result of `joined`.
    """
    path = tuple(text.split(_SEPARATOR)) if text else ()
    joined(path)
    return path


def shown(root: str, path: Path) -> str:
    """Return root and path for messages."""
    return _SEPARATOR.join((root, *path))
