"""The decision on a push: a banner, or a part of the one silent line."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from reader_twin.keywords import matches
from reader_twin.lines import is_name
from reader_twin.messages import UNREADABLE, body_of, language_of, rest_title, title_of
from reader_twin.retracted import retracted
from reader_twin.text import cut, safe_link

Reason = Literal[
    "unreadable", "retracted", "seen", "off", "keyword", "quiet", "digest", "match", "all"
]

_CLOCK: Final = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_TOPIC: Final = "/topics/"
# A page of our own: what a registry's text changed by.
_OWN_PAGE: Final = re.compile(r"/data/[A-Za-z0-9._~%/-]*")
_LONGEST_TAG: Final = 200


@dataclass(frozen=True, slots=True)
class Decision:
    """The plain text that a push shows, and where.

    Attributes:
        show: ``rest`` is the one silent line.
        reason: see `decide`.
        title: of the notification.
        body: of the notification.
        tag: a notification replaces the one with the same tag.
        url: http(s), or a path from the host's root; None: show the source's own view.
        dept: the source.
        event: the ``event_id``.
        match: the keyword.
    """

    show: Literal["banner", "rest"]
    reason: Reason
    title: str
    body: str
    tag: str
    url: str | None = None
    dept: str | None = None
    event: str | None = None
    match: str | None = None


def decide(message: Any, rules: Any, seen: Collection[str], now: datetime | None) -> Decision:
    """Decide what a push shows: always something, for browsers punish a push that shows nothing.

    ``reason`` is, in the order of judgement: ``unreadable``, there is neither event nor title;
    ``retracted``, it takes pushes back; ``seen``, the event was shown before; ``off``; ``keyword``,
    none matches; ``quiet``; of a banner ``digest``, which no keyword can judge, ``match`` or
    ``all``. A source without a rule is shown.

    Args:
        message: the JSON of a push, ``{data, from}``, or its ``data`` alone.
        rules: by department and by topic (weather: the airport), ``{mode, keywords, name}``, mode
            "all", "keywords" or "off", ``name`` for people: the department's mode and name, or else
            the topic's; beside them ``quiet``, ``{from, to}`` as "23:00", and ``language``, "ko" or
            "en".
        seen: the events that were shown.
        now: in the device's zone; None is never in quiet hours.
    """
    whole = message if isinstance(message, dict) else {}
    data = inner if isinstance(inner := whole.get("data"), dict) else whole
    settings = rules if isinstance(rules, dict) else {}
    language = language_of(settings.get("language"))
    dept = data["dept"] if is_name(data.get("dept")) else None
    event = data["event_id"] if is_name(data.get("event_id")) else None
    silent = rest_title(0, language)
    if event is None and not is_name(data.get("title")):
        return Decision("rest", "unreadable", silent, UNREADABLE[language], "rest", dept=dept)
    rule = _rule_of(settings, dept, whole.get("from"))
    title, body = (words(data, rule["name"], language) for words in (title_of, body_of))
    match = matches(data, rule.get("keywords")) if rule.get("mode") == "keywords" else None
    told = (_address_of(data), dept, event, match)
    reason = _rest_reason(data, event, rule, match, seen)
    if reason is None and _is_quiet(settings.get("quiet"), now):
        reason = "quiet"
    if reason is not None:
        return Decision("rest", reason, silent, title, "rest", *told)
    is_digest = data.get("kind") == "digest"
    banner: Reason = "digest" if is_digest else "all" if match is None else "match"
    tag = cut(f"{dept or ''}:{'digest' if is_digest else _tagged(data)}", _LONGEST_TAG)
    return Decision("banner", banner, title, body, tag, *told)


def _rest_reason(
    data: Mapping[str, Any],
    event: str | None,
    rule: Mapping[str, Any],
    match: str | None,
    seen: Collection[str],
) -> Reason | None:
    """Return why a push is no banner at any time, or None."""
    if retracted(data) is not None:
        return "retracted"
    if event is not None and event in seen:
        return "seen"
    if rule.get("mode") == "off":
        return "off"
    is_judged = rule.get("mode") == "keywords" and data.get("kind") != "digest"
    return "keyword" if is_judged and match is None else None


def _rule_of(settings: Mapping[str, Any], dept: str | None, sender: Any) -> Mapping[str, Any]:
    is_topic = isinstance(sender, str) and sender.startswith(_TOPIC)
    names = (dept, sender.removeprefix(_TOPIC) if is_topic else "")
    rules = [rule for name in names if name and isinstance(rule := settings.get(name), dict)]
    # A product has a name, and the rule is its airport's.
    rule = next((rule for rule in rules if is_name(rule.get("mode"))), {})
    return {**rule, "name": next((r["name"] for r in rules if is_name(r.get("name"))), "")}


def _is_quiet(quiet: Any, now: datetime | None) -> bool:
    start, end = (quiet.get("from"), quiet.get("to")) if isinstance(quiet, dict) else (None, None)
    if not isinstance(start, str) or not isinstance(end, str) or now is None:
        return False
    if not _CLOCK.fullmatch(start) or not _CLOCK.fullmatch(end):
        return False
    clock = f"{now.hour:02}:{now.minute:02}"
    # "23:00" to "07:00" goes over midnight; from one time to the same is none.
    return start <= clock < end if start <= end else clock >= start or clock < end


def _tagged(data: Mapping[str, Any]) -> Any:
    return data["id"] if is_name(data.get("id")) else data.get("event_id")


def _address_of(data: Mapping[str, Any]) -> str | None:
    for each in (data.get("difference"), data.get("text")):
        if isinstance(each, str) and _OWN_PAGE.fullmatch(each) and ".." not in each:
            return each
    return safe_link(data.get("link"))
