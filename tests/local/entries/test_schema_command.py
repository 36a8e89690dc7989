"""`uring config schema`: of which files it knows a schema."""

from pathlib import Path

import pytest

from uring_local.cli import main


@pytest.mark.parametrize(
    ("name", "text"),
    [("README.md", "# uRing"), ("notes.txt", None), ("package.json", '{"name": "x"}')],
)
def test_a_schema_is_of_configuration_files_alone(
    name: str, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sitemap's schema for any file would be believed."""
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    with pytest.raises(SystemExit, match="2"):
        main(["config", "schema", str(file)])
    assert "is not a configuration file" in capsys.readouterr().err


@pytest.mark.parametrize("text", [None, "", "{", '{"registries": []}', '{"other": 1}'])
def test_a_list_that_is_begun_has_a_schema(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "registries.json"
    if text is not None:
        file.write_text(text)
    assert main(["config", "schema", str(file)]) == 0
    assert '"registries"' in capsys.readouterr().out
