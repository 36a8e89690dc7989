"""Arguments of requests, as routes declare them."""

from typing import Annotated, Final, Literal
from urllib.parse import unquote

from pydantic import BeforeValidator

from uring.documents.names import IssueId, JobId, Page, Source
from uring.documents.store.issues import Severity, State
from uring.language import LANGUAGES, Language
from uring.runtime.openapi import Header, Path, Query

MOST_LISTED: Final = 100
MOST_CHARACTERS: Final = 200_000
# API Gateway answers 503 after 30 s, the function ends after 29 s.
MOST_WAIT_SECONDS: Final = 20
_FARTHEST: Final = 2**31 - 1
_BEHIND: Final = "^[A-Za-z0-9_-]{0,1400}$"

# A string of structured fields (RFC 9651), or a bare word as many clients send it.
_KEY: Final = r'^(?:"[ !#-\[\]-~]{1,128}"|[!#-\[\]-~]{1,128})$'

PagePath = Annotated[Page, Path(description="id of a page")]
SourcePath = Annotated[
    Source, BeforeValidator(unquote), Path(description="name of an attachment of the page")
]
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
    Query(description="whether a quoted policy has changed, and no newer analysis finds the issue"),
]
NotFoundTwice = Annotated[
    Literal["true", "false", "any"],
    Query(description="whether two complete analyses in turn did not find the issue"),
]

Wait = Annotated[
    int,
    Query(ge=0, le=MOST_WAIT_SECONDS, description="seconds to wait for the end of the job"),
]

IfMatch = Annotated[
    str,
    Header(
        alias="If-Match",
        description="ETag of the edited issue, so that no other edit is lost; "
        "`*` overwrites any version",
    ),
]
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        pattern=_KEY,
        description="names this request: sent again with the same key, it is done once; "
        "1 to 128 visible characters, with or without quotation marks",
    ),
]
IfNoneMatch = Annotated[
    str, Header(alias="If-None-Match", description="ETag that the caller has already")
]


def key_of(header: str) -> str:
    """Return the key in an Idempotency-Key; quoted and bare keys are the same."""
    return header.strip('"')
