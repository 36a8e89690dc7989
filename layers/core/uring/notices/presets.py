"""Presets: the common rules of the board systems that many universities run.

An entry with ``"preset": "k2web"`` gives its id, name, address, and the rules by which its skin
differs. The preset gives the rest.
"""

from typing import Final

from uring.sources.presets import Presets

PRESETS: Final[Presets] = {
    # K2Web Wizard: /bbs/{site}/{board}/artclList.do; the older skin has _artcl classes.
    "k2web": {
        "rows": {
            "select": "table.board-table > tbody > tr, table.artclTable > tbody > tr",
            "drop": ["tr.blind"],
        },
        "fields": {
            "id": {
                "select": "td.td-subject a, td._artclTdTitle a",
                "attribute": "href",
                "pattern": r"/(\d+)/artclView\.do",
            },
            # The anchor also holds "[ 일반공지 ]" and a badge; some skins have no strong in it.
            "title": {
                "select": "td.td-subject strong, td._artclTdTitle strong, "
                "td.td-subject a:not(:has(strong)), td._artclTdTitle a:not(:has(strong))",
                "drop": [".new", ".newArtcl"],
                "strip": ["[ 일반공지 ]", "[일반공지]"],
            },
            "date": "td.td-date, td._artclTdRdate",
            "link": "td.td-subject a, td._artclTdTitle a",
        },
        "pinned": ["tr.notice", "tr.headline"],
        "paging": {"parameter": "page"},
    },
    # JSP sites whose list is ?mode=list and whose notices are ?mode=view&articleNo=
    "mode_list": {
        "rows": "table.board-table tbody tr",
        "fields": {
            "id": {"select": ".b-title-box > a", "attribute": "href", "parameter": "articleNo"},
            "title": {"select": ".b-title-box > a", "drop": ["span.b-notice"]},
            # Some departments have the date only in the last column.
            "date": ".b-date, td:last-child",
            "category": {"select": ".b-cate", "optional": True},
            # As on page 1: the page's own links carry the number of the page they are on.
            "link": {"template": "?mode=view&articleNo={id}&article.offset=0&articleLimit=10"},
        },
        "pinned": [
            "tr.b-top-box",
            "tr.b-cate-notice",
            {"select": "td.b-num-box", "text": "공지"},
        ],
        "paging": {"parameter": "article.offset", "first": 0, "step": 10},
    },
    # board.php?bo_table=; old notices show a date, this year's 08-03, today's 15:58.
    "gnuboard": {
        "rows": {"select": "table tbody tr", "drop": ["td.empty_table"]},
        "fields": {
            "id": {"select": "a[href*='wr_id=']", "attribute": "href", "parameter": "wr_id"},
            "title": {
                "select": "td.title a, .bo_tit a, td.td_subject a[href*='wr_id='], "
                "td.list-subject a[href*='wr_id=']",
                "drop": [".cnt_cmt", ".sound_only", ".bo_cate_link", ".new_icon"],
            },
            "date": {
                "select": "td.td_datetime, td.td_date, td.datetime, td:not([class]):nth-child(4)",
                "formats": ["%Y-%m-%d", "%Y. %m. %d", "%y-%m-%d", "%m-%d", "%m. %d", "%H:%M"],
            },
            "category": {"select": "span.cate, a.bo_cate_link", "optional": True},
            "link": "td.title a, .bo_tit a, td.td_subject a[href*='wr_id='], "
            "td.list-subject a[href*='wr_id=']",
        },
        "pinned": [
            "tr.bo_notice",
            "td.list-subject.notice",
            {"select": "td:first-child", "text": "공지"},
        ],
        "paging": {"parameter": "page"},
    },
    # XpressEngine and Rhymix: document_srl= in any place of the query, or /board/12345.
    "xe": {
        "rows": "table.bd_lst tbody tr",
        "fields": {
            "id": {
                "select": "td.title a",
                "attribute": "href",
                "pattern": r"(?:document_srl=|/)(\d+)(?:[?&#]|$)",
            },
            "title": "td.title a",
            "date": {
                "select": "td.time",
                "formats": ["%Y. %m. %d", "%Y-%m-%d", "%y. %m. %d", "%m. %d", "%H:%M"],
            },
            "category": {"select": "td.cate", "optional": True},
            "link": "td.title a",
        },
        "pinned": ["tr.notice", {"select": "td.no", "text": "공지"}],
        "link_parameters": ["mid", "document_srl"],
        "paging": {"parameter": "page"},
    },
    # The standard framework of the government: selectBbsNttList.do, nttNo=
    "egov": {
        "rows": "table.p-table tbody tr",
        "fields": {
            "id": {"select": "td.p-subject a", "attribute": "href", "parameter": "nttNo"},
            "title": "td.p-subject a",
            "date": "td:last-child",
            "link": "td.p-subject a",
        },
        "pinned": [{"select": "td:first-child", "not_integer": True}],
        "link_parameters": ["key", "bbsNo", "nttNo"],
        "paging": {"parameter": "pageIndex"},
    },
    # lstBoard.jsp?bodcode=; fid= is the place in a thread, uid= the notice.
    "nvboard": {
        "rows": "table.table_board_basic tbody tr",
        "fields": {
            "id": {"select": "td.td_left a", "attribute": "href", "parameter": "uid"},
            "title": "td.td_left a",
            "date": "td:nth-last-child(2)",
            "link": "td.td_left a",
        },
        "pinned": [{"select": "img", "attribute": "src", "contains": "icon_notice"}],
        "paging": {"parameter": "page"},
    },
    # The KBoard plugin of WordPress.
    "kboard": {
        "rows": ".kboard-list tbody tr",
        "fields": {
            "id": {"select": "td.kboard-list-title a", "attribute": "href", "parameter": "uid"},
            "title": {
                "select": "td.kboard-list-title .kboard-default-cut-strings, "
                "td.kboard-list-title a",
                "drop": [".kboard-comments-count", ".kboard-default-new-notify"],
            },
            "date": {
                "select": "td.kboard-list-date",
                "formats": ["%Y. %m. %d", "%Y-%m-%d", "%H:%M"],
            },
            "link": "td.kboard-list-title a",
        },
        "pinned": ["tr.kboard-list-notice"],
        "link_parameters": ["mod", "uid", "page_id"],
        "paging": {"parameter": "pageid"},
    },
    # WordPress itself: the posts of a category.
    "wordpress": {
        "rows": "article[id^='post-']",
        "fields": {
            "id": {"attribute": "id", "pattern": r"post-(\d+)"},
            "title": ".entry-title a",
            "date": {"select": "time[datetime]", "attribute": "datetime"},
            "link": ".entry-title a",
        },
        "pinned": ["article.sticky"],
        "paging": {"parameter": "paged"},
    },
    # noticeList.do; a notice's address depends on its list's: the entry itself gives fields.link.
    "itsp": {
        "rows": "table.grid tbody tr, li.list_item",
        "fields": {
            "id": {"select": "a.subject_click", "attribute": "data-itsp-view-link"},
            "title": "a.subject_click",
            "date": ".list_date, td:nth-child(4)",
        },
        "pinned": ["tr.note_box", "li.notice", ".ico_notice"],
    },
    # ArticleList.do?forum=; ids are hexadecimal.
    "kucms": {
        "rows": {"select": "table.board tr", "drop": ["th"]},
        "fields": {
            "id": {"select": "td:nth-child(2) a", "attribute": "href", "parameter": "id"},
            "title": "td:nth-child(2) a",
            "date": "td:nth-child(5)",
            "link": "td:nth-child(2) a",
        },
    },
    # Links that call page_move with the name of the view and an object that has the number.
    "page_move": {
        "rows": "table.tb tbody tr",
        "fields": {
            "id": {
                "select": "a[href*='page_move']",
                "attribute": "href",
                "pattern": r"no:\s*'?(\d+)",
            },
            "title": "td.td_qna span.t, td.td_tit span.t",
            "date": "td.td_date",
            "category": {"select": "td:nth-child(2)", "optional": True},
            "link": {
                "select": "a[href*='page_move']",
                "pattern": r"page_move\(\s*'(\w+)'",
                "template": "{value}.do?no={id}",
            },
        },
        "pinned": [{"select": "td.td_num", "not_integer": True}],
        "paging": {"parameter": "page"},
    },
    "rss": {
        "kind": "rss",
        "fields": {
            "id": "guid, link",
            "title": "title",
            # The standard lets it be left out.
            "date": {"select": "pubDate, date, published, updated", "optional": True},
            "category": {"select": "category, department", "optional": True},
            "link": "link, guid",
        },
    },
    "atom": {
        "kind": "atom",
        "fields": {
            "id": "id",
            "title": "title",
            "date": "published, updated, issued, modified",
            "category": {"select": "category", "attribute": "term", "optional": True},
            "link": "link",
        },
    },
    # https://www.jsonfeed.org/version/1.1: an item may lack its title and its date.
    "json_feed": {
        "kind": "json",
        "rows": "items",
        "fields": {
            "id": "id",
            "title": "title, summary, content_text",
            "date": {"select": "date_published, date_modified", "optional": True},
            "category": {"select": "tags.0", "optional": True},
            "link": "url, external_url",
        },
    },
}
