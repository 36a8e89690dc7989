"""An entry for JSON: the list of objects in it, and the keys of their ids, titles and dates."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, Final

from uring.reading.date_formats import DEFAULT_FORMATS
from uring.reading.lists.json_text import Number, from_text
from uring.reading.text import plain
from uring_local.propose.candidates import RARE_RANK, rank_of
from uring_local.propose.date_texts import chosen_formats
from uring_local.propose.guess import GUESSED_LINK, Guess
from uring_local.propose.rows import FEWEST, seldom

_NAME: Final = re.compile(r"[^\s.,\[\]()<>{}*#=~+|^$\"'\\/]+\Z")
_ID_VALUE: Final = re.compile(r"[A-Za-z0-9][\w.:-]{0,99}\Z")
_ID_NAME: Final = re.compile(
    r"(?:id|no|seq|idx|sn|key|srl|num|number|slug|uuid|번호)\Z", re.IGNORECASE
)
_OTHER_ID: Final = re.compile(
    r"user|writer|author|dept|categ|cate|board|bbs_?id|bbsid|file|parent|group|rnum|rownum|order|sort|rank",
    re.IGNORECASE,
)
_TITLE_NAME: Final = re.compile(r"title|subject|ttl|sj\Z|headline|제목", re.IGNORECASE)
_NO_TITLE: Final = re.compile(
    r"content|body|text|html|cn\Z|summary|desc|file|url|link|path|img|image|thumb|writer|author|user|name",
    re.IGNORECASE,
)
_DATE_NAME: Final = re.compile(
    r"reg|date|created|frst|writ|wrt|publish|post|ymd|(?:_|\b)dt\Z|Dt\Z|day|At\Z|_at\Z|등록|작성"
)
_OTHER_DATE: Final = re.compile(r"upd|mod|edit|last", re.IGNORECASE)
_LATER_DATE: Final = re.compile(
    r"end(?!er)|exp|start|begin|close|due|deadline|birth|delet", re.IGNORECASE
)
_LINK_NAME: Final = re.compile(r"link|url|href|uri|path", re.IGNORECASE)
_NO_LINK: Final = re.compile(r"img|image|thumb|file|attach|profile|icon|down", re.IGNORECASE)
_CATEGORY_NAME: Final = re.compile(r"categ|cate|ctgr|gubun|type|kind|분류|section", re.IGNORECASE)
_PIN_NAME: Final = re.compile(
    r"pin|top|fix|noti(?:ce)?_?(?:yn|flag|at)?\Z|sticky|important", re.IGNORECASE
)
_ADDRESS: Final = re.compile(r"(?:https?://|/|\?|[\w.-]+\.\w{2,4}\?)\S*\Z")
_UNIX: Final = re.compile(r"1\d{9}(?:\d{3})?\Z")
_DIGITS: Final = re.compile(r"\d.*\d")
_DEPTH: Final = 6
_VISITS: Final = 20_000
_LONG: Final = 8
# Beside the object of each member there is a cursor at most.
_FEW_KEYS: Final = 2


@dataclass(frozen=True, slots=True)
class _Objects:
    """A list of objects: its path, the values of each row by their paths, and the rows' keys."""

    path: str
    rows: tuple[Mapping[str, Any], ...]
    keys: tuple[str, ...] | None

    def column(self, name: str) -> list[Any]:
        return [row.get(name) for row in self.rows]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))


def guess_objects(document: Any, today: date, link: str | None = None) -> Guess:
    """Propose rows and fields for a JSON document.

    Args:
        document: as read by `uring.reading.lists.json_text`.
        today: for dates without a year.
        link: the template of a notice's address, if a person gave it.
    """
    best: tuple[float, Guess] | None = None
    reasons: list[str] = []
    for objects in _lists(document):
        value, guess = _guess(objects, today, link)
        if not guess.keys:
            reasons += guess.reasons
        elif best is None or value > best[0]:
            best = (value, guess)
    if best is not None:
        return best[1]
    reasons = reasons[:2] or ["no list of at least three objects is in the JSON"]
    return Guess({}, tuple(reasons))


