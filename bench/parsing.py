"""Pages read into rows, beside lexbor alone: tree, rows, three selectors and a text of each."""

from dataclasses import dataclass
from datetime import date
from statistics import median
from time import process_time_ns
from typing import Any, Final

from pages import entry, filled
from pages import page as bench_page
from selectolax.lexbor import LexborHTMLParser

from uring.notices.page import read_page
from uring.notices.source import Source

_TODAY: Final = date(2026, 3, 2)
_TURNS: Final = 40
_URL: Final = "https://www.example.ac.kr/board/list.do"
_K2WEB: Final = """<tr class="{css}">
<td class="td-num">{n}</td>
<td class="td-subject"><a href="/bbs/cse/775/{n}/artclView.do" onclick="jf_view('{n}');">
<strong>제{n}회 {title} 안내</strong></a></td>
<td class="td-write">학과사무실</td><td class="td-date">2026.02.{day:02}</td>
<td class="td-access">{views}</td></tr>
"""
_GNUBOARD: Final = """<tr class="{css}"><td class="td_num">{n}</td>
<td class="td_subject"><a href="https://www.example.ac.kr/board/board.php?bo_table=notice&amp;wr_id={n}">
제{n}회 {title} 안내 <span class="cnt_cmt">{day}</span></a></td>
<td class="td_name"><span class="sv_member">학과사무실</span></td>
<td class="td_datetime">02-{day:02}</td><td class="td_num">{views}</td></tr>
"""
_MODE_LIST: Final = """<tr class="{css}"><td class="b-num-box">\n\n\t\t\t\t\t{n}\n\n</td>
<td class="b-td-left"><div class="b-title-box">\n\n\n\t\t\t\t
<a href="?mode=view&amp;articleNo={n}&amp;article.offset=0&amp;articleLimit=10" title="자세히 보기">
\t\t\t\t\t\t제{n}회 {title} 안내\n\n\n\t\t\t\t</a><div class="b-m-con">
<span class="b-cate">학사</span> <span class="b-writer">학사팀</span>
<span class="b-date">\n\t\t26.02.{day:02}\n</span>
<span class="hit">조회수 {views}</span></div></div></td>
<td>학사팀</td></tr>
"""
_KBOARD: Final = """<tr class="{css}"><td class="kboard-list-uid">{n}</td>
<td class="kboard-list-title"><a href="/notice/?mod=document&amp;uid={n}&amp;pageid=1">
<div class="kboard-default-cut-strings">제{n}회 {title} 안내
<span class="kboard-comments-count">({day})</span></div></a></td>
<td class="kboard-list-user">사무실</td><td class="kboard-list-date">2026.02.{day:02}</td>
<td class="kboard-list-view">{views}</td></tr>
"""
_SHAPES: Final = (
    # Name, preset, the table around the rows, a row, how many, KB of the page.
    ("k2web", "k2web", "board-table", _K2WEB, 30, 42),
    ("k2web, long", "k2web", "board-table", _K2WEB, 99, 199),
    ("mode_list, large", "mode_list", "board-table", _MODE_LIST, 17, 447),
    ("gnuboard", "gnuboard", "tbl", _GNUBOARD, 15, 20),
    ("kboard", "kboard", "kboard-list", _KBOARD, 19, 39),
)


@dataclass(frozen=True, slots=True)
class ParseFigures:
    """Of one page: its size, and CPU milliseconds of its tree, of lexbor alone, of reading it."""

    page: str
    kilobytes: int
    rows: int
    tree: float
    bare: float
    read: float


def measure_parsing() -> list[ParseFigures]:
    """Read every page; the three ways take turns, so that all have the machine at its moods."""
    return [_measured(name, source, text) for name, source, text in _boards()]


def parsing_text(figures: list[ParseFigures]) -> str:
    """Return the table for people."""
    lines = [
        f"Pages read into rows, CPU ms, medians of {_TURNS}; bare is lexbor alone: tree,",
        "rows, three selectors and a text of each:",
        "",
        f"{'':18}{'KB':>6}{'rows':>6}{'tree':>8}{'bare':>8}{'read':>8}{'ratio':>7}",
    ]
    for it in figures:
        times = f"{it.tree:8.2f}{it.bare:8.2f}{it.read:8.2f}{it.read / it.bare:7.1f}"
        lines.append(f"{it.page:18}{it.kilobytes:6}{it.rows:6}{times}")
    return "\n".join(lines)


def _boards() -> list[tuple[str, Source, str]]:
    boards = [("25 rows", Source.model_validate(entry(1, "a.example")), bench_page(1).decode())]
    for name, preset, css, row, rows, kilobytes in _SHAPES:
        known: dict[str, Any] = {"id": "board", "name": name, "url": _URL, "preset": preset}
        lines = "".join(
            row.format(
                n=9_000 - place, css="", title="수강신청 변경", day=1 + place % 28, views=7 * place
            )
            for place in range(rows)
        )
        table = f'<div class="{css}"><table class="{css}"><tbody>{lines}</tbody></table></div>'
        text = filled(1, table.encode(), kilobytes * 1_000).decode()
        boards.append((name, Source.model_validate(known), text))
    return boards


def _measured(name: str, source: Source, text: str) -> ParseFigures:
    rows = len(read_page(source, text, source.url, _TODAY).items)
    fields = source.fields
    selectors = [rule.select for rule in (fields.id, fields.title, fields.date) if rule]

    def bare() -> None:
        for row in LexborHTMLParser(text).css(source.rows.select):
            for selector in selectors:
                row.css_first(selector or "*")
            row.text()

    ways = (
        lambda: LexborHTMLParser(text),
        bare,
        lambda: read_page(source, text, source.url, _TODAY),
    )
    taken: list[list[float]] = [[] for _ in ways]
    for _ in range(_TURNS):
        for way, times in zip(ways, taken, strict=True):
            before = process_time_ns()
            way()
            times.append((process_time_ns() - before) / 1e6)
    tree, alone, read = (median(times) for times in taken)
    return ParseFigures(name, len(text.encode()) // 1_000, rows, tree, alone, read)
