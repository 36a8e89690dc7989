"""Starts `worker.py` with the template's settings, and makes the events that it is asked with."""

import json
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lines import Child

from uring.contracts import Job
from uring_local.project import ROOT
from uring_local.template.template import load


def start(
    function: str,
    aws: str,
    module: str = "worker",
    variables: Mapping[str, str] = MappingProxyType({}),
    **parameters: str,
) -> Child:
    """Start the process of a function; no AWS account is in its reach.

    Args:
        function: its logical id in the template.
        aws: URL of the stand-in.
        module: of this folder, which the process runs.
        variables: of the environment, besides.
        parameters: the template's that are not its defaults.
    """
    template = load(ROOT / "template.yaml", parameters, "bench")
    inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    environment = {
        **inherited,
        **template.variables()[function],
        "ALARM_TOPIC_ARN": "arn:aws:sns:ap-northeast-2:000000000000:alarms",
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_ENDPOINT_URL": aws,
        "AWS_SECRET_ACCESS_KEY": "bench",
        # Lambda's runtime has no awscrt; a tool of the development environment brings it.
        "BOTO_DISABLE_CRT": "true",
        "DATA_BUCKET": "bench",
        "SEED_TABLE": "bench",
        "WATCHED_FAMILIES": "notices",
        "DOMAIN_QUEUE_URL": f"{aws}/000000000000/domains.fifo",
        "OWN_NAME": "bench:live",
        "NOTIFY_QUEUE_URL": f"{aws}/000000000000/notify.fifo",
        "POWERTOOLS_METRICS_NAMESPACE": "bench",
        "WORK_QUEUE_URL": f"{aws}/000000000000/work.fifo",
        "WORK_DLQ_URL": f"{aws}/000000000000/work-dlq.fifo",
        **variables,
    }
    return Child(module, environment, template.functions[function].code_dir.name)


def events(jobs: Sequence[Job], batch: int = 10) -> list[str]:
    """Return Lambda SQS events with these jobs, so many an event."""
    return batches([(job.job_id, job.group, job.body()) for job in jobs], batch)


def batches(messages: Sequence[tuple[str, str, str]], batch: int = 10) -> list[str]:
    """Return Lambda SQS events with these messages: name, group and body of each."""
    records = [
        {
            "messageId": name,
            "receiptHandle": name,
            "body": body,
            "attributes": {"ApproximateReceiveCount": "1", "MessageGroupId": group},
        }
        for name, group, body in messages
    ]
    return [
        json.dumps({"Records": records[at : at + batch]}) for at in range(0, len(records), batch)
    ]
