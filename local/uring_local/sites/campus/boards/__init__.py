"""The five board softwares of the site; one module each."""

from uring_local.sites.campus.boards.egov import EGOV
from uring_local.sites.campus.boards.gnuboard import GNUBOARD
from uring_local.sites.campus.boards.k2web import K2WEB
from uring_local.sites.campus.boards.modelist import MODELIST
from uring_local.sites.campus.boards.onclick import ONCLICK
from uring_local.sites.campus.boards.style import Style

STYLES: dict[str, Style] = {
    "k2web": K2WEB,
    "gnuboard": GNUBOARD,
    "egov": EGOV,
    "onclick": ONCLICK,
    "modelist": MODELIST,
}
