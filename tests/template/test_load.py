"""The application that an in-process run reads from a template."""

from pathlib import Path

import pytest
from expanded import REQUIRED, TEMPLATE

from uring_local.template.intrinsics import Physical
from uring_local.template.template import (
    Application,
    Bucket,
    QueueSource,
    Schedule,
    TemplateInvalid,
    load,
)

SMALL = """
Parameters:
  Name: {Type: String, Default: small}
Conditions:
  Wanted: !Equals [!Ref Name, wanted]
Globals:
  Function:
    Handler: app.handler
    Timeout: 7
    Environment: {Variables: {SHARED: all, OVERRIDDEN: shared}}
Resources:
  Bucket: {Type: "AWS::S3::Bucket"}
  Queue:
    Type: AWS::SQS::Queue
    Properties: {QueueName: !Sub "${Name}.fifo", FifoQueue: true, VisibilityTimeout: 42}
  Spare:
    Type: AWS::SQS::Queue
    Condition: Wanted
    Properties: {QueueName: spare}
  Function:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: code/
      Environment: {Variables: {OVERRIDDEN: own, URL: !Ref Queue, COUNT: 3, FLAG: true}}
      Events:
        Work: {Type: SQS, Properties: {Queue: !GetAtt Queue.Arn}}
"""


def _load(tmp_path: Path, text: str, **parameters: str) -> Application:
    path = tmp_path / "template.yaml"
    path.write_text(text, encoding="utf-8")
    return load(path, parameters, "stack", region="eu-west-1", account="1")


def test_the_project_s_template_is_read() -> None:
    application = load(TEMPLATE, REQUIRED, "uring-test", region="eu-west-1")
    assert application.queues.keys() == {
        "NoticeQueue",
        "NoticeDeadLetterQueue",
        "WeatherQueue",
        "WeatherDeadLetterQueue",
        "NotifyQueue",
        "NotifyDeadLetterQueue",
    }
    assert application.queues["NoticeQueue"].name == "uring-test-notices.fifo"
    assert application.queues["NoticeQueue"].dead_letter == "NoticeDeadLetterQueue"
    assert application.queues["NoticeQueue"].max_receive_count == 5
    assert application.queues["NoticeDeadLetterQueue"].dead_letter is None
    assert application.tables["LedgerTable"].ttl_attribute == "expires_at"
    worker = application.functions["NoticeWorker"]
    assert worker.code_dir == TEMPLATE.parent / "functions/notice_worker"
    assert worker.handler == "app.handler"
    assert worker.timeout_seconds == 60
    assert worker.sources == (
        QueueSource("NoticeQueue", batch_size=10, reports_failures=True, maximum_concurrency=20),
    )
    assert worker.environment["NOTIFY_QUEUE_URL"] == Physical("NotifyQueue", "Ref")


def test_defaults_globals_and_conditions_apply(tmp_path: Path) -> None:
    application = _load(tmp_path, SMALL)
    assert application.bucket == Bucket("Bucket", "stack-bucket-1")
    assert application.queues.keys() == {"Queue"}
    assert application.queues["Queue"].attributes == {
        "FifoQueue": "true",
        "VisibilityTimeout": "42",
    }
    function = application.functions["Function"]
    assert function.timeout_seconds == 7
    assert function.memory_megabytes == 128
    assert function.environment == {
        "SHARED": "all",
        "OVERRIDDEN": "own",
        "URL": Physical("Queue", "Ref"),
        "COUNT": "3",
        "FLAG": "true",
    }
    assert function.sources == (
        QueueSource("Queue", 10, reports_failures=False, maximum_concurrency=None),
    )


def test_a_parameter_changes_what_exists(tmp_path: Path) -> None:
    application = _load(tmp_path, SMALL, Name="wanted")
    assert application.queues.keys() == {"Queue", "Spare"}
    assert application.queues["Queue"].name == "wanted.fifo"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("FifoQueue: true", "Fifo: true", r"Resources\.Queue\.Properties\.Fifo: is not provided"),
        ("VisibilityTimeout: 42", "RedrivePolicy: 1", r"Resources\.Queue\.Properties\.Redrive"),
        (
            "VisibilityTimeout: 42",
            "RedrivePolicy: {deadLetterTargetArn: x, maxReceiveCount: 5}",
            r"Resources\.Queue\.Properties\.RedrivePolicy\.deadLetterTargetArn: must be !GetAtt",
        ),
        ("!GetAtt Queue.Arn", "!Ref Queue", r".*Events\.Work\.Queue: must be !GetAtt QUEUE\.Arn"),
        ("!GetAtt Queue.Arn", "!GetAtt Bucket.Arn", r".*Events\.Work\.Queue: must be !GetAtt"),
        ("Type: SQS", "Type: HttpApi", r".*Events\.Work: nothing delivers HttpApi events"),
        ("Timeout: 7", "Timeout: long", r".*Function\.Properties\.Timeout: must be a whole number"),
        ("Timeout: 7", "Timeout: 1.5", r".*Function\.Properties\.Timeout: must be"),
        ('!Sub "${Name}.fifo"', "!GetAtt Bucket.Arn", r".*QueueName: must be text that is known"),
        ("URL: !Ref Queue", "URL: !Ref Spare", r".*Variables\.URL: Spare is no parameter"),
        ("URL: !Ref Queue", "URL: [a]", r".*Variables\.URL: must be text"),
        ('Bucket: {Type: "AWS::S3::Bucket"}', "", "Resources: exactly one bucket"),
        ("Type: String, Default: small", "Type: String", r"Parameters\.Name: has no default"),
    ],
)
def test_what_cannot_be_honoured_is_refused(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    """Nothing is left out in silence: the run would differ from the deployment."""
    assert old in SMALL
    with pytest.raises(TemplateInvalid, match=f"^{problem}"):
        _load(tmp_path, SMALL.replace(old, new))


def test_an_unknown_parameter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateInvalid, match=r"^Parameters: no Nmae; there are Name$"):
        _load(tmp_path, SMALL, Nmae="x")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TemplateInvalid, match=r"absent\.yaml cannot be read: No such file"):
        load(tmp_path / "absent.yaml", {}, "stack")


@pytest.mark.parametrize(
    ("expression", "seconds"),
    [
        ("rate(1 minute)", 60),
        ("rate(10 minutes)", 600),
        ("rate(2 hours)", 7200),
        ("rate(1 day)", 86_400),
        ("cron(5/10 * * * ? *)", 600),
        ("cron(0/30 * * * ? *)", 1800),
    ],
)
def test_a_regular_schedule_has_an_interval(expression: str, seconds: int) -> None:
    assert Schedule(expression, is_enabled=True).interval_seconds == seconds


@pytest.mark.parametrize("expression", ["cron(0 16 * * ? *)", "cron(5/10 8 * * ? *)", "soon"])
def test_an_irregular_schedule_has_none(expression: str) -> None:
    with pytest.raises(TemplateInvalid, match="has no one interval"):
        _ = Schedule(expression, is_enabled=True).interval_seconds
