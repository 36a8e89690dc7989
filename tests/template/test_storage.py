"""Bucket and tables: what is private stays private (N7, N8, N10, N12)."""

from fnmatch import fnmatchcase
from typing import Any

import pytest
from expanded import Stack
from grants import grants

from uring.changes.hint import hints_key
from uring.functions.families import FAMILIES as REGISTERED
from uring.watch.memory import memory_key
from uring_local.template.families import FAMILIES, switching_on

BUCKET = "${Bucket.Arn}"


def _only(stack: Stack, kind: str) -> dict[str, Any]:
    (properties,) = stack.of_type(kind).values()
    return properties


def _bucket_statements(stack: Stack) -> dict[str, dict[str, Any]]:
    policy = _only(stack, "AWS::S3::BucketPolicy")
    assert policy["Bucket"] == "${Bucket}"
    return {statement["Sid"]: statement for statement in policy["PolicyDocument"]["Statement"]}


def test_the_bucket_is_private_encrypted_and_versioned(stack: Stack) -> None:
    bucket = _only(stack, "AWS::S3::Bucket")
    assert bucket["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    (ownership,) = bucket["OwnershipControls"]["Rules"]
    assert ownership["ObjectOwnership"] == "BucketOwnerEnforced"
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}


def test_old_versions_and_broken_uploads_go_away_and_nothing_else(stack: Stack) -> None:
    """The archive is kept for ever: no rule may expire current objects of data/ or state/ (N8)."""
    rules = _only(stack, "AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    assert all(rule["Status"] == "Enabled" for rule in rules)
    assert {key for rule in rules for key in rule} == {
        "Id",
        "Status",
        "NoncurrentVersionExpiration",
        # Of a file that was rotated away, once no version of it is left.
        "ExpiredObjectDeleteMarker",
        "AbortIncompleteMultipartUpload",
        "Prefix",
        "ExpirationInDays",
    }
    expiring = [rule for rule in rules if "ExpirationInDays" in rule]
    # The results of the seed engine stay: they are below processing/country=.
    assert [rule["Prefix"] for rule in expiring] == [
        "processing/extract/",
        "processing/robots/",
        "processing/answers/",
        "processing/refused/",
    ]
    # Other sites' pages, for a week.
    assert (expiring[-1]["ExpirationInDays"], _days(expiring[-1])) == (7, 1)
    versions = [rule for rule in rules if "NoncurrentVersionExpiration" in rule]
    # What the monitor makes again of the states: of anything else a month of versions is kept.
    assert [(rule.get("Prefix"), _days(rule)) for rule in versions] == [
        (None, 30),
        ("state/monitor/", 1),
        # Of the indexes of all shards.
        ("data/index.", 1),
        ("processing/refused/", 1),
    ]
    assert [rule for rule in rules if "Prefix" in rule] == [*versions[1:-1], *expiring]


def _days(rule: dict[str, Any]) -> int:
    return int(rule["NoncurrentVersionExpiration"]["NoncurrentDays"])


@pytest.mark.parametrize("family", [family.name for family in REGISTERED])
def test_versions_that_restore_a_state_are_kept_for_a_month(stack: Stack, family: str) -> None:
    """Of several rules that reach a key, S3 honours the shortest."""
    rules = _only(stack, "AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    for key in (f"state/{family}/a.json", "data/a/latest.json", "data/a/archive/202603.jsonl"):
        reaching = [rule for rule in rules if key.startswith(rule.get("Prefix", ""))]
        assert [_days(rule) for rule in reaching if "NoncurrentVersionExpiration" in rule] == [30]
    assert memory_key(family).startswith("state/monitor/")
    assert hints_key(family).startswith("state/monitor/")


def test_data_outlives_the_stack(stack: Stack) -> None:
    for kind in ("Bucket", "LedgerTable", "RegistryTable", "SeedTable", "DocumentTable"):
        resource = stack.resources[kind]
        assert resource["DeletionPolicy"] == "RetainExceptOnCreate"
        assert resource["UpdateReplacePolicy"] == "Retain"


def test_requests_without_tls_are_refused(stack: Stack) -> None:
    deny = _bucket_statements(stack)["TlsOnly"]
    assert deny["Principal"] == "*"
    assert deny["Action"] == "s3:*"
    assert deny["Resource"] == [BUCKET, f"{BUCKET}/*"]
    assert deny["Condition"]["Bool"]["aws:SecureTransport"] == "false"


def test_what_is_compared_and_swapped_is_never_written_without_a_condition(stack: Stack) -> None:
    """Null holds where a key is absent; both absent means that the write is unconditional."""
    deny = _bucket_statements(stack)["ConditionalWritesOnly"]
    assert (deny["Effect"], deny["Principal"], deny["Action"]) == ("Deny", "*", "s3:PutObject")
    assert deny["Resource"] == [f"{BUCKET}/state/*", f"{BUCKET}/data/*"]
    assert deny["Condition"] == {"Null": {"s3:if-match": "true", "s3:if-none-match": "true"}}


KEPT = (
    *(f"state/{family.name}/*" for family in REGISTERED),
    "state/regulation_texts/*",
    "data/*/archive/*",
)


def test_states_and_archives_are_deleted_by_nobody(stack: Stack) -> None:
    """Every family's; a version that is deleted cannot come back either."""
    deny = _bucket_statements(stack)["StatesAndArchivesStay"]
    assert (deny["Effect"], deny["Principal"]) == ("Deny", "*")
    assert deny["Action"] == ["s3:DeleteObject", "s3:DeleteObjectVersion"]
    assert {*deny["Resource"]} == {f"{BUCKET}/{keys}" for keys in KEPT}
    assert "Condition" not in deny


def test_an_operators_role_is_excepted_where_it_is_named(template: dict[str, Any]) -> None:
    role = "arn:aws:iam::123456789012:role/operator"
    stack = Stack(template, OperatorRoleArn=role, **switching_on(FAMILIES))
    deny = _bucket_statements(stack)["StatesAndArchivesStay"]
    assert deny["Condition"] == {"ArnNotLike": {"aws:PrincipalArn": role}}


def test_no_function_may_delete_what_stays(stack: Stack) -> None:
    for function in stack.of_type("AWS::Lambda::Function"):
        for use in grants(stack, function):
            if use.action.startswith("s3:Delete"):
                keys = use.resource.removeprefix("Bucket/")
                assert not [kept for kept in KEPT if fnmatchcase(keys, kept)], function


@pytest.mark.parametrize("place", [{}, {"Prefix": "state/"}, {"Filter": {"Prefix": "data/cs/"}}])
def test_a_rule_that_expires_what_stays_is_found(place: dict[str, Any]) -> None:
    assert _reaching({"ExpirationInDays": 1, **place})
    assert not _reaching({"NoncurrentVersionExpiration": {"NoncurrentDays": 30}, **place})
    assert not _reaching({"ExpirationInDays": 1, "Prefix": "processing/extract/"})


def test_no_rule_expires_a_state_or_an_archive(stack: Stack) -> None:
    rules = _only(stack, "AWS::S3::Bucket")["LifecycleConfiguration"]["Rules"]
    assert not [rule for rule in rules if _reaching(rule)]


def _reaching(rule: dict[str, Any]) -> bool:
    """Whether a rule ends present objects below state/ or data/."""
    ends = any(key in rule for key in ("Expiration", "ExpirationInDays", "ExpirationDate"))
    prefix = rule.get("Prefix", rule.get("Filter", {}).get("Prefix", ""))
    places = ("state/", "data/")
    return ends and any(prefix.startswith(each) or each.startswith(prefix) for each in places)


def test_the_distribution_and_nobody_else_reads_data_and_the_client(stack: Stack) -> None:
    statements = _only(stack, "AWS::S3::BucketPolicy")["PolicyDocument"]["Statement"]
    assert [statement["Effect"] for statement in statements] == ["Deny", "Deny", "Deny", "Allow"]
    allow = _bucket_statements(stack)["DistributionReadsData"]
    assert allow["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert allow["Action"] == "s3:GetObject"
    assert allow["Resource"] == [f"{BUCKET}/data/*", f"{BUCKET}/web/*"]
    source = allow["Condition"]["StringEquals"]["AWS:SourceArn"]
    assert source == "arn:aws:cloudfront::123456789012:distribution/${Distribution}"


def test_a_stack_does_without_a_distribution(template: dict[str, Any], stack: Stack) -> None:
    """AWS refuses one to an account that it has not verified, and with it all of a deployment."""
    without = Stack(template, Cdn="DISABLED", **switching_on(FAMILIES))
    assert not [key for key, each in without.resources.items() if "CloudFront" in each["Type"]]
    assert _bucket_statements(without).keys() == {
        "TlsOnly",
        "ConditionalWritesOnly",
        "StatesAndArchivesStay",
    }
    gone = stack.resources.keys() - without.resources.keys()
    assert gone == {"Distribution", "DistributionAccess", "DistributionHeaders", "ClientHeaders"}
    assert "Distribution." not in str(without.resources)
    needs = {
        name
        for name, output in template["Outputs"].items()
        if "Distribution" in str(output["Value"]) and output.get("Condition") != "HasCdn"
    }
    assert not needs


def test_the_ledger_expires_its_items_and_costs_nothing_idle(stack: Stack) -> None:
    table = stack.of_type("AWS::DynamoDB::Table")["LedgerTable"]
    assert table["KeySchema"] == [{"AttributeName": "key", "KeyType": "HASH"}]
    assert table["AttributeDefinitions"] == [{"AttributeName": "key", "AttributeType": "S"}]
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["SSESpecification"] == {"SSEEnabled": True}


@pytest.mark.parametrize(
    ("name", "expires"), [("RegistryTable", None), ("SeedTable", "expires_at")]
)
def test_a_table_of_items_costs_nothing_idle(stack: Stack, name: str, expires: str | None) -> None:
    """A partition a registry, or one of a dataset: a list by prefix is one query (R1).

    Copies of robots.txt expire; counters have no such attribute.
    """
    table = stack.of_type("AWS::DynamoDB::Table")[name]
    assert table["KeySchema"] == [
        {"AttributeName": "partition", "KeyType": "HASH"},
        {"AttributeName": "key", "KeyType": "RANGE"},
    ]
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    expiry = table.get("TimeToLiveSpecification")
    assert expiry == (expires and {"AttributeName": expires, "Enabled": True})
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["SSESpecification"] == {"SSEEnabled": True}
