"""One entry of the sitemap: a department's notice board."""

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import (
    AfterValidator,
    Field,
    StrictInt,
    ValidationInfo,
    field_validator,
    model_validator,
)

from uring.notices.policy import NoticePolicy
from uring.notices.presets import PRESETS
from uring.reading.kinds import check_rules, refuse
from uring.reading.links import LinkRefused, canonical, fill, resolve
from uring.reading.request_rules import Paging
from uring.reading.rules import (
    DateRule,
    IdRule,
    LinkRule,
    OptionalRule,
    PinnedSignal,
    Rule,
    ValueRule,
    refusal,
)
from uring.sources.entry import Entry, Title, digest
from uring.sources.presets import Presets
from uring.sources.rhythm import RHYTHMS, UNIFORM, RhythmKey, RhythmName, Weekly, paced

YEARS_VERSION: Final = 2
"""Raise it when dates without a year are read differently: those boards alone are read again."""

# Ids of notices: a number, a word.
_SAMPLES: Final = ("1", "a")
TICK_MINUTES: Final = 10


def _check_interval(minutes: int) -> int:
    if minutes % TICK_MINUTES or not TICK_MINUTES <= minutes <= 1440:  # noqa: PLR2004 - a day
        raise refusal(
            f"{minutes} is not a valid interval", "use a multiple of 10 between 10 and 1440"
        )
    return minutes


class NoticeFields(Rule):
    """The rules that read a notice's fields from its row."""

    id: IdRule
    title: ValueRule
    link: LinkRule
    date: DateRule | None = None
    category: OptionalRule | None = None


class Source(Entry):
    """One department.

    Attributes:
        id: names the department in keys, queues and addresses; never changed afterwards.
        preset: the board system, `uring.notices.presets`: it fills in the keys that the entry
            leaves out. A dumped entry is expanded and has no preset.
        base_url: of the department's site, for readers; by default the scheme and host of ``url``.
        college: of the university, for readers: a client groups departments by it.
        interval_minutes: between checks, a multiple of the ten-minute tick. Above ten it is the
            shortest interval under any rhythm.
        rhythm: of the checks by hour of the week: ``uniform``, ``sooner``, ``thrifty``, or a table;
            by default the file's, or else the stack's. A dumped entry has none.
        zone: IANA name of the zone in which the board's dates are meant.
        pinned: signs of a pinned row; any of them is enough.
        changes: the consequence of each kind of change.
        paging: the request for further pages; None reads page 1 alone.
    """

    presets: ClassVar[Presets] = PRESETS
    # College, policy and paging do not change how a notice is read, either.
    not_of_reading: ClassVar[dict[str, Any]] = {
        **Entry.not_of_reading,
        "college": True,
        "changes": True,
        "paging": True,
    }
    of_file: ClassVar[tuple[str, ...]] = ("rhythm",)
    is_sharded: ClassVar[bool] = True
    order: ClassVar[tuple[str, ...]] = (
        "id",
        "name",
        "college",
        "url",
        "kind",
        "preset",
        "base_url",
        "topic",
        "interval_minutes",
        "rhythm",
        "zone",
        "encoding",
        "request",
        "require",
        "rows",
        "fields",
        "pinned",
        "link_parameters",
        "changes",
        "expect",
        "paging",
        "epoch",
    )

    college: Title | None = None
    interval_minutes: Annotated[StrictInt, AfterValidator(_check_interval)] = TICK_MINUTES
    rhythm: RhythmKey = Field(default=None, exclude=True)
    fields: NoticeFields
    pinned: Annotated[tuple[PinnedSignal, ...], Field(max_length=20)] = ()
    changes: NoticePolicy = NoticePolicy()
    paging: Paging | None = None

    @field_validator("pinned")
    @classmethod
    def _signs_fit_kind(cls, pinned: Any, info: ValidationInfo) -> Any:
        check_rules(pinned, info.data.get("kind"))
        return pinned

    @field_validator("paging")
    @classmethod
    def _fits_body(cls, paging: Paging | None, info: ValidationInfo) -> Paging | None:
        request = info.data.get("request")
        if paging is not None and request is not None and isinstance(request.body, dict | list):
            try:
                paging.body_of(request.body, 2)
            except LookupError:
                names = f"{paging.parameter!r} is not a place in request.body"
                refuse([(("parameter",), refusal(names, "write the path of keys to the page"))])
        return paging

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Self:
        template = self.fields.link.template
        if template is not None:
            refused = [self._refused(fill(template, key, key)) for key in _SAMPLES]
            if all(refused):
                message = str(refused[0]).partition("; ")[0]
                remedy = "write the address of a notice; every row would be skipped"
                refuse([(("fields", "link", "template"), refusal(message, remedy))])
        return self

    def _refused(self, link: str) -> LinkRefused | None:
        """Return the reason to skip a notice with this link; None for a valid link."""
        page = canonical(self.url, self.link_parameters)
        try:
            resolve(
                link,
                self.url,
                page,
                self.link_parameters,
                self.volatile,
                fragment=self.fields.link.fragment,
            )
        except LinkRefused as error:
            return error
        return None

    @property
    def telling_rules(self) -> Iterable[ValueRule]:
        """See `Entry.telling_rules`."""
        return self.fields.id, *self.fields.id.further, self.fields.link

    @cached_property
    def dates_need_first_seen(self) -> bool:
        """True when a date has no year, so that its meaning depends on the day of reading."""
        rule = self.fields.date
        return rule is not None and any(not known.has_year for known in rule.compiled)

    @cached_property
    def lacks_years(self) -> bool:
        """True when a date may be a month and a day without their year."""
        rule = self.fields.date
        return rule is not None and any(known.lacks_year for known in rule.compiled)

    @property
    def has_relative_dates(self) -> bool:
        """True when the board may say how long ago a notice was posted."""
        return self.fields.date is not None and self.fields.date.is_relative

    @property
    def versions(self) -> tuple[int, ...]:
        """See `Entry.versions`: dates without a year were read otherwise before."""
        return (*super().versions, YEARS_VERSION) if self.lacks_years else super().versions

    def week(self, of_all: RhythmName) -> tuple[int, ...]:
        """Return the minutes between two checks by hour of the week; 0 is Monday from 0 to 1.

        Args:
            of_all: the stack's rhythm, for a source and a file without their own.
        """
        rhythm = self.rhythm or RHYTHMS[of_all]
        shortest = self.interval_minutes if self.interval_minutes > TICK_MINUTES else 0
        return tuple(max(shortest, minutes) for minutes in rhythm.week)

    def paced(self, of_all: RhythmName) -> Weekly | None:
        """Return the cadence of the checks; None under a uniform rhythm."""
        if (self.rhythm or RHYTHMS[of_all]) == UNIFORM:
            return None
        return paced(self.week(of_all), self.zone)

    @cached_property
    def board(self) -> str:
        """16 hex digits of address, id rule and epoch: another board gives ids another meaning."""
        rule = self.fields.id.model_dump(mode="json", exclude_defaults=True)
        return digest([self.url, rule, self.epoch])
