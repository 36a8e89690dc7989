"""`uring weather parse`: what a recorded file is taken for, what is shown, and the exit code."""

import json
from pathlib import Path
from typing import Any

import pytest

from uring_local.cli import main

ANSWERS = Path(__file__).parents[2] / "weather" / "fixtures" / "answers"
REPORTS = ANSWERS.parent / "reports"


def parsed(capsys: pytest.CaptureFixture[str], *files: Path) -> tuple[int, list[dict[str, Any]]]:
    code = main(["weather", "parse", "--json", *map(str, files)])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


READ = {
    "metar_nested.xml": ("answer", ["RKZA"]),
    "metar_cdata.xml": ("answer", ["RKZA"]),
    "metar_string.json": ("answer", ["RKZA"]),
    "taf_escaped.xml": ("answer", ["RKZA"]),
    "bulletin.xml": ("report", ["RKZA", "RKZB"]),
    "warnings.xml": ("warnings", []),
    "warnings_backwards.xml": ("warnings", []),
}
NOT_READ = {
    "taf_null.xml": ("answer", "null"),
    "metar_cut.xml": ("answer", "root"),
    "empty_items.xml": ("answer", "no_items"),
    "no_data_03.xml": ("error", "03"),
    "application_error_01.xml": ("error", "01"),
    "portal_22.xml": ("error", "22"),
    "hub_403.json": ("error", "403"),
    "maintenance.html": ("unknown", "html"),
    "warnings_page1of2.xml": ("warnings", "incomplete"),
    "warnings_empty_row.xml": ("warnings", "empty"),
    "metar.tac": ("unknown", "tac"),
    "notes.txt": ("unknown", "text"),
    "empty.xml": ("unknown", "empty"),
}


def test_every_recorded_answer_is_in_one_of_the_tables() -> None:
    assert {file.name for file in ANSWERS.iterdir()} == READ.keys() | NOT_READ.keys()


@pytest.mark.parametrize("name", READ)
def test_what_can_be_read_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, [only] = parsed(capsys, ANSWERS / name)
    kind, airports = READ[name]
    assert (code, only["kind"], only["ok"], only["failures"]) == (0, kind, True, [])
    assert [each["header"]["icao"] for each in only["reports"]] == airports


@pytest.mark.parametrize("name", NOT_READ)
def test_what_cannot_be_read_is_told_with_its_reason(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [only] = parsed(capsys, ANSWERS / name)
    kind, reason = NOT_READ[name]
    assert (code, only["kind"], only["ok"]) == (1, kind, False)
    assert [failure["code"] for failure in only["failures"]] == [reason]
    assert main(["weather", "parse", str(ANSWERS / name)]) == 1
    assert f"not read: {reason}: " in capsys.readouterr().out


def test_one_bad_file_among_good_ones_is_exit_code_1_and_all_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [ANSWERS / name for name in ("metar_nested.xml", "hub_403.json", "warnings.xml")]
    code, shown = parsed(capsys, *files)
    assert (code, [each["file"] for each in shown]) == (1, list(map(str, files)))
    assert [each["ok"] for each in shown] == [True, False, True]


@pytest.mark.parametrize("file", sorted(REPORTS.glob("*.xml")), ids=lambda file: file.stem)
def test_a_report_shows_the_values_of_its_json(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [only] = parsed(capsys, file)
    assert (code, only["kind"]) == (0, "report")
    [report] = only["reports"]
    assert main(["weather", "parse", str(file)]) == 0
    text = capsys.readouterr().out
    header = report["header"]
    assert header["icao"] in text
    told = report.get("observation") or report.get("base") or {}
    for value, unit in [
        ((told.get("qnh") or {}).get("value"), "hPa"),
        ((told.get("wind") or {}).get("speed"), "KT"),
        ((told.get("temperature") or {}).get("air"), "°C"),
        (told.get("vertical_visibility"), "ft"),
    ]:
        assert value is None or f"{value:g} {unit}" in text
    assert (told.get("wind") or {}).get("raw", "") in text
    for change in report.get("changes", ()):
        assert change["type"] in text


def test_a_summary_of_a_metar_has_values_units_and_flight_category(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["weather", "parse", str(ANSWERS / "metar_nested.xml")]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  METAR RKZA HAETBIT (IWXXM 2023-1)",
        "    observed 2026-05-04T03:00:00Z, issued 2026-05-04T03:02:00Z",
        "    wind 240° 9 KT (24009KT)",
        "    visibility 9000 m",
        "    weather none",
        "    clouds SCT 4000 ft (SCT040)",
        "    temperature 18 °C, dew point 11 °C",
        "    QNH 1016 hPa",
        "    flight category VFR",
        "    text METAR RKZA 040300Z 24009KT 9000 SCT040 18/11 Q1016 (derived)",
    ]


def test_a_summary_of_warnings_has_raw_and_read_types_and_brackets_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["weather", "parse", str(ANSWERS / "warnings.xml")]) == 0
    text = capsys.readouterr().out
    assert "4 of 4 warnings" in text
    assert (
        "WIND_SHEAR 급변풍 (00) valid 2026-05-04T03:00:00Z to 2026-05-04T11:00:00Z, "
        "issued 2026-05-04T02:55:00Z"
    ) in text
    assert "UNKNOWN 11 (11)" in text
    assert "[b]ASH[/b]" in text
    assert "APCH" in text
    assert "CLIMB-OUT" in text


def test_a_body_too_big_is_not_parsed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    big = tmp_path / "big.xml"
    with big.open("wb") as stream:
        stream.truncate(500_000_000)
    code, [only] = parsed(capsys, big)
    assert (code, only["failures"][0]["code"]) == (1, "too_big")


def test_a_file_that_is_not_there_is_told_and_the_others_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown = parsed(capsys, tmp_path / "none.xml", tmp_path, ANSWERS / "warnings.xml")
    assert (code, [each["ok"] for each in shown]) == (1, [False, False, True])
    assert shown[0]["failures"] == [{"code": "file", "detail": "No such file or directory"}]


def test_a_file_controls_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        "icaoCode": "RKZA",
        "tm": "202605040255",
        "validTm1": "202605040300",
        "validTm2": "202605041100",
        "wrngMsg": "RKZA \x1b[2J \ud800 VALID 040300/041100",
    }
    body = {"items": {"item": row}, "totalCount": 1}
    text = json.dumps({"response": {"header": {"resultCode": "00"}, "body": body}})
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert main(["weather", "parse", str(tmp_path / "a.json")]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert r"RKZA \x1b[2J ? VALID" in out
    code, [only] = parsed(capsys, tmp_path / "a.json")
    assert (code, only["ok"]) == (0, True)


def test_no_file_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["weather", "parse"])
    assert caught.value.code == 2
    assert "FILE" in capsys.readouterr().err
