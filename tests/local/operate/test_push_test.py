"""`uring push test`: what FCM would say to a push, through the notifier's own sender."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from uring_local.cli import main
from uring_local.fcm.account import PROJECT_ID, Account
from uring_local.fcm.message import read_send
from uring_local.fcm.rules import read_topic
from uring_local.fcm.server import FcmStandIn
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.operate.push_test import REMEDIES

SECRET = "made-up-fcm"
XML = {"Content-Type": "text/xml"}
STACK = """<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
<DescribeStacksResult><Stacks><member><StackName>made-up</StackName>
<StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-03-02T01:00:00Z</CreationTime>
<Parameters>{}</Parameters></member></Stacks></DescribeStacksResult></DescribeStacksResponse>"""
NO_STACK = """<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>
<Message>Stack with id {} does not exist</Message></Error></ErrorResponse>"""


@pytest.fixture(scope="module")
def account() -> Account:
    return Account()


@pytest.fixture
def standin(account: Account) -> Iterator[FcmStandIn]:
    with FcmStandIn(account=account) as standin:
        yield standin
    assert standin.failures == []


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An account of our own; what is not AWS stays reachable."""
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nonexistent/key.json")
    with mock_aws():
        yield
        # Another test's moto, where this process has one for the whole run, would keep the secret.
        boto3.client("secretsmanager").delete_secret(
            SecretId=SECRET, ForceDeleteWithoutRecovery=True
        )


