"""The words of a notification, in Korean and English."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

from reader_twin.text import clean, cut

Language = Literal["ko", "en"]
Words = Mapping[Language, str]

_LONGEST_TITLE: Final = 80
_LONGEST_BODY: Final = 160
_TIME: Final = re.compile(r"[0-9]{4}-([0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}):[0-9]{2}Z")
_COUNT: Final = re.compile(r"[0-9]{1,6}")
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")

_KINDS: Final[Mapping[str, Words]] = {
    "new": {"ko": "새 공지", "en": "New notice"},
    "edited": {"ko": "고친 공지", "en": "Edited notice"},
    "pinned": {"ko": "고정된 공지", "en": "Pinned notice"},
    "unpinned": {"ko": "고정이 풀린 공지", "en": "Unpinned notice"},
    "returned": {"ko": "다시 올라온 공지", "en": "Notice is back"},
    "speci": {"ko": "특별 관측 보고", "en": "Special report"},
    "category_changed": {"ko": "비행 조건 바뀜", "en": "Flight category changed"},
    "taf_amended": {"ko": "예보 수정", "en": "Forecast amended"},
    "taf_cancelled": {"ko": "예보 취소", "en": "Forecast cancelled"},
    "warning_raised": {"ko": "경보 발표", "en": "Warning issued"},
    "warning_changed": {"ko": "경보 변경", "en": "Warning changed"},
    "warning_lifted": {"ko": "경보 해제", "en": "Warning lifted"},
    "robots_appeared": {"ko": "robots.txt 생김", "en": "robots.txt appeared"},
    "robots_changed": {"ko": "robots.txt 바뀜", "en": "robots.txt changed"},
    "robots_vanished": {"ko": "robots.txt 사라짐", "en": "robots.txt vanished"},
    "robots_unlisted": {"ko": "robots.txt 목록에서 빠짐", "en": "robots.txt unlisted"},
    "robots_listed": {"ko": "robots.txt 목록에 다시 오름", "en": "robots.txt listed again"},
    "sitemap_appeared": {"ko": "사이트맵 생김", "en": "Sitemap appeared"},
    "sitemap_changed": {"ko": "사이트맵 바뀜", "en": "Sitemap changed"},
    "sitemap_vanished": {"ko": "사이트맵 사라짐", "en": "Sitemap vanished"},
    "sitemap_unlisted": {"ko": "사이트맵 목록에서 빠짐", "en": "Sitemap unlisted"},
    "sitemap_listed": {"ko": "사이트맵 목록에 다시 오름", "en": "Sitemap listed again"},
}
_OF_REGULATIONS: Final[Mapping[str, Words]] = {
    "new": {"ko": "새 규정", "en": "New regulation"},
    "edited": {"ko": "규정 개정", "en": "Regulation revised"},
    "renamed": {"ko": "규정 이름 바뀜", "en": "Regulation renamed"},
    "deleted": {"ko": "규정 삭제", "en": "Regulation deleted"},
    "returned": {"ko": "다시 올라온 규정", "en": "Regulation is back"},
    "text_changed": {"ko": "규정 본문 바뀜", "en": "Regulation's text changed"},
}
_CHANGED: Final[Words] = {"ko": "바뀜", "en": "Changed"}
_UNTITLED: Final[Words] = {"ko": "(제목 없음)", "en": "(no title)"}
_REST: Final[Words] = {"ko": "다른 소식", "en": "Other news"}
UNREADABLE: Final[Words] = {"ko": "읽을 수 없는 소식", "en": "A message that cannot be read"}


def language_of(value: Any) -> Language:
    """Return "en" where rules say so, otherwise "ko"."""
    return "en" if value == "en" else "ko"


def rest_title(count: int, language: Any = "ko") -> str:
    """Return the title of the one line that stands for the pushes that are no banner.

    Args:
        count: how many; of none the number is left out.
        language: "ko" or "en".
    """
    words = language_of(language)
    if count < 1:
        return _REST[words]
    if words == "ko":
        return f"{_REST[words]} {count}건"
    return f"{count} other{'' if count == 1 else 's'}"


def title_of(data: Mapping[str, Any], name: str, language: Language) -> str:
    """Return the title of a message."""
    if data.get("kind") != "digest":
        return _shown(data.get("title"), language)
    count = _count_of(data.get("changes"))
    source = clean(name) or clean(data.get("dept"))
    news = (
        f"새 소식 {count}건" if language == "ko" else f"{count} change{'' if count == 1 else 's'}"
    )
    return cut(f"{source}: {news}" if source else news, _LONGEST_TITLE)


def body_of(data: Mapping[str, Any], name: str, language: Language) -> str:
    """Return the body of a message: its source, what happened, and what is known of it."""
    if data.get("kind") == "digest":
        others = _count_of(data.get("changes")) - 1
        rest = f" 외 {others}건" if language == "ko" else f" and {others} more"
        return cut(f"{_shown(data.get('title'), language)}{rest if others else ''}", _LONGEST_BODY)
    words = _OF_REGULATIONS if isinstance(data.get("fileNo"), str) else _KINDS
    kind = data.get("kind")
    former = clean(data.get("renamed_from"))
    categories = map(clean, (data.get("category_before"), data.get("category")))
    times = [time for key in ("time", "until") if (time := _time(data.get(key)))]
    parts = [
        clean(name),
        (words.get(kind, _CHANGED) if isinstance(kind, str) else _CHANGED)[language],
        _articles(data.get("articles_changed"), language),
        in_force(data.get("effective"), data.get("effective_text"), language),
        f"← {former}" if former else "",
        " → ".join(filter(None, categories)),
        clean(data.get("date")),
        " ~ ".join(times),
        clean(data.get("raw")),
    ]
    return cut(" · ".join(part for part in parts if part), _LONGEST_BODY)


def _shown(title: Any, language: Language) -> str:
    return cut(clean(title) or _UNTITLED[language], _LONGEST_TITLE)


def _count_of(text: Any) -> int:
    return max(1, int(text)) if isinstance(text, str) and _COUNT.fullmatch(text) else 1


def _articles(text: Any, language: Language) -> str:
    if not isinstance(text, str) or not _COUNT.fullmatch(text):
        return ""
    count = int(text)
    return f"{count}개 조" if language == "ko" else f"{count} article{'' if count == 1 else 's'}"


def in_force(date: Any, text: Any, language: Language) -> str:
    """Return when a change of a regulation comes into force; "" where nothing is known."""
    words = clean(text)
    found = _DATE.fullmatch(date) if isinstance(date, str) else None
    if not found:
        return words
    year, month, day = map(int, found.groups())
    told = f"시행 {year}. {month}. {day}." if language == "ko" else f"in force from {date}"
    more = "(일부 조문은 다름)" if language == "ko" else "(other dates for some articles)"
    return f"{told} {more}" if words else told


def _time(text: Any) -> str:
    """Return a time as aviation writes it, in UTC: the same words wherever the device is."""
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    return f"{found[1]} {found[2]}Z" if found else ""
