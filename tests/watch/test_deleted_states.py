"""Twenty departments lose their states: all news is pushed, lines are there once, one mail."""

import json
from collections import Counter

import pytest
from fakes import Notice, page_of
from fakes.watched_world import Watched

from uring_local.operate.made_state import made_of_published

IDS = tuple(f"d{number:02}" for number in range(20))
OLD = [Notice("2", "둘"), Notice("1", "하나 <&>")]


class Departments(Watched):
    """Twenty departments, checked twice and watched."""

    def __init__(self) -> None:
        super().__init__(*IDS)
        self.tick(2)
        self.watch()

    def lose(self, *, versions: bool) -> None:
        for listed in [*self.bucket.list("state/")]:
            self.bucket.remove(listed.key)
            if not versions:
                self.bucket.versions.pop(listed.key)

    def publish(self) -> None:
        """Show a new notice on each site."""
        self.sites = dict.fromkeys(IDS, page_of([Notice("3", "셋"), *OLD]))

    def pushed(self) -> Counter[str]:
        assert {(each.id, each.kind) for each in self.messages()} <= {("3", "new")}
        return Counter(each.source for each in self.messages())

    def archived(self) -> set[tuple[str, ...]]:
        bodies = [self.bucket.body(f"data/{source}/archive/202603.jsonl") for source in IDS]
        return {tuple(json.loads(line)["id"] for line in body.splitlines()) for body in bodies}


def test_with_versions_the_next_tick_pushes_all_news_and_one_mail_says_so() -> None:
    world = Departments()
    world.lose(versions=True)
    world.publish()
    world.tick()
    assert world.pushed() == Counter(IDS)
    assert world.archived() == {("1", "2", "3")}
    for _ in range(3):
        world.watch()
        world.tick()
    ((subject, text),) = world.mail.sent
    assert subject == "uRing: 0 sources down, 0 up, 20 restored"
    assert text.splitlines()[0].startswith("RESTORED d00 (d00 학과): its state was deleted")


@pytest.mark.parametrize("remedy", ["repair", "begin again"])
def test_without_versions_one_mail_asks_and_after_the_remedy_nothing_is_lost(remedy: str) -> None:
    world = Departments()
    world.lose(versions=False)
    world.publish()
    for _ in range(3):
        world.tick()
        world.watch()
    ((subject, text),) = world.mail.sent
    assert subject == "uRing: 20 sources down, 0 up"
    assert "state_lost (lost)" in text
    assert "`uring state repair d00 --stack …`" in text
    assert not world.messages()
    assert world.archived() == {("1", "2")}
    assert {each["reason"] for each in world.index().values()} == {"state_lost"}
    for source in IDS:
        if remedy == "begin again":
            world.bucket.remove(f"data/{source}/latest.json")
            continue
        made = made_of_published(world.bucket, world.model, source)
        found = world.register.read(source)
        assert made is not None
        assert found is not None
        world.register.write(found, world.model.model_validate(made))
    world.clock.advance(7200)
    world.tick()
    world.watch()
    assert world.pushed() == (Counter(IDS) if remedy == "repair" else Counter())
    assert world.archived() == {
        ("1", "2", "3") if remedy == "repair" else ("1", "2", "1", "2", "3")
    }
    assert world.mail.sent[-1][0] == "uRing: 0 sources down, 20 up"


def test_an_old_restoring_is_not_mailed_by_a_monitor_without_memory() -> None:
    world = Departments()
    world.lose(versions=True)
    world.tick()
    world.watch()
    mails = len(world.mail.sent)
    world.bucket.remove("state/monitor/notices.json")
    world.clock.advance(days=2)
    world.tick()
    world.watch()
    assert not [line for _, text in world.mail.sent[mails:] for line in text if "RESTORED" in text]
