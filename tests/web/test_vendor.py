"""What is vendored is what its package has, and loads nothing from another origin."""

import re
from pathlib import Path
from typing import Final

import pytest

from uring_local.vendor import VENDOR, digest, self_hosted, vendored

# The two hosts that Firebase asks, which the Content-Security-Policy names.
HOSTS: Final = {
    "fcmregistrations.googleapis.com",
    "firebaseinstallations.googleapis.com",
}
MODULES: Final = sorted(VENDOR.glob("*.js"))
_IMPORTED: Final = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']""")
_ADDRESS: Final = re.compile(r"""["'`](?:https?:)?//([a-z0-9.-]+)""")


def test_every_module_is_listed_and_every_listed_one_is_there() -> None:
    """A file that nobody took from a package has no place here."""
    assert {file.name for file in MODULES} == set(vendored())


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_a_module_is_as_it_was_taken(file: Path) -> None:
    """Not a byte was changed by hand, and its licence lies beside it."""
    entry = vendored()[file.name]
    assert digest(file) == entry["sha256"]
    assert entry["version"]
    assert entry["licence"] in {"Apache-2.0", "BSD-3-Clause"}
    assert (VENDOR / entry["licence_file"]).stat().st_size > 1_000


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_a_module_imports_only_what_lies_beside_it(file: Path) -> None:
    """No content delivery network is asked, and no host but those of the policy is named."""
    text = file.read_text()
    assert {Path(name) for name in _IMPORTED.findall(text)} <= {Path(each.name) for each in MODULES}
    assert set(_ADDRESS.findall(text)) <= HOSTS


def test_firebase_imports_its_siblings_from_beside_it() -> None:
    """The package's modules import one another from Google's host; nothing else is changed."""
    shipped = (
        b'import{a}from"https://www.gstatic.com/firebasejs/13.2.0/firebase-app.js";a("https://x");\n'
        b"//# sourceMappingURL=firebase-messaging.js.map\n"
    )
    assert self_hosted(shipped) == b'import{a}from"./firebase-app.js";a("https://x");\n'
