"""The page of a regulation: its text among a site's menus and scripts."""

import html as markup
import re
from typing import Final

from uring_local.sites.files.paper import Paper, Table

_CHAPTER: Final = re.compile(r"제\d+[편장절관](의\d+)? ")
_PAGE: Final = """<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<title>{title} | 규정집</title>
<style>.law {{ line-height: 1.6 }}</style>
<script>var visits = [["count", 1]];</script>
</head>
<body>
<nav><ul><li><a href="/">처음</a></li><li><a href="javascript:go('list')">목록</a></li></ul></nav>
<main class="law">
<h1>{title}</h1>
{body}
</main>
<script src="/print.js"></script>
</body>
</html>
"""


def html(paper: Paper) -> bytes:
    """Return the paper as a page in UTF-8."""
    body = "\n".join(
        _table(paragraph) if isinstance(paragraph, Table) else _paragraph(paragraph)
        for paragraph in paper.paragraphs
    )
    return _PAGE.format(title=markup.escape(paper.title), body=body).encode()


def _paragraph(text: str) -> str:
    tag = "h2" if _CHAPTER.match(text) else "p"
    return f"<{tag}>{markup.escape(text).replace(chr(10), '<br>')}</{tag}>"


def _table(table: Table) -> str:
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{_span('rowspan', cell.rows)}{_span('colspan', cell.columns)}>"
            f"{markup.escape(cell.text).replace(chr(10), '<br>')}</td>"
            for cell in cells
        )
        + "</tr>"
        for cells in table.rows
    )
    return f"<table><tbody>\n{rows}\n</tbody></table>"


def _span(name: str, count: int) -> str:
    return f' {name}="{count}"' if count > 1 else ""
