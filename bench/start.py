"""What a function's start costs, beside a bare handler that makes the same clients.

    PYTHONPATH=bench:tests .venv/bin/python bench/start.py [--rounds 5] [--built DIR] [--only NAME…]

Each start is a fresh process that has what Lambda has: the built function, its layer, and the
runtime's own packages, once compiled and once not. CPU, the least of the rounds, interpreter and
all. See README.md beside this file.
"""

import argparse
import compileall
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory

from uring_local.build.artefacts import functions, layers, packages
from uring_local.build.build import build, host_architecture, python_runtime
from uring_local.project import ROOT
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import Template, load

_CHILD = Path(__file__).with_name("start_child.py")
_SECONDS = 60


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench/start.py", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="least of these (default: 5)")
    parser.add_argument("--built", type=Path, help="a build (default: made if old)")
    parser.add_argument("--only", nargs="+", help="names of functions (default: all)")
    options = parser.parse_args()
    built = options.built or build(host_architecture(), progress=print)
    template = load(ROOT / "template.yaml", switching_on(FAMILIES), "bench")
    print(f"{python_runtime()}, CPU ms of a start: function / bare handler (ratio), by runtime")
    print(f"{'':<26}{'compiled':>22}{'not compiled':>22}")
    with TemporaryDirectory() as scratch:
        runtimes = [*_runtimes(Path(scratch))]
        for function in functions(built):
            if options.only and function.name not in options.only:
                continue
            environment = _environment(template, function.name)
            cells = [
                _cell(function, built, runtime, environment, options.rounds) for runtime in runtimes
            ]
            print(f"{function.name:<26}{''.join(f'{cell:>22}' for cell in cells)}", flush=True)


def _cell(
    function: Path, built: Path, runtime: Path, environment: dict[str, str], rounds: int
) -> str:
    (layer,) = layers(built)
    arguments = [str(function), str(layer / "python"), str(runtime)]
    _, services = _start(arguments, environment)
    # In turns, so that what else the machine does falls on both.
    pairs = [
        (_start(arguments, environment)[0], _start([*arguments, *services], environment)[0])
        for _ in range(rounds)
    ]
    ours, bare = (1000 * min(each) for each in zip(*pairs, strict=True))
    return f"{ours:,.0f} / {bare:,.0f} ({ours / bare:.2f})"


def _start(arguments: list[str], environment: dict[str, str]) -> tuple[float, list[str]]:
    run = subprocess.run(  # noqa: S603 - this interpreter, no shell
        [sys.executable, "-I", "-S", "-B", str(_CHILD), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if run.returncode:
        raise SystemExit(f"{arguments[0]}: does not start:\n{run.stderr}")
    said = json.loads(run.stdout.splitlines()[-1])
    return float(said["seconds"]), said["services"]


def _runtimes(scratch: Path) -> Iterator[Path]:
    """Yield copies of the packages that Lambda's runtime brings: compiled, and not."""
    for name in ("compiled", "bare"):
        directory = scratch / name
        directory.mkdir()
        for package in packages(["boto3"], sys.path):
            if package.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(package, directory / package.name, ignore=ignored)
            else:
                shutil.copy(package, directory / package.name)
        if name == "compiled":
            compileall.compile_dir(
                directory,
                quiet=2,
                invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
            )
        yield directory


def _environment(template: Template, function: str) -> dict[str, str]:
    """Return variables as a deployment has them; what only it knows has a name of its own."""
    known = template.variables()[function]
    unknown = {
        name: f"https://{name.lower()}.invalid/0/{name.lower()}.fifo"
        if name.endswith("_URL")
        else name.lower()
        for name in template.functions[function].environment
        if name not in known
    }
    return {
        **unknown,
        **known,
        "WATCHED_FAMILIES": "notices,regulations,seeds,weather",
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_REGION": "ap-northeast-2",
        # No call is made; one that were would end here.
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_LAMBDA_FUNCTION_NAME": function,
        "AWS_SECRET_ACCESS_KEY": "bench",
        # Lambda's runtime has no awscrt; a tool of the development environment brings it.
        "BOTO_DISABLE_CRT": "true",
    }


if __name__ == "__main__":
    main()
