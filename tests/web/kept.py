"""What a page keeps on its device, written by a test."""

from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Page

_KEEP: Final = """async ([store, key, value]) => {
  const {open} = await import(new URL("./app/store.js", document.baseURI).href);
  for (;;) {
    const device = await open();
    await device.put(store, key, value);
    // A disk that was too slow left the value in memory.
    if (!device.refused) return;
  }
}"""


def keep(page: Page, store: str, key: str, value: Any) -> None:
    """Put a value into the device's storage."""
    page.evaluate(_KEEP, [store, key, value])


def keep_favourites(page: Page, ids: Sequence[str]) -> None:
    """Have sources be followed from the next load on."""
    keep(page, "settings", "favourites", [*ids])
