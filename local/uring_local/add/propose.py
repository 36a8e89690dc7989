"""From a list page to an entry for it: a preset that reads it, else its repeated rows."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import unescape
from typing import Any, Final
from zoneinfo import ZoneInfo

from bs4 import BeautifulSoup
from pydantic import ValidationError

from uring.errors import SuspectPage, UringError
from uring.fetch.decode import decode_html
from uring_local.entries.advice import SKIPPED_SHARE, json_of, kind_of, soup_of
from uring_local.entries.family import FileFamily
from uring_local.entries.trial_read import FetchedPage, TrialRead, trial_read
from uring_local.propose.guess import GUESSED_LINK, Guess
from uring_local.propose.ids import telling_parameter
from uring_local.propose.names import guess_id, guess_name
from uring_local.propose.systems import own_keys, recognised
from uring_local.words import counted

_ZONE: Final = ZoneInfo("Asia/Seoul")
_DATE: Final = re.compile(r"<(?:pubDate|(?:dc:)?date|published|updated)>\s*([^<\s][^<]*)<")
_TITLE: Final = re.compile(r"<title[^>]*>\s*(?:<!\[CDATA\[)?([^<\]]*)")


class NoProposal(UringError):
    """No entry can be proposed; the message has the observation and the remedy."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An entry, the reasons for it, and its reading of the page.

    Attributes:
        doubt: what a person must confirm before the entry is written, or None.
    """

    entry: dict[str, Any]
    reasons: tuple[str, ...]
    trial: TrialRead
    doubt: str | None = None


def propose(
    family: FileFamily[Any, Any],
    fetched: FetchedPage,
    url: str,
    *,
    source_id: str | None,
    name: str | None,
    taken: Collection[str],
    link: str | None = None,
) -> Proposal:
    """Propose an entry for a list page, a feed or JSON.

    Args:
        family: the family of the entry.
        fetched: the page.
        url: the entry's address of the list.
        source_id: None guesses it from the address; guessed ids are not among ``taken``.
        name: None guesses it from the page's title.
        taken: the ids of other sources.
        link: the template of a notice's address; None guesses it from the page.

    Raises:
        NoProposal: neither a preset nor a guess reads anything there, or id or name are invalid.
        SuspectPage: the page cannot be decoded.
    """
    text = decode_html(fetched.body, fetched.content_type, None).text
    kind = kind_of(text)
    answer = json_of(text) if kind in ("json", "html") else None
    page = soup_of(text) if kind == "html" and answer is None else None
    title = _title(text) if page is None else page.title.get_text() if page.title else ""
    head = {
        "id": source_id or guess_id(url, taken),
        "name": name or guess_name(" ".join(title.split()), url),
        "url": url,
    }
    found = family.load(json.dumps({family.key: [head]}).encode()).problems
    # Of an entry only its head can be wrong yet: the rest follows.
    paths = {f"{family.key}[0]", *(f"{family.key}[0].{name}" for name in head)}
    problem = next((problem for problem in found if problem.path in paths), None)
    if problem is not None:
        raise NoProposal(str(problem))
    if answer is not None:
        return _json(family, head, answer, fetched, link)
    if page is None:
        return _feed(family, head, kind, text, fetched)
    return _list(family, head, page, fetched, link)


def _title(feed: str) -> str:
    """Return a feed's first title, which is its own."""
    title = _TITLE.search(feed)
    return unescape(title[1]) if title else ""


def _feed(
    family: FileFamily[Any, Any],
    head: dict[str, Any],
    kind: str,
    text: str,
    fetched: FetchedPage,
) -> Proposal:
    if kind not in family.model.presets:
        raise NoProposal(f"the answer is a feed, {kind}; give the address of the page in HTML")
    entry = {**head, "preset": kind}
    trial = trial_read(family, family.model.model_validate(entry), fetched)
    if not trial.page.items:
        raise NoProposal(f"the {kind} feed cannot be read: {trial.trouble}")
    reasons = [f"the answer is a feed, {kind}"]
    if trial.trouble is not None and trial.trouble.reason == "same_ids":
        source = family.model.model_validate(entry)
        rule = family.telling_rule(source, trial.page)
        if rule is not None:
            reasons.append("its items share a guid or have none; their links tell them apart")
            entry["fields"] = {"id": rule}
            return Proposal(entry, tuple(reasons), _trial_of(family, entry, fetched) or trial)
    items = trial.page.items
    addresses = all("://" in item.id for item in items)
    name = telling_parameter([item.link for item in items]) if addresses else None
    if name is not None:
        reasons.append(f"the id is {name} in the links: it stays when their other parts change")
        entry["fields"] = {"id": {"select": "link", "parameter": name}}
        trial = trial_read(family, family.model.model_validate(entry), fetched)
    shown = _DATE.search(text)
    if shown and not any(item.date for item in trial.page.items):
        fault = f"date: {shown[1].strip()!r} is read in no item; add its format to fields.date"
        trial = replace(trial, advice=(*trial.advice, fault))
    return Proposal(entry, tuple(reasons), trial)


