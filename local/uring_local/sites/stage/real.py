"""Real sources in place of a played site: without a journal, their archive is the journal."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from uring_local.entries.family import ConfiguredFamily
from uring_local.fcm.journal import Delivery
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import Simulation
from uring_local.sites.stage.verdict import Verdict, judge_pushes


@dataclass(frozen=True)
class Source:
    """The published data of a source."""

    latest: Mapping[str, Any]
    archive: Sequence[Mapping[str, Any]]


class RealSources(Simulation):
    """The sources of a configuration file.

    Args:
        body: of the file.

    Attributes:
        entries: of the family.
    """

    entries: ClassVar[ConfiguredFamily[Any]]
    change = "changed"
    lines: ClassVar[Mapping[str, str]] = {"entry_refused": "  refused  {path}: {reason}; {remedy}"}

    def __init__(self, body: bytes) -> None:
        self.entered = self.entries.load(body).sources
        self.sources = [(source.id, source.name) for source in self.entered]
        self.objects = {self.entries.path.as_posix(): body}

    def judge(
        self, published: Published, deliveries: Sequence[Delivery], ended: Collection[int]
    ) -> Verdict:
        """Compare the pushes with the archive."""
        return judge_archive(self.read(published), deliveries, ended)

    def read(self, published: Published) -> dict[str, Source]:
        """Return the published data of each source."""
        return read_sources(published, [source for source, _ in self.sources])


def read_sources(published: Published, sources: Iterable[str]) -> dict[str, Source]:
    """Return ``latest.json`` and all archive lines of each source."""
    return {
        source: Source(published.latest(source) or {"items": []}, published.archive(source))
        for source in sources
    }


def push_of(delivery: Delivery) -> tuple[str, str, str]:
    """Return source, record and revision of a push."""
    source, record, revision = (delivery.data.get(name, "") for name in ("dept", "id", "revision"))
    return source, record, revision


def judge_archive(
    sources: Mapping[str, Source], deliveries: Sequence[Delivery], ended: Collection[int] = ()
) -> Verdict:
    """Compare the pushes with the archive, for sources without a journal."""
    pushes = {
        (name, line["id"], str(line["revision"]))
        for name, source in sources.items()
        for line in source.archive
        if line["push"]
    }
    return judge_sources(pushes, sources, deliveries, ended)


def judge_sources(
    pushes: Iterable[tuple[str, str, str]],
    sources: Mapping[str, Source],
    deliveries: Sequence[Delivery],
    ended: Collection[int],
) -> Verdict:
    """Compare the due pushes with the delivered ones; no event may be in the archive twice."""
    verdict = judge_pushes(sorted(pushes), deliveries, push_of, ended)
    verdict.figures["archive_lines"] = sum(len(source.archive) for source in sources.values())
    for name, source in sources.items():
        times = Counter(line["event_id"] for line in source.archive)
        verdict.wrong += [
            f"{name}: event {event} is {count} times in the archive"
            for event, count in times.items()
            if count > 1
        ]
    return verdict
