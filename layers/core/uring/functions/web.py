"""The guarded HTTP client for the open web, and its settings."""

from pydantic import Field

from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.runtime.settings import BaseSettings, Hosts


class WebSettings(BaseSettings):
    """Settings of a function that asks sites.

    ``allowed_private_hosts`` has the ``host:port`` words that the address guard allows; empty in
    production. ``contact`` is sent in the User-Agent, for a site's operator; the template requires
    it in production.
    """

    contact: str = Field(default="", pattern=r"^[!-~]*$")
    allowed_private_hosts: Hosts = frozenset()


class WholeWebSettings(WebSettings):
    """Settings of a function that asks any domain.

    ``web_stand_in`` is ``HOST:PORT`` of a server that replaces the whole web; empty in production.
    ``spacing_seconds`` is the pause between two requests to one host.
    """

    web_stand_in: str = Field(default="", pattern=r"^$|^\S+:\d{1,5}$")
    spacing_seconds: float = Field(default=1.0, ge=0, le=30)


def fetcher(settings: WebSettings, *, abreast: int = 1) -> Fetcher:
    """Return the guarded HTTP client of a function; for ``abreast`` see `Fetcher`."""
    return Fetcher(
        user_agent=user_agent(settings.contact),
        allowed_private_hosts=settings.allowed_private_hosts,
        abreast=abreast,
        stand_in=settings.web_stand_in if isinstance(settings, WholeWebSettings) else "",
    )
