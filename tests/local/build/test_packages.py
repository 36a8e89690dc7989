"""What is built is packed once, whole, and anew after another build."""

import fcntl
import zipfile
from pathlib import Path

import pytest

from uring_local.build import packages as packing
from uring_local.build.packages import forget, packages


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A build of one function and one layer, beside the template."""
    built = tmp_path / "app"
    for name in ("Worker/app.py", "CoreLayer/python/uring/__init__.py"):
        (built / name).parent.mkdir(parents=True)
        (built / name).write_text(f"# {name}\n", encoding="utf-8")
    (built / "template.yaml").write_text("{}", encoding="utf-8")
    return built


def test_each_function_and_layer_is_a_package_of_its_own(built: Path) -> None:
    packed = packages(built)
    assert sorted(path.name for path in packed.iterdir()) == ["CoreLayer.zip", "Worker.zip"]
    with zipfile.ZipFile(packed / "CoreLayer.zip") as layer:
        name = "python/uring/__init__.py"
        assert [each for each in layer.namelist() if not each.endswith("/")] == [name]
        assert layer.read(name) == b"# CoreLayer/python/uring/__init__.py\n"


def test_they_are_packed_once_and_anew_after_another_build(built: Path) -> None:
    (built / "Worker" / "app.py").write_text("first", encoding="utf-8")
    packages(built)
    (built / "Worker" / "app.py").write_text("second", encoding="utf-8")
    assert worker(packages(built)) == b"first"
    forget(built)
    assert worker(packages(built)) == b"second"


def test_packing_that_dies_leaves_no_packages(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = packing.shutil.make_archive

    def dies(name: str, *rest: object) -> str:
        if name.endswith("Worker"):
            raise KeyboardInterrupt
        return whole(name, *rest)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(packing.shutil, "make_archive", dies)
        with pytest.raises(KeyboardInterrupt):
            packages(built)
    assert not (built.parent / "packages").exists()
    assert worker(packages(built)) == b"# Worker/app.py\n"


def test_nothing_is_packed_while_another_process_builds(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who builds has that lock, and would find packages of its half."""

    def locked(*_: object) -> None:
        with (built.parent / "lock").open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (built.parent / "packing").mkdir(exist_ok=True)

    monkeypatch.setattr(packing.shutil, "make_archive", locked)
    packages(built)


def worker(packed: Path) -> bytes:
    with zipfile.ZipFile(packed / "Worker.zip") as function:
        return function.read("app.py")
