"""What the subscription API's sample event, and what follows from it, must do."""

import json
from collections.abc import Iterator
from typing import Final

from emulator.samples import Sample
from emulator.stage import Stage
from emulator.trial import Row, Trial

_TOPIC: Final = "nurisol_cse"


class SubscriptionSteps:
    """The steps of a browser: a topic that it never had, and one of the monitor's index."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def call(self, sample: Sample) -> Iterator[Row]:
        """The sample unsubscribes nobody; a topic of the index is then subscribed to."""
        stage, name = self._stage, sample.function
        body = json.loads(sample.event["body"])
        wanted = json.dumps({"id": body["id"], "subscribe": [_TOPIC]})
        events = [sample.event, {**sample.event, "body": wanted}]
        trial = Trial(stage.emulator(name), name, sample.file, events)
        found = trial.value or {}
        trial.expect(found.get("statusCode") == 204, f"it answers {found}")
        topics = stage.fcm.topics_of(body["id"])
        trial.expect(topics == [_TOPIC], f"the browser is subscribed to {topics}")
        yield trial.row("204 twice, subscribed to a topic of the index")
