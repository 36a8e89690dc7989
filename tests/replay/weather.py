"""The bundled campus site, tick by tick, before the real collector; only AWS is made up.

Every board goes through its script (publications, edits, pins, unpins, removals, returns, badges,
view counts, session ids), and on top of that the site misbehaves, is recoded, reordered and
redesigned, moved to other systems, purged and
rewritten. After each tick what was pushed is compared with what the campus's own judge expects.
It begins at noon of New Year's Eve; the boards, some of them without years, have the worker's days.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from fakes import VirtualClock
from fakes.worlds import NoticeWorld

from uring.changes.check import Check
from uring.errors import FetchFailed
from uring.fetch.http import Response
from uring.fetch.request import Request, outgoing
from uring.fetch.url import parse_url
from uring_local.loopback import Request as Received
from uring_local.sites.campus import Campus
from uring_local.sites.campus.departments import DEPARTMENTS
from uring_local.sites.campus.model import Department, Look
from uring_local.sites.campus.trouble import Kind

MISCHIEF: tuple[Kind, ...] = (
    "500",
    "empty",
    "login",
    "challenge",
    "damaged",
    "short",
    "shuffled",
    "recoded",
    "half",
    "cut",
    "shared",
)
_SHARE = 0.08
_FOLLOW_EVERY = 14
_FOLLOW_LASTS = 5
FOLLOWED = ("redesign", "move", "respell")
"""The site changes, and its entry follows later."""
UPHEAVALS = ("purge", "hide", "relink", "shift", "renumber", "turnover", "prefix")
"""The site changes, and its entry stays."""
SPELLS = ("counting", "rotating", "to and fro")
"""For some ticks the site differs from check to check."""
_SPELL_EVERY = 13
_SPELL_LASTS = 9
_APART = 10
_PREFIXES = ("[학사] ", "◆ ", "누리솔 | ", "(공지) ", "· ")
_UPHEAVAL_EVERY = 3
_HIDDEN_FOR = 7
_LOOKS = (
    Look(parameter="lang=ko"),
    Look(scheme="https"),
    Look(scheme="https", host="www.nurisol.example"),
    Look(),
)
_SPELLINGS = ("%Y년 %m월 %d일", "%d.%m.%Y", "%m/%d/%Y")
_WITHOUT_YEARS = {
    "nurisol_cse": "%m-%d",
    "nurisol_student": "%m.%d",
    "nurisol_law": "%Y-%m-%d|%m-%d",
    "nurisol_lib": "%m월 %d일",
    "nurisol_nurse": "%b %d",
    "nurisol_arch": "%m/%d",
}
# Noon in Seoul.
_EVE = datetime(2026, 12, 31, 3, tzinfo=UTC)
_TICK = timedelta(minutes=10)
SUCCESSOR = {
    "k2web": "egov",
    "egov": "k2web",
    "gnuboard": "modelist",
    "modelist": "gnuboard",
    "onclick": "gnuboard",
}
"""Which board software may follow: one that shows the same fields."""


class DirectFetcher:
    """The campus site without a socket between."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus

    def fetch(self, request: Request) -> Response:
        going = outgoing(request, "uRing/1")
        headers = {name.lower(): value for name, value in going.headers.items()}
        headers["host"] = self._campus.host
        target = parse_url(request.url).url.partition(self._campus.host)[2]
        answer = self._campus.respond(Received(going.method, target, headers, going.body or b""))
        if answer.status == 404:
            raise FetchFailed("not_found", "404")
        if answer.status not in (200, 304):
            raise FetchFailed("http_status", str(answer.status))
        return Response(
            status=answer.status,
            url=request.url,
            body=answer.body,
            content_type=answer.headers.get("Content-Type"),
            etag=answer.headers.get("ETag", request.etag),
            last_modified=answer.headers.get("Last-Modified", request.last_modified),
            requests=1,
        )


@dataclass
class Line:
    """What came of all checks under one kind of weather."""

    checks: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    expected: int = 0
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


