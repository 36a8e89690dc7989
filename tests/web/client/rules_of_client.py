"""A registry as it is published, for tests of the client: the fields of docs/regulations.md."""

import json
from typing import Any, Final
from urllib.parse import quote

from site_of_client import Site

REGISTRY: Final = "haneul_rules"
DIFFERENCE: Final = f"/data/{REGISTRY}/differences/11-12.0a1b2c3d.2.html"


def route(name: str) -> str:
    """Return the route of a regulation, as the browser spells it."""
    return f"#/rule/{REGISTRY}/{quote(name)}"


def item(name: str, file_no: str = "11", **fields: Any) -> dict[str, Any]:
    """Return a regulation of `latest.json`, first seen in January."""
    return {
        "id": name,
        "title": name,
        "fileNo": file_no,
        "status": "active",
        "lastUpdated": "2026-03-08T16:00:00Z",
        "previewUrl": f"https://rules.example.ac.kr/preview?fileNo={file_no}",
        "downloadUrl": f"https://rules.example.ac.kr/download?fileNo={file_no}",
        "link": f"https://rules.example.ac.kr/preview?fileNo={file_no}",
        "revision": 1,
        "hash": "0",
        "first_seen": "2026-01-05T16:00:00Z",
        **fields,
    }


def line(title: str, kind: str, at: str, file_no: str = "11", **fields: Any) -> dict[str, Any]:
    """Return a line of the archive."""
    event = {"event_id": f"{title}-{kind}-{at}", "kind": kind, "detected_at": at, "push": True}
    return {**item(title, file_no), **event, **fields}


def text_line(title: str, at: str, **fields: Any) -> dict[str, Any]:
    """Return a line about a regulation's text."""
    return {
        "event_id": f"text-{title}-{at}",
        "kind": "text_changed",
        "detected_at": at,
        "push": True,
        "id": "text/0f7e49f8aaca83e2de515f40",
        "title": title,
        "fileNo": "12",
        "articles_changed": "2",
        "text": f"/data/{REGISTRY}/texts/12.md",
        "difference": DIFFERENCE,
        "revision": 2,
        "hash": "1",
        "first_seen": "2026-01-05T16:00:00Z",
        **fields,
    }


def publish(
    site: Site, items: list[Any], months: dict[str, list[Any]] | None = None, **fields: Any
) -> None:
    """Publish a registry with its archive, by month."""
    meta = {"name": "하늘대학교 규정", "last_updated": "2026-03-08T16:00:00Z", "seq": 1}
    site.put(f"{REGISTRY}/latest.json", {"meta": meta, "items": items})
    for month, lines in (months or {}).items():
        site.put(f"{REGISTRY}/archive/{month}.jsonl", lines)
    source = {"id": REGISTRY, "name": "하늘대학교 규정", "status": "ok", **fields}
    site.put("index.json", {"registries": [source]})


def text(site: Site, file_no: str, body: str, **head: Any) -> None:
    """Publish a regulation's text below its head."""
    told = {"title": "학칙", "readAt": "2026-03-08T16:00:00Z", "notes": [], **head}
    lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in told.items())
    site.data[f"{REGISTRY}/texts/{file_no}.md"] = f"---\n{lines}---\n\n{body}".encode()
