"""One contract for a key-value table: the fake and DynamoDB (moto) keep it alike (R1, R4)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import elsewhere
import pytest
from botocore.exceptions import ClientError
from fakes.tables import MemoryTable

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.errors import InvalidRequest, Misconfigured, Unavailable
from uring.tables import MOST_WRITES, NOTHING, Add, Condition, Item, PutTable, Table, Write


@pytest.fixture(scope="module")
def dynamodb(moto_session: boto3.Session) -> Any:
    return elsewhere.made("dynamodb", "moto", moto_session)


@pytest.fixture(params=elsewhere.params("dynamodb", "memory", "moto"))
def table(request: pytest.FixtureRequest, name: str, moto_session: boto3.Session) -> PutTable:
    if request.param == "memory":
        return MemoryTable()
    client = elsewhere.made("dynamodb", request.param, moto_session)
    create(client, name)
    return DynamoTable(client, name, backoff=Backoff(lambda _: None))


def create(client: Any, name: str) -> None:
    client.create_table(
        TableName=name,
        AttributeDefinitions=[
            {"AttributeName": "partition", "AttributeType": "S"},
            {"AttributeName": "key", "AttributeType": "S"},
        ],
        KeySchema=[
            {"AttributeName": "partition", "KeyType": "HASH"},
            {"AttributeName": "key", "KeyType": "RANGE"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )


ITEM: Item = {"title": "학칙", "count": 3, "message": None, "empty": ""}


def test_an_item_is_read_as_it_was_written(table: Table) -> None:
    assert table.transact("rules", [Write("policy:학칙", ITEM)])
    assert table.get("rules", "policy:학칙") == ITEM
    assert table.get("rules", "policy:직제") is None
    assert table.get("other", "policy:학칙") is None


def test_an_item_is_put_over_another_without_a_condition(table: PutTable) -> None:
    for item in (ITEM, {"count": 4}):
        table.put("rules", "policy:학칙", item)
    assert table.get("rules", "policy:학칙") == {"count": 4}
    assert not table.transact("rules", [Write("policy:학칙", ITEM, NOTHING)])


def test_a_prefix_is_read_in_the_order_of_keys_and_no_other_partition(table: Table) -> None:
    for partition, key in (
        ("a", "queue:나"),
        ("a", "queue:가"),
        ("a", "policy:가"),
        ("b", "queue:"),
    ):
        table.transact(partition, [Write(key, {"is": key})])
    assert [key for key, _ in table.query("a", "queue:")] == ["queue:가", "queue:나"]
    assert list(table.query("a", "dead-letter:")) == []
    assert [key for key, _ in table.query("a", "")] == ["policy:가", "queue:가", "queue:나"]


@pytest.mark.parametrize(
    ("after", "found"),
    [("k:", "bd"), ("k:a", "bd"), ("k:b", "d"), ("k:c", "d"), ("k:d", ""), ("k:" + "z" * 130, "")],
)
def test_a_prefix_is_read_behind_a_key_that_is_there_or_not(
    table: Table, after: str, found: str
) -> None:
    for key in ("j:z", "k:b", "k:d", "l:a"):
        table.transact("a", [Write(key, {"is": key})])
    assert [key for key, _ in table.query("a", "k:", after)] == [f"k:{name}" for name in found]


def test_a_prefix_of_more_than_a_page_is_read_whole(table: Table) -> None:
    text = "x" * 60_000
    for number in range(40):
        table.transact("a", [Write(f"policy:{number:02}", {"text": text})])
    assert len(list(table.query("a", "policy:"))) == 40


@pytest.mark.parametrize(
    ("only_if", "holds"),
    [
        (None, True),
        (NOTHING, False),
        ({"count": 3}, True),
        ({"count": 3, "title": "학칙", "message": None}, True),
        ({"count": 4}, False),
        ({"count": "3"}, False),
    ],
)
def test_a_condition_is_judged_by_what_is_stored(
    table: Table, only_if: Item | None, *, holds: bool
) -> None:
    table.transact("a", [Write("k", ITEM)])
    assert table.transact("a", [Write("k", {"new": 1}, only_if)]) is holds
    assert table.get("a", "k") == ({"new": 1} if holds else ITEM)


def test_a_condition_on_what_is_not_there_holds_for_nothing_alone(table: Table) -> None:
    assert not table.transact("a", [Write("k", ITEM, {"count": 3})])
    assert table.transact("a", [Write("k", ITEM, NOTHING)])


def test_one_refused_condition_leaves_every_item_as_it_was(table: Table) -> None:
    table.transact("a", [Write("fence", {"seq": 2}), Write("gone", ITEM)])
    parts = [Condition("fence", {"seq": 1}), Write("new", ITEM), Write("gone", None)]
    assert not table.transact("a", parts)
    assert (table.get("a", "new"), table.get("a", "gone")) == (None, ITEM)
    parts[0] = Condition("fence", {"seq": 2})
    assert table.transact("a", parts)
    assert (table.get("a", "new"), table.get("a", "gone")) == (ITEM, None)


def test_an_addition_below_its_ceiling_is_refused_above_it(table: Table) -> None:
    for sum_, most, is_added in ((2, 1, True), (4, 2, True), (4, 3, False), (6, 4, True)):
        assert table.transact("a", [Add("k", {"n": 2}, {"n": most})]) is is_added
        assert table.get("a", "k") == {"n": sum_}
    assert not table.transact("a", [Add("k", {"n": 2}, {"n": 5}), Write("other", ITEM)])
    assert table.get("a", "other") is None
    assert not table.transact("a", [Add("missing", {"n": 2}, {"n": -1})])
    assert table.get("a", "missing") is None
    assert table.transact("a", [Add("k", {"m": 1}, {"n": 6}), Add("new", {"n": 1, "m": 2})])
    assert table.get("a", "k") == {"n": 6, "m": 1}


def test_a_transaction_writes_another_partition_too_or_nothing(table: Table) -> None:
    parts = [Write("k", ITEM, NOTHING), Add("k", {"n": 1}, {"n": 0}, "b")]
    assert table.transact("a", parts)
    assert (table.get("a", "k"), table.get("b", "k")) == (ITEM, {"n": 1})
    assert not table.transact("c", parts)
    assert not table.transact("c", [parts[0], Write("k", ITEM, NOTHING, "b")])
    assert (table.get("c", "k"), table.get("b", "k")) == (None, {"n": 1})


def test_a_removal_of_what_is_not_there_is_no_fault(table: Table) -> None:
    assert table.transact("a", [Write("k", None)])
    assert not table.transact("a", [Write("k", None, {"count": 3})])


def test_a_transaction_takes_a_hundred_items(table: Table) -> None:
    assert table.transact("a", [Write(f"k{number}", ITEM) for number in range(MOST_WRITES)])
    assert len(list(table.query("a", "k"))) == MOST_WRITES


class Scripted:
    """A client whose transactions answer in turn; what no emulator at hand ever answers."""

    def __init__(self, *answers: Exception | None) -> None:
        self.answers = list(answers)

    def transact_write_items(self, **_: Any) -> None:
        answer = self.answers.pop(0)
        if answer is not None:
            raise answer


def cancelled(*codes: str) -> ClientError:
    return ClientError(
        {
            "Error": {"Code": "TransactionCanceledException", "Message": "cancelled"},
            "CancellationReasons": [{"Code": code} for code in codes],
        },
        "TransactWriteItems",
    )


def scripted(*answers: Exception | None) -> tuple[DynamoTable, Scripted]:
    client = Scripted(*answers)
    return DynamoTable(client, "t", backoff=Backoff(lambda _: None)), client


def test_a_transaction_in_the_way_is_waited_for() -> None:
    table, client = scripted(cancelled("None", "TransactionConflict"), None)
    assert table.transact("a", [Write("k", ITEM)])
    assert client.answers == []


def test_transactions_in_the_way_again_and_again_are_another_runs_matter() -> None:
    table, _ = scripted(*[cancelled("TransactionConflict")] * 5)
    with pytest.raises(Unavailable, match="came first in every try"):
        table.transact("a", [Write("k", ITEM)])


def test_a_refused_condition_counts_beside_a_conflict() -> None:
    table, _ = scripted(cancelled("TransactionConflict", "ConditionalCheckFailed"))
    assert not table.transact("a", [Write("k", ITEM)])


@pytest.mark.parametrize("others", [(), ("None",), ("TransactionConflict",), ("ThrottlingError",)])
def test_a_transaction_that_breaks_a_rule_is_not_tried_again(others: tuple[str, ...]) -> None:
    table, client = scripted(cancelled("ValidationError", *others), None)
    with pytest.raises(InvalidRequest, match=r"TransactionCanceled.*change it"):
        table.transact("a", [Write("k", ITEM)])
    assert client.answers == [None]


def test_a_cancellation_for_a_reason_of_tomorrow_is_an_outage() -> None:
    table, _ = scripted(cancelled("Unheard"))
    with pytest.raises(Unavailable, match="TransactionCanceled"):
        table.transact("a", [Write("k", ITEM)])


def test_an_item_of_more_than_400_kb_is_invalid(dynamodb: Any, name: str) -> None:
    table = DynamoTable(dynamodb, name, backoff=Backoff(lambda _: None))
    create(dynamodb, name)
    with pytest.raises(InvalidRequest, match="400 KB"):
        table.transact("a", [Write("k", {"text": "x" * 420_000})])
    assert table.get("a", "k") is None


def test_an_attribute_of_another_release_hides_no_item(dynamodb: Any, name: str) -> None:
    """Of a kind that this one never writes."""
    table = DynamoTable(dynamodb, name, backoff=Backoff(lambda _: None))
    create(dynamodb, name)
    later = {"list": {"L": [{"S": "x"}]}, "flag": {"BOOL": True}, "share": {"N": "0.5"}}
    keys = {"partition": {"S": "a"}, "key": {"S": "k"}}
    dynamodb.put_item(TableName=name, Item={**keys, "count": {"N": "-3"}, **later})
    assert table.get("a", "k") == {"count": -3}


class Noting:
    """A client that notes each read; what no emulator at hand ever answers late."""

    def __init__(self) -> None:
        self.reads: list[bool] = []

    def get_item(self, *, ConsistentRead: bool = False, **_: Any) -> dict[str, Any]:  # noqa: N803
        self.reads.append(ConsistentRead)
        return {}

    def query(self, *, ConsistentRead: bool = False, **_: Any) -> dict[str, Any]:  # noqa: N803
        self.reads.append(ConsistentRead)
        return {"Items": []}


def test_every_read_is_consistent() -> None:
    client = Noting()
    table = DynamoTable(client, "t", backoff=Backoff(lambda _: None))
    assert table.get("a", "k") is None
    assert list(table.query("a", "k")) == []
    assert client.reads == [True, True]


def test_a_table_that_is_not_there_is_named(dynamodb: Any) -> None:
    table = DynamoTable(dynamodb, "no-such-table", backoff=Backoff(lambda _: None))
    for ask in (
        lambda: table.get("a", "k"),
        lambda: list(table.query("a", "k")),
        lambda: table.transact("a", [Write("k", ITEM)]),
    ):
        with pytest.raises(Misconfigured, match="no-such-table"):
            ask()


def test_threads_that_add_at_once_never_pass_a_ceiling_together(
    table: Table, request: pytest.FixtureRequest
) -> None:
    # moto has no lock around a transaction: there the calls follow each other.
    threads = 1 if "moto" in request.node.name else 8

    def add(number: int) -> bool:
        return table.transact(f"page-{number}", [Add("k", {"n": 3}, {"n": 25 - 3}, "all")])

    with ThreadPoolExecutor(threads) as pool:
        added = [*pool.map(add, range(40))]
    assert table.get("all", "k") == {"n": 3 * sum(added)} == {"n": 24}
