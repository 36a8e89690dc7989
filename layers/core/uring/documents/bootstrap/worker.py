"""Builds the worker of the document store."""

from collections.abc import Mapping
from typing import Any, Final

from uring.aws.bedrock import BedrockModel
from uring.aws.bucket import S3Bucket
from uring.aws.clients import Clients
from uring.aws.extractor import InvokedExtractor
from uring.aws.queues import FifoQueue, SqsSourceQueue
from uring.aws.tables import DynamoTable
from uring.aws.translate import AmazonTranslator
from uring.bucket import Bucket
from uring.clock import Clock, milliseconds, system_clock
from uring.documents.costs import Budget
from uring.documents.jobs import Jobs
from uring.documents.operations.analyses import Analyses
from uring.documents.operations.findings import IssueWriter
from uring.documents.operations.operations import Operations
from uring.documents.operations.policies import Policies
from uring.documents.settings import DocumentWorkerSettings
from uring.documents.work.analysis import PolicyAnalyst
from uring.documents.work.answers import Answers
from uring.documents.work.prices import Prices
from uring.documents.work.translation import DocumentTranslator
from uring.documents.worker import DocumentWorker
from uring.locks import Locks, Once
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry

_MICROS: Final = 1_000_000
# Of a million tokens in dollars, of a thousand in micros.
_THOUSAND: Final = 1_000


def build(
    environment: Mapping[str, str],
    *,
    session: Any = None,
    clock: Clock = system_clock,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the worker for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = DocumentWorkerSettings.read(environment)
    parts = Parts.of(session, telemetry, clock)
    clients, backoff = parts.clients, parts.backoff
    bucket = S3Bucket(clients.get("s3"), settings.data_bucket)
    table = DynamoTable(clients.get("dynamodb"), settings.document_table, backoff=backoff)
    sqs = clients.get("sqs")
    queue = FifoQueue(sqs, settings.work_queue_url, backoff=backoff, senders=1)
    jobs = Jobs(table, queue, clock=clock)
    extract = InvokedExtractor(
        bucket, clients.get("lambda"), settings.text_extractor, backoff=backoff
    )
    translator, analyst = _services(settings, clients, bucket)
    locks = Locks(table, now_ms=milliseconds(clock))
    once = Once(locks, table)
    policies = Policies(table, bucket, locks, extract, translator, clock=clock, once=once)
    analyses = Analyses(table, bucket, policies.store, analyst, clock=clock, once=once)
    operations = Operations(
        table,
        locks,
        policies,
        analyses,
        IssueWriter(table, locks, analyses, clock=clock),
        jobs,
        Budget(table, cap_micros=round(settings.daily_dollars * _MICROS), clock=clock),
        clock=clock,
    )
    source = SqsSourceQueue(
        sqs,
        queue_url=settings.work_queue_url,
        dead_letter_url=settings.work_dlq_url,
        telemetry=parts.telemetry,
    )
    worker = DocumentWorker(operations, jobs, queue, source, parts.telemetry, clock=clock)
    return Function(
        lambda event, time_left: worker.run(event, time_left=time_left),
        clients,
        parts.telemetry,
    )


def _services(
    settings: DocumentWorkerSettings, clients: Clients, bucket: Bucket
) -> tuple[DocumentTranslator, PolicyAnalyst]:
    answers = Answers(bucket)
    prices = Prices(
        character=settings.character_dollars,
        input_tokens=settings.input_dollars * _THOUSAND,
        output_tokens=settings.output_dollars * _THOUSAND,
    )
    terminologies = [settings.terminology] if settings.terminology else []
    translate = AmazonTranslator(clients.get("translate"), terminologies=terminologies)
    model = BedrockModel(clients.get("bedrock-runtime"), settings.model_id)
    return (
        DocumentTranslator(translate, answers, prices=prices),
        PolicyAnalyst(model, answers, prices=prices),
    )
