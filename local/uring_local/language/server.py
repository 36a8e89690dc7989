"""Amazon Translate and Amazon Bedrock at one address, for the real boto3 clients.

    POST /   X-Amz-Target: AWSShineFrontendService_20170701.TranslateText      awsJson1.1
    POST /model/{id or ARN, percent-encoded}/converse                          REST-JSON

    request ─► signed? ─► understood? ─► fault? ─► journal ─► answer

``AWS_ENDPOINT_URL_TRANSLATE`` and ``AWS_ENDPOINT_URL_BEDROCK_RUNTIME`` are its address; see
`LanguageStandIn.environment`.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from uring_local.language import model, translating
from uring_local.language.faults import (
    OF_BOTH,
    OF_MODEL,
    OF_TRANSLATE,
    REFUSING,
    LanguageFault,
    LanguageFaultPlan,
)
from uring_local.language.journal import LanguageJournal, Service, ServiceCall
from uring_local.language.wire import (
    JSON_1_1,
    REST_JSON,
    ServiceRefused,
    answer,
    check_signature,
    read_object,
    refusal_of_bedrock,
    refusal_of_translate,
    subject,
)
from uring_local.loopback import Answer, LoopbackServer, PortTaken, Request

_TARGET: Final = "AWSShineFrontendService_20170701.TranslateText"
_CONVERSE: Final = re.compile(r"/model/([^/]+)/converse")
_MOST_BODY: Final = 8 * 1024 * 1024
_BYTES_A_TOKEN: Final = 3
_THROTTLED: Final = {"translate": "TooManyRequestsException", "bedrock": "ThrottlingException"}
_STATUS_THROTTLED: Final = {"translate": 400, "bedrock": 429}


class LanguageStandIn(LoopbackServer):
    """Both services on 127.0.0.1 between ``start`` and ``stop``, or in a ``with`` block.

    Args:
        journal: file of the requests; a new stand-in on the same file continues it. None keeps
            them in memory.
        faults: see `uring_local.language.faults.parse_language_faults`.
        seed: of the faults.
        most_faults_in_a_row: of one subject; None sets no limit.
        seconds: that every response takes.
        slow_seconds: further seconds of a ``slow`` response.
        terminologies: names that Translate knows.
        port: 0 picks a free one. Bound at once.

    Raises:
        DamagedLanguageJournal: the journal has a malformed line.
        PortTaken: another process listens on the port.
        OSError: the journal cannot be written.
    """

    def __init__(
        self,
        journal: Path | None = None,
        *,
        faults: Sequence[LanguageFault] = (),
        seed: int = 0,
        most_faults_in_a_row: int | None = None,
        seconds: float = 0.0,
        slow_seconds: float = 5.0,
        terminologies: Collection[str] = (),
        port: int = 0,
    ) -> None:
        self._plan = LanguageFaultPlan(faults, seed=seed, most_in_a_row=most_faults_in_a_row)
        self._seconds = seconds
        self._slow_seconds = slow_seconds
        self._terminologies = frozenset(terminologies)
        self._lock = threading.Lock()
        self._journal = LanguageJournal(journal)
        self._attempts = Counter(each.subject for each in self._journal.asked)
        try:
            super().__init__(self._respond, port=port, max_body=_MOST_BODY)
        except (OSError, PortTaken):
            self._journal.close()
            raise

    @property
    def url(self) -> str:
        """The address, without a slash at the end."""
        return f"http://{self.host}"

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that point any AWS SDK to these two services here, and no other service."""
        return {
            "AWS_ENDPOINT_URL_TRANSLATE": self.url,
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": self.url,
        }

    @property
    def asked(self) -> tuple[ServiceCall, ...]:
        """Every request so far that was understood, with those of earlier processes."""
        return self._journal.asked

    def stop(self) -> None:
        """Cut open connections, end every thread, close the journal. Idempotent."""
        super().stop()
        self._journal.close()

    def _respond(self, request: Request) -> Answer:
        model_id = _CONVERSE.fullmatch(request.path)
        if model_id is None:
            try:
                return self._translation(request)
            except ServiceRefused as error:
                return refusal_of_translate(error)
        try:
            check_signature(request, "bedrock")
            return self._conversation(unquote(model_id[1]), read_object(request.body))
        except ServiceRefused as error:
            return refusal_of_bedrock(error)

    def _translation(self, request: Request) -> Answer:
        if request.method != "POST" or request.headers.get("x-amz-target") != _TARGET:
            raise ServiceRefused(400, "UnknownOperationException", "there is only TranslateText")
        check_signature(request, "translate")
        document = read_object(request.body)
        text, source, target = translating.read_translation(document, self._terminologies)
        names = document.get("TerminologyNames") or []
        name = subject("translate", text, source, target, *names)
        fault = self._fault(name, OF_BOTH | OF_TRANSLATE)
        self._take("translate", name, target, len(text), fault)
        result = text if source == target else translating.translated(text, target)
        if fault == "mangled":
            result = translating.mangled(result)
        body = {
            "TranslatedText": result,
            "SourceLanguageCode": source,
            "TargetLanguageCode": target,
            "AppliedTerminologies": [{"Name": name, "Terms": []} for name in names],
        }
        return self._sent(answer(200, body, JSON_1_1), fault)

    def _conversation(self, model_id: str, document: Mapping[str, Any]) -> Answer:
        text, whole, tool = model.read_conversation(document)
        name = subject("bedrock", model_id, text)
        fault = self._fault(name, OF_BOTH | OF_MODEL)
        content, stopped = _said(fault, text, tool, name)
        tokens = _tokens(whole), _tokens(json.dumps(content, ensure_ascii=False))
        self._take("bedrock", name, model_id, len(whole), fault, tokens)
        body = {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": stopped,
            "usage": {
                "inputTokens": tokens[0],
                "outputTokens": tokens[1],
                "totalTokens": sum(tokens),
            },
            "metrics": {"latencyMs": 1},
        }
        return self._sent(answer(200, body, REST_JSON), fault)

    def _fault(self, name: str, kinds: frozenset[str]) -> str:
        """Count a request for a subject; return its fault, empty if it succeeds."""
        with self._lock:
            self._attempts[name] += 1
            attempt = self._attempts[name]
        return self._plan.fault(name, attempt, kinds)

    def _take(
        self,
        service: Service,
        name: str,
        target: str,
        characters: int,
        fault: str,
        tokens: tuple[int, int] = (0, 0),
    ) -> None:
        """Record a request before its response.

        Raises:
            Refused: the fault is a refusal.
        """
        self._journal.ask(
            service,
            subject=name,
            target=target,
            characters=characters,
            answered=fault or "ok",
            input_tokens=tokens[0],
            output_tokens=tokens[1],
        )
        if fault not in REFUSING:
            return
        if fault == "429":
            raise ServiceRefused(
                _STATUS_THROTTLED[service], _THROTTLED[service], "Too many requests"
            )
        kind = "InternalServerException" if fault == "500" else "ServiceUnavailableException"
        raise ServiceRefused(int(fault), kind, "try again")

    def _sent(self, whole: Answer, fault: str) -> Answer:
        seconds = self._seconds + (self._slow_seconds if fault == "slow" else 0.0)
        return replace(whole, seconds=seconds, manner="cut" if fault == "lost" else "whole")


def _said(fault: str, text: str, tool: str, name: str) -> tuple[list[dict[str, Any]], str]:
    """Return the blocks of a model's message, and its stop reason."""
    if fault == "silent":
        return [{"text": "I found nothing that I would report."}], "end_turn"
    answers: dict[str, Any] = {
        "invalid": model.invalid(name),
        "invented": model.invented(text),
        "obeys": model.obeyed(text),
        "cut": {"findings": model.report(text)["findings"][:1]},
    }
    said = answers[fault] if fault in answers else model.report(text)
    used = {"toolUse": {"toolUseId": f"tooluse_{name[:16]}", "name": tool, "input": said}}
    return [used], "max_tokens" if fault == "cut" else "tool_use"


def _tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)
