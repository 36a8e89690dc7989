"""`uring decide`: the operator's word on a board whose ids do not fit the known notices."""

import json
from typing import Any, Literal

from uring.changes.register import StateRegister
from uring.changes.retry import Backoff
from uring.clock import system_clock
from uring.errors import Misconfigured
from uring.notices.registration import NAME
from uring.notices.state import NoticeState
from uring_local.operate.bucket import open_bucket

Word = Literal["new", "same"]

_THEN = {
    "new": "the next check believes the page and pushes what is new or edited on it, more than "
    "changes.digest_over as one push",
    "same": "the next check takes the notices that the page showed when the doubt began for the "
    "known ones, without a push; what came later is pushed",
}


def decide_board(source: str, word: Word, *, stack: str, write: bool, as_json: bool) -> bool:
    """Store the decision for the next check; print the doubt and what follows.

    Raises:
        Misconfigured: the board is not in doubt.
        Superseded: a check committed meanwhile; look again.
    """
    bucket = open_bucket(stack)
    register = StateRegister(bucket, NAME, NoticeState, clock=system_clock, backoff=Backoff())
    version = register.read(source)
    if version is None or version.state.doubt is None or not version.state.is_in_doubt:
        raise Misconfigured(
            f"{source} has no doubt to decide on; `uring state show {source} --stack {stack}` "
            "shows its last check"
        )
    state, doubt = version.state, version.state.doubt
    said: dict[str, Any] = {
        "doubt": doubt.reason,
        "since": doubt.at,
        "failures": state.health.failures,
        "decision": word,
        "then": _THEN[word],
    }
    if write:
        # The source is asked at the next tick, however long it was to wait.
        health = state.health.model_copy(update={"retry_at": None})
        register.write(version, state.replace(decision=word, health=health))
    said["next"] = "stored for the next check" if write else "--yes stores it"
    _print(said, as_json=as_json)
    return write


def _print(said: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(said, ensure_ascii=False, indent=1))
        return
    for name, value in said.items():
        print(f"{name:9} {value}")
