"""`uring try` on numbers that the list shows, fragments that are cut, and rows with siblings."""

import json
from typing import Any

import pytest

from uring.notices.source import Source
from uring_local.entries.notices import NOTICE_ENTRIES
from uring_local.entries.trial_read import FetchedPage, TrialRead, trial_read

URL = "https://moss.example.ac.kr/list.do"
TITLES = ["이끼 정원 개방", "온실 난방 점검", "식물 표본 기증", "겨울눈 관찰회", "씨앗 나눔 행사"]


def tried(row: str, fields: dict[str, Any], rows: Any = "tr", wrap: str = "") -> TrialRead:
    body = "".join(
        row.format(n=20 - at, id=5000 + 7 * at, t=title, d=f"2026-01-{20 - at}")
        for at, title in enumerate(TITLES)
    )
    page = (
        wrap.replace("ROWS", body) if wrap else f"<html><body><table>{body}</table></body></html>"
    )
    entry = {"id": "moss", "name": "이끼", "url": URL, "rows": rows}
    source = Source.model_validate(entry | {"fields": {"title": "a", "date": ".d"} | fields})
    return trial_read(NOTICE_ENTRIES, source, FetchedPage(page.encode(), "text/html", URL))


HREF = {"select": "a", "attribute": "href"}
ROW = '<tr><td>{n}</td><td><a href="v?no={n}">{t}</a></td><td class=d>{d}</td></tr>'
BESIDE = ROW.replace("v?no={n}", "v?no={n}&amp;sn={id}")
IN_PATH = ROW.replace("v?no={n}", "/n/{n}")
IN_CALL = ROW.replace('href="v?no={n}"', 'href="#" onclick="go({n})"')


@pytest.mark.parametrize(
    ("row", "key", "advice"),
    [
        (ROW, HREF | {"parameter": "no"}, None),
        (ROW, HREF | {"pattern": r"no=(\d+)"}, None),
        (IN_PATH, HREF | {"segment": -1}, None),
        (ROW, {"select": "td"}, '"parameter": "no"'),
        (BESIDE, HREF | {"parameter": "no"}, '"parameter": "sn"'),
        (BESIDE, HREF | {"parameter": "sn"}, None),
    ],
)
def test_a_shown_number_is_an_id_where_the_address_has_it_and_nothing_else(
    row: str, key: dict[str, Any], advice: str | None
) -> None:
    trial = tried(row, {"id": key, "link": "a"})
    assert [item.title for item in trial.page.items] == TITLES
    assert (advice is None) is trial.well
    assert advice is None or advice in trial.advice[0]


def test_a_shown_number_in_a_call_is_refused() -> None:
    key = {"select": "a", "attribute": "onclick", "argument": 1}
    trial = tried(IN_CALL, {"id": key, "link": {"template": "v?no={id}"}})
    assert "look for an id in the links' addresses" in trial.advice[0]


def test_links_that_lost_what_tells_them_apart_are_named() -> None:
    row = ROW.replace("v?no={n}", "/app/#/n/{id}")
    key = HREF | {"pattern": r"/n/(\d+)"}
    trial = tried(row, {"id": key, "link": "a"})
    assert '"fragment": true' in trial.advice[0]
    assert tried(row, {"id": key, "link": {"select": "a", "fragment": True}}).well
    noise = ROW.replace("v?no={n}", "v?no={id}#content")
    assert tried(noise, {"id": HREF | {"parameter": "no"}, "link": "a"}).well


def test_advice_reads_siblings_and_markup_in_json() -> None:
    two = (
        '<tr class=t><td><a href="v?no={id}">{t}</a></td></tr><tr class=i><td class=d>{d}</td></tr>'
    )
    fields = {"id": HREF | {"parameter": "no"}, "link": "a"}
    assert tried(two, fields, {"select": "tr.t", "next": "tr.i"}).well
    alone = tried(two, fields, "tr.t")
    assert "date" in alone.advice[0]
    answer = json.dumps({"html": "ROWS"})
    quoted = ROW.replace('"', "'").replace("{n}", "{id}")
    assert tried(quoted, fields, {"select": "tr", "markup": "html"}, answer).well
    lost = tried(quoted, fields, {"select": "li", "markup": "html"}, answer)
    assert lost.trouble is not None
    assert "it has 5 rows with links" in lost.advice[0]
