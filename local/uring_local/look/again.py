"""Another look at one source: the job that the orchestrator makes at a tick, sent now.

    list in the bucket ─► entry ─► no wait after failures ─► job ─► queue of the family

A second job of the same minute has the same id, and the queue drops it.
"""

from datetime import datetime
from typing import Any, Final

from uring.aws.objects import S3Bucket
from uring.aws.queues import SqsWorkQueue
from uring.changes.health import is_paused
from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.clock import Clock, system_clock
from uring.contracts import Job
from uring.errors import Misconfigured, Unavailable
from uring.functions.families import family
from uring.weather.registration import NAME as WEATHER
from uring_local.doctor.lists import files_of, read_lists
from uring_local.doctor.subject import Subject
from uring_local.entries.watches import WATCH_ENTRIES
from uring_local.template.families import remedy

_QUEUE: Final = "AWS::SQS::Queue"
_QUEUES: Final = {
    "notices": "NoticeQueue",
    "regulations": "RegulationQueue",
    WEATHER: "WeatherQueue",
}
_PRODUCTS: Final = ("metar", "taf", "warning")


def check_again(source: str, stack: str, clock: Clock = system_clock) -> str:
    """Send the job of a source; return a sentence about it.

    Args:
        source: its id.
        stack: the deployed stack's name.
        clock: its minute names the job.

    Raises:
        Misconfigured: no such stack, or no such source in its lists, or it is paused.
        Superseded: a check committed meanwhile: it was just looked at.
        Unavailable: AWS did not answer, or refused the job.
    """
    subject = Subject(stack)
    job = _job(subject, source, clock().replace(second=0, microsecond=0))
    url = subject.physical(_QUEUE)[_QUEUES[job.family]]
    waited = _end_wait(subject, job, clock)
    if SqsWorkQueue(subject.client("sqs"), url).dispatch([job]):
        raise Unavailable(f"{_QUEUES[job.family]} refused the job of {source}; send it again")
    told = f"; it was to wait until {waited}" if waited else ""
    return f"{source}: its job is sent{told}; `uring state show {source}` shows the check"


def _job(subject: Subject, source: str, at: datetime) -> Job:
    """Return the job of a source at a time.

    Raises:
        Misconfigured: the stack has no such source.
    """
    if source in _PRODUCTS:
        if how := remedy(WEATHER, subject.description.parameters):
            raise Misconfigured(f"stack {subject.stack} has no {WEATHER}; {how}")
        minutes = int(subject.parameter(f"{source.capitalize()}Minutes"))
        return Job(family=WEATHER, source=source, scheduled_at=at, interval_minutes=minutes)
    bucket, known = S3Bucket(subject.client("s3"), subject.output("BucketName")), 0
    for key, listed in read_lists(subject):
        if listed is WATCH_ENTRIES:
            continue
        for shard, _, body in files_of(bucket, listed, key):
            entries: list[Any] = [*listed.load(body or b"", shard=shard).sources] if body else []
            known += len(entries)
            for entry in entries:
                if entry.id == source:
                    return Job(
                        family=listed.name,
                        source=source,
                        scheduled_at=at,
                        interval_minutes=entry.interval_minutes,
                        entry=entry.model_dump(mode="json", exclude_unset=True),
                    )
    raise Misconfigured(
        f"stack {subject.stack} has no source {source!r} among {known} boards and registries; "
        "`uring list` has their ids. Watches are checked by their schedule alone"
    )


def _end_wait(subject: Subject, job: Job, clock: Clock) -> str:
    """Let a source that waits after failures be asked at once; return when its wait was to end.

    Raises:
        Misconfigured: it is paused.
    """
    bucket = S3Bucket(subject.client("s3"), subject.output("BucketName"))
    model = family(job.family).state()
    register = StateRegister(bucket, job.family, model, clock=clock, backoff=Backoff())
    version = register.read(job.source)
    if version is None:
        return ""
    if is_paused(version.state.health, clock()):
        raise Misconfigured(
            f"{job.source} is paused until {version.state.health.paused_until}; "
            "`uring resume` ends it"
        )
    if not (until := version.state.health.retry_at):
        return ""
    if datetime.fromisoformat(until) <= clock():
        return ""
    health = version.state.health.model_copy(update={"retry_at": None})
    register.write(version, version.state.replace(health=health))
    return until
