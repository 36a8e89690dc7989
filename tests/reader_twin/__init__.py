"""Read uRing's public data as ``web/uring.js`` does: archives, messages, keywords, paging.

Pure: no clock, no network, no storage. What comes in is foreign: functions take any JSON value and
raise nothing for it. docs/clients.md has the objects and the rules; one test holds both languages
to the same results.
"""

from reader_twin.archive import Entry, Folded, fold, merge
from reader_twin.changed import FieldChange, changed
from reader_twin.decide import Decision, decide
from reader_twin.keywords import matches, search
from reader_twin.lines import Parsed, is_record, parse_lines
from reader_twin.messages import rest_title
from reader_twin.months import archive_path, month_of, months_back
from reader_twin.pages import Loaded, Page, pages
from reader_twin.retracted import is_retracted, retracted, same_as
from reader_twin.text import clean, cut, fold_case, safe_link

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
    "is_retracted",
    "matches",
    "merge",
    "month_of",
    "months_back",
    "pages",
    "parse_lines",
    "rest_title",
    "retracted",
    "safe_link",
    "same_as",
    "search",
]
