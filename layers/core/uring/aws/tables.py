"""A key-value table on DynamoDB; see `uring.tables`.

The partition key and the sort key are the attributes ``partition`` and ``key``, both texts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from botocore.exceptions import ClientError

from uring.aws.errors import code, is_invalid, reasons, translated
from uring.changes.retry import Backoff
from uring.errors import Unavailable
from uring.tables import Add, Condition, Item, Part

_KEYS: Final = frozenset({"partition", "key"})
_KINDS: Final = frozenset({"S", "N", "NULL"})
_INTEGER: Final = re.compile(r"-?[0-9]+\Z")
_REFUSED: Final = "ConditionalCheckFailed"
# Another transaction is under way, or the same one by a call whose answer was lost.
_BUSY: Final = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
)


class DynamoTable:
    """Implements `uring.tables.PutTable`; safe to share between threads."""

    def __init__(self, client: Any, table: str, *, backoff: Backoff) -> None:
        self._client = client
        self._table = table
        self._backoff = backoff

    def get(self, partition: str, key: str) -> Item | None:
        """See `Table.get`."""
        with translated(f"dynamodb:GetItem {self._table}"):
            answer = self._client.get_item(
                TableName=self._table, Key=_key(partition, key), ConsistentRead=True
            )
        return _read(answer["Item"]) if "Item" in answer else None

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        """See `Table.query`."""
        start = {"ExclusiveStartKey": _key(partition, after)} if after else {}
        condition, values = "#p = :p", {":p": {"S": partition}}
        names = {"#p": "partition"}
        # DynamoDB refuses an empty text in a comparison, and unused names.
        if prefix:
            condition += " AND begins_with(#k, :k)"
            values[":k"], names["#k"] = {"S": prefix}, "key"
        while True:
            with translated(f"dynamodb:Query {self._table}"):
                answer = self._client.query(
                    TableName=self._table,
                    KeyConditionExpression=condition,
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=values,
                    ConsistentRead=True,
                    **start,
                )
            for item in answer["Items"]:
                yield item["key"]["S"], _read(item)
            if "LastEvaluatedKey" not in answer:
                return
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        """See `Table.transact`."""
        items = [self._part(partition, part) for part in parts]
        what = f"dynamodb:TransactWriteItems {self._table}"
        for _ in self._backoff.attempts():
            with translated(what):
                try:
                    # boto3 adds a token: a repeat of its own is not a second transaction.
                    self._client.transact_write_items(TransactItems=items)
                except ClientError as error:
                    if code(error) != "TransactionCanceledException":
                        raise
                    found = reasons(error)
                    if _REFUSED in found:
                        return False
                    if is_invalid(error) or not found & _BUSY:
                        raise
                else:
                    return True
        raise Unavailable(
            f"{what}: other transactions came first in every try; the next run tries again"
        )

    def put(self, partition: str, key: str, item: Item) -> None:
        """See `PutTable.put`."""
        with translated(f"dynamodb:PutItem {self._table}"):
            self._client.put_item(
                TableName=self._table, Item={**_attributes(item), **_key(partition, key)}
            )

    def _part(self, partition: str, part: Part) -> dict[str, Any]:
        if isinstance(part, Condition):
            place = {"TableName": self._table, "Key": _key(partition, part.key)}
            return {"ConditionCheck": {**place, **_condition(part.only_if)}}
        key = _key(part.partition or partition, part.key)
        if isinstance(part, Add):
            return {"Update": {"TableName": self._table, "Key": key, **_addition(part)}}
        place = {"TableName": self._table, **_condition(part.only_if)}
        if part.item is None:
            return {"Delete": {**place, "Key": key}}
        return {"Put": {**place, "Item": {**_attributes(part.item), **key}}}


def _condition(only_if: Item | None) -> dict[str, Any]:
    if only_if is None:
        return {}
    if not only_if:
        return {
            "ConditionExpression": "attribute_not_exists(#k)",
            "ExpressionAttributeNames": {"#k": "key"},
        }
    names = {f"#{number}": name for number, name in enumerate(only_if)}
    return {
        "ConditionExpression": " AND ".join(f"{name} = :{name[1:]}" for name in names),
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {
            f":{number}": _attribute(value) for number, value in enumerate(only_if.values())
        },
    }


def _addition(part: Add) -> dict[str, Any]:
    places = {name: number for number, name in enumerate({**part.amounts, **part.at_most})}
    amounts = {f":{places[name]}": _attribute(amount) for name, amount in part.amounts.items()}
    ceilings = {f":most{places[name]}": _attribute(most) for name, most in part.at_most.items()}
    conditions = [
        # A missing number counts as 0.
        f"(attribute_not_exists(#{places[name]}) OR #{places[name]} <= :most{places[name]})"
        if most >= 0
        else f"#{places[name]} <= :most{places[name]}"
        for name, most in part.at_most.items()
    ]
    return {
        "UpdateExpression": "ADD " + ", ".join(f"#{value[1:]} {value}" for value in amounts),
        "ExpressionAttributeNames": {f"#{number}": name for name, number in places.items()},
        "ExpressionAttributeValues": {**amounts, **ceilings},
        **({"ConditionExpression": " AND ".join(conditions)} if ceilings else {}),
    }


def _key(partition: str, key: str) -> dict[str, Any]:
    return {"partition": {"S": partition}, "key": {"S": key}}


def _attributes(item: Item) -> dict[str, Any]:
    return {name: _attribute(value) for name, value in item.items()}


def _attribute(value: str | int | None) -> dict[str, Any]:
    if value is None:
        return {"NULL": True}
    return {"S": value} if isinstance(value, str) else {"N": str(value)}


def _read(item: Mapping[str, Mapping[str, Any]]) -> Item:
    """Return the attributes that are texts, whole numbers or null; other kinds are left out."""
    return {
        name: _value(value)
        for name, value in item.items()
        if name not in _KEYS and (_KINDS & value.keys()) and _INTEGER.match(value.get("N", "0"))
    }


def _value(value: Mapping[str, Any]) -> str | int | None:
    if "N" in value:
        return int(value["N"])
    return value.get("S")
