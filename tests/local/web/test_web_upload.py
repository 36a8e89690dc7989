"""`uring web upload`: only what differs is put, in an order that breaks no reader; push stays."""

import json
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from uring.errors import Misconfigured
from uring_local.cli import main
from uring_local.web.release import read_release
from uring_local.web.upload import put_release

STACK = "made-up"
KEY = "B" + "A" * 86
APP = {
    "apiKey": "made-up-key",
    "authDomain": "uring-test.example",
    "projectId": "uring-test",
    "messagingSenderId": "12345",
    "appId": "1:12345:web:0",
}


class DyingS3:
    """S3 that fails at a put."""

    def __init__(self, client: Any, puts: int) -> None:
        self._client = client
        self._left = puts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def put_object(self, **request: Any) -> Any:
        if not self._left:
            raise ClientError({"Error": {"Code": "AccessDenied"}}, "PutObject")
        self._left -= 1
        return self._client.put_object(**request)


def stored(s3: Any, bucket: str, key: str) -> bytes:
    body: bytes = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    return body


def test_a_second_upload_puts_nothing(s3: Any, client: Path) -> None:
    release = read_release(client)
    first = put_release(s3, "a-bucket", release)
    assert [each.file for each in first] == list(release.files)
    assert all(each.is_new for each in first)
    assert not any(each.is_new for each in put_release(s3, "a-bucket", release))
    head = s3.head_object(Bucket="a-bucket", Key="web/index.html")
    assert (head["ContentType"], head["CacheControl"]) == ("text/html; charset=utf-8", "no-cache")


def test_what_somebody_changed_in_the_bucket_is_put_right(s3: Any, client: Path) -> None:
    """A body, or only a header: one that is kept for a year would stay."""
    release = read_release(client)
    put_release(s3, "a-bucket", release)
    page = stored(s3, "a-bucket", "web/index.html")
    s3.put_object(Bucket="a-bucket", Key="web/index.html", Body=page, CacheControl="max-age=9")
    s3.put_object(Bucket="a-bucket", Key="web/sw.js", Body=b"")
    placed = put_release(s3, "a-bucket", release)
    assert [each.file.key for each in placed if each.is_new] == ["web/sw.js", "web/index.html"]
    assert s3.head_object(Bucket="a-bucket", Key="web/index.html")["CacheControl"] == "no-cache"


@pytest.mark.parametrize("puts", range(11))
def test_an_upload_that_dies_leaves_the_page_as_before_and_goes_on(
    s3: Any, client: Path, puts: int
) -> None:
    """Until all of it is there, index.html is the one before, and that one's files stay."""
    before = read_release(client)
    put_release(s3, "a-bucket", before)
    (client / "uring.js").write_text("export const fold = 2;\n", encoding="utf-8")
    release = read_release(client)
    # All but config.json, which is as it was.
    assert len(release.files) == 12
    with pytest.raises(Misconfigured, match="s3:PutObject a-bucket/web/"):
        put_release(DyingS3(s3, puts), "a-bucket", release)
    assert stored(s3, "a-bucket", "web/index.html") == before.files[-1].body
    for file in before.files:
        if "/r/" in file.key:
            assert stored(s3, "a-bucket", file.key) == file.body
    again = put_release(s3, "a-bucket", release)
    assert sum(each.is_new for each in again) == 11 - puts
    assert stored(s3, "a-bucket", "web/index.html") == release.files[-1].body


@pytest.fixture
def deployed(s3: Any) -> Any:
    """A stack with web push, and a client that does not know of it yet."""
    deploy("create_stack", "ENABLED")
    return s3


