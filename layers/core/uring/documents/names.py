"""Names and keys of the document store (D1).

    {page}:policy:{source}[:{language}]     an original, or a translation of it
    {page}:issue:{id}                       an issue
    {page}:analysis                         the newest analysis
    job:{id}                                a job's status
    system:purged                           when the janitor's last round ended
    system:cost:{day}, {page}:cost:{day}    the day's accounts of the stack, of a page

The part before the first colon is the partition of the table, the rest is the key in it. Objects
of the bucket:

    pages/{page}/attachments/{source}       a document, as its owner uploaded it
    pages/{page}/bodies/{sha256}.{owner}    a stored text, with the owner of the lock under which it
                                            was written: two owners never write the same key
"""

import re
from dataclasses import dataclass
from typing import Annotated, Final
from unicodedata import category, is_normalized
from uuid import UUID, uuid5

from pydantic import AfterValidator, StringConstraints

from uring.characters import visible
from uring.segments import NOT_A_SEGMENT, is_segment

ANALYSIS: Final = "analysis"
GONE: Final = "gone"
JOBS: Final = "job"
SYSTEM: Final = "system"
PURGED: Final = "purged"
PAGES: Final = "pages/"
POLICY_PREFIX: Final = "policy:"
ISSUE_PREFIX: Final = "issue:"
COST_PREFIX: Final = "cost:"

MOST_NAME_BYTES: Final = 180
"""The most bytes of an attachment's name in UTF-8: it is a part of a lock's path of 200."""

_RESERVED: Final = frozenset({JOBS, SYSTEM})
_NAME: Final = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
_UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_PAGE: Final = re.compile(_NAME)
_ATTACHMENT: Final = re.compile(rf"pages/({_NAME})/attachments/(.+)", re.DOTALL)
_BODY: Final = re.compile(rf"pages/{_NAME}/bodies/[0-9a-f]{{64}}\.[^/]+")
_NAMESPACE: Final = UUID("6f1c1f0e-5a0b-5c0a-9d53-2b7f6a1e7d44")

# Separators of keys and paths, what a path in a URL escapes, what Windows refuses.
_SEPARATORS: Final = '/\\:*?"<>|%'
_SOURCE: Final = r'^[^/\\:*?"<>|%]+$'


def _is_source(name: str) -> str:
    problem = source_problem(name)
    if problem:
        raise ValueError(problem)
    return name


def source_problem(name: str) -> str:
    """Return why a name cannot be an attachment's, with the remedy; empty if it can.

    Names are printable, in Unicode's normal form C, without separators, and short. Letters of any
    script, blanks and brackets are allowed.
    """
    size = len(name[: MOST_NAME_BYTES + 1].encode(errors="replace"))
    problems = {
        "it is empty; name it": not name,
        f"it is longer than {MOST_NAME_BYTES} bytes in UTF-8; shorten it": size > MOST_NAME_BYTES,
        f"it has one of {_SEPARATORS}; leave it out": not set(_SEPARATORS).isdisjoint(name),
        "it has a control, an invisible character or an unusual blank; type it again": (
            not name.isprintable() or visible(name[:MOST_NAME_BYTES]) != name[:MOST_NAME_BYTES]
        ),
        f"{NOT_A_SEGMENT}; rename it": not is_segment(name),
        "it begins or ends with a blank, or begins with . - or an accent; rename it": (
            name != name.strip() or name[:1] in (".", "-") or category(name[:1] or "a")[0] == "M"
        ),
    }
    found = next((problem for problem, is_so in problems.items() if is_so), "")
    if not found and not is_normalized("NFC", name):
        return "its letters are in parts (NFD, as macOS writes them); upload it in normal form C"
    return found


def _is_free(name: str) -> str:
    if name in _RESERVED:
        raise ValueError("this name is reserved; choose another name for the page")
    return name


Page = Annotated[str, StringConstraints(pattern=rf"^{_NAME}$"), AfterValidator(_is_free)]
"""The name of a page; the names of the partitions ``job`` and ``system`` are refused."""
Source = Annotated[
    str,
    StringConstraints(pattern=_SOURCE, min_length=1, max_length=MOST_NAME_BYTES),
    AfterValidator(_is_source),
]
"""The name of an attachment of a page, see `source_problem`."""
IssueId = Annotated[str, StringConstraints(pattern=rf"^{_UUID}$")]
JobId = Annotated[str, StringConstraints(pattern=rf"^{_UUID}$")]

PAGE_LOCK: Final[tuple[str, ...]] = ()
POLICIES_LOCK: Final = ("policies",)
ISSUES_LOCK: Final = ("issues",)
ANALYSIS_LOCK: Final = ("analysis",)


@dataclass(frozen=True, slots=True)
class Attachment:
    """The address of an attachment: its page and its name."""

    page: str
    source: str

    @property
    def key(self) -> str:
        """The key of the object."""
        return f"{attachments(self.page)}{self.source}"

    @classmethod
    def at(cls, key: str) -> "Attachment | None":
        """Return the attachment with an object key; None for any other key."""
        match = _ATTACHMENT.fullmatch(key)
        if match is None or match[1] in _RESERVED or source_problem(match[2]):
            return None
        return cls(match[1], match[2])


def ignored_because(key: str) -> str:
    """Return why an object below ``pages/`` is not an attachment."""
    match = _ATTACHMENT.fullmatch(key)
    if match is None or match[1] in _RESERVED:
        return "it is not at pages/{page}/attachments/{name}"
    return source_problem(match[2])


def is_page(name: str) -> bool:
    """Return whether a name is valid for a page."""
    return _PAGE.fullmatch(name) is not None and name not in _RESERVED


def attachments(page: str) -> str:
    """Return the folder of a page's attachments."""
    return f"{PAGES}{page}/attachments/"


def bodies(page: str) -> str:
    """Return the folder of a page's texts."""
    return f"{PAGES}{page}/bodies/"


def body_key(page: str, sha256: str, owner: str) -> str:
    """Return the key of a text that is written by a lock's owner."""
    return f"{bodies(page)}{sha256}.{owner}"


def is_body(key: str) -> bool:
    """Return whether an object key is the key of a stored text."""
    return _BODY.fullmatch(key) is not None


def policy_key(source: str, language: str = "") -> str:
    """Return the key of an original, or of its translation."""
    return f"{POLICY_PREFIX}{source}:{language}" if language else f"{POLICY_PREFIX}{source}"


def source_of(key: str) -> str:
    """Return the source in the key of an original or a translation."""
    return key.removeprefix(POLICY_PREFIX).partition(":")[0]


def issue_key(issue: str) -> str:
    """Return the key of an issue."""
    return f"{ISSUE_PREFIX}{issue}"


def policy_lock(source: str, language: str = "") -> tuple[str, ...]:
    """Return the path of the lock of an original, or of a translation.

    The lock of an original also locks its translations.
    """
    return ("policies", source, language) if language else ("policies", source)


def issue_lock(issue: str) -> tuple[str, ...]:
    """Return the path of the lock of an issue."""
    return ("issues", issue)


def derived_id(*parts: str) -> str:
    """Return the id of these parts, a UUID; the same parts always have the same id."""
    return str(uuid5(_NAMESPACE, "\n".join(parts)))