def store(key: object) -> None:
    boto3.client("secretsmanager").create_secret(Name=SECRET, SecretString=json.dumps(key))


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """CloudFormation that knows one stack, "made-up", with the parameters given."""
    parameters: dict[str, str] = {}

    def respond(request: Request) -> Answer:
        assert request.form["Action"] == "DescribeStacks"
        if request.form["StackName"] != "made-up":
            name = request.form["StackName"]
            return Answer(400, NO_STACK.format(name).encode(), XML)
        members = "".join(
            f"<member><ParameterKey>{name}</ParameterKey>"
            f"<ParameterValue>{value}</ParameterValue></member>"
            for name, value in parameters.items()
        )
        return Answer(200, STACK.format(members).encode(), XML)

    with LoopbackServer(respond) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_CLOUDFORMATION", f"http://{server.host}")
        yield parameters.update
    assert server.failures == []


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["push", "test", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_stacks_push_is_accepted_and_nothing_is_delivered(
    standin: FcmStandIn, deploy: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    store(standin.service_account())
    deploy(FcmProjectId=PROJECT_ID, FcmCredentialsSecret=SECRET, FcmEndpoint=standin.url)
    code, said = asked(capsys, "--topic", "nurisol_cse", "--stack", "made-up")
    assert code == 0
    assert said["accepted"] is True
    assert (said["project"], said["credentials"]) == (PROJECT_ID, SECRET)
    assert said["name"] == f"projects/{PROJECT_ID}/messages/fake_message_id"
    assert standin.deliveries == ()
    assert standin.attempts == {}


def test_each_form_of_a_push_is_validated(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Urgent or not, on iOS in the background or as an alert: FCM may refuse one form alone."""
    bodies: list[Any] = []

    def read(body: bytes) -> Any:
        bodies.append(json.loads(body))
        return read_send(body)

    monkeypatch.setattr("uring_local.fcm.server.read_send", read)
    store(standin.service_account())
    options = ["--project", PROJECT_ID, "--credentials-secret", SECRET, "--endpoint", standin.url]
    assert main(["push", "test", "--topic", "cs", *options]) == 0
    capsys.readouterr()
    assert all(body["validate_only"] is True for body in bodies)
    messages = [body["message"] for body in bodies]
    headers = [message["apns"]["headers"] for message in messages]
    assert [
        (message["android"]["priority"], apns["apns-push-type"], apns["apns-priority"])
        for message, apns in zip(messages, headers, strict=True)
    ] == [
        ("high", "background", "5"),
        ("normal", "background", "5"),
        ("high", "alert", "10"),
        ("normal", "alert", "5"),
    ]


def test_an_option_replaces_what_the_stack_has(
    standin: FcmStandIn, deploy: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    store(standin.service_account())
    deploy(FcmProjectId="another", FcmCredentialsSecret=SECRET, FcmEndpoint=standin.url)
    options = ["--stack", "made-up", "--project", PROJECT_ID]
    assert asked(capsys, "--topic", "cs", *options)[0] == 0


def test_options_do_without_a_stack_and_people_read_a_sentence(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    store(standin.service_account())
    options = ["--project", PROJECT_ID, "--credentials-secret", SECRET, "--endpoint", standin.url]
    assert main(["push", "test", "--topic", "cs", *options]) == 0
    out = capsys.readouterr().out
    assert "would push to the topic cs" in out
    assert "nothing was delivered" in out
    assert standin.deliveries == ()


def test_another_project_than_the_keys_is_refused_with_the_remedy(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    store(standin.service_account())
    options = ["--project", "another", "--credentials-secret", SECRET, "--endpoint", standin.url]
    assert main(["push", "test", "--topic", "cs", *options]) == 1
    out = capsys.readouterr().out
    assert "would not push" in out
    assert "HTTP 404" in out
    assert "remedy: there is no such project" in out


def test_a_foreign_key_is_refused_with_the_remedy(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = Account().info(f"{standin.url}/token")
    store(foreign)
    options = ["--project", PROJECT_ID, "--credentials-secret", SECRET, "--endpoint", standin.url]
    code, said = asked(capsys, "--topic", "cs", *options)
    assert (code, said["accepted"], said["cause"]) == (1, False, "credentials")
    assert "secret" in said["remedy"]
    assert foreign["private_key"] not in json.dumps(said)


Says = Callable[[int, dict[str, str], bytes], str]


@pytest.fixture
def says(account: Account) -> Iterator[Says]:
    """Start servers that give tokens, and one answer to every message."""
    servers: list[LoopbackServer] = []

    def start(status: int, headers: dict[str, str], body: bytes) -> str:
        def respond(request: Request) -> Answer:
            if request.path == "/token":
                token = {"access_token": "fake", "expires_in": 3600, "token_type": "Bearer"}
                return Answer(200, json.dumps(token).encode())
            assert json.loads(request.body)["validate_only"] is True
            return Answer(status, body, headers)

        servers.append(LoopbackServer(respond))
        servers[-1].start()
        url = f"http://{servers[-1].host}"
        store(account.info(f"{url}/token"))
        return url

    yield start
    for server in servers:
        server.stop()
        assert server.failures == []


@pytest.mark.parametrize(
    ("status", "headers", "cause"),
    [
        (200, {}, "unreadable"),
        (307, {"Location": "/"}, "redirected"),
        (400, {}, "invalid"),
        (401, {}, "unauthorised"),
        (403, {}, "forbidden"),
        (404, {}, "not_found"),
        (429, {}, "quota"),
        (500, {}, "unavailable"),
        (503, {}, "unavailable"),
    ],
)
def test_each_refusal_has_its_remedy(
    says: Says,
    capsys: pytest.CaptureFixture[str],
    status: int,
    headers: dict[str, str],
    cause: Any,
) -> None:
    url = says(status, headers, b"made up")
    options = ["--project", "p", "--credentials-secret", SECRET, "--endpoint", url]
    code, said = asked(capsys, "--topic", "cs", *options)
    assert (code, said["accepted"], said["cause"]) == (1, False, cause)
    assert said["remedy"] == REMEDIES[cause]


def test_a_server_that_is_not_there_is_refused_with_the_remedy(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    store(standin.service_account())
    options = ["--project", "p", "--credentials-secret", SECRET, "--endpoint", "http://127.0.0.1:9"]
    code, said = asked(capsys, "--topic", "cs", *options)
    assert (code, said["cause"]) == (1, "no_answer")


def test_without_a_secret_it_is_this_machines_own_credentials(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["push", "test", "--topic", "cs", "--project", "p"]) == 1
    out = capsys.readouterr().out
    assert "GOOGLE_APPLICATION_CREDENTIALS" in out
    assert "this machine's application default credentials" in out


@pytest.mark.usefixtures("deploy")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--stack", "absent"], "no stack absent; deploy it first"),
        (["--credentials-secret", "absent"], "secretsmanager:GetSecretValue absent"),
    ],
)
def test_what_aws_does_not_have_is_named(
    capsys: pytest.CaptureFixture[str], options: list[str], problem: str
) -> None:
    assert main(["push", "test", "--topic", "cs", *options]) == 1
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize(
    ("topic", "remedy"),
    [
        ("cs\n", "white space"),
        (" cs", "white space"),
        ("/topics/cs", "without /topics/"),
        ("컴퓨터공학부", "ASCII"),
        ("cs/notices", "ASCII"),
        ("cs notices", "ASCII"),
        ("", "ASCII"),
        ("c" * 901, "at most 900"),
    ],
)
def test_a_topic_that_fcm_would_refuse_is_refused_before_the_call(
    standin: FcmStandIn, capsys: pytest.CaptureFixture[str], topic: str, remedy: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["push", "test", "--topic", topic, "--endpoint", standin.url])
    assert ended.value.code == 2
    assert remedy in capsys.readouterr().err


@pytest.mark.parametrize("topic", ["cs", "nurisol_cse", "a-b.c~d%20", "c" * 900])
def test_a_legal_topic_is_taken_as_it_is(topic: str) -> None:
    assert read_topic(topic) == topic
