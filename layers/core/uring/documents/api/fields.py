"""Arguments of requests, as routes declare them."""

from typing import Annotated, Final, Literal

from uring.documents.names import IssueId, JobId, Page, Source
from uring.documents.store.issues import Severity, State
from uring.language import LANGUAGES, Language
from uring.runtime.openapi import Header, Path, Query

MOST_LISTED: Final = 100
MOST_CHARACTERS: Final = 200_000
_FARTHEST: Final = 2**31 - 1
_BEHIND: Final = "^[A-Za-z0-9_-]{0,600}$"

PagePath = Annotated[Page, Path(description="id of a page")]
SourcePath = Annotated[Source, Path(description="name of an attachment of the page")]
IssuePath = Annotated[IssueId, Path(description="id of an issue")]
JobPath = Annotated[JobId, Path(description="id of a job")]

Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="the most entries")]
After = Annotated[
    str, Query(pattern=_BEHIND, description="`next` of a response: the list continues after it")
]
LanguageQuery = Annotated[
    Language,
    Query(
        description="code of a translation's language; without it the original",
        json_schema_extra={"enum": sorted(LANGUAGES)},
    ),
]
Offset = Annotated[
    int, Query(ge=0, le=_FARTHEST, description="of the first character, counted from 0")
]
Characters = Annotated[int, Query(ge=1, le=MOST_CHARACTERS, description="the most characters")]
States = Annotated[list[State], Query(description="only issues in these states")]
Severities = Annotated[list[Severity], Query(description="only issues of these severities")]
Stale = Annotated[
    Literal["true", "false", "any"],
    Query(description="whether the quoted text has changed since the analysis"),
]

IfMatch = Annotated[
    str,
    Header(
        alias="If-Match",
        description="ETag of the edited issue, so that no other edit is lost; "
        "`*` overwrites any version",
    ),
]
IfNoneMatch = Annotated[
    str, Header(alias="If-None-Match", description="ETag that the caller has already")
]
