"""The push ledger on DynamoDB; see `uring.push.ports.Ledger` for its states."""

from datetime import UTC, datetime
from typing import Any, Final

from botocore.exceptions import ClientError

from uring.aws.errors import code, translated
from uring.push.ports import AlreadyDone, Claimed, ClaimedByOther, ClaimLost, ClaimResult

# An unfinished claim is removed after this time (N10); its lease ends much sooner.
CLAIM_KEPT_SECONDS: Final = 1_800

ABSENT: Final = "attribute_not_exists(#key)"
EXPIRED: Final = "expires_at < :now"
LEASE_OVER: Final = "#state = :claimed AND lease_until_ms <= :now_ms"
RETRY_DUE: Final = "#state = :retry AND not_before_ms <= :now_ms"
# A restored or rebuilt state may give the same revision to other content: another push.
OTHER_EVENT: Final = "event_id <> :event AND #state IN (:sent, :dead)"
CLAIMABLE: Final = f"{ABSENT} OR {EXPIRED} OR ({LEASE_OVER}) OR ({RETRY_DUE}) OR ({OTHER_EVENT})"
MINE: Final = "#owner = :me AND #state = :claimed"

NAMES: Final = {"#key": "key", "#state": "state", "#owner": "owner"}


class DynamoLedger:
    """One item per ``dept#notice#revision``; its TTL attribute is ``expires_at``, epoch seconds."""

    def __init__(self, client: Any, table: str) -> None:
        self._client = client
        self._table = table

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> ClaimResult:
        """See `Ledger.claim`."""
        with translated(f"dynamodb:UpdateItem {self._table}"):
            try:
                answer = self._client.update_item(
                    TableName=self._table,
                    Key={"key": {"S": key}},
                    UpdateExpression=(
                        "SET #state = :claimed, #owner = :me, lease_until_ms = :lease, "
                        "event_id = :event, expires_at = :expires, "
                        "attempts = if_not_exists(attempts, :zero) + :one REMOVE not_before_ms"
                    ),
                    ConditionExpression=CLAIMABLE,
                    ExpressionAttributeNames=NAMES,
                    ExpressionAttributeValues={
                        ":claimed": {"S": "CLAIMED"},
                        ":retry": {"S": "RETRY"},
                        ":sent": {"S": "SENT"},
                        ":dead": {"S": "DEAD"},
                        ":me": {"S": owner},
                        ":event": {"S": event_id},
                        ":lease": _ms(lease_until),
                        ":now": {"N": str(int(now.timestamp()))},
                        ":now_ms": _ms(now),
                        ":expires": {"N": str(int(now.timestamp()) + CLAIM_KEPT_SECONDS)},
                        ":zero": {"N": "0"},
                        ":one": {"N": "1"},
                    },
                    ReturnValues="UPDATED_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as error:
                if code(error) != "ConditionalCheckFailedException":
                    raise
                return _blocker(_item(error), owner, now)
        return Claimed(int(answer["Attributes"]["attempts"]["N"]))

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        """See `Ledger.sent`."""
        self._leave(key, owner, "SENT", expires_at, sent_at={"S": now.isoformat()})

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        """See `Ledger.retry`."""
        self._leave(key, owner, "RETRY", expires_at, not_before_ms=_ms(not_before))

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        """See `Ledger.dead`."""
        self._leave(key, owner, "DEAD", expires_at, reason={"S": reason[:500] or "unknown"})

    def _leave(
        self, key: str, owner: str, state: str, expires_at: datetime, **more: dict[str, str]
    ) -> None:
        sets = "".join(f", {name} = :{name}" for name in more)
        with translated(f"dynamodb:UpdateItem {self._table}"):
            try:
                self._client.update_item(
                    TableName=self._table,
                    Key={"key": {"S": key}},
                    UpdateExpression=f"SET #state = :next, expires_at = :expires{sets}",
                    ConditionExpression=MINE,
                    ExpressionAttributeNames={"#state": "state", "#owner": "owner"},
                    ExpressionAttributeValues={
                        ":me": {"S": owner},
                        ":claimed": {"S": "CLAIMED"},
                        ":next": {"S": state},
                        ":expires": {"N": str(int(expires_at.timestamp()))},
                        **{f":{name}": value for name, value in more.items()},
                    },
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as error:
                if code(error) != "ConditionalCheckFailedException":
                    raise
                item = _item(error)
                # This owner's own write: its answer was lost, and the client sent it again.
                if _text(item, "owner") == owner and _text(item, "state") == state:
                    return
                raise ClaimLost(
                    f"{key}: the claim is {_text(item, 'owner') or 'gone'}'s"
                ) from error


def _item(error: ClientError) -> dict[str, Any]:
    """Return the item that refused a condition (ALL_OLD); empty if there is no item."""
    response: dict[str, Any] = dict(error.response)
    return dict(response.get("Item", {}))


def _blocker(item: dict[str, Any], owner: str, now: datetime) -> ClaimResult:
    """Return the result of a refused claim, from the item that refused it.

    A claim of the same owner counts as claimed: its answer was lost.
    """
    state = _text(item, "state")
    if state == "SENT":
        return AlreadyDone("SENT")
    if state == "DEAD":
        return AlreadyDone("DEAD")
    if state == "CLAIMED" and _text(item, "owner") == owner:
        return Claimed(int(item["attempts"]["N"]))
    until = item.get("lease_until_ms" if state == "CLAIMED" else "not_before_ms")
    return ClaimedByOther(datetime.fromtimestamp(int(until["N"]) / 1000, UTC) if until else now)


def _ms(moment: datetime) -> dict[str, str]:
    return {"N": str(int(moment.timestamp() * 1000))}


def _text(item: dict[str, Any], name: str) -> str:
    return str(item.get(name, {}).get("S", ""))
