"""A site with pushes, and the part of the settings about them."""

from collections.abc import Iterator

import pytest
from panel import INDEX, Panel
from playwright.sync_api import BrowserContext
from push_site import PushSite


@pytest.fixture
def site() -> Iterator[PushSite]:
    """A site with pushes by server-sent events."""
    site = PushSite()
    site.keep_few_files()
    site.put("index.json", INDEX)
    yield site
    site.close()


@pytest.fixture
def panel(context: BrowserContext, site: PushSite) -> Panel:
    """Return an open part of the settings."""
    return Panel(context, site)
