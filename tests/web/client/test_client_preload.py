"""The first list's modules are asked for at once, not one after the other."""

import re
from pathlib import Path
from typing import Final

from site_of_client import WEB

_IMPORT: Final = re.compile(r"^(?:import|export) [^;]*?from \"(\.[^\"]+)\";", re.MULTILINE)


def imported(module: Path, known: set[Path]) -> set[Path]:
    """Return a module and all that it imports, but what it imports later."""
    known.add(module)
    for name in _IMPORT.findall(module.read_text()):
        target = (module.parent / name).resolve()
        if target not in known:
            imported(target, known)
    return known


def test_the_page_preloads_what_the_first_list_imports_and_nothing_else() -> None:
    """A chain of imports costs a round trip each, a needless module costs the first list."""
    page = (WEB / "index.html").read_text()
    preloaded = re.findall(r'<link rel="modulepreload" href="\./([^"]+)" />', page)
    needed = imported(WEB / "app/main.js", set()) | imported(WEB / "app/views/home.js", set())
    assert preloaded == sorted(str(module.relative_to(WEB)) for module in needed)