def _guess(objects: _Objects, today: date, link: str | None) -> tuple[float, Guess]:
    head = f"{len(objects.rows)} objects at {objects.path}"
    title = _title(objects)
    if title is None:
        return 0, Guess({}, (f"{head}: none of their keys has titles",))
    key, refused = _id(objects, title)
    if key is None:
        return 0, Guess({}, (f"{head}: {refused}",))
    fields: dict[str, Any] = {"id": key, "title": title}
    dates = _date(objects, today)
    if isinstance(dates, str) and dates.startswith("!"):
        return 0, Guess({}, (f"{head}: {dates[1:]}",))
    reasons = [head, f"the id is {key}, the title {title}"]
    if dates is None:
        reasons.append("no key has a date in every row; notices get no date")
    else:
        fields["date"] = dates
    category = _category(objects)
    if category is not None:
        fields["category"] = {"select": category, "optional": True}
    doubt = None
    own = _link(objects, title)
    if link is not None:
        fields["link"] = {"template": link, **({"fragment": True} if "#" in link else {})}
    elif own is not None:
        fields["link"] = own
    else:
        fields["link"] = {"template": f"view?{key.rpartition('.')[2].strip('$')}={{id}}"}
        doubt = GUESSED_LINK
        reasons.append("no key has the address of a notice")
    keys: dict[str, Any] = {"kind": "json", "rows": objects.path, "fields": fields}
    pinned = _pinned(objects)
    if pinned is not None:
        keys["pinned"] = [pinned]
    value = len(objects.rows) + (50 if dates is not None else 0) + (20 if own else 0)
    return value, Guess(keys, tuple(reasons), doubt)


def _lists(document: Any) -> Iterator[_Objects]:
    """Yield the lists of objects, and the objects of objects, of a document."""
    pending: list[tuple[Any, tuple[str, ...]]] = [(document, ())]
    seen: set[int] = set()
    for _ in range(_VISITS):
        if not pending:
            return
        value, path = pending.pop(0)
        value = from_text(value)
        if id(value) in seen or not isinstance(value, dict | list):
            continue
        seen.add(id(value))
        members = list(value.values()) if isinstance(value, dict) else value
        if len(members) >= FEWEST and all(isinstance(member, dict) for member in members):
            keys = tuple(value) if isinstance(value, dict) else None
            inner = _wrapped(members)
            if inner is not None:
                nodes = tuple(_flat(member[inner]) for member in members)
                yield _Objects(".".join((*path, "*", inner)), nodes, None)
            else:
                yield _Objects(".".join(path) or "$", tuple(map(_flat, members)), keys)
            continue
        if len(path) < _DEPTH:
            named = value.items() if isinstance(value, dict) else ()
            pending += [(part, (*path, name)) for name, part in named if _NAME.match(name)]
            if isinstance(value, list):
                pending += [(part, (*path, str(at))) for at, part in enumerate(value[:FEWEST])]


