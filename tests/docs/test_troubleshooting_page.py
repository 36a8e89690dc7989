"""docs/troubleshooting.md quotes what is really said."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
# Said by a shell, and by AWS.
OTHERS = {"uring: command not found", "A version for this Lambda function exists"}


def test_a_quoted_symptom_is_a_message_of_the_project() -> None:
    symptoms = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| ")]
    quoted = {text for cell in symptoms for text in re.findall("`([^`]+ [^`]+)`", cell)} - OTHERS
    files = [ROOT / "Makefile", *(ROOT / "layers").rglob("*.py"), *(ROOT / "local").rglob("*.py")]
    files += (ROOT / "tests" / "web").glob("*.py")
    said = "".join(path.read_text("utf-8") for path in files)
    assert len(quoted) > 4
    for text in quoted:
        assert all(part.strip() in said for part in text.split("…")), text
