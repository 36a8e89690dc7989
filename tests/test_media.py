"""What readers get arrives compressed: every content type is one that CloudFront knows."""

import ast
from pathlib import Path

import pytest

from uring import media

# The text types of its list; the others are fonts and scripts.
COMPRESSED = {
    "application/json",
    "application/rss+xml",
    "application/xhtml+xml",
    "application/xml",
    "text/css",
    "text/csv",
    "text/html",
    "text/javascript",
    "text/plain",
    "text/xml",
}
_LAYER = Path(media.__file__).parent
# Their objects are behind an API, not behind the distribution.
_PRIVATE = ("documents", "seeds")


@pytest.mark.parametrize("name", ["HTML", "JSON", "TEXT", "XML"])
def test_each_type_is_one_that_cloudfront_compresses(name: str) -> None:
    kind, _, charset = getattr(media, name).partition("; ")

    assert kind in COMPRESSED
    assert charset == "charset=utf-8"


def test_nobody_else_names_a_type_of_what_readers_get() -> None:
    found = [
        (path.relative_to(_LAYER).as_posix(), node.value)
        for path in _LAYER.rglob("*.py")
        if path.stem != "media" and path.relative_to(_LAYER).parts[0] not in _PRIVATE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.endswith("; charset=utf-8")
    ]

    assert found == []
