"""What ships is compiled: for its own Python, as it is, and named as it is on Lambda."""

import importlib.util
import marshal
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from uring_local.build.compiled import compile_build, uncompiled
from uring_local.cli import main
from uring_local.project import ROOT, StackFailed

NATIVE = f"_fast.{sys.implementation.cache_tag}-x86_64-linux-gnu.so"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A build in SAM's layout: a layer with a native module, and a function."""
    write(tmp_path / "CoreLayer/python/uring/__init__.py", "WORDS = {'a', 'b'} | {'c'}\n")
    write(tmp_path / "CoreLayer/python/uring/deep/er.py", "def f(): return 1 / 0\n")
    write(tmp_path / f"CoreLayer/python/{NATIVE}", "")
    write(tmp_path / "NoticeWorker/app.py", "handler = print\n")
    write(tmp_path / "template.yaml", "Resources: {}\n")
    return tmp_path


def compiled(source: Path) -> Path:
    return Path(importlib.util.cache_from_source(str(source)))


def test_every_module_is_compiled(built: Path) -> None:
    assert len([*uncompiled(built)]) == 3
    assert compile_build(built) == 3
    assert [*uncompiled(built)] == []


def test_no_module_is_compared_with_its_source(built: Path) -> None:
    """Packing sets all times to one; a hash would have every source read at every start."""
    compile_build(built)
    flags = compiled(built / "NoticeWorker/app.py").read_bytes()[4:8]
    assert int.from_bytes(flags, "little") == 1


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("CoreLayer/python/uring/deep/er.py", "/opt/python/uring/deep/er.py"),
        ("NoticeWorker/app.py", "/var/task/app.py"),
    ],
)
def test_a_traceback_names_the_file_on_lambda(built: Path, source: str, place: str) -> None:
    compile_build(built)
    code = marshal.loads(compiled(built / source).read_bytes()[16:])  # noqa: S302 - just written
    assert code.co_filename == place


def test_an_edit_after_it_is_a_fault(built: Path) -> None:
    compile_build(built)
    write(built / "NoticeWorker/app.py", "handler = repr\n")
    (fault,) = uncompiled(built)
    assert "NoticeWorker/app.py: not compiled, or edited since" in fault
    compile_build(built)
    assert [*uncompiled(built)] == []


def test_the_same_sources_make_the_same_modules(built: Path) -> None:
    """Or every deployment would look new."""
    seen = []
    for _ in range(2):
        compile_build(built)
        seen.append({path: path.read_bytes() for path in built.rglob("*.pyc")})
    assert seen[0] == seen[1]


def test_what_is_no_python_of_this_version_is_left_out(built: Path) -> None:
    write(built / "CoreLayer/python/old/two.py", "print 'two'\n")
    assert compile_build(built) == 3
    assert [*uncompiled(built)] == []


def test_it_takes_the_python_that_was_built_for(built: Path) -> None:
    (built / f"CoreLayer/python/{NATIVE}").unlink()
    write(built / "CoreLayer/python/_fast.cpython-399-x86_64-linux-gnu.so", "")
    with pytest.raises(StackFailed, match=r"built for python3\.99, which is not on PATH"):
        compile_build(built)
    write(built / "CoreLayer/python/_more.cpython-398-x86_64-linux-gnu.so", "")
    with pytest.raises(StackFailed, match="several versions"):
        compile_build(built)


def test_nothing_built_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(tmp_path / "none")]) == 1
    assert "run `sam build`" in capsys.readouterr().err


def test_the_command_says_how_many(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(built)]) == 0
    assert capsys.readouterr().out.endswith(": 3 modules are compiled\n")


def test_what_the_layer_has_before_the_runtimes_own_suits_boto3() -> None:
    """The layer comes first: urllib3 and jmespath are its, and boto3 has to work with them."""
    lines = (ROOT / "layers" / "core" / "requirements.txt").read_text().splitlines()
    pinned = [Requirement(line.rstrip(" \\")) for line in lines if line[:1].isalpha()]
    versions = {each.name: next(iter(each.specifier)).version for each in pinned}
    wanted = [
        Requirement(line)
        for name in ("boto3", "botocore", "s3transfer")
        for line in requires(name) or []
    ]
    shadowing = {
        each.name: versions[each.name] in each.specifier
        for each in wanted
        if each.name in versions and (each.marker is None or each.marker.evaluate({"extra": ""}))
    }
    assert shadowing == {"urllib3": True, "jmespath": True}
