"""Asks the API of documents all that its OpenAPI document allows, and more: ``make schemathesis``.

Without ``--stack`` the real handler answers, over a seeded store in memory; with it the running
stack does, each request signed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from fakes.document_api import PAGE, ApiWorld
from rich.console import Console
from rich.table import Table
from shim import Handler, served

from uring.documents.api.app import openapi_document

_SCHEMATHESIS: Final = Path(__file__).parents[2] / ".venv-api" / "bin" / "schemathesis"
_SOURCE: Final = "leave.pdf"
_LEFT_OUT: Final = (
    # What is allowed by a schema may be refused by a rule: a clash of fields, a transition.
    "positive_data_acceptance",
    # A stack without AUTH=true takes every signature, and the shim has none.
    "ignored_auth",
    # If-Match that is missing is 428, which the check does not know.
    "missing_required_header",
)
_SHARE: Final = 0.6
_CONDITIONS: Final = ("header.if-match", "header.if-none-match")
_WORDS: Final = ("policies", "issues", "classify", "annotate", "transition", "jobs")
_OPERATIONS: Final = (
    "GET policies",
    "GET issues",
    "GET jobs",
    "POST jobs",
    "POST issues/classify",
    "POST issues/annotate",
    "POST issues/transition",
)


def main() -> int:
    """Ask; return 1 where an answer was not as documented."""
    options = _options()
    handler, values = _stack(options) if options.stack else _world()
    seen: Counter[tuple[str, int]] = Counter()

    def counted(event: dict[str, Any]) -> Mapping[str, Any]:
        answer = handler(event)
        seen[_kind(event), answer["statusCode"]] += 1
        return answer

    with served(counted) as url, tempfile.TemporaryDirectory() as folder:
        schema, config = Path(folder, "openapi.json"), Path(folder, "schemathesis.toml")
        schema.write_text(json.dumps(openapi_document()))
        config.write_text(_config(values))
        command = [_SCHEMATHESIS, "--config-file", config, "run", schema, "--url", url]
        command += ["--max-examples", str(options.examples), "--no-color", "--continue-on-failure"]
        command += ["--header", "Authorization: of the shim"]
        command += ["--phases", "coverage,fuzzing", "--exclude-checks", ",".join(_LEFT_OUT)]
        command += ["--seed", str(options.seed)] if options.seed else ["--generation-deterministic"]
        code = subprocess.run([*map(str, command)], check=False, cwd=folder).returncode
    # A stack's page may be cleared by what is asked.
    is_whole = _told(seen) or bool(options.stack)
    return 0 if is_whole and not code else 1


def _kind(event: Mapping[str, Any]) -> str:
    """Return the operation that a request is of, by its method and the words of its path."""
    words = [word for word in event["rawPath"].split("/") if word in _WORDS]
    return f"{event['requestContext']['http']['method']} {'/'.join(words)}"


def _told(seen: Counter[tuple[str, int]]) -> bool:
    """Print what was answered; return whether every operation was done now and then."""
    table = Table("", "done", "unchanged", "the caller's", "ours", box=None)
    kinds = sorted({kind for kind, _ in seen if kind.startswith(("GET", "POST"))})
    for kind in kinds:
        by = Counter({status // 100: 0 for status in (200, 300, 400, 500)})
        for (of, status), count in seen.items():
            by[status // 100] += count * (of == kind)
        table.add_row(kind, *(str(by[hundreds]) for hundreds in (2, 3, 4, 5)))
    Console().print(table)
    done = {kind for kind, status in seen if status // 100 == 2}
    missing = set(_OPERATIONS) - done
    for kind in sorted(missing):
        print(f"{kind}: never done, so what it answers then was not judged")
    return not missing


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("make schemathesis ARGS=...", description=__doc__)
    parser.add_argument("--examples", type=int, default=20, help="of each operation")
    parser.add_argument("--seed", type=int, default=0, help="another run than always")
    parser.add_argument("--stack", help="the deployed stack's name; its data is edited")
    parser.add_argument("--page", default=PAGE, help="of the stack")
    return parser.parse_args()


def _world() -> tuple[Handler, dict[str, list[str]]]:
    """Return the real handler over a seeded store, and what there is in it."""
    world = ApiWorld()
    for source in (_SOURCE, "scan.pdf", "new.pdf"):
        world.upload(source)
    world.extract(_SOURCE)
    world.extract(_SOURCE, "번역", "ko")
    world.extract("scan.pdf", "", outcome="needs_ocr", reason="a scan")
    issues = [world.find(str(number)).id for number in range(4)]
    jobs = [world.post(f"/api/v1/pages/{PAGE}/jobs", {"operation": "issues"}).json["id"]]
    world.jobs.finish(jobs[0], {"findings": 4})
    values = {"page": [PAGE], "source": [_SOURCE, "scan.pdf"], "issue": issues, "job": jobs}
    return lambda event: world.api.work(event, lambda: 25.0), values


def _stack(options: argparse.Namespace) -> tuple[Handler, dict[str, list[str]]]:
    """Return what signs and forwards to a stack, and what there is on a page of it."""
    from forward import forwarded  # noqa: PLC0415 - boto3 is for this alone

    return forwarded(options.stack, options.page)


def _config(values: dict[str, list[str]]) -> str:
    """Return a configuration by which most requests name what there is."""
    lines: list[str] = []
    for name, known in values.items():
        if known:
            lines += [f"[dictionaries.{name}]", f"values = {json.dumps(known)}"]
    lines.append("[parameters]")
    bound = {**{f"path.{name}": name for name in values}, **dict.fromkeys(_CONDITIONS, "version")}
    for place, name in bound.items():
        if values.get(name) or name == "version":
            lines.append(f'"{place}" = {{ dictionary = "{name}", probability = {_SHARE} }}')
    versions: list[Any] = ["*", '"v1"', '"v2"', 'W/"v1"']
    lines = ["[dictionaries.version]", f"values = {json.dumps(versions)}", *lines]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