def _json(
    family: FileFamily[Any, Any],
    head: dict[str, Any],
    answer: Any,
    fetched: FetchedPage,
    link: str | None,
) -> Proposal:
    today = datetime.now(_ZONE).date()
    guessed = family.guess_json(answer, fetched.url, today, link)
    if not guessed.keys:
        by_hand = 'write the entry by hand: "kind": "json", rows as the path of the list in it'
        raise NoProposal("; ".join(["the address answers with JSON", *guessed.reasons, by_hand]))
    return _guessed(family, head, guessed, fetched, ["the address answers with JSON"])


def _guessed(
    family: FileFamily[Any, Any],
    head: dict[str, Any],
    guessed: Guess,
    fetched: FetchedPage,
    reasons: Sequence[str],
) -> Proposal:
    entry = {**head, **guessed.keys}
    reasons = (*reasons, *guessed.reasons)
    trial = _trial_of(family, entry, fetched)
    if trial is None or not trial.page.items:
        raise NoProposal("; ".join([*reasons, f"the rows found there hold no {family.noun}"]))
    return Proposal(entry, reasons, trial, guessed.doubt)


def _list(
    family: FileFamily[Any, Any],
    head: dict[str, Any],
    page: BeautifulSoup,
    fetched: FetchedPage,
    link: str | None,
) -> Proposal:
    reasons: list[str] = []
    for system, sign in recognised(page, head["url"]):
        if system.preset not in family.model.presets:
            continue
        entry = {**head, "preset": system.preset, **own_keys(system, fetched.url)}
        trial = _trial_of(family, entry, fetched)
        if trial is not None and _reads(trial):
            why = f"{sign}: this is {system.title}, preset {system.preset}"
            return Proposal(entry, (*reasons, why), trial)
        reasons.append(f"{sign}, but its skin differs from that of preset {system.preset}")
    now = datetime.now(_ZONE)
    guessed = family.guess(page, fetched.url, now)
    if "date" not in guessed.keys.get("fields", ()):
        state = family.guess_state(page, now, link)
        if state.keys and (not guessed.keys or "date" in state.keys["fields"]):
            return _guessed(family, head, state, fetched, reasons)
    if not guessed.keys:
        obstacles = [*reasons, *guessed.reasons, *state.reasons, _without_list(page)]
        raise NoProposal("; ".join(obstacles))
    if link is not None and "link" in guessed.keys["fields"]:
        own = {"template": link, **({"fragment": True} if "#" in link else {})}
        guessed.keys["fields"]["link"] = own
        doubt = None if guessed.doubt == GUESSED_LINK else guessed.doubt
        guessed = Guess(guessed.keys, guessed.reasons, doubt)
    return _guessed(family, head, guessed, fetched, reasons)


def _reads(trial: TrialRead) -> bool:
    page = trial.page
    return bool(page.items) and not trial.advice and page.skipped * SKIPPED_SHARE <= len(page.rows)


def _trial_of(
    family: FileFamily[Any, Any], entry: dict[str, Any], fetched: FetchedPage
) -> TrialRead | None:
    try:
        return trial_read(family, family.model.model_validate(entry), fetched)
    except (ValidationError, SuspectPage):
        return None


def _without_list(page: BeautifulSoup) -> str:
    scripts = len(page.find_all("script"))
    if page.select_one("input[type=password]") is not None:
        return "the page asks for a password: is the list public?"
    if scripts:
        return (
            f"the page has {counted(scripts, 'script')}; if the browser shows a list there, "
            "scripts fill it in: look in its network panel for the JSON or the feed, and give that "
            "address"
        )
    return "give the address of the list itself"
