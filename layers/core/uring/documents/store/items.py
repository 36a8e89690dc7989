"""A stored item as a value, and back.

Unknown attributes are kept and written back. An item with a newer schema is refused, and waits for
the newer release.
"""

import json
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.errors import CorruptState, NewerRelease
from uring.tables import Item


class StoredItem(BaseModel):
    """An item of the table.

    Attributes:
        schema_version: version of the item's attributes.
        fence: fence of the lock under which the item was written; for one key it never falls.
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    newest: ClassVar[int] = 1
    packed: ClassVar[frozenset[str]] = frozenset()
    """The attributes that are stored as JSON: the table has only texts and whole numbers."""

    schema_version: int = 1
    fence: int = 0

    @classmethod
    def read(cls, where: str, item: Item) -> Self:
        """Read an item.

        Args:
            where: names the item in the error.
            item: the stored attributes.

        Raises:
            NewerRelease: a newer release wrote the item.
            CorruptState: the item does not have its schema.
        """
        version = item.get("schema_version")
        if isinstance(version, int) and version > cls.newest:
            raise NewerRelease(
                f"{where}: schema {version}, this release reads {cls.newest}; deploy the newer "
                "release again"
            )
        try:
            return cls.model_validate(
                {name: cls._unpacked(name, value) for name, value in item.items()}
            )
        except (ValueError, RecursionError) as error:
            said = f"{where}: malformed: {_fields(error)}; restore or remove this item"
            raise CorruptState(f"{said}, nothing else of the page is affected") from error

    @classmethod
    def readable(cls, where: str, item: Item) -> Self | None:
        """Read an item of a list; None for a malformed one, or one of a newer release."""
        try:
            return cls.read(where, item)
        except (CorruptState, NewerRelease):
            return None

    @classmethod
    def _unpacked(cls, name: str, value: Any) -> Any:
        return json.loads(value) if name in cls.packed and isinstance(value, str) else value

    def item(self) -> Item:
        """Return the attributes to store: packed ones as JSON, booleans as 0 or 1."""
        values = self.model_dump(mode="json")
        return {
            name: json.dumps(value, ensure_ascii=False, sort_keys=True)
            if name in self.packed
            else int(value)
            if isinstance(value, bool)
            else value
            for name, value in values.items()
        }


def _fields(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "an attribute"
    found = error.errors(include_url=False, include_input=False)[:10]
    return ", ".join(str(each["loc"][0]) if each["loc"] else "it" for each in found)