def deploy(how: str, web_push: str, project: str = "uring-test") -> None:
    parameters = {"WebPush": web_push, "FcmProjectId": project}
    body = {
        "Parameters": {name: {"Type": "String"} for name in parameters},
        "Resources": {"Bucket": {"Type": "AWS::S3::Bucket"}},
        "Outputs": {
            "BucketName": {"Value": {"Ref": "Bucket"}},
            "DistributionDomain": {"Value": "d1.cloudfront.example"},
        },
    }
    client: Any = boto3.client("cloudformation")
    getattr(client, how)(
        StackName=STACK,
        TemplateBody=json.dumps(body),
        Parameters=[
            {"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()
        ],
    )


def upload(client: Path, *options: str) -> int:
    return main(["web", "upload", str(client), "--stack", STACK, *options])


def deployed_bucket() -> str:
    client: Any = boto3.client("cloudformation")
    (stack,) = client.describe_stacks(StackName=STACK)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    return str(outputs["BucketName"])


def config(s3: Any) -> Any:
    return json.loads(stored(s3, deployed_bucket(), "web/config.json"))


def firebase(folder: Path, document: Any) -> str:
    file = folder / "firebase.json"
    text = document if isinstance(document, str) else json.dumps(document)
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_it_ends_with_what_was_put_and_where_it_is(
    deployed: Any, client: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upload(client) == 0
    out = capsys.readouterr().out
    release = read_release(client, are_joined=True)
    assert "web/status/index.html" in out
    assert f"release {release.id}: 11 put, 0 stored before; push off" in out
    assert out.endswith("https://d1.cloudfront.example/\n")
    assert upload(client, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "release": release.id,
        "address": "https://d1.cloudfront.example/",
        "push": False,
        "put": [],
        "there": [file.key for file in release.files],
    }
    assert config(deployed) == {"push": None}


def test_modules_that_cannot_be_joined_are_named_and_can_go_up_as_they_are(
    deployed: Any, client: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (client / "uring.js").write_text("export default () => {};\n", encoding="utf-8")
    (client / "app/main.js").write_text('import fold from "../uring.js";\n', encoding="utf-8")
    assert upload(client) == 1
    assert "app/main.js: cannot join `import fold" in capsys.readouterr().err
    assert upload(client, "--modules") == 0
    release = read_release(client)
    assert stored(deployed, deployed_bucket(), f"web/r/{release.id}/uring.js")


def test_push_stays_as_it_was_until_the_stack_has_none(
    deployed: Any, client: Path, tmp_path: Path
) -> None:
    """A later upload by somebody without the file must not silence every browser."""
    given = ("--firebase", firebase(tmp_path, APP), "--vapid-key", KEY)
    values = {name: APP[name] for name in ("apiKey", "appId", "projectId", "messagingSenderId")}
    pushed = {"push": {"firebase": values, "vapidKey": KEY}}
    assert upload(client, *given) == 0
    assert config(deployed) == pushed
    (client / "style.css").write_text("/* the next release */\n", encoding="utf-8")
    assert upload(client) == 0
    assert config(deployed) == pushed
    deploy("update_stack", "DISABLED")
    assert upload(client) == 0
    assert config(deployed) == {"push": None}


def test_values_of_a_project_that_the_stack_has_left_are_not_kept(
    deployed: Any, client: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """FCM would refuse each browser that registers with them."""
    assert upload(client, "--firebase", firebase(tmp_path, APP), "--vapid-key", KEY) == 0
    deploy("update_stack", "ENABLED", project="moved")
    before = config(deployed)
    assert upload(client) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "projectId is uring-test, the stack pushes with moved" in said
    assert "--firebase FILE" in said
    assert config(deployed) == before
    moved = firebase(tmp_path, {**APP, "projectId": "moved"})
    assert upload(client, "--firebase", moved, "--vapid-key", KEY) == 0
    assert config(deployed)["push"]["firebase"]["projectId"] == "moved"


SERVICE_ACCOUNT = {**APP, "private_key": "-----BEGIN made up"}


@pytest.mark.parametrize(
    ("document", "key", "problem"),
    [
        ("{torn", KEY, "is not JSON; copy the web app's"),
        ([APP], KEY, "is not a JSON object"),
        ({**APP, "apiKey": ""}, KEY, "apiKey is missing"),
        ({**APP, "messagingSenderId": 12345}, KEY, "messagingSenderId is missing or not a text"),
        ({**APP, "projectId": "another"}, KEY, "projectId is another, the stack pushes with"),
        (SERVICE_ACCOUNT, KEY, "has a private key"),
        (APP, "", "--firebase: needs --vapid-key"),
        (APP, "short", "--vapid-key: is not a public key"),
        (APP, "A" * 87, "--vapid-key: is not a public key"),
        (APP, "!" * 87, "--vapid-key: is not a public key"),
    ],
)
def test_values_that_no_browser_could_register_with_are_refused(
    deployed: Any,
    client: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    document: Any,
    key: str,
    problem: str,
) -> None:
    """And nothing is uploaded; a key that is private is not shown."""
    given = ["--firebase", firebase(tmp_path, document), *(["--vapid-key", key] if key else [])]
    assert upload(client, *given) == 1
    said = capsys.readouterr().err
    assert problem in said
    assert "made up" not in said
    with pytest.raises(ClientError, match="NoSuchKey"):
        config(deployed)


@pytest.mark.usefixtures("deployed")
def test_a_stack_without_web_push_takes_no_values(
    client: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deploy("update_stack", "DISABLED")
    given = ("--firebase", firebase(tmp_path, APP), "--vapid-key", KEY)
    assert upload(client, *given) == 1
    assert "deploy with WebPush=ENABLED first" in capsys.readouterr().err
    assert upload(client, "--vapid-key", KEY) == 1
    assert "--vapid-key: needs --firebase" in capsys.readouterr().err


@pytest.mark.usefixtures("deployed")
def test_a_folder_that_is_no_client_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert upload(tmp_path) == 1
    assert "index.html: no such file" in capsys.readouterr().err
