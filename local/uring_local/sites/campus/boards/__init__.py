"""The five board systems of the site, one module each."""

from collections.abc import Mapping
from typing import Final

from uring_local.sites.campus.boards.egov import Egov
from uring_local.sites.campus.boards.gnuboard import Gnuboard
from uring_local.sites.campus.boards.k2web import K2Web
from uring_local.sites.campus.boards.modelist import Modelist
from uring_local.sites.campus.boards.onclick import Onclick
from uring_local.sites.campus.boards.style import Style

STYLES: Final[Mapping[str, Style]] = {
    "k2web": K2Web(),
    "gnuboard": Gnuboard(),
    "egov": Egov(),
    "onclick": Onclick(),
    "modelist": Modelist(),
}
