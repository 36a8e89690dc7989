"""Raw files and the web around them: short stories, each for one way in which it goes."""

from dataclasses import replace
from typing import Final

from fakes.seeds import PARTITION
from scenarios import SETTLED_AT_ONCE
from seed_world import FOR_EVER, OTHER_PARTITION, Content, SeedScenario

_ONE: Final = (PARTITION, 1)
_TWO: Final = (PARTITION, 2)

_BY_DOMAINS: Final = (
    SeedScenario(
        "seeds: a file of several checkpoints",
        {_ONE: Content(("a.com", "!no url", "b.com", "a.com", "c.com", "b.com"))},
        missing=frozenset({"c.com"}),
    ),
    SeedScenario(
        "seeds: one domain in two files, and under two ids",
        {_ONE: Content(("a.com", "b.com", "org/a.com")), _TWO: Content(("gov/b.com", "a.com"))},
    ),
    SeedScenario(
        "seeds: handed over",
        {_ONE: Content(("a.com", "b.com", "a.com", "c.com", "c.com"))},
        hands_over=True,
    ),
    SeedScenario(
        "seeds: a file that becomes another one",
        {_ONE: Content(("a.com", "b.com", "c.com"))},
        becomes={_ONE: Content(("c.com", "d.com", "c.com", "a.com"))},
    ),
    SeedScenario(
        "seeds: bad records among good ones",
        {_ONE: Content(("!?no json", "a.com", "!no url", "b.com", "!?again", "c.com", "a.com"))},
        becomes={_ONE: Content(("a.com", "!?another", "d.com"))},
        hands_over=True,
    ),
    SeedScenario(
        "seeds: a file that breaks off", {_ONE: Content(("a.com", "b.com", "c.com"), is_cut=True)}
    ),
    SeedScenario(
        "seeds: collected again by force",
        {_ONE: Content(("a.com", "b.com", "a.com")), _TWO: Content(("b.com",))},
        before=True,
        is_forced=True,
    ),
    SeedScenario(
        "seeds: forced while it is handed over",
        {_ONE: Content(("a.com", "b.com", "c.com"))},
        hands_over=True,
        forced_after=1,
    ),
    SeedScenario(
        "seeds: a domain that answers at the second try",
        {_ONE: Content(("a.com", "b.com")), _TWO: Content(("a.com",))},
        down={"a.com": 1},
    ),
    SeedScenario(
        "seeds: a domain that stays down",
        {_ONE: Content(("a.com", "b.com")), _TWO: Content(("a.com",))},
        down={"a.com": FOR_EVER},
    ),
    SeedScenario(
        "seeds: forced, and down by now",
        {_ONE: Content(("a.com",)), _TWO: Content(("a.com",))},
        before=True,
        is_forced=True,
        down={"a.com": FOR_EVER},
    ),
    SeedScenario(
        "seeds: given back for want of time",
        {_ONE: Content(("a.com",)), _TWO: Content(("a.com",))},
        hurried=2,
    ),
    SeedScenario(
        "seeds: one domain in two partitions",
        {_ONE: Content(("a.com", "b.com")), (OTHER_PARTITION, 1): Content(("a.com",))},
    ),
    SeedScenario(
        "seeds: down in two partitions",
        {_ONE: Content(("a.com",)), (OTHER_PARTITION, 1): Content(("a.com",))},
        down={"a.com": FOR_EVER},
    ),
    SeedScenario(
        "seeds: paused and resumed",
        {_ONE: Content(("a.com", "b.com")), _TWO: Content(("a.com", "c.com"))},
        commands=((1, "pause"), (4, "resume")),
    ),
    SeedScenario(
        "seeds: stopped, and orchestrated again",
        {_ONE: Content(("a.com", "b.com", "a.com")), _TWO: Content(("a.com", "c.com"))},
        commands=((1, "stop"), (3, "orchestrate")),
    ),
    SeedScenario(
        "seeds: paused and stopped while it is handed over",
        {_ONE: Content(("a.com", "b.com", "c.com"))},
        hands_over=True,
        commands=((1, "pause"), (2, "stop"), (2, "orchestrate")),
    ),
)

# The same stories, told in ranges; then those that only ranges have.
_BY_RANGES: Final = (
    *(replace(each, name=f"{each.name}, by ranges", ranges=True) for each in _BY_DOMAINS),
    SeedScenario(
        "seeds: the rest of a range",
        {_ONE: Content(("a.com", "b.com", "c.com")), _TWO: Content(("b.com", "d.com"))},
        ranges=True,
        short=2,
    ),
    SeedScenario(
        "seeds: the rest of a range whose domain is down",
        {_ONE: Content(("a.com", "b.com"))},
        ranges=True,
        short=1,
        down={"b.com": 1},
    ),
    SeedScenario(
        "seeds: a range of more domains than are settled at once",
        {_ONE: Content(tuple(f"d{number}.com" for number in range(SETTLED_AT_ONCE + 2)))},
        ranges=True,
        stride=SETTLED_AT_ONCE + 2,
        down={"d3.com": 1},
    ),
    SeedScenario(
        "seeds: evidence in segments",
        {_ONE: Content(("a.com", "b.com", "c.com"))},
        ranges=True,
        evidence="segments",
    ),
)

_REFILLED: Final = (
    SeedScenario(
        "seeds: a batch that is refilled",
        {_ONE: Content(("a.com", "b.com", "c.com")), _TWO: Content(("a.com", "d.com"))},
        refills=True,
    ),
    SeedScenario(
        "seeds: a batch that is refilled with a domain that is down",
        {_ONE: Content(("a.com", "b.com", "c.com"))},
        down={"b.com": FOR_EVER},
        refills=True,
    ),
    SeedScenario(
        "seeds: a batch that is refilled while its partition is paused",
        {_ONE: Content(("a.com", "b.com")), _TWO: Content(("a.com", "c.com"))},
        commands=((1, "pause"), (4, "resume")),
        refills=True,
    ),
)

SEED_SCENARIOS: Final = (*_BY_DOMAINS, *_BY_RANGES, *_REFILLED)