class Replay:
    """A number of ticks over the campus site.

    Args:
        new_year: whether a day has 144 ticks on the boards, as on the worker's clock, and the
            replay begins at noon of New Year's Eve; else six, from March on, and no board lacks
            years.

    Attributes:
        checks: of the last tick, by department.
        lines: by weather: a kind of mischief; what the entry follows (`FOLLOWED`), and ``adopted``,
            the first look with the entry that does; an upheaval; or ``fair``.
        journal: what happened on the boards, by kind.
    """

    def __init__(self, seed: int, *, mischief: bool = True, new_year: bool = True) -> None:
        self.checks: dict[str, Check] = {}
        if new_year:
            self.campus = Campus(
                seed, misbehave=False, day_of=_day_of, departments=[*map(_of_new_year, DEPARTMENTS)]
            )
        else:
            self.campus = Campus(seed, misbehave=False)
        clock = VirtualClock(_EVE) if new_year else None
        self._spellings = (*_SPELLINGS, *(_WITHOUT_YEARS.values() if new_year else ()))
        self._world = NoticeWorld(clock, fetcher=DirectFetcher(self.campus))
        self.clock, self.objects = self._world.clock, self._world.bucket
        self.lines: dict[str, Line] = {}
        self.journal: Counter[str] = Counter()
        self._seed = seed
        self._mischievous = mischief
        self._busy: dict[str, int] = {}
        self._redesigns: dict[str, tuple[int, str]] = {}
        self._spells: dict[str, tuple[int, str]] = {}
        self._prefixed: Counter[str] = Counter()
        self._relinked: dict[str, int] = {}
        self._follows = 0
        self._heard = 0

    def tick(self, number: int, happens: Callable[[], None] = lambda: None) -> None:
        """Move the site on, let something happen to it, check every department, compare."""
        self.campus.advance(number)
        happens()
        weather = self._mischief(number) if self._mischievous else {}
        entries: list[Mapping[str, Any]] = self.campus.sitemap()["sources"]
        jobs = [self._world.job(entry["id"], entry=entry) for entry in entries]
        self.checks = {job.source: self._world.checker.check(job) for job in jobs}
        self._compare(self.checks, weather)
        self._forget()
        self.clock.advance(_TICK.total_seconds())

    def _mischief(self, number: int) -> dict[str, str]:
        random = Random(f"{self._seed}/mischief/{number}")
        if number > 1 and number % _FOLLOW_EVERY == 0:
            self._follow(random, number)
        weather = self._under_spells(number)
        for department in self.campus.departments:
            name, until = department.id, self._busy.get(department.id, 0)
            adopted = self._redesigns.get(name)
            if name in weather:
                continue
            if adopted is not None and number <= adopted[0]:
                weather[name] = "adopted" if number == adopted[0] else adopted[1]
            elif number > until and random.random() < _SHARE:
                kind = random.choice(MISCHIEF)
                lasts = random.randint(1, 2)
                self.campus.misbehave(name, kind, lasts)
                # Never so long that the site is asked less often: the judge looks at every tick.
                self._busy[name] = number + lasts
                weather[name] = kind
            elif number < until:
                weather[name] = self.campus.troubles[name].kind
        free = [each.id for each in self.campus.departments if each.id not in weather]
        if number > 1 and number % _SPELL_EVERY == 0:
            name = free.pop(random.randrange(len(free)))
            weather[name] = self._begin_spell(random, name, number)
        if number > 1 and number % _UPHEAVAL_EVERY == 0:
            for name in random.sample(free, 2):
                weather[name] = self._upheave(random, name)
        return weather

    def _under_spells(self, number: int) -> dict[str, str]:
        """Return the departments that differ from check to check, by their spell."""
        self._spells = {name: spell for name, spell in self._spells.items() if number <= spell[0]}
        for name, (until, spell) in self._spells.items():
            if spell == "to and fro":
                self.campus.to_and_fro(name, "" if (until - number) % 2 else " (Guide)")
        return {name: spell for name, (_, spell) in self._spells.items()}

    def _begin_spell(self, random: Random, name: str, number: int) -> str:
        """Have a board differ from check to check, undisturbed by anything else."""
        spell, until = random.choice(SPELLS), number + _SPELL_LASTS
        if spell == "rotating" and number - self._relinked.get(name, -_APART) < _APART:
            # The new form would count as the first turn of the token.
            spell = "counting"
        look = self.campus.page(name).look
        if spell == "counting":
            self.campus.look(name, replace(look, counts_until=until))
        elif spell == "rotating":
            self.campus.look(name, replace(look, rotates_until=until))
        self._busy[name] = until
        self._spells[name] = until, spell
        return spell

    def _follow(self, random: Random, number: int) -> None:
        free = [each for each in self.campus.departments if self._busy.get(each.id, 0) <= number]
        name = random.choice(free).id
        what = FOLLOWED[self._follows % len(FOLLOWED)]
        self._follows += 1
        style, ticks = self.campus.department(name).style, _FOLLOW_LASTS
        if what == "redesign":
            self.campus.redesign(name, SUCCESSOR[style], ticks=ticks)
        elif what == "move":
            after = random.choice((style, SUCCESSOR[style]))
            # Further back the same software would be read by the old entry, as a renumbering.
            back = random.randint(3, 8 if after == style else 25)
            self.campus.move(name, after, ticks=ticks, back=back)
        else:
            dates = self.campus.department(name).dates
            others = [spelling for spelling in self._spellings if spelling != dates]
            self.campus.respell(name, random.choice(others), ticks=ticks)
        self._redesigns[name] = number + ticks, what

    def _possible(self, what: str, name: str) -> str:
        """Return the upheaval, or a purge where the answer key could not tell what is due."""
        is_calm = self.campus.calm(self.campus.tick)
        if what == "renumber" and self.campus.page(name).hidden:
            # Of a notice that is renumbered while it is hidden, its title may not be stored.
            return "purge"
        if what in ("shift", "renumber", "turnover") and not is_calm:
            return "purge"
        # Three new forms of all links within an hour would be a token that rotates.
        if what == "relink" and self.campus.tick - self._relinked.get(name, -_APART) < _APART:
            return "purge"
        # The answer key has page 1 alone, and what was published in a trouble was not on it.
        is_fresh = self.campus.tick - self._busy.get(name, -_APART) < _APART
        if what == "turnover" and (self.campus.department(name).paged or is_fresh):
            return "purge"
        if what == "turnover" and not self._dates_tell(name):
            return "purge"
        return "purge" if what == "prefix" and self._prefixed[name] == len(_PREFIXES) else what

    def _dates_tell(self, name: str) -> bool:
        """Return whether a board's dates show its age: few lie ahead, and not all are today's."""
        rows = self.campus.page(name).normal
        days = [self.campus.day_of(max(row.published, 1)) for row in rows]
        past = [row.date for row, day in zip(rows, days, strict=True) if row.date <= day]
        return 3 * len(past) > 2 * len(rows) and min(past) < self.campus.page(name).day

    def _upheave(self, random: Random, name: str) -> str:
        """Have a board change as a whole; all its dates only on a tick without other edits."""
        what = self._possible(random.choice(UPHEAVALS), name)
        if what == "purge":
            self.campus.purge(name, random.randint(1, 10))
        elif what == "hide":
            self.campus.hide(name, random.randint(1, 4), ticks=_HIDDEN_FOR)
        elif what == "renumber":
            self.campus.renumber(name, random.randint(5_000, 9_000), half=random.random() < 0.3)
        elif what == "turnover":
            self.campus.turn_over(name)
        elif what == "prefix":
            prefix = _PREFIXES[self._prefixed[name]]
            self._prefixed[name] += 1
            self.campus.look(name, replace(self.campus.page(name).look, prefix=prefix))
        else:
            look = self.campus.page(name).look
            if what == "shift":
                look = replace(look, shift=1 - look.shift)
            else:
                self._relinked[name] = self.campus.tick
                other = random.choice(_LOOKS)
                look = replace(
                    look, scheme=other.scheme, host=other.host, parameter=other.parameter
                )
            self.campus.look(name, look)
        return what

    def _compare(self, checks: Mapping[str, Check], weather: Mapping[str, str]) -> None:
        journal = self.campus.journal
        fresh, self._heard = journal[self._heard :], len(journal)
        self.journal.update(entry.kind for entry in fresh)
        expected = Counter(
            (entry.department, entry.notice_id, entry.revision) for entry in fresh if entry.pushed
        )
        messages = self._world.messages()
        self._world.notify.messages.clear()
        pushed = Counter((each.source, each.id, each.revision) for each in messages)
        for name, check in checks.items():
            line = self.lines.setdefault(weather.get(name, "fair"), Line())
            line.checks += 1
            line.outcomes[check.outcome] += 1
        for push, count in expected.items():
            line = self.lines[weather.get(push[0], "fair")]
            line.expected += count
            if pushed[push] < count:
                line.missed.append(f"tick {self.campus.tick}: {push}")
        for push, count in (pushed - expected).items():
            line = self.lines[weather.get(push[0], "fair")]
            line.false += [f"tick {self.campus.tick}: {push}"] * count

    def upload(self) -> None:
        """Put the sitemap into the bucket, for the monitor."""
        body = json.dumps(self.campus.sitemap(), ensure_ascii=False).encode()
        self.objects.plant("config/sitemap.json", body)

    def differences(self) -> list[str]:
        """Where the archive or hot is not what the judge expects."""
        found = []
        for name, expected in self.campus.expected().items():
            lines = sum(
                len(self.objects.body(key).splitlines())
                for key in self.objects.versions
                if key.startswith(f"data/{name}/archive/")
            )
            if lines != expected.archive_lines:
                found.append(f"{name}: {lines} archive lines, {expected.archive_lines} revisions")
            items = json.loads(self.objects.body(f"data/{name}/latest.json"))["items"]
            hot = [{key: item[key] for key in expected.hot[0]} for item in items]
            # A page that was shuffled has another order than the model.
            if sorted(hot, key=_id) != sorted(expected.hot, key=_id):
                found.append(f"{name}: latest.json differs")
        return found

    def _forget(self) -> None:
        """Old versions of objects: a thousand ticks write a gigabyte of them."""
        for versions in self.objects.versions.values():
            del versions[:-1]


def _day_of(tick: int) -> date:
    """Return the day of a tick in Seoul."""
    return (_EVE + (tick - 1) * _TICK).astimezone(ZoneInfo("Asia/Seoul")).date()


def _of_new_year(department: Department) -> Department:
    """Return a department whose ids are numbers: many notices a day have no order of dates."""
    dates = _WITHOUT_YEARS.get(department.id, department.dates)
    return replace(department, dates=dates, hex_ids=False)


def _id(item: Mapping[str, Any]) -> str:
    return str(item["id"])
