"""Amazon Translate's and Bedrock's answers in our words, and whether each may have been charged."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import (
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ReadTimeoutError,
)
from urllib3 import HTTPResponse

from uring.aws.bedrock import BedrockModel
from uring.aws.clients import Clients, Service
from uring.aws.translate import AmazonTranslator
from uring.changes.retry import Backoff
from uring.errors import Misconfigured, Permanent, Retryable, Unavailable, UringError
from uring.language import (
    LanguageUnclear,
    ModelReply,
    Question,
    RequestRefused,
    Tool,
    TranslatedText,
    Unanswered,
    UnsupportedLanguages,
)

QUESTION = Question("Instructions", ("a", "b"), Tool("report", "d", {"type": "object"}), 100)
SAID: dict[str, Any] = {
    "output": {
        "message": {
            "role": "assistant",
            "content": [
                {"text": "I will report."},
                {"toolUse": {"toolUseId": "1", "name": "other", "input": {"x": 1}}},
                {"toolUse": {"toolUseId": "2", "name": "report", "input": {"findings": []}}},
            ],
        }
    },
    "stopReason": "tool_use",
    "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15},
    "metrics": {"latencyMs": 1},
}


class Wire:
    """Both clients of a session, whose requests are answered here; each is remembered."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AWS_BEARER_TOKEN_BEDROCK", raising=False)
        # No address of AWS: moto, which other tests of this process start, would answer first.
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://services.invalid")
        monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
        self.clients = Clients(boto3.Session("key", "secret", region_name="ap-northeast-2"))
        self.sent: list[AWSPreparedRequest] = []
        self.answer: Callable[[], tuple[int, bytes, dict[str, str]]] = lambda: (200, b"{}", {})

    def client(self, service: Service) -> Any:
        client = self.clients.get(service)
        client.meta.events.register_first(f"before-send.{service}", self._send)
        return client

    def says(self, status: int, body: Any, **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.answer = lambda: (status, data, headers)

    def fails(self, error: Exception) -> None:
        def answer() -> tuple[int, bytes, dict[str, str]]:
            raise error

        self.answer = answer

    def translate(self, text: str = "가", source: str = "ko", **more: Any) -> TranslatedText:
        translator = AmazonTranslator(
            self.client("translate"), backoff=Backoff(lambda _: None), **more
        )
        return translator.translate(text, source=source, target="en")

    def converse(self, model: str = "m") -> ModelReply:
        return BedrockModel(self.client("bedrock-runtime"), model).converse(QUESTION)

    def _send(self, request: AWSPreparedRequest, **_: Any) -> AWSResponse:
        self.sent.append(request)
        status, body, headers = self.answer()
        raw = HTTPResponse(BytesIO(body), preload_content=False)
        return AWSResponse(request.url, status, headers, raw)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def test_both_speak_the_protocols_that_the_stand_ins_speak(wire: Wire) -> None:
    protocols = {
        name: wire.clients.get(name).meta.service_model.resolved_protocol
        for name in ("translate", "bedrock-runtime")
    }
    assert protocols == {"translate": "json", "bedrock-runtime": "rest-json"}


class TestTranslate:
    def test_a_request_says_all_that_was_set(self, wire: Wire) -> None:
        wire.says(200, {"TranslatedText": "leave", "SourceLanguageCode": "ko"})
        said = wire.translate("휴학", "auto", terminologies=("school",), formality="FORMAL")
        assert said == TranslatedText("leave", "ko")
        assert json.loads(wire.sent[0].body) == {
            "Text": "휴학",
            "SourceLanguageCode": "auto",
            "TargetLanguageCode": "en",
            "TerminologyNames": ["school"],
            "Settings": {"Formality": "FORMAL"},
        }

    def test_other_settings_are_another_variant(self) -> None:
        variants = {
            AmazonTranslator(None).variant,
            AmazonTranslator(None, terminologies=["a"]).variant,
            AmazonTranslator(None, terminologies=["b"]).variant,
            AmazonTranslator(None, formality="FORMAL").variant,
        }
        assert len(variants) == 4

    def test_a_text_over_the_limit_is_not_sent(self, wire: Wire) -> None:
        with pytest.raises(RequestRefused, match="10002 bytes, at most 10000"):
            wire.translate("가" * 3_334)
        assert wire.sent == []

    @pytest.mark.parametrize(
        ("kind", "status", "expected", "message", "requests"),
        [
            ("TooManyRequestsException", 400, Unavailable, "TooManyRequests", 5),
            ("ThrottlingException", 400, Unavailable, "Throttling", 5),
            ("InternalServerException", 500, Unavailable, "InternalServer", 5),
            ("ServiceUnavailableException", 503, Unavailable, "ServiceUnavailable", 5),
            ("UnsupportedLanguagePairException", 400, UnsupportedLanguages, "another language", 1),
            ("DetectedLanguageLowConfidenceException", 400, LanguageUnclear, r"\(perhaps mn\)", 1),
            ("InvalidRequestException", 400, RequestRefused, "the words of AWS", 1),
            ("ValidationException", 400, RequestRefused, "the words of AWS", 1),
            ("TextSizeLimitExceededException", 400, RequestRefused, "the words of AWS", 1),
            ("ResourceNotFoundException", 400, Misconfigured, "deploy the stack", 1),
            ("AccessDeniedException", 400, Misconfigured, "lacks this permission", 1),
            ("UnrecognizedClientException", 400, Misconfigured, "renew the AWS credentials", 1),
        ],
    )
    def test_its_refusals(
        self,
        wire: Wire,
        kind: str,
        status: int,
        expected: type[UringError],
        message: str,
        requests: int,
    ) -> None:
        body = {"__type": kind, "Message": "the words of AWS", "DetectedLanguageCode": "mn"}
        wire.says(status, body)
        with pytest.raises(expected, match=message) as caught:
            wire.translate()
        assert str(caught.value).startswith("translate:TranslateText ko to en: ")
        assert not isinstance(caught.value, Unanswered)
        assert len(wire.sent) == requests, "what is refused for now is repeated"

    def test_a_language_of_one_letter_is_a_refused_request(self, wire: Wire) -> None:
        with pytest.raises(RequestRefused, match="SourceLanguageCode"):
            wire.translate(source="k")

    def test_an_error_that_cannot_be_repeated_is_permanent(self) -> None:
        for kind in (UnsupportedLanguages, LanguageUnclear, RequestRefused):
            assert issubclass(kind, Permanent)


class TestBedrock:
    def test_a_request_forces_the_one_tool(self, wire: Wire) -> None:
        wire.says(200, SAID)
        arn = "arn:aws:bedrock:ap-northeast-2:1:inference-profile/apac.model:0"
        assert wire.converse(arn) == ModelReply({"findings": []}, "tool_use", 10, 5)
        (request,) = wire.sent
        assert request.url.endswith(
            "/model/arn%3Aaws%3Abedrock%3Aap-northeast-2%3A1%3Ainference-profile%2Fapac.model%3A0/converse"
        )
        body = json.loads(request.body)
        assert body["toolConfig"]["toolChoice"] == {"tool": {"name": "report"}}
        assert body["messages"] == [{"role": "user", "content": [{"text": "a"}, {"text": "b"}]}]
        assert body["inferenceConfig"] == {"maxTokens": 100, "temperature": 0.0}

    def test_a_model_without_the_tool_said_nothing(self, wire: Wire) -> None:
        content = [
            {"text": "I will not."},
            {"toolUse": {"toolUseId": "1", "name": "x", "input": 1}},
        ]
        said = {**SAID, "output": {"message": {"role": "assistant", "content": content}}}
        wire.says(200, {**said, "stopReason": "end_turn"})
        assert wire.converse() == ModelReply(None, "end_turn", 10, 5)

    @pytest.mark.parametrize(
        ("kind", "status", "expected", "is_unanswered"),
        [
            ("ThrottlingException", 429, Unavailable, False),
            ("ModelNotReadyException", 429, Unavailable, False),
            ("InternalServerException", 500, Unavailable, False),
            ("ServiceUnavailableException", 503, Unavailable, False),
            ("ModelTimeoutException", 408, Unavailable, True),
            ("ModelErrorException", 424, Unavailable, True),
            ("ValidationException", 400, RequestRefused, False),
            ("AccessDeniedException", 403, Misconfigured, False),
            ("ResourceNotFoundException", 404, Misconfigured, False),
        ],
    )
    def test_its_refusals(
        self,
        wire: Wire,
        kind: str,
        status: int,
        expected: type[UringError],
        *,
        is_unanswered: bool,
    ) -> None:
        wire.says(
            status, {"message": "the words of AWS"}, **{"x-amzn-ErrorType": f"{kind}:http://x"}
        )
        with pytest.raises(expected, match="bedrock:Converse m: ") as caught:
            wire.converse()
        assert isinstance(caught.value, Unanswered) is is_unanswered
        assert len(wire.sent) == 1, "one call is one request: it is paid for"

    @pytest.mark.parametrize(
        "change",
        [
            {"usage": None},
            {"usage": {"inputTokens": -1, "outputTokens": 1, "totalTokens": 0}},
            {"output": None},
            {"output": {"message": {"role": "assistant"}}},
            {"stopReason": None},
        ],
    )
    def test_an_answer_without_its_parts_is_none(self, wire: Wire, change: Any) -> None:
        said = {key: value for key, value in {**SAID, **change}.items() if value is not None}
        wire.says(200, said)
        with pytest.raises(Unanswered):
            wire.converse()


UNREADABLE = [
    b"",
    b"<html>",
    b"[]",
    b"null",
    b'"x"',
    b"\xff",
    b'{"a":' * 100_000,
    b'{"output": [1]}',
]
CALLS: dict[str, Callable[[Wire], object]] = {
    "translate": Wire.translate,
    "converse": Wire.converse,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("body", UNREADABLE, ids=lambda body: repr(body[:10]))
def test_an_answer_that_cannot_be_read_may_have_been_paid(
    wire: Wire, body: bytes, call: str
) -> None:
    wire.says(200, body)
    with pytest.raises(Unanswered) as caught:
        CALLS[call](wire)
    assert isinstance(caught.value, Retryable)


@pytest.mark.parametrize("value", [None, 5, ["a"]])
def test_a_translation_that_is_no_text_is_none(wire: Wire, value: Any) -> None:
    wire.says(200, {"TranslatedText": value})
    with pytest.raises(Unanswered, match="malformed answer"):
        wire.translate()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("failure", "is_unanswered"),
    [
        (ReadTimeoutError, True),
        (ConnectionClosedError, True),
        (ConnectTimeoutError, False),
        (EndpointConnectionError, False),
    ],
)
def test_no_answer_is_paid_unless_the_request_never_left(
    wire: Wire, failure: type[Exception], call: str, *, is_unanswered: bool
) -> None:
    wire.fails(failure(endpoint_url="https://x"))
    with pytest.raises(Unavailable) as caught:
        CALLS[call](wire)
    assert isinstance(caught.value, Unanswered) is is_unanswered


def test_what_is_paid_for_has_one_request_and_a_model_minutes(wire: Wire) -> None:
    config = wire.clients.get("bedrock-runtime").meta.config
    assert config.read_timeout == 300
    assert config.retries["total_max_attempts"] == 1
    assert wire.clients.get("translate").meta.config.retries["total_max_attempts"] == 1
