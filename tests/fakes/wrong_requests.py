"""Wrong requests of each HTTP API, with the status that its document gives them."""

# ruff: noqa: RUF001 - full-width letters and digits are what is tested.

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from fakes.document_api import ApiWorld, http_event
from fakes.seeds import SeedWorld
from fakes.subscriptions import DEVICE, SubscriptionWorld
from uring.documents.api.app import openapi_document as of_documents
from uring.seeds.api import ROUTE as SEEDS
from uring.seeds.api import SeedTriggers
from uring.seeds.api import openapi_document as of_seeds
from uring.subscriptions.api import ROUTE as SUBSCRIPTIONS
from uring.subscriptions.api import openapi_document as of_subscriptions

JSON = {"content-type": "application/json"}
PAGE = "/api/v1/pages/handbook"
ISSUE = f"{PAGE}/issues/00000000-0000-4000-8000-000000000000"

METHODS = [
    *("get", "Get", "post", "Post", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"),
    *("QUERY", "LINK", "COPY", "MOVE", "LOCK", "MKCOL", "SEARCH", "pOST", "PoSt", "POST\t", "P0ST"),
    *("POST,GET", "GET POST", "ANY", "*", "POST\x00", "Head", "head", "options", "put", "delete"),
    *("POSTT", " POST", "GET ", "HEAD\n", "", "ＧＥＴ", "PROPFIND"),
]
MEDIA_TYPES = [
    *("text/plain", "text/json", "application/jsonx", "application/json5", "application/x-json"),
    *("application/xml", "application/problem+json", "application/merge-patch+json", "json", "*/*"),
    *("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/"),
    *("application/json, text/plain", "application/json text/plain", "text/plain;application/json"),
    *("application/json; charset=euc-kr", 'application/json;charset="utf-16"', "application /json"),
    *("application/octet-stream", "application/json;charset=utf-8;charset=cp949"),
]
RIGHT_TYPES = [
    *(
        "application/json",
        "APPLICATION/JSON",
        "Application/Json; Charset=UTF-8",
        "application/json;",
    ),
    *(
        'application/json ; charset="utf-8"',
        "application/json;v=1",
        "application/json; charset=utf8",
    ),
]
NOT_JSON = [
    *("{", "}", "nothing", "'a'", "{'a': 1}", '{"a": 1,}', '{"a" 1}', "{a: 1}", '{"a": 1} x'),
    *('{"a": NaN}', '{"a": Infinity}', '{"a": -Infinity}', '{"a": 01}', '{"a": +1}', '{"a": 0x10}'),
    *('{"a": .5}', '{"a": 1_000}', '{"a": １}', '{"a": "\n"}', '\ufeff{"a": 1}', '{"a": True}'),
    *("[" * 3_000, '{"a": ' + "9" * 3_900 + "e", "a=1&b=2", "<a/>", '{"a": "\\x"}', "{} {}"),
]
NO_OBJECT = ["null", "true", "1", '"text"', "[]", "[{}]", "[[{}]]", "1.5", '["id"]']
NO_NUMBERS = [
    *("１２", "1_000", " 5", "5 ", "+5", "1e2", "0x10", "٣", "%20", "", "5.", "5.0", "05", "-0"),
    *("0b1", "five", "NaN", "1,5", "²", "5\n", "\t5", "9" * 40, "-1", "None", "true", "[5]"),
]
PATHS = [
    *("/", "//{}", "{}/", "{}\n", "{}%0a", "{}.json", "{};a=b", "{}/..", "/x{}", "{}?a", "{}#a"),
    *("{}/.", "{}//", "/.{}", "/..{}", "{}%2f", "{}\\", "{} ", "{}\u200b", "{}\x00", "/%2e{}", ""),
]


@dataclass(frozen=True)
class Wrong:
    """A request that an API refuses.

    Attributes:
        of: the operation's path in the document; empty for an address that it does not have.
        field: the field that the answer names; empty if it names none.
    """

    status: int
    method: str
    target: str
    body: str | None = None
    headers: Mapping[str, str] = field(default_factory=lambda: JSON)
    of: str = ""
    field: str = ""

    @property
    def name(self) -> str:
        """What a failed test is found by."""
        said = [self.method, self.target, *self.headers.values(), (self.body or "")[:60]]
        return ascii(" ".join(said))

    def event(self) -> dict[str, Any]:
        """The event, with the path as it was written."""
        event = http_event(self.method, self.target, self.body, {})
        path = self.target if self.status == 404 else self.target.partition("?")[0]
        event["rawPath"] = event["requestContext"]["http"]["path"] = path
        event["headers"] = dict(self.headers)
        return event


@dataclass(frozen=True)
class Api:
    """An API, its document and its wrong requests."""

    answer: Callable[[dict[str, Any]], Mapping[str, Any]]
    document: dict[str, Any]
    requests: list[Wrong]
    right: list[Wrong]


def of_a_body(path: str, of: str, fields: Mapping[str, list[Any]], good: Any) -> Iterator[Wrong]:
    """Yield what each operation with a body refuses.

    Args:
        path: of the request.
        of: of the document.
        fields: wrong values of each field.
        good: a body that is taken.
    """
    text = json.dumps(good)
    headers = {**JSON, "if-match": "*"}

    def post(status: int, body: str, named: str = "", **more: Any) -> Wrong:
        return Wrong(status, "POST", path, body, {**headers, **more}, of, named)

    for media_type in MEDIA_TYPES:
        yield post(415, text, **{"content-type": media_type})
    for body in NOT_JSON:
        yield post(400, body)
    for body in NO_OBJECT:
        yield post(422, body, "body")
    for key in good:
        twice = f'{text[:-1]}, "{key}": {json.dumps(good[key])}}}'
        yield post(422, twice, f"body.{key}")
    yield post(422, json.dumps({**good, "unknown": 1}), "body.unknown")
    yield post(413, json.dumps({**good, "unknown": "x" * 300_000}))
    for name, values in fields.items():
        for value in values:
            yield post(422, json.dumps({**good, name: value}), f"body.{name}")


def of_an_address(method: str, path: str, of: str) -> Iterator[Wrong]:
    """Yield methods and addresses that there are not."""
    known = {"GET": ("GET", "HEAD"), "POST": ("POST",)}[method]
    for other in METHODS:
        if other not in known:
            yield Wrong(405, other, path, of=of)
    for pattern in PATHS if method == "POST" else PATHS[:4]:
        yield Wrong(404, method, pattern.format(path))


def _words(*more: Any) -> list[Any]:
    return [7, 1.5, True, [], {}, ["a"], "", " ", "\x00", "x" * 2_000, *more]


def documents() -> Api:
    """The API of documents."""
    world = ApiWorld()
    world.upload("a.pdf")
    world.extract("a.pdf")
    path = "/api/v1/pages/{page}"
    severities = _words("HIGH", "high ", "ｈigh", None)
    states = _words("Open", "open ", "none", None)
    edits = {
        "classify": ({"severity": "high"}, {"severity": severities}),
        "annotate": ({"notes": "a"}, {"notes": [7, 1.5, True, [], {}, None, "x" * 90_000]}),
        "transition": ({"state": "valid"}, {"state": states}),
    }
    found: list[Wrong] = []
    for name, (good, fields) in edits.items():
        found += of_a_body(f"{ISSUE}/{name}", f"{path}/issues/{{issue}}/{name}", fields, good)
    job = {"operation": ["Issues", "issues ", "all", *_words(None)]}
    sources = [7, [], "", "..", "a/b", "%2e%2e", "../b", " a", "．．", "x" * 181, ".a", "a\n"]
    found += of_a_body(f"{PAGE}/jobs", f"{path}/jobs", job, {"operation": "issues"})
    found += [
        Wrong(
            422,
            "POST",
            f"{PAGE}/jobs",
            json.dumps({"operation": "policy", "source": source}),
            of=f"{path}/jobs",
            field="body.source",
        )
        for source in sources
    ]
    lists = {"policies": ["limit"], "issues": ["limit"], "policies/a.pdf": ["limit", "offset"]}
    for place, names in lists.items():
        of = f"{path}/{place.replace('a.pdf', '{source}')}"
        for each in of_an_address("GET", f"{PAGE}/{place}", of):
            # Where a name of any letters may stand, a line break is a letter of it.
            is_name = place == "policies/a.pdf" and each.target.endswith("\n")
            found.append(
                Wrong(422, "GET", each.target, of=of, field="path.source") if is_name else each
            )
        for name in names:
            for number in NO_NUMBERS:
                target = f"{PAGE}/{place}?{name}={quote(number)}"
                found.append(Wrong(422, "GET", target, of=of, field=f"query.{name}"))
    for page in ("..", ".a", "%2e%2e", "a b", "job", "system", "x" * 129, "ｈ", "a:b"):
        target = f"/api/v1/pages/{page}/policies"
        found.append(Wrong(422, "GET", target, of=f"{path}/policies", field="path.page"))
    right = [
        Wrong(202, "POST", f"{PAGE}/jobs", '{"operation": "issues"}', {"content-type": each})
        for each in RIGHT_TYPES
    ]
    right += [Wrong(200, "HEAD", f"{PAGE}/{place}") for place in lists]
    return Api(lambda event: world.api.work(event, lambda: 25.0), of_documents(), found, right)


def subscriptions() -> Api:
    """The API of subscriptions."""
    world = SubscriptionWorld()
    good = {"id": DEVICE, "subscribe": ["nurisol_cse"]}
    topics = [7, "a", {}, True, None, 1.5]
    ids = _words(None, DEVICE[:-1], DEVICE + "0", DEVICE + "\n", "a" + DEVICE[1:], "..", "%2e%2e")
    fields = {"id": ids, "subscribe": topics, "unsubscribe": topics}
    found = [*of_a_body(SUBSCRIPTIONS, SUBSCRIPTIONS, fields, good)]
    for name in ("subscribe", "unsubscribe"):
        for topic in (
            7,
            None,
            "",
            ".",
            "..",
            "...",
            "%2e%2e",
            ".%2E",
            "%252e%252e",
            "a%2fb",
            "%5c",
            "a/b",
            "a b",
            "a\\b",
            "a;b",
            "..;",
            "%0a",
            "a\n",
            "．．",
            "토픽",
            "x" * 901,
            "%c0%ae%c0%ae",
            "a?b",
            "a#b",
            "/topics/a",
            [],
            {},
        ):
            body = json.dumps({"id": DEVICE, name: [topic]})
            found.append(
                Wrong(422, "POST", SUBSCRIPTIONS, body, of=SUBSCRIPTIONS, field=f"body.{name}.0")
            )
    found += of_an_address("POST", SUBSCRIPTIONS, SUBSCRIPTIONS)
    missing = Wrong(415, "POST", SUBSCRIPTIONS, json.dumps(good), {}, SUBSCRIPTIONS)
    right = [
        Wrong(204, "POST", SUBSCRIPTIONS, json.dumps(good), {"content-type": each})
        for each in RIGHT_TYPES
    ]
    return Api(
        lambda event: world.api.work(event, lambda: 25.0),
        of_subscriptions(),
        [*found, missing],
        right,
    )


def seeds() -> Api:
    """The API of seeds."""
    world = SeedWorld()
    triggers = SeedTriggers(
        world.orchestrator, world.reporter, lambda _: None, world.telemetry, days=0
    )
    good = {"country": "sg", "category": "news", "date": "2026-01-28", "force": False}
    fields = {
        "country": _words("SGP", "s", "\u212ar", "ｓｇ", "..", "s/g", "sg\n", "%2e"),
        "category": _words(
            "..",
            "../x",
            "%2e%2e",
            "News",
            "a/b",
            "a\\b",
            "a;b",
            ".",
            "-a",
            "a\n",
            "뉴스",
            "a b",
            "a?",
            "a#",
            "a%",
            "a.b",
            "_a",
            "\u212a",
        ),
        "date": _words(
            "2026-02-30",
            "yesterday",
            "2026-1-28",
            "２０２６-01-28",
            "20260128",
            "2026-01-28T00:00:00Z",
            "2026-01-28\n",
            " 2026-01-28",
            "2026-W05",
            "..",
        ),
        "force": [0, 1, "true", "false", "yes", "on", "", None, [], {}, 1.0, "True"],
    }
    found = [*of_a_body(SEEDS, SEEDS, fields, good), *of_an_address("POST", SEEDS, SEEDS)]
    right = [
        Wrong(200, "POST", SEEDS, json.dumps(good), {"content-type": each}) for each in RIGHT_TYPES
    ]

    def answer(event: dict[str, Any]) -> Mapping[str, Any]:
        answered: Mapping[str, Any] = triggers.work(event, lambda: 800.0)
        return answered

    return Api(answer, of_seeds(), found, right)


APIS = {"documents": documents, "subscriptions": subscriptions, "seeds": seeds}
