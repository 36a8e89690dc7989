"""Advice for lists in which one id stands for several notices: what would tell them apart."""

import json
from collections.abc import Iterator
from typing import Any, Final

from uring.errors import SuspectPage
from uring.notices.guards import judge_ids
from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.sources.rows import Page
from uring_local.propose.ids import telling_parameter

_FEEDS: Final = ("rss", "atom")


def shared_ids(source: Source, page: Page[NoticeItem]) -> Iterator[str]:
    """Yield a sentence that names a better rule for the id, if rows share one."""
    try:
        judge_ids(page.rows)
    except SuspectPage:
        better = telling_rule(source, page)
        remedy = (
            f'write "id": {json.dumps(better, ensure_ascii=False)}'
            if better
            else "no part of their links tells them apart either; look for a number in the rows' "
            'attributes, or combine parts, such as the section and the number, with "further"'
        )
        yield f"id: several notices share an id; {remedy}"


def telling_rule(source: Source, page: Page[NoticeItem]) -> dict[str, Any] | None:
    """Return a rule for ``fields.id`` that differs from notice to notice; None without one.

    It reads the link, its parameter first. An id that tells the notices of a section apart gets
    the category as its further part.
    """
    items = [row.item for row in page.rows if row.item is not None and not row.item.is_pinned]
    titles: dict[str, str] = {}
    for item in items:
        titles.setdefault(item.link, item.title)
    rule = source.fields.link
    if all(titles[item.link] == item.title for item in items) and rule.template is None:
        links = list(titles)
        name = telling_parameter(links)
        base: dict[str, Any] = {} if rule.select is None else {"select": rule.select}
        if source.kind == "html":
            base["attribute"] = rule.attribute or "href"
        if name is not None:
            return {**base, "parameter": name}
        if source.kind in _FEEDS or len(links) > 1:
            return base
    own = source.fields.id.model_dump(mode="json", exclude_defaults=True)
    category = source.fields.category
    parts = {(item.id, item.category): item.title for item in items if item.category}
    is_told = len(parts) == len({(item.id, item.title) for item in items})
    if category is not None and is_told:
        return {**own, "further": [category.model_dump(mode="json", exclude_defaults=True)]}
    return None
