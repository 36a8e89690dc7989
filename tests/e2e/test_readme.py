"""README and docs/ say what is so: their commands are run, their entries read, their links lead."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from documented import TAKEN
from uring_command import ROOT, environment

from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.entries.registries import REGISTRY_ENTRIES
from uring_local.entries.watches import WATCH_ENTRIES
from uring_local.stack.stack import Endpoint

TOP = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")]
PAGES = [*TOP, *sorted((ROOT / "docs").glob("**/*.md"))]
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}


def blocks(language: str) -> list[str]:
    """The fenced blocks of this language on all pages, each once."""
    found = [re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) for text in TEXTS.values()]
    return list(dict.fromkeys(block for each in found for block in each))


LINES = list(dict.fromkeys(line for block in blocks("sh") for line in block.splitlines()))
# They cannot run inside themselves; the tests run what they call.
MAKE = [line for line in LINES if line.startswith("make ")]
_DEPLOYING = ("sam ", "uring compile", "uring config upload")
DEPLOY = [line for line in LINES if line.startswith(_DEPLOYING)]
OPERATE = [line for line in LINES if "--stack" in line and line not in DEPLOY]
HERE = [line for line in LINES if line not in {*MAKE, *DEPLOY, *OPERATE, *TAKEN}]

RUNTIME = f"PythonRuntime=python{sys.version_info.major}.{sys.version_info.minor}"
# What a person fills into samconfig.toml, and what the interpreter at hand asks for.
FILLED_IN = {
    "sam build": f"--parameter-overrides {RUNTIME}",
    "sam deploy": f"--parameter-overrides {RUNTIME} Contact=https://uring.invalid/readme "
    "FcmProjectId=uring-readme FcmCredentialsSecret=uring/fcm ScheduleState=DISABLED "
    # Whose commands ask an HTTP API.
    "Seeds=ENABLED Documents=ENABLED "
    "Operations=false Architecture=x86_64 --no-progressbar "
    "--region ap-northeast-2",
}


# As docs/operations.md has it.
WHEELS = {
    "PIP_ONLY_BINARY": ":all:",
    "PIP_PLATFORM": "manylinux2014_aarch64 manylinux_2_28_aarch64",
}


# Nothing was checked yet, nobody has made the secret or asked for alarms, regulations are left out,
# and by `sam deploy` alone the local stack has no routes of an HTTP API.
REFUSED = {
    "seeds collect": "refused (404)",
    "documents policy": "refused (404)",
    "documents analyse": "refused (404)",
    "documents issues": "refused (404)",
    "seeds status": "no collection of any partition",
    "push test": "secretsmanager:GetSecretValue uring/fcm",
    "doctor": "the alarm topic has no subscription",
    "state ": "there is no state/notices/konkuk_cse",
    "uring refused": "there is no state/notices/konkuk_cse",
    "uring pause": "there is no state/notices/konkuk_cse",
    "uring resume": "there is no state/notices/konkuk_cse",
    "retract ": "there is no department konkuk_cse with a state",
    "dead-letters list": "has no regulations",
    "dead-letters retry": "has no regulations",
}
# All queues are empty; an attachment is put into the bucket itself.
ANSWERED = {
    "documents upload": "LICENSE: ",
    "env ": "env.json",
    "web upload": "push off",
    "queue list": "0 dead letters",
    "queue show": "DeadLetterQueue: no dead letters",
    "queue redrive": "would send 0 dead letters",
}


def shell(line: str, endpoint: Endpoint | None = None) -> subprocess.CompletedProcess[str]:
    command = shlex.split(f"{line} {FILLED_IN.get(line, '')}")
    wheels = WHEELS if line == "sam build" and sys.version_info < (3, 12) else {}
    sam = {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(endpoint) | sam | wheels,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def test_make_knows_its_commands() -> None:
    for line in MAKE:
        assert shell(f"{line} --dry-run").returncode == 0


@pytest.mark.parametrize("line", HERE)
def test_a_command_that_needs_no_stack_succeeds(line: str) -> None:
    run = shell(line)
    assert run.returncode == 0, run.stdout + run.stderr


def lend_dependencies() -> None:
    """Let SAM find what `make build` has installed for Lambda's processor, half a minute of pip."""
    build, own = ROOT / ".build" / "arm64", ROOT / ".aws-sam"
    if (build / "build.toml").exists() and not own.exists():
        shutil.copytree(build / ".aws-sam", own)
        shutil.copy(build / "build.toml", own)


def test_the_commands_deploy(stack: Endpoint) -> None:
    lend_dependencies()
    assert len(DEPLOY) == 6
    for line in DEPLOY:
        run = shell(line, stack)
        assert run.returncode == 0, f"{line}\n{run.stdout[-3000:]}{run.stderr[-3000:]}"
    # They reach it.
    assert len(OPERATE) == 25
    for line in OPERATE:
        run = shell(line, stack)
        said = {**REFUSED, **ANSWERED}
        part = next(part for part in said if part in line)
        assert run.returncode == (part in REFUSED), run.stdout + run.stderr
        assert said[part] in run.stdout + run.stderr


def test_what_is_deployed_is_whole_before_it_is_examined() -> None:
    """Doctor says of a stack without the sitemap or the client that it fails."""
    deploy = TEXTS[ROOT / "README.md"].partition("\n## Deploy\n")[2].partition("```sh\n")[2]
    commands = [line.split(" --stack")[0] for line in deploy.partition("```")[0].splitlines()]
    assert commands[-3:] == [
        "uring config upload config/sitemap.json",
        "uring web upload",
        "uring doctor",
    ]


def family_of(block: str) -> Any:
    """The family of an example."""
    if "egov_files" in block or '"preview"' in block:
        return REGISTRY_ENTRIES
    return WATCH_ENTRIES if '"shards"' in block else NOTICE_ENTRIES


@pytest.mark.parametrize("block", blocks("json"))
def test_an_example_is_a_valid_entry(block: str) -> None:
    entries = family_of(block).load(f'{{"{family_of(block).key}": [{block}]}}'.encode())
    assert not entries.problems
    assert len(entries.sources) == 1


def test_what_python_3_11_needs_is_told() -> None:
    page = TEXTS[ROOT / "docs" / "operations.md"]
    assert all(f'{name}="{value}"' in page for name, value in WHEELS.items())


def test_the_runs_that_other_tests_take_are_among_the_commands() -> None:
    assert set(LINES) >= TAKEN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https://)([^)]+)\)", TEXTS[page]):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.+)$", TEXTS[target.resolve()], re.MULTILINE)
            assert anchor in [
                re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings
            ], link
