"""A configuration file, read as the deployed functions read it, and its entries."""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uring.changes.shard import WHOLE, Shard
from uring.errors import ConfigInvalid, UringError
from uring.sources.config import Entries, Judge
from uring.sources.shards import usable_shards
from uring_local.entries.families import family_of
from uring_local.entries.family import ConfiguredFamily, FileFamily
from uring_local.project import ROOT


class NotFound(UringError):
    """The file or the source does not exist, or the entry is refused."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file, or the file of a further shard beside it.

    Attributes:
        path: of the file.
        body: its bytes.
        family: of its sources.
        shard: of the file.
    """

    path: Path
    body: bytes
    family: ConfiguredFamily[Any]
    shard: Shard = WHOLE

    def all(self) -> list["ConfigFile"]:
        """Return this file and the files of its further shards, in order.

        Raises:
            NotFound: a further file does not exist.
        """
        if self.shard.begin or not self.family.model.is_sharded:
            return [self]
        return [self, *(self._of(shard) for shard in usable_shards(self.body)[1:])]

    def _of(self, shard: Shard) -> "ConfigFile":
        path = Path(shard.key(str(self.path)))
        try:
            return ConfigFile(path, path.read_bytes(), self.family, shard)
        except FileNotFoundError:
            raise NotFound(
                f"{path}: no such file, and {self.path} names {shard.begin!r} in shards; "
                "restore it, or take the name out"
            ) from None

    @property
    def pages(self) -> FileFamily[Any, Any]:
        """The family, if its entries are pages.

        Raises:
            NotFound: its entries are not pages.
        """
        return _pages(self.path, self.family)

    def entries(self, judge: Judge[Any] = lambda *_: ()) -> Entries[Any]:
        """Return the usable entries, and the problems of the others.

        Args:
            judge: see `uring.sources.config.load_entries`.

        Raises:
            ConfigInvalid: the file as a whole is unreadable; the message names it.
        """
        try:
            return self.family.load(self.body, judge, self.shard)
        except ConfigInvalid as error:
            raise ConfigInvalid(f"{self.path}: {error}") from error

    def entry(self, source_id: str) -> Any:
        """Return one entry.

        Raises:
            NotFound: no such entry, or a refused one; the message has the problems.
            ConfigInvalid: the file as a whole cannot be read.
        """
        for file in self.all():
            if file is not self and file.shard.has(source_id):
                return file.entry(source_id)
        entries = self.entries()
        for source in entries.sources:
            if source.id == source_id:
                return source
        known = [source.id for source in entries.sources]
        close = difflib.get_close_matches(source_id, known, n=1)
        has = ", ".join(known) or "none"
        instead = f"; did you mean {close[0]!r}?" if close else f"; it has {has}"
        refused = "".join(f"\n  {problem}" for problem in entries.problems)
        raise NotFound(f"{self.path} has no usable source {source_id!r}{instead}{refused}")


def open_config(config: Path, family: ConfiguredFamily[Any] | None = None) -> ConfigFile:
    """Return a configuration file.

    Args:
        config: the file.
        family: of the file; None takes it from the file's list, see `family_of`.

    Raises:
        NotFound: there is no such file; the message has the remedy.
        OSError: it cannot be read.
    """
    try:
        body = config.read_bytes()
    except FileNotFoundError:
        family = family or family_of(config, None)
        remedy = f"name {family.what}"
        if config == family.path:
            remedy = f"change to the directory of the project, {ROOT}, or {remedy}"
        raise NotFound(f"{config}: no such file; {remedy}") from None
    family = family or family_of(config, body)
    shard = usable_shards(body)[0] if family.model.is_sharded else WHOLE
    return ConfigFile(config, body, family, shard)


def pages_of(config: Path) -> FileFamily[Any, Any]:
    """Return the family of a file that does not exist yet, by its name.

    Raises:
        NotFound: its entries are not pages.
    """
    return _pages(config, family_of(config, None))


def _pages(config: Path, family: ConfiguredFamily[Any]) -> FileFamily[Any, Any]:
    if not isinstance(family, FileFamily):
        raise NotFound(f"{config} is {family.what}: its entries have no page to read")
    return family
