"""The child process: formats told by bytes, limits that end it, and nothing of ours in it."""

import hashlib
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Protocol

import pytest
from extract_papers import STATUTE, long_paper
from hwp_writer import hwp

from uring.errors import CorruptState
from uring.extract import extract as module
from uring.extract.extract import extract
from uring.extract.extraction import VERSION, Extraction
from uring.extract.formats import NAMES, READABLE, format_of
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx, package
from uring_local.sites.files.pdf import pdf

DOCUMENTS = ("pdf", "hwpx", "hwp")
MEBIBYTE = 1 << 20


def zipped(kind: str, method: int = zipfile.ZIP_STORED, extra: bytes = b"", **more: str) -> bytes:
    """A zip whose ``mimetype`` is packed or has an extra field."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("mimetype")
        entry.compress_type, entry.extra = method, extra
        archive.writestr(entry, kind)
        for name, body in more.items():
            archive.writestr(name, body)
    return out.getvalue()


@pytest.mark.parametrize(
    ("body", "format_"),
    [
        (pdf(STATUTE), "pdf"),
        (hwpx(STATUTE), "hwpx"),
        (hwp(STATUTE), "hwp"),
        (html(STATUTE), "html"),
        (b"  \n<!-- a --><!DOCTYPE HTML><p>x", "html"),
        (b"\n%PDF-1.7\n% <html> <title> of its metadata", "pdf"),
        (b"MIME junk\n%PDF-1.7", "pdf"),
        ("<html>%PDF-1.7 는 없습니다".encode(), "html"),
        ("<table><tr><td>".encode("utf-16"), "html"),
        (b"PK\x03\x04rest", "zip"),
        (package({"word/document.xml": "x"}), "docx"),
        (package({"xl/workbook.xml": "x"}), "xlsx"),
        (hwpx(STATUTE, compressed=True).replace(b"Contents/content", b"Contenus/content"), "hwpx"),
        (b"junk" * 9 + hwpx(STATUTE), "unknown"),
        (zipped("application/hwp+zip", zipfile.ZIP_DEFLATED), "hwpx"),
        (zipped("application/hwp+zip", extra=b"\xca\xfe\0\0"), "hwpx"),
        (zipped("application/vnd.oasis.opendocument.text", zipfile.ZIP_DEFLATED), "odt"),
        (zipped("text/plain", **{"Contents/content.hpf": "x"}), "hwpx"),
        (zipped("text/plain", **{"word/document.xml": "x"}), "docx"),
        (zipped("x" * 10_000, zipfile.ZIP_DEFLATED), "zip"),
        (package({"mimetype": "application/vnd.oasis.opendocument.text"}), "odt"),
        (b"HWP Document File V3.00 \x1a\1\2\3\4\5", "hwp3"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "ole"),
        (b"{\\rtf1", "rtf"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        ("제1조(목적) 규정".encode(), "text"),
        ("제1조(목적) 규정".encode("cp949"), "text"),
        (b"", "empty"),
        (bytes(range(256)), "unknown"),
    ],
)
def test_the_bytes_tell_the_format(body: bytes, format_: str) -> None:
    assert format_of(body) == format_
    assert format_ in NAMES


def test_a_page_of_an_error_in_place_of_a_pdf_is_another_format() -> None:
    extraction = extract(b"<html><body>404 Not Found</body></html>", formats=DOCUMENTS)
    assert (extraction.outcome, extraction.format, extraction.text) == ("wrong_format", "html", "")
    assert "error page" in extraction.reason
    assert not extraction.is_permanent


@pytest.mark.parametrize("body", [b"", b"\0\1\2", b"PK\x03\x04"])
def test_what_is_no_document_is_another_format(body: bytes) -> None:
    assert extract(body, formats=DOCUMENTS).outcome == "wrong_format"


def test_a_format_without_reader_is_unsupported_and_says_what_to_ask_for() -> None:
    extraction = extract(package({"xl/workbook.xml": "x"}), formats=DOCUMENTS)
    assert (extraction.outcome, extraction.is_permanent) == ("unsupported", True)
    what = "it is an Excel workbook (XLSX)"
    assert extraction.reason == f"{what}; ask the site for one of: pdf, hwpx, hwp"


def test_a_format_that_is_not_expected_is_not_read() -> None:
    assert extract(pdf(STATUTE), formats=["hwpx"]).outcome == "wrong_format"


def test_a_file_of_300_megabytes_never_reaches_a_reader() -> None:
    body = pdf(STATUTE) + bytes(300 * MEBIBYTE)
    extraction = extract(body, formats=DOCUMENTS)
    assert (extraction.outcome, extraction.is_permanent) == ("too_big", True)


def test_digests_and_version_are_those_of_file_and_text() -> None:
    body = hwpx(STATUTE)
    extraction = extract(body, formats=DOCUMENTS)
    assert extraction.source_sha256 == hashlib.sha256(body).hexdigest()
    assert extraction.text_sha256 == hashlib.sha256(extraction.text.encode()).hexdigest()
    assert extraction.version == VERSION


def test_an_extraction_survives_its_json() -> None:
    extraction = extract(pdf(STATUTE, unicode_map=False), formats=DOCUMENTS)
    assert Extraction.from_json(extraction.to_json()) == extraction


@pytest.mark.parametrize("body", [b"", b"[]", b'{"outcome": "fine", "format": "pdf"}'])
def test_what_is_no_extraction_is_corrupt(body: bytes) -> None:
    with pytest.raises(CorruptState, match="remove the object"):
        Extraction.from_json(body)


class TestLimits:
    def test_an_endless_loop_of_objects_ends_in_its_limits(self) -> None:
        limits = ExtractLimits(memory_bytes=400 * MEBIBYTE, cpu_seconds=5)
        extraction = extract(pdf(STATUTE, endless=True), formats=DOCUMENTS, limits=limits)
        assert (extraction.outcome, extraction.text) == ("killed", "")
        assert not extraction.is_permanent

    def test_a_text_longer_than_is_read_is_too_big(self) -> None:
        extraction = extract(
            hwpx(long_paper()), formats=DOCUMENTS, limits=ExtractLimits(characters=1_000)
        )
        assert (extraction.outcome, extraction.text) == ("too_big", "")


class Run(Protocol):
    def __call__(self, program: str, limits: ExtractLimits | None = None) -> Extraction: ...


class TestChild:
    """Readers of our own in place of the real ones, which misbehave in one way each."""

    @pytest.fixture
    def run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
        """Put a program in the child's place."""

        def run(program: str, limits: ExtractLimits | None = None) -> Extraction:
            monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
            source = Path(module.__file__).with_name("child.py").read_text("utf-8")
            before, _, _ = source.partition("def _read(")
            body = "\n".join(f"    {line}" for line in program.splitlines())
            child = f"{before}def _read(format_, limits):\n{body}\n\n\nsys.exit(main())\n"
            (tmp_path / "misbehaving.py").write_text(child, "utf-8")
            monkeypatch.setattr(module, "_CHILD", "misbehaving")
            return extract(
                b"text", formats=["text"], limits=limits or ExtractLimits(wall_seconds=60)
            )

        return run

    def test_an_answer_is_taken(self, run: Run) -> None:
        assert run('return {"outcome": "text", "text": "fine"}').text == "fine"

    def test_it_has_nothing_of_our_environment(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "plainly-fake")
        names = run('return {"outcome": "text", "text": " ".join(sorted(os.environ))}').text.split()
        assert {name for name in names if not name.startswith("LC_")} == {"LANG", "PYTHONPATH"}

    @pytest.mark.parametrize(
        ("program", "why"),
        [
            ("while True: pass", "s of CPU"),
            (
                "import signal\nsignal.signal(24, signal.SIG_IGN)\nwhile True: pass",
                "",
            ),
            ("return {'text': 'x' * (1 << 40)}", "bytes of memory"),
            ("os.abort()", "bytes of memory"),
            ("os._exit(0)", "cut short"),
            ("os._exit(7)", "exit code 7"),
            ("raise ValueError", "exit code 1"),
            ("return {'outcome': 'fine'}", "answer was malformed"),
            ("return ['text']", "cut short"),
            ("return {'outcome': 'text', 'text': 'x' * 3000000}", "answered more than"),
        ],
    )
    def test_whatever_it_does_it_ends_and_is_told(self, run: Run, program: str, why: str) -> None:
        limits = ExtractLimits(cpu_seconds=1, output_bytes=2_000_000, wall_seconds=60)
        extraction = run(program, limits)
        assert extraction.outcome == "killed"
        assert why in extraction.reason

    def test_a_whole_answer_of_a_reader_that_died_is_none(self, run: Run) -> None:
        program = """
os.write(ANSWER, b'{"outcome": "text", "text": "whole"}')
os._exit(9)
"""
        extraction = run(program.strip().replace("ANSWER", "3"))
        assert (extraction.outcome, extraction.text) == ("killed", "")

    def test_one_that_waits_for_ever_is_killed(self, run: Run) -> None:
        extraction = run(
            "import select\nselect.select([], [], [])", ExtractLimits(wall_seconds=0.5)
        )
        assert (extraction.outcome, "more than 0.5 s" in extraction.reason) == ("killed", True)

    def test_it_writes_no_file_and_opens_few(self, run: Run, tmp_path: Path) -> None:
        program = f"""
import resource
try:
    open({str(tmp_path / "made")!r}, "w").write("x" * 10)
except OSError:
    pass
limits = [resource.getrlimit(kind) for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)]
return {{"outcome": "text", "text": str(limits)}}
"""
        assert run(program.strip()).text == json.dumps([[0, 0], [64, 64]]).replace(
            "[0, 0]", "(0, 0)"
        ).replace("[64, 64]", "(64, 64)")


def test_every_readable_format_has_a_reader() -> None:
    readers = Path(module.__file__).parent / "readers"
    assert all((readers / f"{format_}.py").exists() for format_ in READABLE)
