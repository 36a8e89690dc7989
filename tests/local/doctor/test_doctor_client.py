"""The doctor looks at the client as a browser does."""

import json
from dataclasses import replace
from typing import Any

import pytest

from uring_local.fcm.account import PROJECT_ID
from uring_local.loopback import Answer

UPLOAD = "uring web upload --stack made-up"
FILE = "/r/0123456789ab/style.css"
POLICY = {"Content-Security-Policy": "default-src 'none'"}
PAGE = Answer(200, f'"./{FILE[1:]}"'.encode(), {**POLICY, "Cache-Control": "no-cache"})


@pytest.mark.parametrize(
    ("name", "path", "answer", "detail", "remedy"),
    [
        ("client", "/", Answer(403), "answers 403 instead of 200", UPLOAD),
        (
            "client",
            "/",
            replace(PAGE, headers={"Cache-Control": "no-cache"}),
            "no strict",
            "deploy",
        ),
        ("client", "/", replace(PAGE, headers=POLICY), "no Cache-Control", UPLOAD),
        (
            "client",
            "/",
            replace(PAGE, headers={**POLICY, "Cache-Control": "max-age=60"}),
            "max-age=60: browsers keep an old release",
            UPLOAD,
        ),
        ("client files", "/", replace(PAGE, body=b"<p>"), "names no file of a release", UPLOAD),
        ("client files", FILE, Answer(403), "answers 403 instead of 200", UPLOAD),
        ("client files", FILE, Answer(200), "fetched again", UPLOAD),
    ],
)
def test_a_client_that_is_ill(
    hospital: Any, name: str, path: str, answer: Answer, detail: str, remedy: str
) -> None:
    hospital.cdn[path] = answer
    ill = hospital.ill()
    assert ill.keys() == {name}
    assert detail in ill[name].detail
    assert remedy in ill[name].remedy


def config(project: str | None) -> Answer:
    push = {"firebase": {"projectId": project}, "vapidKey": "B"} if project else None
    return Answer(200, json.dumps({"push": push}).encode())


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (config(None), "names no Firebase app"),
        (Answer(403), "names no Firebase app"),
        (Answer(200, b"[]"), "names no Firebase app"),
        (config("another"), f"names another, the stack {PROJECT_ID}"),
    ],
)
def test_a_stack_with_web_push_has_a_client_that_registers(
    hospital: Any, answer: Answer, detail: str
) -> None:
    hospital.deploy(WebPush="ENABLED")
    hospital.cdn["/config.json"] = answer
    found = hospital.findings()["client push"]
    assert found.status == "failed"
    assert detail in found.detail
    assert found.remedy == f"{UPLOAD} --firebase FILE --vapid-key KEY"
    hospital.cdn["/config.json"] = config(PROJECT_ID)
    assert hospital.findings()["client push"].status == "ok"


def test_without_a_distribution_there_is_no_client_to_look_at(hospital: Any) -> None:
    hospital.deploy(Cdn="DISABLED")
    assert not [name for name in hospital.findings() if name.startswith("client")]


def test_without_web_push_a_client_polls(hospital: Any) -> None:
    assert "client push" not in hospital.findings()
