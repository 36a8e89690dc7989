"""The store between two ticks: the table's items and the bucket's texts."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from uring_local.sites.stage.published import Published

TABLE: Final = "DocumentTable"
JOBS: Final = "job"
SYSTEM: Final = "system"
POLICY: Final = "policy:"
ISSUE: Final = "issue:"
COST: Final = "cost:"
LOCKS: Final = "locks"

Item = Mapping[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """The content of the store at one moment.

    Attributes:
        pages: items by page and key.
        jobs: statuses by id.
        system: the janitor's mark.
        bodies: the write time of each stored text, by key in the bucket.
        texts: the texts that a policy names, by key.
    """

    pages: Mapping[str, Mapping[str, Item]]
    jobs: Mapping[str, Item] = field(default_factory=dict)
    system: Mapping[str, Item] = field(default_factory=dict)
    bodies: Mapping[str, datetime] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def named(self) -> frozenset[str]:
        """The keys of the bodies that an item names."""
        return frozenset(
            str(item["body"])
            for items in self.pages.values()
            for item in items.values()
            if item.get("body")
        )

    def items(self, page: str, prefix: str) -> dict[str, Item]:
        """Return a page's items with a prefix, by key without the prefix."""
        items = self.pages.get(page, {})
        return {key.removeprefix(prefix): items[key] for key in items if key.startswith(prefix)}


def read(published: Published, pages: Iterable[str], kept: Mapping[str, str]) -> Snapshot:
    """Read the stored data of pages.

    Args:
        published: the table and the bucket.
        pages: to read.
        kept: texts that were read before, by key; a key is never written twice.
    """
    items = {page: published.table(TABLE, page) for page in pages}
    bodies = {
        key: written for key, written in published.written("pages/").items() if "/bodies/" in key
    }
    named = {
        str(item["body"])
        for each in items.values()
        for key, item in each.items()
        if key.startswith(POLICY)
    }
    texts = {
        key: kept[key] if key in kept else published.body(key).decode()
        for key in named & bodies.keys()
    }
    # Beside the statuses are notes of the newest open job of each work.
    jobs = {
        key: item
        for key, item in published.table(TABLE, JOBS).items()
        if not key.startswith("open:")
    }
    return Snapshot(items, jobs, published.table(TABLE, SYSTEM), bodies, texts)


def references(issue: Item) -> list[dict[str, Any]]:
    """Return the places that an issue's item quotes."""
    found: list[dict[str, Any]] = json.loads(issue["references"])
    return found
