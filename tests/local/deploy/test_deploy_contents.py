"""Lists and client of a new stack: what is there stays, and nobody's sites come by accident."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import pytest
from deploy_stages import lines

from uring_local.deploy import contents
from uring_local.deploy.contents import EXAMPLES, put_client, upload_lists
from uring_local.deploy.plan import DeployPlan
from uring_local.doctor.subject import Subject
from uring_local.operate.split import split
from uring_local.project import ROOT
from uring_local.stack.describe import StackDescription

BUCKET = "uring-data"
OWN = {
    "sources": [
        {
            "id": "lantern",
            "name": "Lantern",
            "url": "https://lantern.example.ac.kr/bbs/lantern/4410/artclList.do",
            "preset": "k2web",
        }
    ]
}


@pytest.fixture
def mine(
    plan: Callable[..., DeployPlan],
    deployed_s3: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., DeployPlan]:
    """A plan for a stack with an empty bucket, in a project of its own."""
    described = StackDescription({}, {"BucketName": BUCKET})
    monkeypatch.setattr(Subject, "description", described)
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    (tmp_path / "config").mkdir()
    assert deployed_s3
    return lambda **values: plan(boto3, **values)


def own(folder: Path, document: Any = OWN) -> Path:
    file = folder / "mine.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def stored(client: Any) -> Any:
    return json.loads(client.get_object(Bucket=BUCKET, Key="config/sitemap.json")["Body"].read())


def test_the_example_is_not_the_operators(mine: Callable[..., DeployPlan], tmp_path: Path) -> None:
    """It has boards of real universities, who would see the operator's Contact."""
    shipped = (ROOT / "config" / "sitemap.json").read_bytes()
    (tmp_path / "config" / "sitemap.json").write_bytes(shipped)
    (finding,) = upload_lists(mine())
    assert finding.status == "failed"
    assert "the examples that uRing ships" in finding.detail
    assert "`uring add ADDRESS --write`" in finding.remedy
    assert "Contents" not in boto3.client("s3").list_objects_v2(Bucket=BUCKET)


def test_an_example_that_was_left_in_is_named(
    mine: Callable[..., DeployPlan], tmp_path: Path
) -> None:
    """`uring add` puts an entry beside the examples."""
    document = json.loads((ROOT / "config" / "sitemap.json").read_text(encoding="utf-8"))
    document["sources"] = [*document["sources"][:1], *OWN["sources"]]
    (tmp_path / "config" / "sitemap.json").write_text(json.dumps(document), encoding="utf-8")
    (finding,) = upload_lists(mine())
    assert finding.status == "failed"
    assert finding.detail.endswith("Contact: konkuk_cse")


def test_the_examples_are_those_that_ship() -> None:
    """Watches are no examples of other people's sites: they name what the stack has collected."""
    shipped = [
        json.loads((ROOT / "config" / f"{name}.json").read_text(encoding="utf-8"))[name_of_list]
        for name, name_of_list in (("sitemap", "sources"), ("registries", "registries"))
    ]
    assert {each["id"] for entries in shipped for each in entries} == EXAMPLES


def test_a_list_is_uploaded_once_and_stays(
    mine: Callable[..., DeployPlan], deployed_s3: Any, tmp_path: Path
) -> None:
    (tmp_path / "config" / "sitemap.json").write_text(json.dumps(OWN), encoding="utf-8")
    ((status, detail),) = lines(upload_lists(mine()))
    assert (status, detail.partition(";")[0]) == (
        "ok",
        f"uploaded to s3://{BUCKET}/config/sitemap.json",
    )
    # Somebody has uploaded a newer one meanwhile.
    newer = {"sources": [OWN["sources"][0] | {"name": "Lamp"}]}
    body = json.dumps(newer).encode()
    deployed_s3.put_object(Bucket=BUCKET, Key="config/sitemap.json", Body=body)
    assert lines(upload_lists(mine()))[0][0] == "done before"
    assert stored(deployed_s3) == newer


def test_a_list_that_is_named_is_uploaded_where_it_differs(
    mine: Callable[..., DeployPlan], deployed_s3: Any, tmp_path: Path
) -> None:
    """Also the example: it is what the operator says."""
    example = ROOT / "config" / "sitemap.json"
    assert lines(upload_lists(mine(sitemap=example)))[0][0] == "ok"
    assert lines(upload_lists(mine(sitemap=own(tmp_path))))[0][0] == "ok"
    assert lines(upload_lists(mine(sitemap=own(tmp_path))))[0][0] == "done before"
    assert stored(deployed_s3) == OWN


def test_a_named_list_is_uploaded_where_a_further_file_differs(
    mine: Callable[..., DeployPlan], deployed_s3: Any, tmp_path: Path
) -> None:
    entries = [OWN["sources"][0], {**OWN["sources"][0], "id": "zoo", "url": "https://zoo.ac.kr/"}]
    file = own(tmp_path, {"sources": entries})
    split(file, 1)
    assert lines(upload_lists(mine(sitemap=file)))[0][0] == "ok"
    assert lines(upload_lists(mine(sitemap=file)))[0][0] == "done before"
    further = file.with_name(f"{file.stem}.zoo.json")
    further.write_text(further.read_text("utf-8").replace("zoo.ac.kr", "zoo2.ac.kr"), "utf-8")
    assert lines(upload_lists(mine(sitemap=file)))[0][0] == "ok"
    put = deployed_s3.get_object(Bucket=BUCKET, Key="config/sitemap.zoo.json")["Body"].read()
    assert put == further.read_bytes()


def test_an_example_in_a_further_file_is_named(
    mine: Callable[..., DeployPlan], tmp_path: Path
) -> None:
    document = json.loads((ROOT / "config" / "sitemap.json").read_text(encoding="utf-8"))
    (tmp_path / "config" / "sitemap.json").write_text(json.dumps(document), encoding="utf-8")
    split(tmp_path / "config" / "sitemap.json", 2)
    (finding,) = upload_lists(mine())
    assert finding.status == "failed"
    assert "konkuk_realestate" in finding.detail


def test_a_list_with_a_problem_is_not_uploaded(
    mine: Callable[..., DeployPlan], deployed_s3: Any, tmp_path: Path
) -> None:
    wrong = {"sources": [OWN["sources"][0] | {"pages": 0}]}
    (finding,) = upload_lists(mine(sitemap=own(tmp_path, wrong)))
    assert finding.status == "failed"
    assert "uring config check" in finding.remedy
    assert "Contents" not in deployed_s3.list_objects_v2(Bucket=BUCKET)


def test_without_a_distribution_there_is_no_client(
    plan: Callable[..., DeployPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "upload_client", None)
    assert lines(put_client(plan(boto3, {"Cdn": "DISABLED"}))) == []
