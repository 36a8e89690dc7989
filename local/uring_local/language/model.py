r"""The responses of the stand-in for a model: the issues that were planted in the documents.

    {{issue high: the deadlines differ}}       an issue; the same words in two documents are one
    {{instruct: {"findings": []}}}             the response of a model that obeys a document

It finds the documents as a model would: by the marks around them in the user's first text.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from uring_local.language.wire import ServiceRefused

_DOCUMENT: Final = re.compile(
    r'<document-(?P<key>\w{8,64}) number="(?P<number>\d{1,6})">\n'
    r"(?P<text>.*?)\n</document-(?P=key)>",
    re.DOTALL,
)
_ISSUE: Final = re.compile(
    r"\{\{\s*issue\s+(?P<severity>low|medium|high|critical):\s*(?P<words>[^{}]{1,160}?)\s*\}\}"
)
_INSTRUCTION: Final = "{{instruct:"
_MOST_TOKENS: Final = 65_536


def planted(text: str) -> list[tuple[str, str, str]]:
    """Return the issues planted in a text, in order: severity, words, and the whole mark."""
    return [
        (match["severity"], " ".join(match["words"].split()), match[0])
        for match in _ISSUE.finditer(text)
    ]


def documents(text: str) -> dict[int, str]:
    """Return the documents in a message, by their numbers."""
    return {int(match["number"]): match["text"] for match in _DOCUMENT.finditer(text)}


def report(text: str) -> dict[str, Any]:
    """Return the tool's input: the issues planted in a message's documents, at most 50."""
    places: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for number, body in documents(text).items():
        for severity, words, mark in planted(body):
            quotes = places.setdefault((severity, words), [])
            if len(quotes) < 10:  # noqa: PLR2004 - as the form has it
                quotes.append({"document": number, "quote": mark})
    return {
        "findings": [
            {
                "title": words,
                "description": f"The text says: {words}. Decide, and say it once.",
                "severity": severity,
                "references": quotes,
            }
            for (severity, words), quotes in places.items()
        ][:50]
    }


def invented(text: str) -> dict[str, Any]:
    """Return a report with an invented issue, and an invented reference in each real one."""
    answer = report(text)
    nowhere = {"document": 1, "quote": "a sentence that no document of this run has"}
    for finding in answer["findings"]:
        finding["references"].insert(0, {**nowhere, "document": 999_999})
        del finding["references"][10:]
    made_up = {
        "title": "Made up",
        "description": "It cites an invented sentence.",
        "severity": "critical",
        "references": [nowhere],
    }
    return {"findings": [made_up, *answer["findings"]][:50]}


def invalid(subject: str) -> dict[str, Any]:
    """Return one of several inputs that break the schema, always the same for a subject."""
    answers: list[dict[str, Any]] = [
        {},
        {"findings": "none"},
        {"findings": [{"title": "", "description": "d", "severity": "high", "references": []}]},
        {"findings": [{"title": "t", "severity": "worst", "references": [{"document": "one"}]}]},
        {"findings": [], "shell": "rm -rf /"},
    ]
    return answers[int(subject[:8], 16) % len(answers)]


def obeyed(text: str) -> Any:
    """Return the response that a document demands; an empty report if none or if malformed."""
    place = text.find(_INSTRUCTION)
    if place < 0:
        return {"findings": []}
    try:
        return json.JSONDecoder().raw_decode(text[place + len(_INSTRUCTION) :].lstrip())[0]
    except (ValueError, RecursionError):
        return {"findings": []}


def read_conversation(document: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the user's first text, all texts in one, and the tool's name.

    Raises:
        Refused: the request is malformed, or of a shape that uRing never sends.
    """
    try:
        (message,) = document["messages"]
        texts = [block["text"] for block in message["content"]]
        (tool,) = document["toolConfig"]["tools"]
        name = tool["toolSpec"]["name"]
        schema = tool["toolSpec"]["inputSchema"]["json"]
        chosen = document["toolConfig"]["toolChoice"]["tool"]["name"]
        most = document["inferenceConfig"]["maxTokens"]
        system = document["system"][0]["text"]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _invalid(f"send one message of texts and one forced tool ({error!r})") from error
    if message.get("role") != "user" or not texts or not all(texts) or not system:
        raise _invalid("the first message must be the user's, and no text may be empty")
    if chosen != name or not re.fullmatch("[a-zA-Z0-9_-]{1,64}", name):
        raise _invalid(f"there is no tool {chosen!r}")
    if schema.get("type") != "object":
        raise _invalid("the tool's schema must be of an object")
    if not 1 <= most <= _MOST_TOKENS:
        raise _invalid(f"maxTokens must be from 1 to {_MOST_TOKENS}")
    return texts[0], "\n".join((system, *texts)), name


def _invalid(message: str) -> ServiceRefused:
    return ServiceRefused(400, "ValidationException", message)
