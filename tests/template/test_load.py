"""What a run in one process reads from a template itself."""

from pathlib import Path

import pytest
from expanded import REQUIRED, TEMPLATE

from uring_local.project import StackFailed
from uring_local.template.template import QueueSource, Schedule, load, parse

SMALL = """
Globals:
  Function:
    Handler: app.handler
    Timeout: 7
    MemorySize: 128
    Environment: {Variables: {SHARED: all, OVERRIDDEN: shared}}
Resources:
  Queue: {Type: "AWS::SQS::Queue"}
  Function:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: code/
      MemorySize: 256
      Environment: {Variables: {OVERRIDDEN: own, URL: !Ref Queue}}
      Events:
        Work: {Type: SQS, Properties: {Queue: !GetAtt Queue.Arn, BatchSize: 3}}
"""


def test_the_project_s_template_is_read() -> None:
    worker = load(TEMPLATE, REQUIRED, "uring-test").functions["NoticeWorker"]
    assert worker.code_dir == TEMPLATE.parent / "functions/notice_worker"
    assert worker.handler == "app.handler"
    assert worker.timeout_seconds == 60
    assert worker.sources == (QueueSource("NoticeQueue", batch_size=10, reports_failures=True),)
    assert worker.environment["NOTIFY_QUEUE_URL"] == {"Ref": "NotifyQueue"}


def test_what_is_shared_is_each_function_s_unless_it_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(SMALL, encoding="utf-8")
    function = load(path, {}, "stack").functions["Function"]
    assert (function.timeout_seconds, function.memory_megabytes) == (7, 256)
    assert function.environment == {"SHARED": "all", "OVERRIDDEN": "own", "URL": {"Ref": "Queue"}}
    assert function.sources == (QueueSource("Queue", batch_size=3, reports_failures=False),)


MERGED = """
Metadata:
  Block: &block {Size: 1, Names: [a]}
  Larger: &larger {<<: *block, Size: 2, Period: 60}
First: {<<: *larger, Name: !Ref One, Size: 3}
Second: {Size: 4, <<: *larger}
Third: *block
"""


def test_a_merged_block_yields_to_what_a_mapping_says_itself(tmp_path: Path) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(MERGED, encoding="utf-8")
    document = parse(path)
    assert document["Metadata"]["Larger"] == {"Size": 2, "Names": ["a"], "Period": 60}
    assert document["First"] == {"Size": 3, "Names": ["a"], "Period": 60, "Name": {"Ref": "One"}}
    assert document["Second"] == {"Size": 4, "Names": ["a"], "Period": 60}
    assert document["Third"] == {"Size": 1, "Names": ["a"]}


def test_each_use_of_a_block_is_a_copy(tmp_path: Path) -> None:
    """A deployment writes into resources one by one."""
    path = tmp_path / "template.yaml"
    path.write_text(MERGED, encoding="utf-8")
    document = parse(path)
    document["First"]["Names"].append("b")
    document["Third"]["Size"] = 5
    assert document["Second"]["Names"] == ["a"]
    assert document["Metadata"]["Block"] == {"Size": 1, "Names": ["a"]}


def test_what_is_called_and_not_delivered_feeds_a_function_nothing(tmp_path: Path) -> None:
    path = tmp_path / "template.yaml"
    called = "Work: {Type: HttpApi, Properties: {Method: POST, Path: /jobs}}"
    path.write_text("".join([*SMALL.rpartition("Work:")[:1], called]), encoding="utf-8")
    function = load(path, {}, "stack").functions["Function"]
    assert (function.sources, function.schedules) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        # The run would differ from the deployment in silence.
        ("Type: SQS", "Type: SNS", "Function: nothing here delivers SNS events"),
        ("Globals:", "Globals: [", r"template\.yaml is not YAML"),
        # CloudFormation refuses it, too; which value was meant nobody knows.
        ("Resources:", "Resources:\n  Queue: {}", "Queue occurs twice in one mapping"),
        ("CodeUri: code/", "CodeUri: code/\n      Timeout: 1\n      Timeout: 2", "Timeout occurs"),
        ("Type: SQS,", "<<: {}, <<: {}, Type: SQS,", "<< occurs twice"),
    ],
)
def test_what_cannot_be_honoured_is_refused(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    path = tmp_path / "template.yaml"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    with pytest.raises(StackFailed, match=problem):
        load(path, {}, "stack")


@pytest.mark.parametrize(
    ("expression", "seconds"),
    [
        ("rate(1 minute)", 60),
        ("rate(10 minutes)", 600),
        ("rate(2 hours)", 7200),
        ("rate(1 day)", 86_400),
        ("cron(5/10 * * * ? *)", 600),
        ("cron(0/30 * * * ? *)", 1800),
        ("cron(0 16 * * ? *)", 86_400),
    ],
)
def test_a_regular_schedule_has_an_interval(expression: str, seconds: int) -> None:
    assert Schedule(expression).interval_seconds == seconds


@pytest.mark.parametrize("expression", ["cron(0 16 1 * ? *)", "cron(5/10 8 * * ? *)", "soon"])
def test_an_irregular_schedule_has_none(expression: str) -> None:
    with pytest.raises(StackFailed, match="has no single interval"):
        _ = Schedule(expression).interval_seconds
