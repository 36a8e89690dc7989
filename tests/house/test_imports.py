"""The house: dependencies point inwards, and nothing happens at import."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "layers" / "core" / "uring"
FUNCTIONS = sorted((ROOT / "functions").glob("*/app.py"))
MODULES = sorted(LIBRARY.rglob("*.py"))
REGISTERED = sorted(path.parent.name for path in LIBRARY.glob("*/registration.py"))
FAMILIES = (*REGISTERED, "documents")
MOST_MODULES = 15
OUTSIDE = {
    "aws_lambda_powertools",
    "boto3",
    "botocore",
    "firebase_admin",
    "google",
    "httpx",
    "requests",
    "urllib3",
}
# What talks to the world, waits for it, or differs from run to run, in the standard library.
IO = {
    "asyncio",
    "concurrent",
    "http",
    "os",
    "pathlib",
    "random",
    "select",
    "shutil",
    "socket",
    "ssl",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "uuid",
}
# They say what is asked and answered, when, judge a certificate or name, and have no way to ask.
VALUES = {
    "http.HTTPStatus",
    "uring.fetch.http.Fetches",
    "uring.fetch.http.Response",
    "uring.fetch.tls.STRICT",
    "uring.fetch.tls.Tls",
    "uring.fetch.tls.build",
    "uring.seeds.collect.pace.Pace",
    "uuid.UUID",
    "uuid.uuid5",
}
PURE = {
    "": "characters clock contracts errors language media objects segments tables",
    "changes": "health hint ports registry restore shard state",
    "changes/history": "*",
    "documents": "costs jobs messages names",
    "documents/api": "models",
    "documents/operations": "matching renewal report",
    "documents/store": "*",
    "documents/work": "*",
    "extract": "articles differences effective extraction formats headings patience renumbering "
    "spelling units",
    "extract/page": "*",
    "extract/readers": "*",
    "extract/readers/hancom": "*",
    "extract/readers/page": "*",
    "extract/readers/word": "*",
    "fetch": "address decode inflate languages request robots url xml",
    "locks": "catalogue decide entries errors operate paths store watching",
    "notices": "guards identity item page place policy presets source state",
    "notices/due": "*",
    "notices/noise": "*",
    "regulations": "history presets revision source state sync values",
    "regulations/texts": "ids job recheck state",
    "push": "fcm_errors payload ports",
    "reading": "*",
    "reading/lists": "*",
    "records": "apply calendar diff feeds model months older put_back quiet retract same "
    "search_index",
    "runtime": "document etags going_on settings",
    "seeds": "counters messages names normalize pace partition progress ranges",
    "seeds/collect": "answers children gunzip homepage hosts limits metadata robots site sitemap "
    "sitemap_xml sitemaps visit",
    "seeds/domains": "cache pauses",
    "seeds/files": "parts raw rejected seen",
    "seeds/known": "files recollection urls",
    "seeds/reports": "markdown report",
    "seeds/watch": "kept settling sight understood verdict watch",
    "subscriptions": "ports",
    "sources": "config document entry guards presets refusal requests rhythm rows shards site",
    "sources/problems": "*",
    "watch": "alerts pace status",
    "weather": "day derived due events product runways state vanished warning_text",
    "weather/gateway": "envelope errors json_tree key parse_report retry warning_fields warnings",
    "weather/iwxxm": "*",
}
# Of each floor, what it stands on.
GROUND = {"characters", "clock", "contracts", "errors", "media", "objects", "segments"}
FLOORS = {
    "characters": set(),
    "clock": set(),
    "tables": {"errors"},
    "segments": set(),
    "errors": set(),
    "media": set(),
    "objects": set(),
    "contracts": {"errors", "segments"},
    "changes": GROUND | {"runtime"},
    "records": GROUND | {"changes"},
    "fetch": {"clock", "errors"},
    "language": {"errors"},
    "locks": {"errors", "tables"},
    "reading": {"characters", "errors", "fetch"},
    "runtime": {"clock", "errors"},
    "push": GROUND | {"runtime"},
    "subscriptions": GROUND | {"changes", "push", "runtime"},
    "aws": {
        "changes",
        "contracts",
        "errors",
        "extract",
        "language",
        "objects",
        "push",
        "runtime",
        "tables",
    },
    "sources": GROUND | {"changes", "fetch", "reading", "runtime"},
    "extract": GROUND | {"changes", "fetch", "runtime"},
    "watch": GROUND | {"changes", "records", "runtime"},
    **dict.fromkeys(
        FAMILIES,
        GROUND
        | {
            "changes",
            "extract",
            "fetch",
            "language",
            "locks",
            "reading",
            "records",
            "runtime",
            "sources",
            "tables",
        },
    ),
}
# The wiring stands on all of it.
FLOORS["functions"] = {*FLOORS}
ONLY: dict[str, str | tuple[str, ...]] = {
    "boto3": "aws/",
    "bs4": "extract/readers/html.py",
    "feedgenerator": "records/feeds.py",
    "olefile": "extract/readers/hwp.py",
    "protego": "fetch/robots.py",
    "publicsuffixlist": "seeds/normalize.py",
    "pypdfium2": ("extract/readers/pdf.py", "extract/readers/page/"),
    "re2": "reading/patterns.py",
    "botocore": "aws/",
    "firebase_admin": "push/fcm_client.py",
    "google": "push/fcm_client.py",
    "requests": "push/fcm_client.py",
    "urllib3": "fetch/",
    "resource": "extract/child.py",
    "socket": "fetch/",
    "subprocess": "extract/extract.py",
    "aws_lambda_powertools": "runtime/",
}


LOADED: dict[str, set[str]] = {
    "aws_lambda_powertools.event_handler": {
        "document_api",
        "seed_orchestrator",
        "subscription_api",
    },
    # botocore's own session makes the clients.
    "boto3": set(),
    "publicsuffixlist": {
        "seed_file_worker",
        "domain_worker",
        "seed_watch_orchestrator",
    },
}


def name(path: Path) -> str:
    return path.relative_to(LIBRARY).as_posix()


def floor(path: Path) -> str:
    return name(path).partition("/")[0].removesuffix(".py")


@cache
def imported(path: Path) -> tuple[tuple[str, str], ...]:
    """Every import of a file, anywhere in it: the module, and the name that is taken from it."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full name"
            found += [(node.module or "", alias.name) for alias in node.names]
    return tuple(found)


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a file names in an import, and every name as if it were one."""
    return frozenset(
        text for module, taken in imported(path) for text in (module, f"{module}.{taken}")
    )


def ours(path: Path) -> set[str]:
    """The modules and names of the library that a file imports."""
    return {f"{module}.{taken}" for module, taken in imported(path) if module.startswith("uring")}


def file_of(module: str) -> Path | None:
    place = LIBRARY.parent / module.replace(".", "/")
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((file for file in files if file.exists()), None)


def sources(path: Path) -> Iterator[Path]:
    """The files that define what a file takes from the library, values aside."""
    for full in ours(path) - VALUES:
        module, _, taken = full.rpartition(".")
        file = file_of(full) or file_of(module)
        assert file is not None, full
        if file.name == "__init__.py":
            # Handed on from where it is defined.
            homes = [place for place, shown in imported(file) if shown == taken]
            file = file_of(homes[0]) if homes else file
        assert file is not None, full
        yield file


def wiring_of(entry_point: Path) -> str:
    """Return the module that wires this function."""
    (module,) = re.findall(
        r'EntryPoint\("(uring\.[a-z_.]+)", os\.environ\)', entry_point.read_text()
    )
    return str(module)


def tops(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imports(path)}


def reached(path: Path) -> set[str]:
    """Return the libraries that a file imports more of than values."""
    return {
        module.partition(".")[0]
        for module, taken in imported(path)
        if f"{module}.{taken}" not in VALUES
    }


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_each_outside_library_has_one_importer(path: Path) -> None:
    for library, home in ONLY.items():
        if library in tops(path):
            assert name(path).startswith(home), f"{library} belongs to {home} alone"


def test_the_pure_part_is_what_neither_does_nor_reaches_any_io() -> None:
    """Both ways: nothing in the list reaches the world, and what does not is in the list."""
    pure = {path for path in MODULES if reached(path).isdisjoint(OUTSIDE | IO)}
    while impure := {path for path in pure if not {*sources(path)} <= pure}:
        pure -= impure
    declared: set[Path] = set()
    for folder, words in PURE.items():
        place = LIBRARY / folder
        declared |= {place / f"{word}.py" for word in words.split()} - {place / "*.py"}
        if words == "*":
            declared |= {*place.glob("*.py")}
    found = {name(path) for path in pure if path.name != "__init__.py"}
    assert found == {name(path) for path in declared if path.name != "__init__.py"}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_floor_stands_on_what_is_below_it(path: Path) -> None:
    """Families never import each other, and nothing but `functions` imports one, or an adapter."""
    if name(path) == "__init__.py":
        assert not ours(path)
        return
    below = FLOORS[floor(path)] | {floor(path)}
    for full in ours(path):
        assert full.split(".")[1] in below, full


def test_floors_are_free_of_circles() -> None:
    """Each package of the library stands on packages that do not stand on it."""
    waiting = {floor: {*below} for floor, below in FLOORS.items()}
    while waiting:
        ground = {floor for floor, below in waiting.items() if below.isdisjoint(waiting)}
        assert ground, f"these stand on each other: {sorted(waiting)}"
        waiting = {floor: below for floor, below in waiting.items() if floor not in ground}


REFUSING = """
opened = []
sys.addaudithook(lambda event, _: event.startswith("socket.connect") and opened.append(event))
import botocore.session
def refuse(*_, **__):
    raise AssertionError("a client was made at import")
