"""Wires the worker of the document store."""

from typing import Final

from pydantic import Field

from uring.aws.bedrock import BedrockModel
from uring.aws.invoke import InvokedExtractor
from uring.aws.translate import AmazonTranslator
from uring.clock import milliseconds
from uring.documents.costs import DailyBudget
from uring.documents.jobs import Jobs
from uring.documents.lock_telemetry import LockTelemetry
from uring.documents.operations.analyses import Analyses
from uring.documents.operations.findings import IssueWriter
from uring.documents.operations.operations import Operations
from uring.documents.operations.policies import Policies
from uring.documents.work.analysis import PolicyAnalyst
from uring.documents.work.answers import Answers
from uring.documents.work.spending import Prices
from uring.documents.work.translation import DocumentTranslator
from uring.documents.worker import DocumentWorker
from uring.functions.parts import Parts
from uring.locks import Locks, Once
from uring.objects import Bucket
from uring.runtime.invocation import Work
from uring.runtime.settings import BaseSettings, Name

_MICROS: Final = 1_000_000
# Dollars for a million tokens, times this, are micros for a thousand.
_THOUSAND: Final = 1_000


class Settings(BaseSettings):
    """Settings of the document store's worker.

    ``daily_dollars`` limits a page's spending on services in a day, ``stack_dollars`` that of all
    pages. ``model_id`` names a model or an inference profile of Bedrock, ``terminology`` one of
    Translate; empty for none. The prices are in dollars: for a million characters of Translate, for
    a million tokens of the model.
    """

    data_bucket: Name
    document_table: Name
    work_queue_url: Name
    work_dlq_url: Name
    text_extractor: Name
    model_id: Name
    terminology: str = ""
    daily_dollars: float = Field(default=5, ge=0, le=10_000)
    stack_dollars: float = Field(default=20, ge=0, le=100_000)
    character_dollars: float = Field(default=15, ge=0, le=10_000)
    input_dollars: float = Field(default=3, ge=0, le=10_000)
    output_dollars: float = Field(default=15, ge=0, le=10_000)


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the document worker's work."""
    clock = parts.clock
    bucket, table = parts.bucket(settings.data_bucket), parts.table(settings.document_table)
    queue = parts.fifo(settings.work_queue_url, senders=1)
    jobs = Jobs(table, queue, clock=clock)
    extract = InvokedExtractor(
        bucket, parts.clients.get("lambda"), settings.text_extractor, backoff=parts.backoff
    )
    translator, analyst = _services(settings, parts, bucket)
    locks = Locks(table, now_ms=milliseconds(clock), watch=LockTelemetry(parts.telemetry))
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
        DailyBudget(
            table,
            cap_micros=round(settings.daily_dollars * _MICROS),
            stack_micros=round(settings.stack_dollars * _MICROS),
            clock=clock,
        ),
        clock=clock,
    )
    source = parts.source_queue(settings.work_queue_url, settings.work_dlq_url)
    return DocumentWorker(operations, jobs, queue, source, parts.telemetry, clock=clock).run


def _services(
    settings: Settings, parts: Parts, bucket: Bucket
) -> tuple[DocumentTranslator, PolicyAnalyst]:
    answers = Answers(bucket)
    prices = Prices(
        character=settings.character_dollars,
        input_tokens=settings.input_dollars * _THOUSAND,
        output_tokens=settings.output_dollars * _THOUSAND,
    )
    terminologies = [settings.terminology] if settings.terminology else []
    translate = AmazonTranslator(parts.clients.get("translate"), terminologies=terminologies)
    model = BedrockModel(parts.clients.get("bedrock-runtime"), settings.model_id)
    return (
        DocumentTranslator(translate, answers, prices=prices),
        PolicyAnalyst(model, answers, prices=prices),
    )
