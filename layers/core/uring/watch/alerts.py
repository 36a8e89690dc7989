"""One alert when a source goes down, one when it is up again."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from uring.changes.registry import WatchedSource
from uring.watch.status import (
    SourceStatus,
    down_line,
    part_down_line,
    part_up_line,
    up_line,
)

_MOST_LINES: Final = 100


class Alerts(Protocol):
    """A channel to the operators."""

    def send(self, subject: str, text: str) -> None:
        """Send one message; after a lost answer it may arrive twice.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such topic, or no permission.
        """
        ...


def lines_for(
    sources: Sequence[WatchedSource], statuses: Mapping[str, SourceStatus], down: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return the alert lines, and the sources and parts reported down after them.

    Args:
        sources: of one family.
        statuses: by source.
        down: the sources and parts reported down so far, with the class or reason in the alert.
    """
    after: dict[str, str] = {}
    lines: list[str] = []
    parts = _parts_by_source(down)
    for source in sources:
        status = statuses[source.id]
        if status.paused_until is not None and status.down is None:
            # Nothing is known of it meanwhile: it stays as it was reported.
            own = parts.get(source.id, {})
            after |= own | ({source.id: down[source.id]} if source.id in down else {})
            continue
        if status.down is not None:
            after[source.id] = down.get(source.id, status.down)
            if source.id not in down:
                lines.append(down_line(source, status))
        elif source.id in down and status.status != "ok":
            # No longer down, but its last check failed: it stays reported down until a success.
            after[source.id] = down[source.id]
        elif source.id in down:
            lines.append(up_line(source, down[source.id]))
        own_lines, own = _of_parts(source, status, parts.get(source.id, {}))
        lines += own_lines
        after |= own
    return lines, after


def _parts_by_source(down: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the parts reported down, by source: their keys begin with the source and a slash."""
    parts: dict[str, dict[str, str]] = {}
    for key, word in down.items():
        source, slash, _ = key.partition("/")
        if slash:
            parts.setdefault(source, {})[key] = word
    return parts


def _of_parts(
    source: WatchedSource, status: SourceStatus, known: Mapping[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return the same for a source's parts; no lines and ``known`` if the source has trouble."""
    prefix = f"{source.id}/"
    if status.status != "ok" or status.down is not None:
        return [], dict(known)
    names = {f"{prefix}{name}": name for name in status.parts_down}
    troubles = status.facts.troubles
    lines = [
        part_down_line(source, status, name) for key, name in names.items() if key not in known
    ]
    lines += [
        part_up_line(source, key.removeprefix(prefix), word)
        for key, word in known.items()
        if key.removeprefix(prefix) not in troubles
    ]
    still = {key: word for key, word in known.items() if key.removeprefix(prefix) in troubles}
    return lines, {key: troubles[name].reason for key, name in names.items()} | still


def send(alerts: Alerts, lines: Sequence[str]) -> None:
    """Send one message with up to `_MOST_LINES` lines; none without lines."""
    if not lines:
        return
    ups, restored = (sum(line.startswith(word) for line in lines) for word in ("UP ", "RESTORED "))
    downs = len(lines) - ups - restored
    back = f", {restored} restored" if restored else ""
    more = [f"and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    alerts.send(
        f"uRing: {downs} {'source' if downs == 1 else 'sources'} down, {ups} up{back}",
        "\n".join([*lines[:_MOST_LINES], *more]),
    )
