"""The week so far: every action, done once, and the expected store after it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from uring_local.sites.office.actions import (
    Action,
    Edit,
    Read,
    Refused,
    Remove,
    Stray,
    Submit,
    Upload,
)
from uring_local.sites.office.diary import Diary
from uring_local.sites.office.judge.edits import Accepted
from uring_local.sites.office.ledger import Ledger, PageState
from uring_local.sites.office.people import People
from uring_local.sites.office.post import Post
from uring_local.sites.office.script import Script, is_janitors_tick


class Week:
    """The player of a script, which continues from its diary.

    Attributes:
        tick: begun last; 0 before the first.
        ledger: the expected store after it.
        edits: accepted so far.
        jobs: of this tick, by id: the action, and the expected end.
        lives: number of times that each page was cleared.
    """

    def __init__(self, seed: int, diary: Diary) -> None:
        self._script = Script(seed)
        self._diary = diary
        self.tick = 0
        self.ledger = Ledger()
        self.edits: list[Accepted] = []
        self.jobs: dict[str, tuple[Submit, str]] = {}
        self.lives: Counter[str] = Counter()
        self.actions: Counter[str] = Counter()

    @property
    def pages(self) -> Mapping[str, PageState]:
        """The expected pages, by name."""
        return self.ledger.pages

    @property
    def of_tick(self) -> list[Accepted]:
        """The edits of this tick."""
        return [each for each in self.edits if each.tick == self.tick]

    def begin(self, tick: int) -> None:
        """Begin a tick."""
        self.tick = tick
        self.jobs = {}
        self.ledger.begin(is_janitors=is_janitors_tick(tick))

    def replay(self, tick: int) -> None:
        """Take in a tick that an earlier process has finished.

        Raises:
            KeyError: the diary lacks an action of the tick.
        """
        self.begin(tick)
        for number, action in enumerate(self._script.actions(tick)):
            self._take(action, self._diary.done[f"{tick}/{number}"])

    def act(self, people: People, post: Post) -> None:
        """Do the actions of the tick that are not noted as done, then deliver the late events."""
        for number, action in enumerate(self._script.actions(self.tick)):
            name = f"{self.tick}/{number}"
            if name not in self._diary.done:
                self._diary.note(done=name, came=self._do(action, people, post))
            self._take(action, self._diary.done[name])
        post.deliver()

    def _do(self, action: Action, people: People, post: Post) -> dict[str, Any]:
        match action:
            case Upload(page, source, version, events):
                post.upload(f"pages/{page}/attachments/{source}", version.body, events)
            case Remove(page, source, events):
                post.remove(f"pages/{page}/attachments/{source}", events)
            case Stray(key):
                post.upload(key, key.encode())
            case Submit():
                return {"jobs": people.submit(action)}
            case Edit():
                return {"edits": people.edit(action)}
            case Refused():
                people.be_refused(action)
            case Read(page):
                people.read(page, self.pages[page])
        return {}

    def _take(self, action: Action, came: Mapping[str, Any]) -> None:
        self.actions[type(action).__name__.lower()] += 1
        match action:
            case Upload():
                self.ledger.upload(action)
            case Remove():
                self.ledger.remove(action)
            case Stray(key):
                self.ledger.stray(key.split("/")[1])
            case Submit():
                end = self.ledger.submit(action)
                self.jobs |= dict.fromkeys(came["jobs"], (action, end))
                self.lives[action.page] += action.operation == "clear"
            case Edit():
                self._edited(action, came["edits"])

    def _edited(self, action: Edit, accepted: list[dict[str, Any]]) -> None:
        quotes = self.pages[action.page].find(action.words, action.sources)
        for each in sorted(accepted, key=lambda edit: int(edit["version"])):
            self.ledger.edited(action.page, quotes, action.kind, each["value"])
            name, version = each["issue"], each["version"]
            # Two editors with one value are one edit.
            is_other = not self.edits or (self.edits[-1].issue, self.edits[-1].version) != (
                name,
                version,
            )
            if each["is_new"] and is_other:
                life = self.lives[action.page]
                self.edits.append(Accepted(action.page, name, life, self.tick, version))
