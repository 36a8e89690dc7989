"""A hundred at once want one translation: how often the service is asked, and who is served.

stack, its functions deployed ─► 100 signed requests, 8 at a time ─► 100 jobs ─► 1 call
10 processes of 10 callers each, no queue between them and the store ─► 1 call
the same, and the process that leads is killed in its call ─► 2 calls at most, 90 are served
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any, Final

import boto3

from uring.errors import Unavailable
from uring_local.language.server import LanguageStandIn
from uring_local.language.translating import translated
from uring_local.operate.signed import SignedApi, api_address
from uring_local.run.launch import PARAMETERS, STACK_NAME, environment
from uring_local.stack.deploy import deploy
from uring_local.stack.describe import physical_ids
from uring_local.stack.ministack import MiniStack

PAGE: Final = "page-1"
SOURCE: Final = "agreement.txt"
TEXT: Final = "공동 지도 협약\n\n두 대학은 매 학기 초에 계획을 함께 정한다.\n"
CALLERS: Final = 100
PROCESSES: Final = 10
_PATH: Final = f"/api/v1/pages/{PAGE}"
_ENDED: Final = ("done", "failed")
_PAUSE_SECONDS: Final = 0.5
_WAIT_SECONDS: Final = 120
_MOST_TRIES: Final = 5
_AT_ONCE: Final = 8
_READERS: Final = 2
# Of each answer: all callers are there before it comes, and a kill falls into it.
_SLOW_SECONDS: Final = 3.0


def main() -> int:
    """Return 0 where nobody was asked, or left, too often."""
    with ExitStack() as exits:
        language = exits.enter_context(LanguageStandIn(seconds=_SLOW_SECONDS))
        endpoint = exits.enter_context(MiniStack())
        exits.enter_context(environment({**endpoint.environment, **language.environment}))
        print("deploying", flush=True)
        outputs = deploy(
            endpoint,
            parameters={
                **PARAMETERS,
                "Documents": "ENABLED",
                # None is read: nothing is pushed.
                "FcmCredentialsSecret": "uring/fcm",
                "TranslateEndpoint": language.url,
                "BedrockEndpoint": language.url,
            },
        )
        show = Show(language, outputs)
        faults = [*show.through_the_api(), *show.processes("fr"), *show.processes("ja", kill=True)]
    for fault in faults:
        print(f"WRONG: {fault}", file=sys.stderr)
    return 1 if faults else 0


class Show:
    """The three parts, on one stack."""

    def __init__(self, language: LanguageStandIn, outputs: Mapping[str, str]) -> None:
        self._language = language
        self._bucket = outputs["BucketName"]
        self._table = physical_ids(boto3.client("cloudformation"), STACK_NAME)["DocumentTable"]
        base = api_address(outputs, name="DocumentApi", stack=STACK_NAME)
        self._api = SignedApi(base, boto3.Session())
        boto3.client("s3").put_object(
            Bucket=self._bucket,
            Key=f"pages/{PAGE}/attachments/{SOURCE}",
            Body=TEXT.encode(),
        )

    def through_the_api(self) -> Iterator[str]:
        """Ask for a hundred jobs at once, and for the text of each."""
        said = {"operation": "policy", "source": SOURCE, "language": "en"}

        def job(_: int) -> str:
            for _ in range(_MOST_TRIES):
                # The stack starts a process for each that is at work: some are not answered.
                with suppress(Unavailable):
                    answer = self._api.post(f"{_PATH}/jobs", said)
                    if answer.is_success:
                        return str(answer.document["id"])
            return "nobody-s"

        def served(id_: str) -> bool:
            until = time.monotonic() + _WAIT_SECONDS
            while time.monotonic() < until:
                with suppress(Unavailable):
                    state = self._api.get(f"{_PATH}/jobs/{id_}").document.get("state")
                    if state in _ENDED:
                        return state == "done"
                time.sleep(_PAUSE_SECONDS)
            return False

        began = time.monotonic()
        # A stack on one machine starts a process for each request under way.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            jobs = list(pool.map(job, range(CALLERS)))
        with ThreadPoolExecutor(_READERS) as pool:
            count = sum(pool.map(served, jobs))
        text = self._api.get(f"{_PATH}/policies/{SOURCE}", {"language": "en"}).document.get("text")
        yield from self._tell("HTTP API", "en", count, CALLERS, 1, time.monotonic() - began)
        if text != translated(TEXT, "en"):
            yield f"HTTP API: the text is {text!r}"

    def processes(self, language: str, *, kill: bool = False) -> Iterator[str]:
        """Have processes of callers want one translation; kill the one that leads, if asked."""
        arguments = [sys.executable, __file__.replace("__main__", "caller")]
        arguments += [self._bucket, self._table, language]
        began = time.monotonic()
        callers = [
            subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(PROCESSES)
        ]
        lines: list[list[dict[str, Any]]] = [[] for _ in callers]
        is_killed = threading.Event()

        def follow(number: int) -> None:
            process = callers[number]
            for line in process.stdout or ():
                lines[number].append(json.loads(line))
                if kill and "leads" in lines[number][-1] and not is_killed.is_set():
                    is_killed.set()
                    # In the middle of its call.
                    time.sleep(_SLOW_SECONDS / 2)
                    process.kill()
            process.wait()

        with ThreadPoolExecutor(PROCESSES) as pool:
            following = [pool.submit(follow, number) for number in range(PROCESSES)]
            for number, process in enumerate(callers):
                while not lines[number] and process.poll() is None:
                    time.sleep(0.05)
            for process in callers:
                # All are ready: begin.
                if process.stdin is not None:
                    process.stdin.close()
            for each in following:
                each.result()
        served = sum(
            line.get("text") == translated(TEXT, language) for own in lines for line in own
        )
        expected = CALLERS - (CALLERS // PROCESSES if kill else 0)
        title = "a leader killed" if kill else "no queue between"
        if kill and not is_killed.is_set():
            yield "nobody led"
        seconds = time.monotonic() - began
        yield from self._tell(title, language, served, expected, 2 if kill else 1, seconds)

    def _tell(
        self, title: str, language: str, served: int, expected: int, most: int, seconds: float
    ) -> Iterator[str]:
        calls = sum(each.target == language for each in self._language.asked)
        print(
            f"{title}: {CALLERS} callers, {served} served, {calls} calls, {seconds:.0f} s",
            flush=True,
        )
        if served != expected:
            yield f"{title}: {served} served, not {expected}"
        if not 1 <= calls <= most:
            yield f"{title}: {calls} calls"


if __name__ == "__main__":
    raise SystemExit(main())
