"""One registry of the configuration, ``config/registries.json``."""

from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import AfterValidator, Field, StrictInt

from uring.contracts import Job
from uring.reading.rules import LinkRule, Rule, ValueRule, refusal
from uring.regulations.presets import PRESETS
from uring.sources.config import entry_of
from uring.sources.entry import Entry
from uring.sources.expect import Expectations
from uring.sources.presets import Presets

DAY_MINUTES: Final = 1_440

Format = Literal["pdf", "hwpx", "hwp", "html"]


def _check_interval(minutes: int) -> int:
    if minutes != DAY_MINUTES:
        raise refusal(f"{minutes} is not {DAY_MINUTES}", "leave it out: a registry is read daily")
    return minutes


class FieldRules(Rule):
    """The rules by which a regulation is read from its row.

    Attributes:
        title: names the regulation.
        file_no: digits; another one with each revision.
        preview: the address of the text for people.
        download: the address of the file; it is what is read, and the preview where it fails.
    """

    title: ValueRule
    file_no: ValueRule
    preview: LinkRule
    download: LinkRule


class RegistryExpectations(Expectations):
    """The marks of a registry's page that is believed.

    Attributes:
        gone_percent: more of the known regulations than this missing at once are no deletions but
            a cut page (R8).
    """

    gone_percent: Annotated[StrictInt, Field(ge=0, le=100)] = 20


class Registry(Entry):
    """One registry of regulations; the keys it does not name are as boards have them.

    Attributes:
        fields: see there.
        formats: what a file may be. HTML only where it is named: in place of a file it is nearly
            always an error's page.
        expect: what a page must have to be believed.
    """

    presets: ClassVar[Presets] = PRESETS
    not_of_reading: ClassVar[dict[str, Any]] = {**Entry.not_of_reading, "formats": True}

    fields: FieldRules
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = DAY_MINUTES
    formats: Annotated[tuple[Format, ...], Field(min_length=1, max_length=4)] = (
        "pdf",
        "hwpx",
        "hwp",
    )
    expect: RegistryExpectations = RegistryExpectations()

    @cached_property
    def telling_rules(self) -> tuple[ValueRule, ...]:
        """See `Entry.telling_rules`."""
        return (self.fields.file_no, self.fields.preview, self.fields.download)


def registry_of(job: Job) -> Registry:
    """Return a job's registry.

    Raises:
        MalformedMessage: the job's entry is none.
        NewerRelease: a newer release sent it.
    """
    return entry_of(job, Registry)
