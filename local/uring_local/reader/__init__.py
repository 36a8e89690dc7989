"""Read uRing's public data as ``web/uring.js`` does: archives, messages, keywords, paging.

Pure: no clock, no network, no storage. What comes in is foreign: functions take any JSON value and
raise nothing for it. docs/clients.md has the objects and the rules; one test holds both languages
to the same results.
"""

from uring_local.reader.archive import Entry, Folded, fold, merge
from uring_local.reader.changed import FieldChange, changed
from uring_local.reader.decide import Decision, decide
from uring_local.reader.keywords import matches, search
from uring_local.reader.lines import Parsed, is_record, parse_lines
from uring_local.reader.messages import rest_title
from uring_local.reader.months import archive_path, month_of, months_back
from uring_local.reader.pages import Loaded, Page, pages
from uring_local.reader.text import clean, cut, fold_case, safe_link

__all__ = [
    "Decision",
    "Entry",
    "FieldChange",
    "Folded",
    "Loaded",
    "Page",
    "Parsed",
    "archive_path",
    "changed",
    "clean",
    "cut",
    "decide",
    "fold",
    "fold_case",
    "is_record",
    "matches",
    "merge",
    "month_of",
    "months_back",
    "pages",
    "parse_lines",
    "rest_title",
    "safe_link",
    "search",
]