botocore.session.Session.create_client = refuse
"""
REFUSED = """
assert not opened, opened
if "firebase_admin" in sys.modules:
    assert not sys.modules["firebase_admin"]._apps
"""


def loaded_by(module: str, *, before: str = "", after: str = "") -> set[str]:
    """What an import loads in a fresh interpreter without environment."""
    program = f"import sys\n{before}\nimport {module}\n{after}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(LIBRARY.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_the_registry_loads_no_family() -> None:
    """Every function that asks for a name or a folder would pay for all of them."""
    loaded = loaded_by("uring.functions.families")
    families = {
        module for module in loaded if module.startswith(tuple(f"uring.{f}" for f in REGISTERED))
    }
    assert families == {
        f"uring.{family}{part}" for family in REGISTERED for part in ("", ".registration")
    }
    assert loaded.isdisjoint(
        {*OUTSIDE, "selectolax", "uring.fetch", "uring.records", "uring.reading"}
    )


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

    def test_an_entry_point_names_its_wiring_and_imports_nothing_to_work_with(
        self, path: Path
    ) -> None:
        assert imports(path) == {
            *("os", "os."),
            *("uring.functions.entry_point", "uring.functions.entry_point.EntryPoint"),
        }
        assert wiring_of(path) == f"uring.functions.{path.parent.name}"
        assert file_of(wiring_of(path)) is not None

    def test_its_wiring_asks_nobody_at_import_and_loads_no_library_that_only_others_need(
        self, path: Path
    ) -> None:
        """In a fresh interpreter without environment: no socket, no client, no firebase app.

        A library costs a cold start: HTTP routes, the JSON parser of raw files, the suffix list.
        """
        loaded = loaded_by(wiring_of(path), before=REFUSING, after=REFUSED)
        heavy = {library for library in LOADED if library in loaded}
        assert heavy == {library for library, users in LOADED.items() if path.parent.name in users}

    def test_only_who_asks_fcm_loads_firebase(self, path: Path) -> None:
        seen = {path.parent / "app.py"}
        waiting = [LIBRARY.parent / (wiring_of(path).replace(".", "/") + ".py")]
        while waiting:
            current = waiting.pop()
            seen.add(current)
            for module in imports(current):
                file = LIBRARY.parent / (module.replace(".", "/") + ".py")
                if module.startswith("uring.") and file.exists() and file not in seen:
                    waiting.append(file)
        loaded = any("firebase_admin" in tops(file) for file in seen)
        assert loaded == (path.parent.name in ("notifier", "subscription_api"))


def test_modules_stay_small() -> None:
    long = {name(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {module: lines for module, lines in long.items() if lines > 400} == {}


@pytest.mark.parametrize("folder", ["layers", "local"])
def test_a_folder_can_be_taken_in_at_a_glance(folder: str) -> None:
    files = (path for path in (ROOT / folder).rglob("*.py") if path.name != "__init__.py")
    folders = Counter(path.parent.relative_to(ROOT).as_posix() for path in files)
    # One module a Lambda function: as many as functions/ has.
    folders["layers/core/uring/functions"] -= len(FUNCTIONS)
    assert {place: count for place, count in folders.items() if count > MOST_MODULES} == {}
