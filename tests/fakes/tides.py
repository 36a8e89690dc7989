"""A second family with a configuration file: tide tables of harbours."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from uring.reading.rules import LinkRule, Rule, ValueRule
from uring.sources.entry import Entry
from uring.sources.presets import Presets


class TideFields(Rule):
    """What a row of a tide table has."""

    hour: ValueRule
    chart: LinkRule


class TideTable(Entry):
    """One harbour."""

    presets: ClassVar[Presets] = {"harbour": {"rows": "tr.tide", "expect": {"min_rows": 2}}}

    interval_minutes: int = 1440
    fields: TideFields

    @property
    def telling_rules(self) -> Iterable[ValueRule]:
        return (self.fields.chart,)


KEY: Final = "tables"
WHAT: Final = "the tide tables"
HEAD: Final = {"id": "mokpo", "name": "목포항", "url": "https://harbour.example.kr/tides?page=1"}
FIELDS: Final = {"hour": "td", "chart": {"select": "a", "parameter": "page"}}
ENTRY: Final[dict[str, Any]] = {**HEAD, "preset": "harbour", "fields": FIELDS}
