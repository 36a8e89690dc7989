"""One registry of the configuration, ``config/registries.json``."""

from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import AfterValidator, Field, StrictInt, model_validator

from uring.contracts import Job
from uring.fetch.url import shown_url
from uring.reading.rules import LinkRule, RowRule, Rule, ValueRule, refusal
from uring.regulations.presets import PRESETS
from uring.sources.config import entry_of
from uring.sources.entry import Entry, Expectations
from uring.sources.presets import Presets

DAY_MINUTES: Final = 1_440
MOST_RECHECK_DAYS: Final = 365

Format = Literal["pdf", "hwpx", "hwp", "docx", "html"]


def _check_interval(minutes: int) -> int:
    if minutes != DAY_MINUTES:
        raise refusal(f"{minutes} is not {DAY_MINUTES}", "leave it out: a registry is read daily")
    return minutes


def _check_history(url: str) -> str:
    rest = url.replace("{file_no}", "")
    if rest == url or "{" in rest or "}" in rest:
        raise refusal(
            f"{shown_url(url)!r} must have {{file_no}} and no other braces",
            'write for example "history.do?no={file_no}"',
        )
    return url


class RegulationFields(Rule):
    """The rules that read a regulation from its row.

    Attributes:
        title: names the regulation.
        file_no: digits; another number with each revision, unless ``revision`` is given.
        revision: a date, a number or a word that changes with each revision, where the number
            lasts.
        preview: the address of the text for people.
        download: the address of the file to read; where it fails the preview is read.
    """

    title: ValueRule
    file_no: ValueRule
    revision: ValueRule | None = None
    preview: LinkRule
    download: LinkRule


class HistoryFields(Rule):
    """The rules that read a revision from its row of a portal's list.

    Attributes:
        revision: a date, a number or a word, spelled as ``fields.revision`` reads the newest one.
        date: of the revision; null where the list has none.
        download: the address of its file; ``{id}`` in a template is the regulation's number.
    """

    revision: ValueRule
    date: ValueRule | None = None
    download: LinkRule


class History(Rule):
    """The portal's own list of a regulation's revisions, the newest first.

    Only `uring regulations history` reads it.

    Attributes:
        url: the address of the list, relative to the registry's, with ``{file_no}`` in it.
        rows: the selector of the revisions.
        fields: the rules that read a revision from its row.
    """

    url: Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_check_history)]
    rows: RowRule
    fields: HistoryFields


class RegistryExpectations(Expectations):
    """The marks of a credible registry page.

    Attributes:
        gone_percent: if a larger percentage of the known regulations is missing at once, the page
            counts as cut, and nothing is deleted (R8).
    """

    gone_percent: Annotated[StrictInt, Field(ge=0, le=100)] = 20


class Registry(Entry):
    """One registry of regulations; the other keys are those of boards.

    Attributes:
        fields: the rules that read a regulation from its row.
        formats: the formats of its files. HTML must be named: in place of a file it is nearly
            always an error page.
        recheck_days: the days in which each file is asked for again once, a share every night; 0:
            never.
        history: the portal's list of a regulation's revisions; null without one.
        expect: the marks of a credible page.
    """

    presets: ClassVar[Presets] = PRESETS
    not_of_reading: ClassVar[dict[str, Any]] = {
        **Entry.not_of_reading,
        "formats": True,
        "recheck_days": True,
        "history": True,
    }

    fields: RegulationFields
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = DAY_MINUTES
    formats: Annotated[tuple[Format, ...], Field(min_length=1, max_length=5)] = (
        "pdf",
        "hwpx",
        "hwp",
        "docx",
    )
    recheck_days: Annotated[StrictInt, Field(ge=0, le=MOST_RECHECK_DAYS)] = 14
    history: History | None = None
    expect: RegistryExpectations = RegistryExpectations()

    @model_validator(mode="after")
    def _history_needs_revisions(self) -> Self:
        if self.history is not None and self.fields.revision is None:
            raise refusal(
                "history lists revisions, which no field of a row names", "add fields.revision"
            )
        return self

    @cached_property
    def telling_rules(self) -> tuple[ValueRule, ...]:
        """See `Entry.telling_rules`."""
        fields = self.fields
        own = () if fields.revision is None else (fields.revision,)
        return (fields.file_no, *own, fields.preview, fields.download)


def registry_of(job: Job) -> Registry:
    """Return a job's registry.

    Raises:
        MalformedMessage: the job's entry is not a valid registry.
        NewerRelease: its only problem is keys of a newer release.
    """
    return entry_of(job, Registry)
