"""The departments that are checked: the sitemap in the bucket (N2, N3)."""

from collections.abc import Mapping, Sequence

from uring.changes.jobs import Planned
from uring.changes.ports import Reads
from uring.errors import Misconfigured
from uring.notices.config import Sitemap, load_sitemap
from uring.runtime.telemetry import Telemetry


def read_sitemap(objects: Reads, key: str, *, taken: Mapping[str, str]) -> Sitemap:
    """Return the sitemap in the bucket.

    Raises:
        Misconfigured: there is none.
        ConfigInvalid: it as a whole is unreadable.
    """
    stored = objects.get(key)
    if stored is None:
        raise Misconfigured(
            f"{key} is not in the bucket; upload the sitemap there: "
            "`uring config upload FILE --stack NAME`"
        )
    return load_sitemap(stored.body, taken=taken)


class SitemapPlan:
    """Reads the sitemap anew for each tick; a bad entry is reported and skipped.

    Args:
        config_key: the sitemap's key, ``config/sitemap.json``.
        taken: see `load_sitemap`.
    """

    def __init__(
        self, objects: Reads, telemetry: Telemetry, *, config_key: str, taken: Mapping[str, str]
    ) -> None:
        self._objects = objects
        self._telemetry = telemetry
        self._config_key = config_key
        self._taken = taken

    def __call__(self) -> Sequence[Planned]:
        """Return every department.

        Raises:
            Misconfigured: there is no sitemap.
            ConfigInvalid: the sitemap as a whole is unreadable.
        """
        sitemap = read_sitemap(self._objects, self._config_key, taken=self._taken)
        for problem in sitemap.problems:
            self._telemetry.problem(
                "entry_refused",
                path=problem.path,
                entry=problem.entry,
                line=problem.line,
                reason=problem.message,
                remedy=problem.remedy,
            )
        self._telemetry.count("EntriesRefused", len(sitemap.problems))
        return [
            Planned(
                source.id,
                source.interval_minutes,
                source.model_dump(mode="json", exclude_unset=True),
            )
            for source in sitemap.sources
        ]
