"""The distribution: data for everybody, the client under a strict policy, subscriptions (N14)."""

from typing import Any

from expanded import Stack, logical_id, read_template

FIREBASE = [
    "https://fcmregistrations.googleapis.com",
    "https://firebaseinstallations.googleapis.com",
]
# AWS's own.
OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6"
CORS_S3 = "88a5eaf4-2fd4-4709-b370-b4c650ea3fcf"
DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac"


def config_of(stack: Stack) -> dict[str, Any]:
    config: dict[str, Any] = stack.resources["Distribution"]["Properties"]["DistributionConfig"]
    return config


def behaviors(stack: Stack) -> dict[str, dict[str, Any]]:
    config = config_of(stack)
    listed = {each["PathPattern"]: each for each in config["CacheBehaviors"]}
    return {**listed, "*": config["DefaultCacheBehavior"]}


def policy(stack: Stack, pattern: str) -> dict[str, Any]:
    headers = behaviors(stack)[pattern]["ResponseHeadersPolicyId"]
    found: dict[str, Any] = stack.properties(headers)["ResponseHeadersPolicyConfig"]
    return found


def csp(stack: Stack) -> dict[str, list[str]]:
    """The client's policy, sources by directive."""
    headers = policy(stack, "*")["SecurityHeadersConfig"]["ContentSecurityPolicy"]
    assert headers["Override"] is True
    parts = [part.split() for part in headers["ContentSecurityPolicy"].split("; ")]
    return {name: sources for name, *sources in parts}


def origin_of(stack: Stack, pattern: str) -> dict[str, Any]:
    target = behaviors(stack)[pattern]["TargetOriginId"]
    (origin,) = [each for each in config_of(stack)["Origins"] if each["Id"] == target]
    return dict(origin)


def test_data_and_client_are_of_one_bucket_and_the_requests_are_signed(stack: Stack) -> None:
    folders = {each: origin_of(stack, each).get("OriginPath", "") for each in ("/data/*", "*")}
    assert folders == {"/data/*": "", "*": "/web"}
    for pattern in folders:
        origin = origin_of(stack, pattern)
        assert origin["DomainName"] == "${Bucket.RegionalDomainName}"
        access = stack.properties(origin["OriginAccessControlId"])["OriginAccessControlConfig"]
        assert access["SigningBehavior"] == "always"
        assert access["OriginAccessControlOriginType"] == "s3"
    assert config_of(stack)["DefaultRootObject"] == "index.html"


def test_readers_get_tls_validators_and_only_reading_methods(stack: Stack) -> None:
    for behavior in (behaviors(stack)[each] for each in ("/data/*", "*")):
        assert behavior["ViewerProtocolPolicy"] == "redirect-to-https"
        assert behavior["Compress"] is True
        assert set(behavior["AllowedMethods"]) <= {"GET", "HEAD", "OPTIONS"}
        assert behavior["CachePolicyId"] == OPTIMIZED
    assert "OPTIONS" in behaviors(stack)["/data/*"]["AllowedMethods"]
    assert behaviors(stack)["/data/*"]["OriginRequestPolicyId"] == CORS_S3


def test_no_error_becomes_a_page_and_none_is_remembered_for_long(stack: Stack) -> None:
    """403 is "no such month". The first notice of one makes a file that was asked for before."""
    errors = {entry["ErrorCode"]: entry for entry in config_of(stack)["CustomErrorResponses"]}
    assert errors.keys() == {403, 404}
    assert all(entry["ErrorCachingMinTTL"] <= 60 for entry in errors.values())
    assert not [entry for entry in errors.values() if "ResponsePagePath" in entry]


def test_a_web_client_of_another_origin_may_send_if_none_match(stack: Stack) -> None:
    """Both the bucket, which answers the preflight, and the distribution have to agree."""
    (rule,) = stack.resources["Bucket"]["Properties"]["CorsConfiguration"]["CorsRules"]
    cors = policy(stack, "/data/*")["CorsConfig"]
    assert "If-None-Match" in rule["AllowedHeaders"]
    assert cors["AccessControlAllowHeaders"]["Items"] == rule["AllowedHeaders"]
    assert cors["AccessControlAllowOrigins"]["Items"] == rule["AllowedOrigins"] == ["*"]
    assert "ETag" in rule["ExposedHeaders"]
    assert "ETag" in cors["AccessControlExposeHeaders"]["Items"]
    assert cors["AccessControlAllowCredentials"] is False


