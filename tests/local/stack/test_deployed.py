"""The application on a deployed stack, as far as it needs none."""

import pytest

from uring_local.stack.deployed import reading


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:4566", "http://d1.cloudfront.localhost:4566"),
        ("http://stack.internal", "http://d1.cloudfront.localhost"),
        ("https://stack.internal", "https://d1.cloudfront.localhost"),
    ],
)
def test_data_is_read_at_the_stacks_own_port(url: str, address: str) -> None:
    assert f" {address}/data/cs/latest.json" in reading(url, "d1.cloudfront.net", "cs")
