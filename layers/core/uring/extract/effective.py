"""The date of coming into force (시행일), from the supplements (부칙, Addenda) of a regulation.

A date is given only where the text has a calendar date: "2026년 3월 1일부터 시행한다", or "공포한
날부터" under a supplement with a date of its own. Semesters, periods and decisions of a president
keep the text's own words. A date that has to be computed or assumed is never given.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby, pairwise
from typing import Final

from uring.extract.articles import articles
from uring.extract.spelling import folded
from uring.extract.units import without_pages

_LONGEST: Final = 200
_MOST_CLAUSES: Final = 1_000
_MOST_IN_CLAUSE: Final = 600
_YEARS: Final = range(1900, 2200)

# Behind a sentence, at an empty line, before an article or an item; a PDF's lines are no ends.
_BETWEEN: Final = re.compile(
    r"(?<=다\.)\s+|(?<=[a-z\d]\.)\s+(?=[A-Z])|\n\s*\n|(?<=[다함])[ \t]*\n\s*"
    r"|\n[ \t]*(?=제 ?\d{1,4} ?조[ \t]*[(\[]|[\u2460-\u2473]|Article \d)"
)
_DATE: Final = re.compile(
    r"(?<!\d)(\d{4})(?:년(\d{1,2})월(\d{1,2})일|([.\-/])(\d{1,2})\4(\d{1,2})\.?)(?!\d)"
)
_WEEKDAY: Final = re.compile(r"\([월화수목금토일](?:요일)?\)$")
_PROMULGATED: Final = re.compile(r"(?:그)?(?:공포|발령)(?:한날|된날|일|날|즉시|와동시)")
_BEGIN: Final = (
    r"(?:\*\*)?(?:제\d{1,4}조(?:의\d{1,3})*|[\u2460-\u2473]|\(?\d{1,3}[.)])?(?:\*\*)?"
    r"(?:[(\[]시행일?[^()\[\]]{0,20}[)\]])?:?(?:\*\*)?[\u2460-\u2473]?"
)
_KIND: Final = (
    r"(?:규정|학칙|세칙|규칙|내규|지침|정관|조례|법률|법|영|령|요강|요령|강령|기준|헌장|회칙|예규"
    r"|훈령|고시|약관)"
)
# "이 규정 중 개정규정은" and "이 규정의 수당규정은" name a part, "이 개정규정은" the whole.
_PART: Final = (
    rf"(?![가-힣]{{0,20}}(?:별표|별지|서식|당시)|[가-힣]{{1,20}}개정규정|(?:개정)?{_KIND}[중의에]"
    # "이 학칙 시행에 필요한 세칙은" names another rule.
    rf"|[가-힣]{{0,20}}?{_KIND}(?:시행|운영)?(?:으?로|[에의과와을를중상및외])[가-힣]{{0,20}}{_KIND})"
)
_SUBJECT: Final = rf"(?:이|본|동)(?:번)?{_PART}[가-힣]{{0,20}}?{_KIND}(?:안)?[은는]"
# "시행한다는 규정을 삭제한다" and "시행함을 원칙으로 한다" say something else.
_ENDS: Final = (
    r"시행(?:하되|하며|하고|(?:한다|함|합니다|된다)(?=$|\W|[\u2460-\u2473]|제\d|다만|단,))"
)
_WHOLE: Final = re.compile(
    rf"{_BEGIN}(?:{_SUBJECT})?(.{{1,40}}?)(?:로?부터|에|[자부]로)?(?:소급하여)?{_ENDS}"
)
_WITH_SUBJECT: Final = re.compile(rf"{_BEGIN}{_SUBJECT}")
_CLAUSE: Final = re.compile(rf"(?:부터|에|[자부]로|일|날|즉시)(?:소급하여)?{_ENDS}")
_GOES_ON: Final = re.compile(
    r"시행하[되며고]|시행[가-힣]{1,3}\.?\(?(?:다만|단,)|,(?:except|provided|but)"
)

_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
_MONTH: Final = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ENGLISH_DATE: Final = re.compile(
    rf"{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})(?!\d)"
    rf"|(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (\d{{4}})(?!\d)"
    r"|(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)",
    re.IGNORECASE,
)
_ENGLISH_CLAUSE: Final = re.compile(
    r"\b(?:(?:enters?|comes?|goe?s?) into (?:force|effect)|takes? effect"
    r"|(?:is|are|be|becomes?) effective)\b",
    re.IGNORECASE,
)
_ENGLISH_WHOLE: Final = re.compile(
    r"(?:article \d{1,4} ?(?:\([^()]{1,60}\))?[.:]? ?|\(?\d{1,3}[.)] ?)?"
    r"(?:this|these|the present) (?P<subject>[a-z -]{1,60}?) (?:shall |will )?"
    rf"{_ENGLISH_CLAUSE.pattern},?(?: (?:on|from|as of|as from|upon))?(?: and after)? "
    r"(?P<when>.{1,60}?)(?:[.;]|$|, (?:except|provided|but))",
    re.IGNORECASE,
)
# A subject with one of these words is a part of the regulation, or its sentence says no such date.
_NOT_WHOLE: Final = re.compile(
    r"\b(?:not?|never|longer|ceases?|may|until|unless|former|except(?:ing)?|excluding|articles?"
    r"|paragraphs?|sections?|parts?|chapters?|annex(?:es)?|appendi(?:x|ces)|clauses?|items?|forms?"
    r"|tables?|provisions?)\b",
    re.IGNORECASE,
)
_ENGLISH_PROMULGATED: Final = re.compile(
    r"(?:the (?:date|day) of )?(?:its |their )?promulgation", re.IGNORECASE
)
_ENGLISH_SUPPLEMENT: Final = re.compile(
    r"(?:#{1,6} )?(?:\*\*)?(?:addend(?:a|um)|supplementary provisions?)(?:\*\*)?"
    r"(?: ?[<(\[].{0,120}[>)\]])?$",
    re.IGNORECASE,
)
_ENGLISH_ANNEX: Final = re.compile(
    r"(?:#{1,6} )?(?:\*\*)?(?:appendix|annex|\[?attached)\b", re.IGNORECASE
)
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)\s+(?=\d)")
_IN_BRACKETS: Final = re.compile(r"[<(\[].{6,60}[>)\]]")


@dataclass(frozen=True, slots=True)
class Effective:
    """When a text, or a change of it, comes into force.

    Attributes:
        date: the calendar date, ``YYYY-MM-DD``; None where the text gives none.
        text: the text's own words, 200 letters at most, where there is no date or where other dates
            hold for some articles; else empty.
    """

    date: str | None = None
    text: str = ""


NO_DATE: Final = Effective()
"""The text says nothing."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A sentence that says when something comes into force.

    ``supplement`` is the number of its supplement, ``heading`` the letters of the first line, and
    ``dated`` the only date in it, or None. Its ``date`` is ``by_heading`` if the sentence refers to
    the promulgation. It ``is_whole`` if its subject is the whole regulation.
    """

    supplement: int
    heading: str
    dated: str | None
    letters: str
    text: str
    date: str | None
    by_heading: bool
    is_whole: bool


def effective_of(text: str) -> Effective:
    """Return when a text came into force in its newest form: by its newest supplement.

    Without a supplement, or if the order of several is not clear from their dates, it is empty.
    """
    return _newest(list(_clauses(text)))


def effective_of_change(old: str, new: str) -> Effective:
    """Return when the change from one text to another comes into force.

    Only sentences that the old text's supplements lack say so; without one it is empty.
    """
    before = list(_clauses(old))
    # Beside an old file without its supplements, none of several is known to be new.
    return _newest(_added(before, list(_clauses(new))), is_certain=bool(before))


def _added(old: Sequence[_Clause], new: Sequence[_Clause]) -> list[_Clause]:
    """Return the new clauses; a sentence that stands in many supplements is counted.

    So is a date that a sentence names: another spelling of an old sentence is not new.
    """
    known = Counter(clause.letters for clause in old)
    headings = {(clause.heading, clause.letters) for clause in old}
    counts = Counter(clause.letters for clause in new)
    added: list[_Clause] = []
    for letters, count in counts.items():
        more = count - known[letters]
        if more <= 0:
            continue
        same = [clause for clause in new if clause.letters == letters] if known[letters] else []
        if not same:
            added += (clause for clause in new if clause.letters == letters)
            continue
        fresh = [each for each in same if (each.heading, letters) not in headings]
        if len(fresh) == more:
            added += fresh
        else:
            # Which of them is new is not known, so a heading's date is not either.
            added += (
                replace(each, date=None if each.by_heading else each.date) for each in same[-more:]
            )
    dates, dates_before = (
        Counter(each.date for each in side if each.date and not each.by_heading)
        for side in (new, old)
    )
    added = [
        each
        for each in added
        if each.by_heading or not each.date or dates[each.date] > dates_before[each.date]
    ]
    return sorted(added, key=lambda clause: clause.supplement)


def _newest(clauses: Sequence[_Clause], *, is_certain: bool = True) -> Effective:
    groups = [list(group) for _, group in groupby(clauses, lambda clause: clause.supplement)]
    if not groups:
        return NO_DATE
    if len(groups) > 1:
        firsts = [group[0] for group in groups]
        # A supplement may come into force later than a newer one: dates of headings go first.
        dates = [first.dated for first in firsts if first.dated]
        dates = dates if len({*dates}) > 1 else [first.date for first in firsts if first.date]
        # One date says nothing of an order.
        if not dates[1:] or not is_certain:
            return NO_DATE
        if all(one <= other for one, other in pairwise(dates)):
            groups = groups[-1:]
        elif not all(one >= other for one, other in pairwise(dates)):
            return NO_DATE
    clauses = _last_of_list(groups[0])
    if not clauses or (len(clauses) < len(groups[0]) and not is_certain):
        return NO_DATE
    first, *others = clauses
    says_more = bool(others) or _GOES_ON.search(first.letters) is not None
    if first.date and not says_more:
        return Effective(first.date)
    text = " ".join(clause.text for clause in clauses)
    return Effective(first.date, text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")


def _last_of_list(clauses: Sequence[_Clause]) -> Sequence[_Clause]:
    """Return a supplement's clauses from the last one of the whole regulation; none if unclear.

    Some regulations have one supplement, and an item in it for each amendment.
    """
    whole = [at for at, clause in enumerate(clauses) if clause.is_whole]
    if not whole[1:]:
        return clauses
    dates = [date for at in whole if (date := clauses[at].date)]
    is_list = dates[1:] and all(one <= other for one, other in pairwise(dates))
    return clauses[whole[-1] :] if is_list else ()


def _clauses(text: str) -> Iterator[_Clause]:
    found = 0
    for number, supplement in enumerate(_supplements(text)):
        heading, own, body = _heading(supplement)
        for sentence in _BETWEEN.split(body):
            shown = " ".join(sentence[:_MOST_IN_CLAUSE].split())
            letters = folded(shown)
            if _CLAUSE.search(letters):
                at, by_heading = _korean(letters, own)
                is_whole = at is not None or _WITH_SUBJECT.match(letters) is not None
            elif _ENGLISH_CLAUSE.search(shown):
                at, by_heading = _english(shown, own)
                is_whole = at is not None or _english_whole(shown) is not None
            else:
                continue
            yield _Clause(number, heading, own, letters, shown, at, by_heading, is_whole)
            found += 1
            if found >= _MOST_CLAUSES:
                return


def _supplements(text: str) -> Iterator[str]:
    """Yield the text of each supplement, with its heading."""
    lines: list[str] = []
    for piece in articles(text):
        if lines and piece.kind != "article":
            yield "\n".join(lines)
            lines = []
        if lines or piece.kind == "supplement":
            lines.append(piece.text)
    if lines:
        yield "\n".join(lines)
    yield from _english_supplements(text)


def _english_supplements(text: str) -> Iterator[str]:
    lines: list[str] = []
    for line in without_pages(text).split("\n"):
        is_heading = line[:1] in "#*aAsS" and _ENGLISH_SUPPLEMENT.match(line) is not None
        if lines and (is_heading or _ENGLISH_ANNEX.match(line)):
            yield "\n".join(lines)
            lines = []
        if lines or is_heading:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _heading(supplement: str) -> tuple[str, str | None, str]:
    """Return the letters of a supplement's heading, its date, and the text below.

    The date is None with none or several.
    """
    first, _, body = supplement.partition("\n")
    heading = first[:_MOST_IN_CLAUSE]
    second, _, below = body.lstrip().partition("\n")
    if _IN_BRACKETS.fullmatch(second[:_MOST_IN_CLAUSE].strip()):
        heading, body = heading + second, below
    letters = folded(heading)
    # "2026. 2. 1 5차" is not the fifteenth.
    numbers = folded(_BETWEEN_NUMBERS.sub("|", heading))
    dates = {_iso(found) for found in _DATE.finditer(numbers)}
    dates |= {_english_iso(found) for found in _ENGLISH_DATE.finditer(heading)}
    own = dates.pop() if len(dates) == 1 else None
    return letters, own, body


def _korean(letters: str, own: str | None) -> tuple[str | None, bool]:
    found = _WHOLE.match(letters)
    when = _WEEKDAY.sub("", found[1]) if found else ""
    if (calendar := _DATE.fullmatch(when)) is not None:
        return _iso(calendar), False
    return (own, True) if _PROMULGATED.fullmatch(when) else (None, False)


def _english(sentence: str, own: str | None) -> tuple[str | None, bool]:
    found = _english_whole(sentence)
    when = found["when"].strip() if found else ""
    if (calendar := _ENGLISH_DATE.fullmatch(when)) is not None:
        return _english_iso(calendar), False
    return (own, True) if _ENGLISH_PROMULGATED.fullmatch(when) else (None, False)


def _english_whole(sentence: str) -> re.Match[str] | None:
    found = _ENGLISH_WHOLE.match(sentence)
    return None if found is None or _NOT_WHOLE.search(found["subject"]) else found


def _iso(found: re.Match[str]) -> str | None:
    return _dated(found[1], found[2] or found[5], found[3] or found[6])


def _english_iso(found: re.Match[str]) -> str | None:
    month, day, year, day_first, month_behind, year_behind, *numbers = found.groups()
    if numbers[0]:
        return _dated(*numbers)
    name = (month or month_behind)[:3].lower()
    return _dated(year or year_behind, str(_MONTHS.index(name) // 3 + 1), day or day_first)


def _dated(year: str, month: str, day: str) -> str | None:
    """Return a date as ``YYYY-MM-DD``; None if the calendar lacks it."""
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return found.isoformat() if found.year in _YEARS else None