def test_the_client_runs_its_own_files_and_asks_its_own_origin(least_stack: Stack) -> None:
    directives = csp(least_stack)
    assert directives["default-src"] == ["'none'"]
    for name in ("script-src", "style-src", "connect-src", "worker-src", "manifest-src"):
        assert directives[name] == ["'self'"]
    for name in ("base-uri", "form-action", "frame-ancestors"):
        assert directives[name] == ["'none'"]
    assert directives["require-trusted-types-for"] == ["'script'"]
    assert directives["trusted-types"] == ["app", "lit-html"]
    sources = {source for listed in directives.values() for source in listed}
    assert not [each for each in sources if "unsafe" in each or "*" in each or ":" in each[:-1]]
    headers = policy(least_stack, "*")["SecurityHeadersConfig"]
    assert headers["ReferrerPolicy"]["ReferrerPolicy"] == "no-referrer"
    assert headers["ContentTypeOptions"] == {"Override": True}
    assert headers["StrictTransportSecurity"]["AccessControlMaxAgeSec"] == 31536000


def test_a_client_that_is_pushed_asks_firebases_registration_too(
    least_stack: Stack, stack: Stack
) -> None:
    """And nobody else; its modules are the client's own files."""
    assert csp(stack) == {**csp(least_stack), "connect-src": ["'self'", *FIREBASE]}


def test_no_page_of_another_origin_subscribes(stack: Stack) -> None:
    for pattern in ("*", "/api/*"):
        assert "CorsConfig" not in policy(stack, pattern)


def test_subscriptions_are_an_api_of_the_same_origin_where_there_is_push(
    least_stack: Stack, stack: Stack
) -> None:
    assert "/api/*" not in behaviors(least_stack)
    assert "SubscriptionHttpApi" not in str(config_of(least_stack))
    api = behaviors(stack)["/api/*"]
    assert "POST" in api["AllowedMethods"]
    assert api["ViewerProtocolPolicy"] == "https-only"
    assert (api["CachePolicyId"], api["OriginRequestPolicyId"]) == (DISABLED, EXCEPT_HOST)
    origin = origin_of(stack, "/api/*")
    assert origin["DomainName"].startswith("${SubscriptionHttpApi}.execute-api.eu-west-1.")
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"


def test_names_of_the_whole_account_name_the_region_and_are_two(stack: Stack) -> None:
    """The same stack in a second region is no collision."""
    policies = stack.of_type("AWS::CloudFront::ResponseHeadersPolicy")
    assert {each["ResponseHeadersPolicyConfig"]["Name"] for each in policies.values()} == {
        "uring-test-eu-west-1-data",
        "uring-test-eu-west-1-client",
    }
    (access,) = stack.of_type("AWS::CloudFront::OriginAccessControl").values()
    assert access["OriginAccessControlConfig"]["Name"] == "uring-test-eu-west-1-data"


def test_each_policy_is_at_work(stack: Stack) -> None:
    used = {logical_id(each["ResponseHeadersPolicyId"]) for each in behaviors(stack).values()}
    assert used == stack.of_type("AWS::CloudFront::ResponseHeadersPolicy").keys()


CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0-a-plainly-made-up-0"


def test_it_has_cloudfronts_name_alone_by_default(stack: Stack) -> None:
    assert not config_of(stack).keys() & {"Aliases", "ViewerCertificate"}
    variables = stack.resources["Monitor"]["Properties"]["Environment"]["Variables"]
    assert variables["READERS_URL"] == "https://${Distribution.DomainName}/data/index.json"


def test_it_takes_a_name_of_ones_own_with_its_certificate() -> None:
    """Readers keep their address when the stack is made anew; the monitor asks there, too."""
    own = {"DomainName": "data.example.org", "CertificateArn": CERTIFICATE}
    stack = Stack(read_template(), **own)
    config = config_of(stack)
    assert config["Aliases"] == ["data.example.org"]
    assert config["ViewerCertificate"] == {
        "AcmCertificateArn": CERTIFICATE,
        "SslSupportMethod": "sni-only",
        "MinimumProtocolVersion": "TLSv1.2_2021",
    }
    variables = stack.resources["Monitor"]["Properties"]["Environment"]["Variables"]
    assert variables["READERS_URL"] == "https://data.example.org/data/index.json"


def test_a_certificate_comes_before_the_name_that_is_moved_here() -> None:
    """CloudFront moves a name only to a distribution that has a certificate for it."""
    config = config_of(Stack(read_template(), CertificateArn=CERTIFICATE))
    assert "Aliases" not in config
    assert config["ViewerCertificate"]["AcmCertificateArn"] == CERTIFICATE


def test_a_local_stack_asks_no_distribution() -> None:
    for without in ({"Operations": "false"}, {"Cdn": "DISABLED"}):
        stack = Stack(read_template(), **without)
        variables = stack.resources["Monitor"]["Properties"]["Environment"]["Variables"]
        assert variables["READERS_URL"] == ""
