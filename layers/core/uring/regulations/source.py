"""One registry of the configuration, ``config/registries.json``."""

from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field, StrictInt

from uring.contracts import Job
from uring.reading.rules import LinkRule, Rule, ValueRule, refusal
from uring.regulations.presets import PRESETS
from uring.sources.config import entry_of
from uring.sources.entry import Entry, Expectations
from uring.sources.presets import Presets

DAY_MINUTES: Final = 1_440
MOST_RECHECK_DAYS: Final = 365

Format = Literal["pdf", "hwpx", "hwp", "html"]


def _check_interval(minutes: int) -> int:
    if minutes != DAY_MINUTES:
        raise refusal(f"{minutes} is not {DAY_MINUTES}", "leave it out: a registry is read daily")
    return minutes


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
        expect: the marks of a credible page.
    """

    presets: ClassVar[Presets] = PRESETS
    not_of_reading: ClassVar[dict[str, Any]] = {
        **Entry.not_of_reading,
        "formats": True,
        "recheck_days": True,
    }

    fields: RegulationFields
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = DAY_MINUTES
    formats: Annotated[tuple[Format, ...], Field(min_length=1, max_length=4)] = (
        "pdf",
        "hwpx",
        "hwp",
    )
    recheck_days: Annotated[StrictInt, Field(ge=0, le=MOST_RECHECK_DAYS)] = 14
    expect: RegistryExpectations = RegistryExpectations()

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
