"""Commit and publish a product: the one order in which a change becomes visible and is announced.

    1 state (If-Match; airports, outbox)   the commit: from here on the change happened
    2 METAR_{fetched_at}.json              every step may be repeated by any later run
    3 latest.json
    4 rotation to the newest ten
    5 notify queue                         what is announced can already be read
    6 state (If-Match; published, outbox emptied)

A death between any two leaves `published` false, and the next run goes on before it asks anybody.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Final, Protocol

from uring.changes.ports import Listed, ObjectStore, Outlet
from uring.changes.register import StateRegister, Version
from uring.changes.retry import Backoff
from uring.changes.rewrite import rewrite
from uring.contracts import ChangePublished
from uring.errors import PreconditionFailed, Unavailable
from uring.weather.product import Product
from uring.weather.state import Told, WeatherState

KEPT: Final = 10
"""Files of a product beside ``latest.json`` (W4)."""

PREFIX: Final[dict[Product, str]] = {"metar": "METAR", "taf": "TAF", "warning": "WARNINGS"}
_TYPE: Final[dict[Product, str]] = {
    "metar": "METAR",
    "taf": "TAF",
    "warning": "AIRPORT_WARNINGS",
}
_CONTENT_TYPE: Final = "application/json; charset=utf-8"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=60"


class Files(ObjectStore, Protocol):
    """The object store, with listings and removals."""

    def list(self, prefix: str) -> Iterator[Listed]:
        """Every object below a prefix, by key; raises Unavailable or Misconfigured."""
        ...

    def remove(self, key: str) -> None:
        """Remove an object; one that is not there is none already."""
        ...


class WeatherPublisher:
    """Commits the next state of a product and publishes it."""

    def __init__(
        self,
        files: Files,
        outlet: Outlet,
        register: StateRegister[WeatherState],
        *,
        backoff: Backoff,
    ) -> None:
        self.register = register
        self._files = files
        self._outlet = outlet
        self._backoff = backoff

    def commit(self, before: Version[WeatherState], state: WeatherState) -> Version[WeatherState]:
        """Commit ``state``, then publish it.

        Raises:
            Superseded: another run committed first: nothing of this state was published.
            Retryable: committed or not, the next run finishes it.
        """
        return self.publish(self.register.write(before, state))

    def publish(self, version: Version[WeatherState]) -> Version[WeatherState]:
        """Show and announce what the state holds; the version in which that is done.

        Raises:
            Superseded: another run published, or its successor will.
            Unavailable: the queue refused something: it stays in the outbox.
            Retryable: the next run repeats the steps.
        """
        state = version.state
        if state.published and not state.outbox:
            return version
        if not state.published:
            self._show(state)
        accepted = self._outlet.send([_message(state.source, told) for told in state.outbox])
        left = tuple(told for told in state.outbox if told.event_id not in accepted)
        version = self.register.write(version, state.replace(published=True, outbox=left))
        if left:
            raise Unavailable(
                f"the notify queue refused {len(left)} of {len(state.outbox)} of {state.source}; "
                "they stay in the outbox"
            )
        return version

    def _show(self, state: WeatherState) -> None:
        folder = f"data/{state.source}"
        body = document(state)
        # Refused: an earlier try wrote it. A file is named after the second of its one commit.
        with suppress(PreconditionFailed):
            self._files.put(
                f"{folder}/{file_name(state)}",
                body,
                if_match=None,
                content_type=_CONTENT_TYPE,
                cache_control=_FOR_EVER,
            )

        def revise(shown: bytes | None) -> bytes | None:
            return None if shown is not None and _fetched_at(shown) >= _fetched_at(body) else body

        rewrite(
            self._files,
            f"{folder}/latest.json",
            revise,
            backoff=self._backoff,
            content_type=_CONTENT_TYPE,
            cache_control=_BRIEFLY,
        )
        for key in surplus(
            [each.key for each in self._files.list(f"{folder}/{PREFIX[state.source]}_")]
        ):
            self._files.remove(key)


def file_name(state: WeatherState) -> str:
    """``METAR_20260302T011000Z.json``: names sort as times do."""
    stamp = (state.fetched_at or "").replace("-", "").replace(":", "")
    return f"{PREFIX[state.source]}_{stamp}.json"


def document(state: WeatherState) -> bytes:
    """``{type, fetched_at, airports}`` as W2 has it, warnings with their ``total_count``."""
    found: dict[str, Any] = {"type": _TYPE[state.source], "fetched_at": state.fetched_at}
    if state.source == "warning":
        found["total_count"] = sum(len(each["warnings"]) for each in state.airports.values())
    found["airports"] = state.airports
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def surplus(keys: Collection[str]) -> list[str]:
    """The oldest files beyond the newest ten; ``latest.json`` is none of them (W4)."""
    files = sorted(key for key in keys if not key.endswith("/latest.json"))
    return files[:-KEPT]


def _fetched_at(body: bytes) -> str:
    """When a document was fetched; one that cannot be read is older than any."""
    try:
        return str(json.loads(body)["fetched_at"])
    except (ValueError, KeyError, TypeError):
        return ""


def _message(product: Product, told: Told) -> ChangePublished:
    return ChangePublished(
        event_id=told.event_id,
        source=product,
        topic=told.topic,
        kind=told.kind,
        id=told.id,
        revision=1,
        is_pinned=False,
        detected_at=told.detected_at,
        content=told.content,
    )
