"""`uring deploy` on the embedded stack, from nothing: killed three times, and run to the end."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from uring_command import ROOT, environment

from uring_local.build.build import host_architecture, python_runtime
from uring_local.fcm.account import PROJECT_ID, Account
from uring_local.fcm.server import FcmStandIn
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint

STACK = "uring-killed"
# A board of nobody's; nothing is checked in this test.
SITEMAP = {
    "sources": [
        {
            "id": "lantern",
            "name": "Lantern",
            "url": "https://lantern.example.ac.kr/bbs/lantern/4410/artclList.do",
            "preset": "k2web",
        }
    ]
}
STAGE = """
version = 0.1
[default.global.parameters]
stack_name = "{stack}"
region = "ap-northeast-2"
parameter_overrides = [
  'PythonRuntime={runtime}', 'Architecture={architecture}', 'ScheduleState=ENABLED',
  'Contact="https://uring.invalid/test"', 'FcmProjectId="{project}"', 'FcmEndpoint="{fcm}"',
  'FcmCredentialsSecret="uring/fcm"', 'Operations=false', 'AlarmEmail="ops@uring.example"',
]
[default.deploy.parameters]
resolve_s3 = true
capabilities = "CAPABILITY_IAM"
"""


class Deployer:
    """An account on the embedded stack, and a person who deploys to it."""

    def __init__(self, endpoint: Endpoint, folder: Path) -> None:
        self.endpoint = endpoint
        self.file = folder / "samconfig.toml"
        self.sitemap = folder / "sitemap.json"
        self.sitemap.write_text(json.dumps(SITEMAP), encoding="utf-8")

    def client(self, service: str) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.endpoint.url,
            region_name=self.endpoint.region,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def start(self, *options: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [
                *(sys.executable, Path(__file__).with_name("deploying.py")),
                *("--config-file", self.file, "--sitemap", self.sitemap, *options),
            ],
            cwd=ROOT,
            env=environment(self.endpoint) | {"COLUMNS": "400"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def killed_at(self, line: str) -> list[str]:
        """The lines of a run that is killed when it begins a step."""
        lines = []
        with self.start() as run:
            assert run.stdout is not None
            for said in run.stdout:
                lines.append(said)
                if said.startswith(line):
                    run.send_signal(signal.SIGKILL)
                    break
            else:
                pytest.fail(f"{line!r} was not begun:\n{''.join(lines)}")
        return lines

    def run(self, *options: str) -> tuple[int, str]:
        with self.start(*options) as run:
            said, _ = run.communicate(timeout=300)
        return run.returncode, said

    def stack(self) -> Any:
        (found,) = self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
        return found

    def schedule(self) -> str:
        given = {
            each["ParameterKey"]: each["ParameterValue"] for each in self.stack()["Parameters"]
        }
        return str(given["ScheduleState"])


@pytest.fixture
def account(tmp_path: Path) -> Iterator[Deployer]:
    with FcmStandIn(account=Account()) as fcm, MiniStack() as endpoint:
        found = Deployer(endpoint, tmp_path)
        found.file.write_text(
            STAGE.format(
                stack=STACK,
                runtime=python_runtime(),
                architecture=host_architecture(),
                project=PROJECT_ID,
                fcm=fcm.url,
            ),
            encoding="utf-8",
        )
        key = json.dumps(fcm.service_account())
        found.client("secretsmanager").create_secret(Name="uring/fcm", SecretString=key)
        yield found


def test_a_deployment_killed_at_three_steps_ends_deployed_and_well(account: Deployer) -> None:
    account.killed_at("creating the resources")

    # SAM, which was not killed with it, may go on for a moment: the second run waits for both.
    account.killed_at("uploading the client")
    assert account.stack()["StackStatus"] in {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    assert account.schedule() == "DISABLED"

    third = account.killed_at("asking the doctor")
    assert any(re.match(r"deploy +done before", line) for line in third)
    assert any(re.match(r"list sitemap +done before", line) for line in third)
    assert account.schedule() == "DISABLED"

    code, said = account.run()
    assert code == 0, said
    assert account.schedule() == "ENABLED"
    assert said.rstrip().endswith(f"{STACK} is deployed")

    # Nothing is left to do, and the stack stays as it is.
    before = account.stack()
    code, said = account.run("--json")
    assert code == 0, said
    done = {each["name"]: each["status"] for each in json.loads(said)["steps"]}
    assert {name for name, status in done.items() if status == "done before"} == {
        "deploy",
        "list sitemap",
        "schedule",
    }
    assert account.stack() == before
