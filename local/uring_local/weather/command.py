"""`uring weather parse`: look at a recorded answer of the weather gateway."""

from pathlib import Path

from uring_local.options import Json


def parse_files(files: list[Path], /, *, as_json: Json = False) -> bool:
    """Read recorded METAR, SPECI, TAF, warnings or answers.

    Reads each file as the worker would: IWXXM alone, in a bulletin, or in an answer of either
    gateway, and lists of warnings. Shows the values, or the reason for a refusal. Exit code 1 if
    any file is not read, or is a gateway's error.

    Args:
        files: the recordings.
        as_json: print one JSON object per file and line.
    """
    from uring_local.weather.files import read_recording
    from uring_local.weather.show import show_json, show_text

    show = show_json if as_json else show_text
    readings = []
    for path in files:
        readings.append(read_recording(path))
        show(readings[-1])
    return all(reading.well for reading in readings)