def _wrapped(members: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the only key of all these objects that has an object, as in ``edges[].node``."""
    names = {
        tuple(name for name, value in member.items() if isinstance(value, dict))
        for member in members
    }
    only = names.pop() if len(names) == 1 else ()
    is_bare = all(len(member) <= _FEW_KEYS for member in members)
    return only[0] if len(only) == 1 and is_bare and _NAME.match(only[0]) else None


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the single values of an object and of the objects in it, by their paths."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if not _NAME.match(name):
            continue
        if isinstance(value, Mapping):
            inner = value.items()
            flat |= {
                f"{name}.{key}": part
                for key, part in inner
                if _NAME.match(key) and not isinstance(part, dict | list)
            }
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def _texts(objects: _Objects, name: str) -> list[str]:
    values = objects.column(name)
    return [plain(value) if isinstance(value, str) else "" for value in values]


def _title(objects: _Objects) -> str | None:
    best: tuple[float, str] | None = None
    for name in objects.names:
        texts = _texts(objects, name)
        letters = sum(any(letter.isalpha() for letter in text) for text in texts)
        if seldom(letters, len(texts)) or len(set(texts)) * 2 < len(texts):
            continue
        last = name.rpartition(".")[2]
        is_named = _TITLE_NAME.search(last) is not None
        if not is_named and (_NO_TITLE.search(last) or _LINK_NAME.search(last)):
            continue
        average = sum(map(len, texts)) / len(texts)
        if not is_named and (average < _LONG or all(map(_ADDRESS.match, texts))):
            continue
        value = (1000 if is_named else 0) - 100 * name.count(".") + min(average, 60)
        if best is None or value > best[0]:
            best = (value, name)
    return best[1] if best else None


def _id(objects: _Objects, title: str) -> tuple[str | None, str]:
    """Return the key of the ids, or None and the reason.

    Objects with one id and one title are copies of a pinned notice.
    """
    titles = objects.column(title)
    notices = len({str(text) for text in titles})
    telling: list[tuple[tuple[int, int], str]] = []
    counting: list[tuple[tuple[int, int], str]] = []
    for name in objects.names:
        values = objects.column(name)
        texts = [str(value) for value in values if isinstance(value, str)]
        pairs = set(zip(texts, map(str, titles), strict=False))
        is_whole = len(texts) == len(values) and notices <= len(set(texts)) == len(pairs)
        last = name.rpartition(".")[2]
        if not is_whole or not all(map(_ID_VALUE.match, texts)):
            continue
        rank = rank_of(last)
        if not _ID_NAME.search(last) and rank >= rank_of(""):
            continue
        is_other = bool(_OTHER_ID.search(last)) or rank >= RARE_RANK or "." in name
        place = (is_other, rank), name
        (counting if _counts(values) else telling).append(place)
    usable = [each for each in telling if not each[0][0]]
    if usable:
        return min(usable)[1], ""
    if objects.keys is not None and all(map(_ID_VALUE.match, objects.keys)):
        return "$key", ""
    if counting and not min(counting)[0][0]:
        name = min(counting)[1]
        if _ID_NAME.search(name) and not re.search(r"num|number|order", name, re.IGNORECASE):
            return name, ""
        return None, f"{name} counts the rows as a display number does, and no other key is an id"
    return None, "no key differs in every object as an id does"


def _counts(values: Sequence[Any]) -> bool:
    """Return True for numbers that rise or fall by one."""
    if not all(isinstance(value, Number) and value.isdigit() for value in values):
        return False
    steps = {int(other) - int(one) for one, other in pairwise(values)}
    return steps in ({1}, {-1})


def _date(objects: _Objects, today: date) -> dict[str, Any] | str | None:
    """Return the rule of the date; a text that begins with ``!`` is the reason of a refusal."""
    found: list[tuple[tuple[bool, bool, int], dict[str, Any] | str]] = []
    unread: str | None = None
    for at, name in enumerate(objects.names):
        last = name.rpartition(".")[2]
        texts = [plain(value) if isinstance(value, str) else "" for value in objects.column(name)]
        if not all(texts) or not _DATE_NAME.search(last) or _LATER_DATE.search(last):
            continue
        formats = chosen_formats(texts, today)
        if formats.names:
            place = (bool(_OTHER_DATE.search(last)), "." in name, at)
            is_usual = formats.names == DEFAULT_FORMATS
            rule = name if is_usual else {"select": name, "formats": list(formats.names)}
            found.append((place, rule))
        elif all(map(_DIGITS.search, texts)):
            unread = unread or f"{name}: {formats.reason}"
    if found:
        return min(found, key=lambda each: each[0])[1]
    return f"!{unread}; write fields.date by hand" if unread is not None else None


def _link(objects: _Objects, title: str) -> str | None:
    notices = len(set(_texts(objects, title)))
    for name in objects.names:
        last = name.rpartition(".")[2]
        texts = _texts(objects, name)
        if not _LINK_NAME.search(last) or _NO_LINK.search(last):
            continue
        if all(map(_ADDRESS.match, texts)) and len(set(texts)) >= notices:
            return name
    return None


def _category(objects: _Objects) -> str | None:
    for name in sorted(objects.names, key=lambda name: not name.endswith(".name")):
        texts = _texts(objects, name)
        values = set(filter(None, texts))
        letters = all(any(letter.isalpha() for letter in value) for value in values)
        if (
            _CATEGORY_NAME.search(name)
            and len(values) > 1
            and letters
            and len(values) * 2 <= len(texts)
        ):
            return name
    return None


def _pinned(objects: _Objects) -> Any:
    for name in objects.names:
        if not _PIN_NAME.search(name.rpartition(".")[2]):
            continue
        values = objects.column(name)
        texts = {str(value).lower() for value in values}
        share = sum(str(value).lower() in ("true", "1", "y") for value in values)
        if share * 2 > len(values):
            continue
        if texts <= {"true", "false", "none"} or (
            texts <= {"0", "1"} and all(isinstance(value, Number) for value in values)
        ):
            return name
        if texts <= {"y", "n"}:
            yes = next((str(value) for value in values if str(value).lower() == "y"), "Y")
            return {"select": name, "text": yes}
    return None
