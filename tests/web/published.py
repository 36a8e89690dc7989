"""A stack with every family, each of its views with something to show."""

from typing import Final

import notices_published
import weather_day
import weather_of_client
from site_of_client import Site

# An address of each route of the client; test_axe says which one is missing.
ROUTES: Final = {
    "home": "#/",
    "sources": "#/sources",
    "source": "#/source/cse",
    "item": "#/item/cse/1",
    "due": "#/due",
    "kept": "#/kept",
    "rules": "#/rules",
    "registry": "#/rules/haneul_rules",
    "regulation": "#/rule/haneul_rules/%ED%95%99%EC%B9%99",
    "weather": "#/weather",
    "airport": "#/weather/RKSI",
    "lists": "#/lists",
    "family": "#/family/ferries",
    "items": "#/family/ferries/west_pier",
    "settings": "#/settings",
}
FOLLOWED: Final = ["cse", "law", "RKSI"]
_REGULATION: Final = {
    "id": "학칙",
    "title": "학칙",
    "revision": 2,
    "hash": "0" * 40,
    "first_seen": "2026-01-05T00:00:00Z",
    "category": "1. 학칙",
    "date": "2026-03-01",
    "link": "https://rules.example/11",
    "is_pinned": False,
    "fileNo": "11",
}
_SHARD: Final = {
    "id": "sg-news.1of2",
    "name": "Singapore: news",
    "status": "failed",
    "class": "failing",
    "reason": "timeout",
    "since": "2026-03-01T00:00:00Z",
    "last_success": "2026-02-28T00:00:00Z",
    "topic": "sg-news",
}


def publish(site: Site) -> None:
    """Publish departments with troubles, weather with warnings, a registry and a watch."""
    notices_published.campus(site)
    items = [
        notices_published.notice(
            1, "장학금 신청 안내", is_pinned=True, revision=2, category="장학"
        ),
        notices_published.notice(2, "수강 신청 <b>변경</b>"),
    ]
    notices_published.publish(site, "cse", items)
    lines = [
        notices_published.line({**items[0], "revision": 1, "title": "장학금 안내"}),
        notices_published.line(items[0], "edited", "2026-03-19T00:00:00Z"),
        notices_published.line(items[1]),
    ]
    site.put("cse/archive/202603.jsonl", lines)
    weather_of_client.publish(
        site,
        {icao: weather_of_client.metar(icao, category) for icao, category in _SKIES.items()},
        {"RKSI": weather_of_client.taf("RKSI", timeline=weather_day.timeline())},
        {"RKSI": [weather_of_client.warning("1", "2026-03-02T00:00:00Z", "2026-03-02T06:00:00Z")]},
    )
    day = weather_day.rough_day()
    site.put("metar/RKSI/day.json", weather_day.metar_day(day))
    tafs = [weather_day.issued(day[hour]["time"], "IFR", "LIFR") for hour in (0, 20)]
    site.put("taf/RKSI/day.json", weather_day.taf_day(tafs))
    meta = {"dept_name": "하늘대학교 규정집", "last_updated": "2026-03-11T16:00:00Z", "seq": 1}
    site.put("haneul_rules/latest.json", {"meta": meta, "items": [_REGULATION]})
    line = {"event_id": "r1", "kind": "edited", "detected_at": "2026-03-11T16:00:00Z"}
    site.put("haneul_rules/archive/202603.jsonl", [{**line, "push": True, **_REGULATION}])
    notices_published.publish(site, "west_pier", [notices_published.notice(1, "결항 안내")])
    failing = notices_published.department("law", status="failed", reason="timeout")
    site.put(
        "index.json",
        {
            "generated_at": notices_published.UPDATED,
            "departments": [
                notices_published.department("cse"),
                {**failing, "class": "failing", "since": "2026-03-18T00:00:00Z"},
                notices_published.department("art"),
            ],
            "registries": [notices_published.department("haneul_rules")],
            "weather": [{**one, "topics": [*_SKIES]} for one in weather_of_client.entries({})],
            "watches": [_SHARD],
            "ferries": [notices_published.department("west_pier")],
        },
    )


_SKIES: Final = {"RKSI": "VFR", "RKPC": "MVFR", "RKSS": "IFR", "RKPK": "LIFR"}
