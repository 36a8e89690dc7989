"""`uring config split`: the files of a sitemap, and what each command makes of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import ENTRY

from uring.sources.shards import shards_in
from uring_local.cli import main
from uring_local.operate import split as splitting

IDS = ("art", "bio", "chem", "dance", "dance-2", "east")


@pytest.fixture
def sitemap(tmp_path: Path) -> Path:
    file = tmp_path / "sitemap.json"
    entries = [
        {**ENTRY, "id": each, "url": f"https://{each}.example.ac.kr/"} for each in reversed(IDS)
    ]
    file.write_text(json.dumps({"rhythm": "thrifty", "sources": entries}), "utf-8")
    return file


def files_of(sitemap: Path) -> dict[str, Any]:
    return {path.name: json.loads(path.read_text()) for path in sitemap.parent.glob("sitemap*")}


def ids_of(sitemap: Path) -> dict[str, list[str]]:
    return {
        name: [entry["id"] for entry in file["sources"]] for name, file in files_of(sitemap).items()
    }


def test_it_divides_again_and_puts_together(
    sitemap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {entry["id"]: entry for entry in files_of(sitemap)["sitemap.json"]["sources"]}
    assert main(["config", "split", str(sitemap), "--entries", "2"]) == 0
    assert ids_of(sitemap) == {
        "sitemap.json": ["art", "bio"],
        "sitemap.chem.json": ["chem", "dance-2"],
        "sitemap.dance.json": ["dance", "east"],
    }
    files = files_of(sitemap)
    assert files["sitemap.json"]["shards"] == ["chem", "dance"]
    assert {file["rhythm"] for file in files.values()} == {"thrifty"}
    assert "3 files: sitemap.json, sitemap.chem.json" in capsys.readouterr().out
    assert main(["config", "check", str(sitemap)]) == 0
    assert "and 2 more: 6 sources are fine" in capsys.readouterr().out

    assert main(["config", "split", str(sitemap), "--entries", "4"]) == 0
    assert ids_of(sitemap).keys() == {"sitemap.json", "sitemap.dance.json"}
    assert main(["config", "split", str(sitemap)]) == 0
    (whole,) = files_of(sitemap).values()
    assert "shards" not in whole
    assert {entry["id"]: entry for entry in whole["sources"]} == before


def test_an_entry_in_a_wrong_file_is_told_and_moved(
    sitemap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["config", "split", str(sitemap), "--entries", "3"])
    file = sitemap.parent / "sitemap.dance-2.json"
    document = json.loads(file.read_text())
    document["sources"].append({**ENTRY, "id": "arts", "url": "https://arts.example.ac.kr/"})
    file.write_text(json.dumps(document))
    capsys.readouterr()
    assert main(["config", "check", str(sitemap)]) == 1
    said = capsys.readouterr().out
    assert "'arts' belongs into another file: this one has ids from dance-2" in said
    assert main(["config", "split", str(sitemap), "--entries", "3"]) == 0
    assert main(["config", "check", str(sitemap)]) == 0


def test_an_entry_is_found_in_its_file(sitemap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["config", "split", str(sitemap), "--entries", "2"])
    capsys.readouterr()
    assert main(["rhythm", "show", "east", "--config", str(sitemap), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([{"id": "a"}, {"id": "a"}], "'a' is the id of another source already"),
        ([{"id": "A"}], "sources[0] has no usable id"),
        (["a"], "sources[0] has no usable id"),
    ],
)
def test_without_usable_ids_nothing_is_written(
    sitemap: Path, capsys: pytest.CaptureFixture[str], entries: list[Any], said: str
) -> None:
    sitemap.write_text(json.dumps({"sources": entries}))
    assert main(["config", "split", str(sitemap)]) == 1
    assert said in capsys.readouterr().err
    assert len(files_of(sitemap)) == 1


def test_a_missing_file_is_named(sitemap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["config", "split", str(sitemap), "--entries", "3"])
    (sitemap.parent / "sitemap.dance-2.json").unlink()
    assert main(["config", "check", str(sitemap)]) == 1
    assert "sitemap.dance-2.json: no such file" in capsys.readouterr().err


def test_a_file_has_at_most_twelve_thousand_entries(
    sitemap: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sitemap.read_bytes()
    assert main(["config", "split", str(sitemap), "--entries", "12001"]) == 1
    assert "a file has at most 12000 entries" in capsys.readouterr().err
    assert sitemap.read_bytes() == before


class Killed(BaseException):
    """The process ends here."""


def in_force(sitemap: Path) -> list[str]:
    """The ids that the files have, each in its place."""
    found = []
    for shard in shards_in(sitemap.read_bytes()):
        entries = json.loads(Path(shard.key(str(sitemap))).read_text())["sources"]
        found += [entry["id"] for entry in entries if shard.has(entry["id"])]
    return sorted(found)


@pytest.mark.parametrize(("before", "after"), [(6, 2), (2, 6), (4, 2), (2, 3), (3, 2), (1, 4)])
def test_who_dies_anywhere_divides_again_and_loses_nothing(
    sitemap: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    words = ("config", "split", str(sitemap), "--entries")
    assert main([*words, str(before)]) == 0
    real, left = splitting._write, [0]  # noqa: SLF001 - it dies there

    def dying(path: Path, body: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        real(path, body)

    monkeypatch.setattr(splitting, "_write", dying)
    for allowed in range(20):
        left[0] = allowed
        try:
            assert main([*words, str(after)]) == 0
        except Killed:
            assert in_force(sitemap) == sorted(IDS)
        else:
            break
    assert allowed
    assert in_force(sitemap) == sorted(IDS)
    assert main(["config", "check", str(sitemap)]) == 0


def test_a_schema_beside_it_is_no_shard(sitemap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = sitemap.parent / "sitemap.schema.json"
    schema.write_text('{"$schema": "https://json-schema.org/draft/2020-12/schema"}')
    entries = [{**ENTRY, "id": each} for each in ("art", "schema")]
    sitemap.write_text(json.dumps({"sources": entries}))
    assert main(["config", "split", str(sitemap), "--entries", "1"]) == 1
    assert "sitemap.schema.json: is another kind of file" in capsys.readouterr().err
    assert json.loads(schema.read_text()).keys() == {"$schema"}
    assert len(json.loads(sitemap.read_text())["sources"]) == 2
