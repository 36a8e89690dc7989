"""Dependencies point inwards, and nothing happens at import."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers" / "core" / "uring"
FUNCTIONS = sorted((ROOT / "functions").glob("*/app.py"))
MODULES = sorted(LIBRARY.rglob("*.py"))
FAMILIES = ("notices", "regulations", "weather", "domains", "documents")
OUTSIDE = {"boto3", "botocore", "requests", "urllib3", "firebase_admin", "google", "httpx"}
# What talks to the world, or waits for it, in the standard library.
IO = {"asyncio", "http", "os", "pathlib", "select", "shutil", "socket", "ssl", "subprocess", "time"}
PURE = {
    "records/diff.py",
    "records/model.py",
    "contracts.py",
    "errors.py",
    "fetch/charsets.py",
    "fetch/decode.py",
    "fetch/text.py",
    "reading/dates.py",
    "reading/extract.py",
    "records/feeds.py",
    "notices/guards.py",
    "changes/health.py",
    "reading/instants.py",
    "notices/item.py",
    "reading/kinds.py",
    "reading/links.py",
    "reading/lists/html_limits.py",
    "reading/mojibake.py",
    "watch/status.py",
    "notices/page.py",
    "reading/patterns.py",
    "reading/request_rules.py",
    "notices/paging.py",
    "notices/policy.py",
    "notices/presets.py",
    "reading/lists/rows.py",
    "watch/rhythm.py",
    "reading/rules.py",
    "notices/source.py",
    "reading/text.py",
    "push/payload.py",
}
ONLY = {
    "boto3": "aws/",
    "feedgenerator": "records/feeds.py",
    "protego": "fetch/robots.py",
    "re2": "reading/patterns.py",
    "botocore": "aws/",
    "firebase_admin": "push/fcm.py",
    "google": "push/fcm.py",
    "requests": "push/fcm.py",
    "urllib3": "fetch/",
    "socket": "fetch/",
    "aws_lambda_powertools": "runtime/telemetry.py",
}


def name(path: Path) -> str:
    return path.relative_to(LIBRARY).as_posix()


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a file names in an import, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full name"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def bootstrap_of(entry_point: Path) -> str:
    """Return the module that builds this function."""
    ends = (".bootstrap", ".bootstrap.worker", ".bootstrap.orchestrator")
    (module,) = (found for found in imports(entry_point) if found.endswith(ends))
    return module


def tops(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imports(path)}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_each_outside_library_has_one_importer(path: Path) -> None:
    for library, home in ONLY.items():
        if library in tops(path):
            assert name(path).startswith(home), f"{library} belongs to {home} alone"


@pytest.mark.parametrize("module", sorted(PURE))
def test_the_pure_part_imports_no_io(module: str) -> None:
    path = LIBRARY / module
    assert tops(path).isdisjoint(OUTSIDE | IO)
    for inner in imports(path):
        if inner.startswith("uring."):
            assert not inner.startswith(("uring.aws", "uring.runtime.telemetry")), inner


@pytest.mark.parametrize("path", sorted((LIBRARY / "changes").glob("*.py")), ids=name)
def test_the_engine_knows_no_family_no_adapter_and_no_push(path: Path) -> None:
    beyond = ("aws", "fetch", "push", "runtime", "records", "reading", "watch", *FAMILIES)
    for module in imports(path):
        assert not module.startswith(tuple(f"uring.{package}" for package in beyond)), module


@pytest.mark.parametrize("family", FAMILIES)
def test_families_never_import_each_other(family: str) -> None:
    others = tuple(f"uring.{other}" for other in FAMILIES if other != family)
    for path in (LIBRARY / family).rglob("*.py"):
        for module in imports(path):
            assert not module.startswith(others), f"{name(path)} imports {module}"


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in MODULES
        if "bootstrap" not in name(path) and name(path) != "runtime/invocation.py"
    ],
    ids=name,
)
def test_adapters_are_chosen_in_the_bootstrap_alone(path: Path) -> None:
    for module in imports(path):
        assert "bootstrap" not in module, module
        if not name(path).startswith("aws/"):
            assert not module.startswith("uring.aws"), module
        if name(path) != "push/fcm.py":
            assert module != "uring.push.fcm", module


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_the_library_reads_no_environment(path: Path) -> None:
    """Values come in as arguments; only functions/ hand over os.environ."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("environ", "getenv", "environb"), ast.unparse(node)


@pytest.mark.parametrize("path", FUNCTIONS, ids=lambda path: path.parent.name)
class TestFunctions:
    def test_an_entry_point_is_short(self, path: Path) -> None:
        assert len(path.read_text().splitlines()) < 40

    def test_an_entry_point_imports_the_bootstrap_and_nothing_to_work_with(
        self, path: Path
    ) -> None:
        assert tops(path) <= {"os", "functools", "typing", "uring"}
        for module in imports(path):
            if module.startswith("uring."):
                assert module.startswith("uring.runtime") or "bootstrap" in module, module

    def test_its_bootstrap_makes_no_client_and_opens_nothing_at_import(self, path: Path) -> None:
        """In a fresh interpreter without environment: no socket, no client, no firebase app."""
        program = f"""
import sys
opened = []
sys.addaudithook(lambda event, _: event.startswith("socket.connect") and opened.append(event))
import boto3
def refuse(*_, **__):
    raise AssertionError("a client was made at import")
boto3.Session = boto3.client = boto3.resource = refuse
import {bootstrap_of(path)}
assert not opened, opened
if "firebase_admin" in sys.modules:
    assert not sys.modules["firebase_admin"]._apps
"""
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": str(LIBRARY.parent)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    def test_only_the_notifier_loads_firebase(self, path: Path) -> None:
        seen = {path.parent / "app.py"}
        waiting = [LIBRARY.parent / (bootstrap_of(path).replace(".", "/") + ".py")]
        while waiting:
            current = waiting.pop()
            seen.add(current)
            for module in imports(current):
                file = LIBRARY.parent / (module.replace(".", "/") + ".py")
                if module.startswith("uring.") and file.exists() and file not in seen:
                    waiting.append(file)
        loaded = any("firebase_admin" in tops(file) for file in seen)
        assert loaded == (path.parent.name == "notifier")


def test_modules_stay_small() -> None:
    long = {name(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {module: lines for module, lines in long.items() if lines > 400} == {}
