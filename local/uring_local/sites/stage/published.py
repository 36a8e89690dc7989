"""The data that readers see, read as they do."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from uring_local.stack.application import Letter

_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_MONTH: Final = re.compile(r"[0-9]{6}\.jsonl")


class Folder:
    """The JSON objects below a prefix, as they were listed; read again only if written since.

    Args:
        published: reads the objects.
        prefix: of their keys.
        tags: the ETag of each object, by its key after the prefix.
        known: the ETag and the value of each object that was read before; amended.
    """

    def __init__(
        self,
        published: "Published",
        prefix: str,
        tags: Mapping[str, str],
        known: dict[str, tuple[str, Any]],
    ) -> None:
        self.names = frozenset(tags)
        self._published = published
        self._prefix = prefix
        self._tags = tags
        self._known = known

    def document(self, name: str) -> Any:
        """Return the value of an object, which must be one of `names`; not to be altered."""
        tag = self._tags[name]
        if self._known.get(name, ("", None))[0] != tag:
            self._known[name] = tag, self._published.document(self._prefix + name)
        return self._known[name][1]


class Published:
    """The objects that readers see, the entries of tables, and the dead letters.

    Args:
        s3: a client for the bucket.
        bucket: its name.
        dynamodb: a client for the tables.
        tables: their names, by logical id.
        letters: reads a dead-letter queue, see `Application.letters`.
    """

    def __init__(
        self,
        s3: Any,
        bucket: str,
        dynamodb: Any = None,
        tables: Mapping[str, str] = _NONE,
        letters: Callable[[str], tuple[int, Sequence[Letter]]] | None = None,
    ) -> None:
        self._s3 = s3
        self._bucket = bucket
        self._dynamodb = dynamodb
        self._tables = tables
        self._letters = letters
        self._read: dict[str, dict[str, tuple[str, Any]]] = {}

    def folder(self, prefix: str) -> Folder:
        """Return the objects with a prefix.

        An object that was read from an earlier folder is read again only if it was written since.
        """
        tags = {item["Key"].removeprefix(prefix): item["ETag"] for item in self._listed(prefix)}
        before = self._read.get(prefix, {})
        self._read[prefix] = {name: before[name] for name in before.keys() & tags.keys()}
        return Folder(self, prefix, tags, self._read[prefix])

    def keys(self, prefix: str) -> list[str]:
        """Return the keys with a prefix, sorted."""
        return list(self.written(prefix))

    def written(self, prefix: str) -> dict[str, datetime]:
        """Return the write times of the objects with a prefix, by key."""
        return {item["Key"]: item["LastModified"] for item in self._listed(prefix)}

    def lines(self, key: str) -> list[Any]:
        """Return the values of an object of JSON lines."""
        return [json.loads(line) for line in self.body(key).splitlines()]

    def document(self, key: str) -> Any:
        """Return the value of a JSON object."""
        return json.loads(self.body(key))

    def body(self, key: str) -> bytes:
        """Return the bytes of an object."""
        body: bytes = self._s3.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        return body

    def letters(self, queue: str) -> tuple[int, Sequence[Letter]]:
        """Return the number of messages in a dead-letter queue, and the first of each group.

        Args:
            queue: its logical id.
        """
        return self._letters(queue) if self._letters else (0, ())

    def latest(self, source: str) -> dict[str, Any]:
        """Return a source's ``latest.json``; empty before its first check."""
        key = f"data/{source}/latest.json"
        found: dict[str, Any] = self.document(key) if key in self.keys(key) else {}
        return found

    def archive(self, source: str) -> list[dict[str, Any]]:
        """Return all lines of a source's archive, the oldest first."""
        folder = f"data/{source}/archive/"
        names = sorted(key.removeprefix(folder) for key in self.keys(folder))
        months = [name for name in names if _MONTH.fullmatch(name)]
        return [line for month in months for line in self._month(folder, month)]

    def table(self, name: str, partition: str) -> dict[str, dict[str, Any]]:
        """Return all entries of a table's partition, by sort key; numbers become integers.

        Args:
            name: of the table, its logical id.
            partition: the value of the partition key.
        """
        pages = self._dynamodb.get_paginator("query").paginate(
            TableName=self._tables[name],
            KeyConditionExpression="#key = :value",
            ExpressionAttributeNames={"#key": "partition"},
            ExpressionAttributeValues={":value": {"S": partition}},
            ConsistentRead=True,
        )
        entries = (
            {attribute: _plain(value) for attribute, value in item.items()}
            for page in pages
            for item in page["Items"]
        )
        return {entry["key"]: entry for entry in entries}

    def _listed(self, prefix: str) -> Iterator[Mapping[str, Any]]:
        pages = self._s3.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix
        )
        return (item for page in pages for item in page.get("Contents", []))

    def _month(self, folder: str, name: str) -> list[dict[str, Any]]:
        """Return the lines of a month, the oldest file's first; a file links to the one before."""
        files: list[list[dict[str, Any]]] = []
        while name:
            lines = self.lines(folder + name)
            files.append(lines)
            link = lines[0].pop("earlier", None) if lines else None
            name = link["file"] if link else ""
        return [line for lines in reversed(files) for line in lines]


def _plain(attribute: Mapping[str, Any]) -> Any:
    """Return the value of a DynamoDB attribute."""
    ((kind, value),) = attribute.items()
    if kind == "NULL":
        return None
    return int(value) if kind == "N" else value
