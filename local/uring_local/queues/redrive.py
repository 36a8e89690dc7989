"""Dead letters back to their source queue.

    receive ≤ 10 ─► send each group's first ─► accepted? delete ─► each group's second ─► …

A letter is sent first and deleted once it was accepted: a crash in between leaves it in both
queues, and the next redrive sends it again. That is harmless by design: a message delivered twice
is processed once; deleted first, it would be lost.

The deduplication id of the sent message comes from the letter's own id. So a repeat within SQS's
five minutes is not a second message, and a letter that died again, which has a new id, does not
count as the first. One call has at most one letter of a group, since SQS may refuse one and accept
the next. A letter that comes back during the run is left: otherwise a persistent cause would keep
the run going for ever.
"""

from collections import deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final

from uring.aws.errors import translated
from uring_local.queues.letters import LetterBox, ReceivedLetter
from uring_local.queues.pairs import Queue

_NAME: Final = "redrive-"
# The limit of one message applied to a whole call at SQS for years, and does at some stacks.
_CALL_BYTES: Final = 256 * 1024


@dataclass(slots=True)
class Redriven:
    """The outcome of a redrive.

    Args:
        sent: letters that reached the source queue and were deleted.
        doubled: letters that reached the source queue and could not be deleted.
        refused: letters that the source queue did not accept, with the reason.
        returned: the number that died again during the run.
        missing: requested ids that were not seen.
    """

    sent: list[ReceivedLetter] = field(default_factory=list)
    doubled: list[ReceivedLetter] = field(default_factory=list)
    refused: list[tuple[ReceivedLetter, str]] = field(default_factory=list)
    returned: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """True when everything requested was sent and deleted."""
        return not (self.doubled or self.refused or self.returned or self.missing)


class Redrive:
    """Sends letters of one dead-letter queue to its source.

    Args:
        progress: called with the number of letters sent so far.

    Attributes:
        result: the outcome so far.
    """

    def __init__(
        self, client: Any, box: LetterBox, source: Queue, progress: Callable[[int], None]
    ) -> None:
        self._client = client
        self._box = box
        self._source = source
        self._progress = progress
        self.result = Redriven()
        # The ids of the messages that this redrive sent: a letter with one of them died again.
        self._names: set[str] = set()
        self._seen: set[str] = set()

    def run(self, ids: AbstractSet[str] | None) -> Redriven:
        """Send the letters with these ids, or all.

        Letters that are not sent are visible again at the end.

        Raises:
            Unavailable: SQS did not answer; sent letters stay sent, the rest stays in the queue.
            Misconfigured: access is denied.
        """
        wanted = None if ids is None else {*ids}
        with self._box.held() as kept:
            while wanted is None or wanted:
                letters = self._unseen(self._box.receive())
                if not letters:
                    break
                # A letter is put back unless it was sent and deleted.
                kept.extend(letters)
                due = [each for each in letters if self._is_due(each, wanted)]
                for letter in self._send(due):
                    kept.remove(letter)
                if wanted is not None:
                    wanted -= {letter.id for letter in due}
            self.result.missing = sorted(wanted or ())
        return self.result

    def _unseen(self, letters: Sequence[ReceivedLetter]) -> list[ReceivedLetter]:
        """Return the letters received for the first time; others were held too long."""
        new = [letter for letter in letters if letter.id not in self._seen]
        self._seen |= {letter.id for letter in new}
        return new

    def _is_due(self, letter: ReceivedLetter, wanted: AbstractSet[str] | None) -> bool:
        # SQS moves a message under its id; a worker rejects it under that name.
        if {letter.id, letter.deduplication} & self._names:
            self.result.returned += 1
            return False
        return wanted is None or letter.id in wanted

    def _send(self, letters: Sequence[ReceivedLetter]) -> list[ReceivedLetter]:
        """Send letters in the order of their groups; return the sent and deleted ones."""
        gone: list[ReceivedLetter] = []
        groups: dict[str, deque[ReceivedLetter]] = {}
        for letter in letters:
            groups.setdefault(letter.group, deque()).append(letter)
        while groups:
            batch = _fitting([group[0] for group in groups.values()])
            accepted = self._send_batch(batch)
            left = self._box.delete(accepted) if accepted else []
            self.result.doubled += left
            gone += [letter for letter in accepted if letter not in left]
            for letter in batch:
                group = groups.pop(letter.group)
                group.popleft()
                # After a refused letter nothing of its group is sent: it would overtake.
                if letter in accepted and group:
                    groups[letter.group] = group
        self.result.sent += gone
        self._progress(len(self.result.sent))
        return gone

    def _send_batch(self, letters: Sequence[ReceivedLetter]) -> list[ReceivedLetter]:
        with translated(f"sqs:SendMessage {self._source.name}"):
            answer = self._client.send_message_batch(
                QueueUrl=self._source.url,
                Entries=[
                    {
                        "Id": str(number),
                        "MessageBody": letter.body,
                        "MessageGroupId": letter.group,
                        "MessageDeduplicationId": f"{_NAME}{letter.id}",
                        # The reason belongs to the last time.
                        "MessageAttributes": dict(letter.attributes),
                    }
                    for number, letter in enumerate(letters)
                ],
            )
        for each in answer.get("Failed", []):
            reason = str(each.get("Message") or each.get("Code") or "refused")
            self.result.refused.append((letters[int(each["Id"])], reason))
        accepted = answer.get("Successful", [])
        self._names |= {each["MessageId"] for each in accepted}
        return [letters[int(each["Id"])] for each in accepted]


def _fitting(letters: Sequence[ReceivedLetter]) -> list[ReceivedLetter]:
    """Return the first letter, and the next ones that fit into the same call."""
    batch: list[ReceivedLetter] = []
    size = 0
    for letter in letters:
        size += len(letter.body.encode())
        if batch and size > _CALL_BYTES:
            break
        batch.append(letter)
    return batch
