"""An index in three parts: `index.json` before "g", a shard before "m", a shard to the end."""

from typing import Any, Final

import notices_published
from site_of_client import Site

SHARDS: Final = [{"from": "g", "path": "index.g.json"}, {"from": "m", "path": "index.m.json"}]
_NOTICES: Final = {"view": "notices", "family": "notices", "word": {"ko": "학과", "en": "Boards"}}
PLACES: Final = {"index.json": "cse", "index.g.json": "law", "index.m.json": "nursing"}
NAMES: Final = {
    "cse": "누리솔대 컴퓨터공학과",
    "law": "누리솔대 법학과",
    "nursing": "누리솔대 간호학과",
}
PATHS: Final = [*PLACES]


def entry(source: str, **fields: Any) -> dict[str, Any]:
    """Return an entry whose topic is not its id."""
    name = NAMES.get(source, source)
    told = {"name": name, "topic": f"{source}-topic"}
    return notices_published.department(source, **{**told, **fields})


def put(site: Site, path: str, *entries: dict[str, Any], **others: Any) -> None:
    """Publish one of the three."""
    shards = {"shards": SHARDS} if path == "index.json" else {}
    families = {"departments": {**_NOTICES, **shards}}
    document = {"generated_at": notices_published.UPDATED, "families": families}
    site.put(path, {**document, "departments": [*entries], **others})


def publish(site: Site) -> None:
    """Publish a board in each, the one of the last shard in trouble, and their notices."""
    for number, (path, source) in enumerate(PLACES.items(), 1):
        ill = {"status": "failed", "class": "transient", "reason": "timeout"}
        put(site, path, entry(source, **(ill if source == "nursing" else {})))
        notices_published.publish(
            site, source, [notices_published.notice(number)], dept_name=NAMES[source]
        )


def asked(site: Site) -> list[str]:
    """Return which of the three were asked for, each once, in order."""
    return sorted({path.removeprefix("/data/") for _, path, _, _ in site.log} & {*PATHS})
