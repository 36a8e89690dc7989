"""`uring state` against a versioned bucket of a deployed stack, as an operator types it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld, WeatherWorld

from uring.errors import Misconfigured, Unavailable
from uring_local.cli import main
from uring_local.operate import bucket as operators_bucket
from uring_local.operate.bucket import VersionedBucket, open_bucket
from uring_local.project import REGISTRIES, ROOT, SITEMAP
from uring_local.stack.describe import StackDescription

BUCKET = "uring-data"
STATE = "state/notices/cs.json"
METAR = "state/weather/metar.json"
STACK = ("--stack", "uring-here")


@pytest.fixture
def s3(deployed_s3: Any) -> Any:
    """A bucket that keeps versions; the stack uring-here has it."""
    deployed_s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
    return deployed_s3


@pytest.fixture
def board(s3: Any) -> NoticeWorld:
    """The department cs, checked once."""
    world = NoticeWorld(VirtualClock(datetime.now(UTC)), objects=lambda _: bucket(s3))
    assert world.check().outcome == "baseline"
    return world


@pytest.fixture
def airfield(s3: Any) -> WeatherWorld:
    """The METAR of one airport, stored once."""
    world = WeatherWorld(VirtualClock(datetime.now(UTC)), objects=lambda _: bucket(s3))
    world.reports = {"RKSI": metar("2026-03-02T01:00:00Z")}
    assert world.check().outcome == "baseline"
    return world


def bucket(client: Any) -> VersionedBucket:
    return VersionedBucket(client, BUCKET)


def metar(when: str) -> dict[str, Any]:
    header = {"report_type": "METAR", "report_status": "NORMAL", "observation_time": when}
    return {"header": {**header, "issue_time": when}, "raw": f"METAR {when}"}


def body(client: Any, key: str = STATE) -> bytes:
    found: bytes = client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    return found


def plant(client: Any, content: bytes, key: str = STATE) -> None:
    client.put_object(Bucket=BUCKET, Key=key, Body=content)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["state", *words, *STACK, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("board")
def test_a_healthy_state_is_shown_with_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", "show", "cs", *STACK]) == 0
    shown = capsys.readouterr().out
    for text in (f"state     {STATE}", "versions  2", "status    ok", "outbox    none"):
        assert text in shown
    assert "problems  none" in shown


def test_a_broken_one_is_explained_put_back_and_the_next_check_finds_nothing_new(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(s3, body(s3)[:-20])
    plant(s3, b"{}")
    code, shown = said(capsys, "show", "cs")
    assert code == 1
    assert shown["versions"] == 4
    (problem,) = shown["problems"]
    assert problem.startswith(f"{STATE}: source: Field required; ")
    assert "`uring state repair cs --stack uring-here`" in problem
    assert main(["state", "repair", "cs", *STACK]) == 1
    text = capsys.readouterr().out
    assert text.count("broken    ") == 2, "the object, and the version before it"
    assert "pushes only what came later" in text
    assert "next      --yes writes it" in text
    assert body(s3) == b"{}"
    code, done = said(capsys, "repair", "cs", "--yes")
    assert (code, done["written"]) == (0, [STATE])
    assert said(capsys, "show", "cs")[0] == 0
    assert board.check().outcome == "unchanged"
    assert said(capsys, "repair", "cs", "--yes") == (0, {"broken": [], "put_back": [], "then": []})


def test_a_deleted_one_comes_back_from_before_its_delete_marker(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    s3.delete_object(Bucket=BUCKET, Key=STATE)
    code, shown = said(capsys, "show", "cs")
    assert (code, shown["versions"]) == (1, 2)
    assert shown["problems"][0].startswith(f"{STATE}: is gone; ")
    assert said(capsys, "repair", "cs", "--yes")[0] == 0
    assert said(capsys, "show", "cs")[0] == 0
    board.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    assert board.check().outcome == "changed"
    assert board.pushes() == [("3", "new")]


def test_what_is_still_to_be_published_is_shown_and_is_no_problem(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    board.show(Notice("3", "셋"), Notice("2", "둘"))
    board.outlet.refuses = lambda _: True
    with pytest.raises(Unavailable):
        board.check()
    s3.delete_object(Bucket=BUCKET, Key="data/cs/latest.json")
    code, shown = said(capsys, "show", "cs")
    assert (code, shown["outbox"], shown["problems"]) == (0, ["new 3"], [])


def test_weather_is_shown_and_put_back_likewise(
    s3: Any, airfield: WeatherWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of three airports two fail, and the report of the third is of March.
    code, shown = said(capsys, "show", "metar")
    assert (code, shown["state"], shown["failing"]) == (0, METAR, 3)
    plant(s3, b"", METAR)
    assert said(capsys, "show", "metar")[0] == 1
    code, done = said(capsys, "repair", "metar", "--yes")
    assert (code, done["written"]) == (0, [METAR])
    assert "pushes only what came later" in done["then"][0]
    airfield.clock.advance(600)
    assert airfield.check().outcome == "unchanged"
    assert said(capsys, "show", "metar")[0] == 0


def test_what_readers_see_otherwise_of_the_weather_is_said(
    s3: Any, airfield: WeatherWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(s3, b'{"fetched_at": "2026-03-01T00:00:00Z"}', "data/metar/latest.json")
    code, shown = said(capsys, "show", "metar")
    assert code == 1
    assert "data/metar/latest.json: shows the change of 2026-03-01" in shown["problems"][0]
    assert said(capsys, "repair", "metar", "--yes")[1]["broken"] == []
    airfield.reports["RKSI"] = metar("2026-03-02T02:00:00Z")
    assert airfield.check().outcome == "changed"
    assert said(capsys, "show", "metar")[0] == 0


@pytest.mark.parametrize("odd", [None, b"", b'{"fetched_at": "2026-03-01T00:00:00Z"}'])
def test_what_readers_no_longer_see_is_published_by_the_check_after_a_repair(
    s3: Any, airfield: WeatherWorld, capsys: pytest.CaptureFixture[str], odd: bytes | None
) -> None:
    latest = "data/metar/latest.json"
    shown = s3.get_object(Bucket=BUCKET, Key=latest)["Body"].read()
    s3.delete_object(Bucket=BUCKET, Key=latest)
    if odd is not None:
        plant(s3, odd, latest)
    code, looked = said(capsys, "repair", "metar")
    assert (code, looked["written"]) == (1, [])
    assert looked["hidden"][0].startswith(f"{latest}: shows the change of ")
    code, done = said(capsys, "repair", "metar", "--yes")
    assert (code, done["written"]) == (0, [METAR])
    pushed = len(airfield.messages())
    airfield.clock.advance(600)
    assert airfield.check().outcome == "unchanged"
    assert len(airfield.messages()) == pushed
    now = json.loads(s3.get_object(Bucket=BUCKET, Key=latest)["Body"].read())
    assert now["airports"] == json.loads(shown)["airports"]
    assert said(capsys, "show", "metar")[0] == 0


def test_notices_that_readers_no_longer_see_come_back_likewise(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    s3.delete_object(Bucket=BUCKET, Key="data/cs/latest.json")
    assert said(capsys, "repair", "cs", "--yes")[1]["written"] == [STATE]
    pushed = len(board.pushes())
    assert board.check().outcome == "unchanged"
    assert len(board.pushes()) == pushed
    assert said(capsys, "show", "cs")[0] == 0


def test_an_object_beside_it_is_no_version_of_it(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    del board
    plant(s3, body(s3), f"{STATE}.copy")
    assert said(capsys, "show", "cs")[1]["versions"] == 2


def test_a_source_of_two_families_is_asked_for_by_its_family(
    s3: Any, board: NoticeWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    del board
    plant(s3, b"", "state/weather/cs.json")
    assert main(["state", "show", "cs", *STACK]) == 1
    assert "cs is in notices and weather; choose one with --family" in capsys.readouterr().err
    assert main(["state", "show", "cs", *STACK, "--family", "notices"]) == 0


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ee"], "no state/notices/ee.json and no state/regulations/ee.json and no state/seeds"),
        (["cs", "--family", "weather"], "there is no state/weather/cs.json; correct the name"),
        (["cs", "--family", "wether"], "known families: notices, regulations, seeds, weather"),
    ],
)
@pytest.mark.parametrize("command", ["show", "repair"])
def test_what_is_not_there_is_said(
    capsys: pytest.CaptureFixture[str], command: str, words: list[str], message: str
) -> None:
    assert main(["state", command, *words, *STACK]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("operation", "permission"),
    [("ListObjectVersions", "s3:ListBucketVersions"), ("GetObject", "s3:GetObjectVersion")],
)
def test_a_refusal_names_the_permission_that_the_operator_lacks(
    s3: Any,
    board: NoticeWorld,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    operation: str,
    permission: str,
) -> None:
    del board
    plant(s3, b"")

    def refuse(params: dict[str, Any], **_: Any) -> None:
        if operation == "ListObjectVersions" or "VersionId" in params:
            raise ClientError({"Error": {"Code": "AccessDenied"}}, operation)

    s3.meta.events.register(f"before-parameter-build.s3.{operation}", refuse)
    monkeypatch.setattr(operators_bucket.boto3, "client", lambda _: s3)
    assert main(["state", "repair", "cs", *STACK, "--yes"]) == 1
    refusal = "AccessDenied; the calling role or user lacks this permission"
    assert f"{permission} {BUCKET}/{STATE}: {refusal}" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["show", *STACK], ["repair", *STACK], ["mend", "cs"]])
def test_wrong_usage_is_exit_code_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["state", *words])
    assert caught.value.code == 2


def test_a_stack_is_named_by_its_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    """CloudFormation in moto needs more than is installed: a stubbed client stands in."""
    client = boto3.client("cloudformation", region_name="us-east-1")
    stubbed = Stubber(client)
    stack = {"StackName": "uring-here", "CreationTime": datetime.now(UTC), "StackStatus": "x"}
    output = {"OutputKey": "BucketName", "OutputValue": BUCKET}
    asked = {"StackName": "uring-here"}
    stubbed.add_response("describe_stacks", {"Stacks": [{**stack, "Outputs": [output]}]}, asked)
    stubbed.add_response("describe_stacks", {"Stacks": [stack]}, asked)
    stubbed.add_client_error("describe_stacks", "ValidationError", "prod does not exist")
    monkeypatch.setattr(operators_bucket.boto3, "client", lambda _: client)
    with stubbed:
        assert open_bucket("uring-here").name == BUCKET
        with pytest.raises(Misconfigured, match="another application"):
            open_bucket("uring-here")
        with pytest.raises(Misconfigured, match="there is no stack prod"):
            open_bucket("prod")


@pytest.mark.parametrize("file", [SITEMAP, REGISTRIES], ids=str)
def test_a_file_is_uploaded_in_the_place_of_the_one_before(
    s3: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    """Whatever it is called: its list tells where its orchestrator looks for it."""
    key, body = file.as_posix(), (ROOT / file).read_bytes()
    config = tmp_path / "mine.json"
    config.write_bytes(body)
    s3.put_object(Bucket=BUCKET, Key=key, Body=b"the one before")
    assert main(["config", "upload", str(config), *STACK]) == 0
    assert f"uploaded to s3://{BUCKET}/{key}" in capsys.readouterr().out
    uploaded = s3.get_object(Bucket=BUCKET, Key=key)
    assert uploaded["Body"].read() == body
    assert uploaded["ContentType"] == "application/json"


def test_a_private_address_is_uploaded_to_a_stack_that_allows_it_alone(
    s3: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "sitemap.json"
    entry = {"id": "cs", "name": "cs", "url": "http://127.0.0.1:8081/", "preset": "k2web"}
    config.write_text(json.dumps({"sources": [entry]}))
    assert main(["config", "upload", str(config), *STACK]) == 1
    said = capsys.readouterr().out
    assert "cs: url: a deployed worker refuses it: port 8081" in said
    assert said.endswith("not uploaded\n")
    described = StackDescription(
        {"AllowedPrivateHosts": "10.0.0.1:80,127.0.0.1:8081"}, {"BucketName": BUCKET}
    )
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: described)
    assert main(["config", "upload", str(config), *STACK]) == 0
    key = SITEMAP.as_posix()
    assert s3.get_object(Bucket=BUCKET, Key=key)["Body"].read() == config.read_bytes()
