"""``state/notices/{department}.json``: a list of records, and the last reading of its page."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uring.changes.state import Recognition
from uring.fetch.request import Validators
from uring.fetch.robots import RobotsDecision, holds_until
from uring.notices.noise.memory import Doubt, Noise, Past, Streak, remarks
from uring.records.model import RecordState


class LastPage(BaseModel):
    """The page that a state was read from, as a hint carries it.

    Attributes:
        fingerprint: see `NoticeState`.
        rows: see `NoticeState`.
        charset: see `NoticeState`.
        validators: of the same response.
        is_allowed: whether robots.txt was read for the entry, and allows it.
        noise: see `NoticeState`.
        redirects: see `RobotsDecision.redirects`.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    fingerprint: str
    rows: str = ""
    charset: str = ""
    validators: Validators = Validators()
    is_allowed: bool = False
    noise: tuple[Noise, ...] = ()
    redirects: Mapping[str, bool] = Field(default_factory=dict)

    @classmethod
    def read(cls, known: Mapping[str, Any]) -> "LastPage | None":
        """Return the page of a hint; None for a malformed hint."""
        try:
            return cls.model_validate(known)
        except ValidationError:
            return None


class NoticeState(RecordState):
    """The state of a department.

    Attributes:
        validators: of the last response with a page.
        fingerprint: names the entry and the bytes that the state was read from, or that agreed
            with it last.
        rows: a digest of that page's rows with the fingerprint; empty where the rows alone do not
            show a change.
        permission: the last decision of robots.txt.
        listed: the number of notices on the committed page 1; 0 in states of older releases.
        board: the board whose ids the state holds, see `Source.board`; empty in states of older
            releases.
        page: the marks of the notices of the last committed list by id, in its order, without
            their noise; empty in states of older releases.
        past: the earlier contents of notices edited within the last 30 days.
        streaks: the kinds of change that came at the last checks, by name.
        noise: the parts of fields that change by themselves, and are not compared.
        came: the end of the list at which new notices came last; empty while nothing shows it.
        doubt: the page whose identity is doubtful, since a guard refused it; None without one.
        decision: the operators' word on the doubt, used at the next check that has one: ``new``
            believes the page, ``same`` takes what it showed at first for the known notices.
        charset: the codec of the last good read, which is tried first; empty for UTF-8, and in
            states of older releases.
        slowness: of the site as of the last daily write, see `uring.sources.requests.slowness`;
            None before it, and where it is too slow.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {
        "permission",
        "board",
        "listed",
        "rows",
        "page",
        "past",
        "streaks",
        "noise",
        "came",
        "doubt",
        "decision",
        "charset",
        "slowness",
    }

    validators: Validators = Validators()
    fingerprint: str = ""
    rows: str = ""
    permission: RobotsDecision | None = None
    board: str = ""
    # More than any page has: a value of millions would make every later list look cut.
    listed: int = Field(default=0, ge=0, le=10_000)
    page: dict[str, str] = Field(default_factory=dict)
    past: dict[str, Past] = Field(default_factory=dict)
    streaks: dict[str, Streak] = Field(default_factory=dict)
    noise: tuple[Noise, ...] = ()
    came: Literal["", "top", "bottom"] = ""
    doubt: Doubt | None = None
    decision: Literal["", "new", "same"] = ""
    charset: str = ""
    slowness: int | None = Field(default=None, ge=0)

    def is_read_by(self, reading: str) -> bool:
        """Return whether these rules read the state's records; true for older releases' states."""
        return self.reading in ("", reading)

    def is_on(self, board: str) -> bool:
        """Return whether the state's ids are this board's; true for older releases' states."""
        return self.board in ("", board)

    def is_of(self, entry: str) -> bool:
        """Return whether the state was read by the entry of this fingerprint."""
        return self.fingerprint.startswith(f"{entry}:")

    def unread(self) -> Self:
        """See `RecordState.unread`."""
        entry = self.fingerprint.partition(":")[0]
        return self.replace(fingerprint=entry and f"{entry}:", rows="", validators=Validators())

    @property
    def is_in_doubt(self) -> bool:
        """Whether the doubt is of now: a release before this one keeps a doubt that has ended."""
        last = self.health.succeeded_at
        return self.doubt is not None and (last is None or self.doubt.at > last)

    @property
    def remarks(self) -> tuple[str, ...]:
        """See `SourceState.remarks`."""
        return remarks(self.noise, self.past, self.rewritten, self.health.succeeded_at)

    def recognition(self) -> Recognition | None:
        """See `SourceState.recognition`."""
        entry, _, page = self.fingerprint.partition(":")
        # Another entry's decision is for another address, or its entry ignores robots.txt.
        asked = self.permission if self.permission and self.permission.entry == entry else None
        if self.baseline_at is None or not page or (asked and not asked.allowed):
            return None
        last = LastPage(
            fingerprint=self.fingerprint,
            rows=self.rows,
            charset=self.charset,
            validators=self.validators,
            is_allowed=asked is not None,
            noise=self.noise,
            redirects=asked.redirects if asked else {},
        )
        empty = {name for name in ("charset", "noise", "redirects") if not getattr(last, name)}
        known = last.model_dump(exclude=empty)
        until = holds_until(asked) if asked else None
        return Recognition(entry, known, until, self.slowness)
