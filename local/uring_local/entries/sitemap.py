"""A sitemap as the deployed functions would read it."""

from uring.families import folders_beside
from uring.notices.config import Sitemap, load_sitemap
from uring.notices.registration import NAME


def read_sitemap(body: bytes) -> Sitemap:
    """Return the usable entries and what is wrong with the others.

    Raises:
        ConfigInvalid: the whole is unreadable.
    """
    return load_sitemap(body, taken=folders_beside(NAME))
