"""The events of a run, as a view gets them."""

from uring_local.stack.event_log import EventLog


def test_an_event_names_the_family_of_the_run_whatever_the_function_calls_its_own() -> None:
    """A row of the live view is found by it; a text's state has a family of its own."""
    log = EventLog("regulations")
    log.put("changed", {"family": "regulation_texts", "source": "byeolha"})
    log.put("dispatched", {"family": "regulations"})
    (event,) = log.take()
    assert (event["event"], event["family"]) == ("changed", "regulations")
