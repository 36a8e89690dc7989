"""Floods at the CDN: a firewall and a flat plan, where they are asked for."""

from typing import Any, Final

from expanded import ROOT, Stack

from uring_local.template.template import parse

ACL: Final = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/flood/1"
MANAGED: Final = {
    "658327ea-f89d-4fab-a63d-7e88639e58f6",
    "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
}
"""AWS's own cache policies: CachingOptimized and CachingDisabled."""


def distribution(stack: Stack) -> dict[str, Any]:
    (found,) = stack.of_type("AWS::CloudFront::Distribution").values()
    config: dict[str, Any] = found["DistributionConfig"]
    return config


def test_the_firewall_that_is_named_is_at_the_cdn(template: dict[str, Any], stack: Stack) -> None:
    assert "WebACLId" not in distribution(stack)
    assert distribution(Stack(template, WebAclArn=ACL))["WebACLId"] == ACL


def test_a_plan_covers_the_distribution_and_its_firewall(template: dict[str, Any]) -> None:
    stack = Stack(template, WebAclArn=ACL, CdnPlan="FREE")
    (plan,) = stack.of_type("AWS::PricingPlanManager::Subscription").values()
    assert (plan["PlanFamily"], plan["PlanTier"]) == ("CloudFront", "FREE")
    assert plan["ResourceArns"] == [
        "arn:aws:cloudfront::123456789012:distribution/${Distribution}",
        ACL,
    ]
    for without in ({"CdnPlan": "NONE"}, {"WebAclArn": ""}, {"Cdn": "DISABLED"}):
        given = {"WebAclArn": ACL, "CdnPlan": "FREE", **without}
        assert "DistributionPlan" not in Stack(template, **given).resources


def test_the_distribution_fits_the_free_plan(full_stack: Stack) -> None:
    """Five behaviours, cache policies of AWS's own, and nothing of CloudFront's older kinds."""
    config = distribution(full_stack)
    behaviours = [config["DefaultCacheBehavior"], *config["CacheBehaviors"]]
    assert len(behaviours) <= 5
    assert {each["CachePolicyId"] for each in behaviours} <= MANAGED
    for each in behaviours:
        assert not each.keys() & {
            "ForwardedValues",
            "LambdaFunctionAssociations",
            "RealtimeLogConfigArn",
            "FieldLevelEncryptionId",
        }
    for origin in config["Origins"]:
        assert not origin.get("S3OriginConfig", {}).get("OriginAccessIdentity")


def test_the_firewall_answers_one_address_that_asks_too_much_429() -> None:
    """403 would mean to a client that a file does not exist."""
    template = parse(ROOT / "firewall.yaml")
    acl = template["Resources"]["Firewall"]["Properties"]
    assert (acl["Scope"], acl["DefaultAction"]) == ("CLOUDFRONT", {"Allow": {}})
    limits, headers = {}, {}
    for rule in acl["Rules"]:
        response = rule["Action"]["Block"]["CustomResponse"]
        assert response["ResponseCode"] == 429
        headers[rule["Name"]] = response.get("ResponseHeaders")
        rate = rule["Statement"]["RateBasedStatement"]
        assert (rate["AggregateKeyType"], rate["EvaluationWindowSec"]) == ("IP", 300)
        limits[rule["Name"]] = rate["Limit"]
    assert limits == {"flood": {"Ref": "FloodRequests"}, "api": {"Ref": "ApiRequests"}}
    # WAF counts what it blocks: browsers that ask again each minute would stay out for ever.
    assert headers == {"flood": None, "api": [{"Name": "Retry-After", "Value": "600"}]}


def test_one_address_cannot_use_up_the_subscriptions_of_all(stack: Stack) -> None:
    """The API takes a number of requests a second of all callers together.

    A campus of 400 browsers behind one address is let in.
    """
    template = parse(ROOT / "firewall.yaml")
    (rule,) = (
        each
        for each in template["Resources"]["Firewall"]["Properties"]["Rules"]
        if each["Name"] == "api"
    )
    scope = rule["Statement"]["RateBasedStatement"]["ScopeDownStatement"]["ByteMatchStatement"]
    assert (scope["PositionalConstraint"], scope["SearchString"]) == ("STARTS_WITH", "/api/")
    stages = stack.of_type("AWS::ApiGatewayV2::Stage").values()
    (stage,) = (each for each in stages if each["ApiId"] == "${SubscriptionHttpApi}")
    of_all = 300 * stage["DefaultRouteSettings"]["ThrottlingRateLimit"]
    assert 400 <= template["Parameters"]["ApiRequests"]["Default"] <= of_all * 2 / 3
