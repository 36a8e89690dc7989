"""Amazon Bedrock's Converse with one forced tool; see `uring.language.Converses`."""

from collections.abc import Mapping
from typing import Any, Final

from uring.aws.paid import Refusals, message, paid_call, refused, unreadable
from uring.language import ModelReply, Question, Unanswered


class BedrockModel:
    """Implements `uring.language.Converses`; safe to share between threads.

    One call is one request: the client has one attempt, and waits for minutes.

    Args:
        client: a client of the service ``bedrock-runtime``.
        model: id or ARN of a model or of an inference profile.
    """

    def __init__(self, client: Any, model: str) -> None:
        self._client = client
        self._model = model

    @property
    def model(self) -> str:
        """See `Converses.model`."""
        return self._model

    def converse(self, question: Question) -> ModelReply:
        """See `Converses.converse`."""
        what = f"bedrock:Converse {self._model}"
        tool = question.tool
        with paid_call(what, _REFUSALS):
            answer = self._client.converse(
                modelId=self._model,
                system=[{"text": question.system}],
                messages=[{"role": "user", "content": [{"text": text} for text in question.texts]}],
                inferenceConfig={"maxTokens": question.most_tokens, "temperature": 0.0},
                toolConfig={
                    "tools": [
                        {
                            "toolSpec": {
                                "name": tool.name,
                                "description": tool.description,
                                "inputSchema": {"json": tool.schema},
                            }
                        }
                    ],
                    "toolChoice": {"tool": {"name": tool.name}},
                },
            )
        try:
            return _reply(answer, tool.name)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise unreadable(what) from error


def _reply(answer: Mapping[str, Any], tool: str) -> ModelReply:
    used = [
        block["toolUse"].get("input")
        for block in answer["output"]["message"]["content"]
        if block.get("toolUse", {}).get("name") == tool
    ]
    usage = answer["usage"]
    return ModelReply(
        used[0] if used else None,
        str(answer["stopReason"]),
        _count(usage["inputTokens"]),
        _count(usage["outputTokens"]),
    )


def _count(said: Any) -> int:
    count = int(said)
    if count < 0:
        raise ValueError("a count of tokens below zero")
    return count


def _unanswered(what: str, answer: Mapping[str, Any]) -> Unanswered:
    return Unanswered(f"{what}: {message(answer)}")


_REFUSALS: Final[Refusals] = {
    "ModelErrorException": _unanswered,
    "ModelTimeoutException": _unanswered,
    "ValidationException": refused,
}
