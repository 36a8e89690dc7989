"""The likely preset of a page, by its address and its markup."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from bs4 import BeautifulSoup

from uring_local.propose.ids import view_address


@dataclass(frozen=True, slots=True)
class System:
    """The signs of one preset.

    Attributes:
        preset: its name.
        title: for people.
        selectors: a match of any of these in the page is a sign.
        address: parts of the list's address that are signs.
    """

    preset: str
    title: str
    selectors: tuple[str, ...]
    address: tuple[str, ...] = ()


_SYSTEMS: Final = (
    System("k2web", "K2Web", ('a[href*="/artclView.do"]', "table.artclTable"), ("/artclList.do",)),
    System("mode_list", "a ?mode=list board", ('a[href*="mode=view"][href*="articleNo="]',)),
    System("egov", "a selectBbsNttList board", ('a[href*="selectBbsNttView.do"]',)),
    System("nvboard", "nvboard", ('a[href*="outBoard.jsp"]',), ("lstBoard.jsp",)),
    System("itsp", "ITSP", ("[data-itsp-view-link]",)),
    System("kucms", "KU CMS", ('a[href*="ArticleRead.do"]',), ("ArticleList.do",)),
    System("page_move", "a page_move board", ('a[href*="page_move("]',)),
    System("gnuboard", "Gnuboard", ('a[href*="wr_id="]',), ("bo_table=",)),
    System("kboard", "KBoard", (".kboard-list",)),
    System("xe", "XpressEngine or Rhymix", ('a[href*="document_srl="]', "table.bd_lst")),
    System("egov_files", "a registry of files", ('a[href*="previewMenuCntFile.do"]',)),
    System("lmxsrv", "a law portal", (), ("/lmxsrv/law/lawListManager.do",)),
    System("lmxsrv_srv", "a law portal", (), ("/lmxsrv/law/lawListManager.srv",)),
    System("wordpress", "WordPress", ('article[id^="post-"] .entry-title',)),
)


def recognised(page: BeautifulSoup, url: str) -> list[tuple[System, str]]:
    """Return the systems with a sign in page or address, the likeliest first, with the sign."""
    systems = []
    for system in _SYSTEMS:
        for selector in system.selectors:
            if page.select_one(selector) is not None:
                systems.append((system, f"the page has {selector}"))
                break
        else:
            sign = next((part for part in system.address if part in url), None)
            if sign is not None:
                systems.append((system, f"the address has {sign}"))
    return systems


def own_keys(system: System, url: str) -> dict[str, Any]:
    """Return the keys that an entry needs beside the preset."""
    if system.preset != "itsp":
        return {}
    page = urlsplit(url).path.rpartition("/")[2]
    if "List" not in page:
        return {}
    return {"fields": {"link": {"template": view_address(url, "seq")}}}
