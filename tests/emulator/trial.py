"""One line of the table in the making: invocations, what was expected of them, what was found."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from emulator.runtime import Emulator


@dataclass(frozen=True)
class Row:
    """One or more invocations of a function with the same purpose.

    Args:
        answer: as JSON, or the error.
        seconds: of all invocations, as the caller waited.
        is_cold: whether a runtime had to be started.
        effect: what was found to have happened, if ``faults`` is empty.
        printed: the last lines of the function, where there is a fault.
    """

    function: str
    event: str
    answer: str
    seconds: float
    is_cold: bool
    effect: str
    faults: tuple[str, ...]
    printed: tuple[str, ...]


class Trial:
    """Sends the events at once, one after the other; then collects what is wrong.

    Args:
        event: what the row calls them.

    Raises:
        StackFailed: the emulator itself is gone.
    """

    def __init__(
        self, emulator: Emulator, function: str, event: str, events: Sequence[Any]
    ) -> None:
        self.faults: list[str] = []
        self._emulator = emulator
        self._names = (function, event)
        self._answers = [emulator.invoke(each) for each in events]

    def answers(self, value: Any) -> None:
        """Expect every invocation to return this."""
        self.expect(bool(self._answers), "there was no event to send")
        for answer in self._answers:
            got = answer.error or _json(answer.value)
            self.expect(
                not answer.error and answer.value == value, f"answered {got}, not {_json(value)}"
            )

    def fails(self, beginning: str) -> None:
        """Expect every invocation to end with an error that begins so."""
        for answer in self._answers:
            got = answer.error or _json(answer.value)
            self.expect(answer.error.startswith(beginning), f"answered {got}, not {beginning} ...")

    def expect(self, condition: bool, fault: str) -> None:  # noqa: FBT001 - as an assertion reads
        """Note the fault unless the condition holds."""
        if not condition:
            self.faults.append(fault)

    @property
    def value(self) -> Any:
        """What the last invocation returned."""
        return self._answers[-1].value

    def row(self, effect: str) -> Row:
        """The finished row."""
        # Of several answers, the one that differs from the others says most.
        texts = [answer.error or _json(answer.value) for answer in self._answers]
        function, event = self._names
        return Row(
            function=function,
            event=event,
            answer=min(texts, key=texts.count, default=""),
            seconds=sum(answer.seconds for answer in self._answers),
            is_cold=any(answer.is_cold for answer in self._answers),
            effect=effect,
            faults=tuple(self.faults),
            printed=tuple(self._emulator.printed()) if self.faults else (),
        )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
