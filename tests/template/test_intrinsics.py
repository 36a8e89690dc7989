"""CloudFormation's functions, as far as the template uses them, and a clear refusal of others."""

from typing import Any

import pytest

from uring_local.template.intrinsics import Deferred, Physical, Scope, TemplateInvalid, fill, parse

ARN = Physical("Queue", "Arn")
SCOPE = Scope(
    names={"Stage": "dev", "Empty": "", "AWS::StackName": "s"},
    conditions={
        "IsDev": {"Fn::Equals": [{"Ref": "Stage"}, "dev"]},
        "IsProd": {"Fn::Equals": [{"Ref": "Stage"}, "prod"]},
    },
    resources={"Queue"},
)


def _resolved(yaml: str) -> Any:
    return SCOPE.resolve(parse(f"value: {yaml}")["value"], "value")


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("!Ref Stage", "dev"),
        ("!Ref Queue", Physical("Queue", "Ref")),
        ("{Ref: Stage}", "dev"),
        ("!GetAtt Queue.Arn", ARN),
        ("!GetAtt [Queue, Arn]", ARN),
        ("{Fn::GetAtt: [Queue, Arn]}", ARN),
        ("{Fn::GetAtt: Queue.Arn}", ARN),
        ("!GetAtt Queue.Nested.Attribute", Physical("Queue", "Nested.Attribute")),
        ('!Sub "plain"', "plain"),
        ('!Sub "${AWS::StackName}-${Stage}"', "s-dev"),
        ('!Sub "${Queue.Arn}"', ARN),
        ('!Sub "${Queue.Arn}/data/*"', Deferred((ARN, "/data/*"))),
        ('!Sub "a-${Stage}-${Queue.Arn}-${Stage}"', Deferred(("a-dev-", ARN, "-dev"))),
        ('!Sub ["${Name}-x", {Name: !Ref Stage}]', "dev-x"),
        ('!Sub "${!Stage}"', "${Stage}"),
        ('!Join [":", [a, !Ref Stage]]', "a:dev"),
        ('!Join ["", []]', ""),
        ('!Join ["/", [!GetAtt Queue.Arn, 1]]', Deferred((ARN, "/1"))),
        ("!If [IsDev, 1, 2]", 1),
        ("!If [IsProd, 1, 2]", 2),
        ("[1, !If [IsProd, 1, !Ref AWS::NoValue]]", [1]),
        ("{a: 1, b: !Ref AWS::NoValue}", {"a": 1}),
        ("{a: {b: [!Ref Stage]}}", {"a": {"b": ["dev"]}}),
        ("{}", {}),
    ],
)
def test_a_function_is_resolved(yaml: str, expected: Any) -> None:
    assert _resolved(yaml) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("IsDev", True),
        ({"Condition": "IsProd"}, False),
        ({"Fn::Not": [{"Condition": "IsProd"}]}, True),
        ({"Fn::And": [{"Condition": "IsDev"}, {"Condition": "IsProd"}]}, False),
        ({"Fn::Or": [{"Condition": "IsDev"}, {"Condition": "IsProd"}]}, True),
        ({"Fn::Equals": [{"Ref": "Empty"}, ""]}, True),
    ],
)
def test_a_condition_is_decided(condition: Any, expected: bool) -> None:  # noqa: FBT001
    assert SCOPE.holds(condition, "here") is expected


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        ("{a: [!Cidr [x, 1, 2]]}", r"value\.a\.0: Fn::Cidr is not read here; write it with Ref"),
        ("!ImportValue other", "value: Fn::ImportValue is not read here"),
        ("!Ref Nothing", "value: Nothing is no parameter"),
        ("!GetAtt Nothing.Arn", "value: GetAtt .*Nothing"),
        ("!GetAtt Queue", "value: GetAtt .*Queue"),
        ('!Sub "${Nothing}"', "value: Nothing is no parameter"),
        ('!Sub "${Nothing.Arn}"', r"value: GetAtt Nothing\.Arn"),
        ("!If [Unknown, 1, 2]", "value: there is no condition 'Unknown'"),
        ("!If [IsDev, 1]", "value: If takes"),
        ("!Join [x]", "value: Join takes"),
        ('!Join ["", [{a: 1}]]', "value: .* is no text"),
        ('!Sub ["${A}", {A: [1]}]', "value: .* is no text"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_path(yaml: str, problem: str) -> None:
    with pytest.raises(TemplateInvalid, match=f"^{problem}"):
        _resolved(yaml)


@pytest.mark.parametrize("condition", [{"Ref": "Stage"}, {"Fn::Equals": ["x"]}, [], None])
def test_a_condition_of_another_shape_is_refused(condition: Any) -> None:
    with pytest.raises(TemplateInvalid, match=r"^here: a condition is built of"):
        SCOPE.holds(condition, "here")


@pytest.mark.parametrize("text", ["a: [", "- a", "", "a: !!python/object:os.system {}"])
def test_a_text_that_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(TemplateInvalid, match=r"^the template is not"):
        parse(text)


def test_gaps_are_filled_once_their_values_are_known() -> None:
    physical = {ARN: "arn:aws:sqs:::q"}
    assert fill("plain", {}, "here") == "plain"
    assert fill(ARN, physical, "here") == "arn:aws:sqs:::q"
    assert fill(Deferred((ARN, "/", ARN)), physical, "here") == "arn:aws:sqs:::q/arn:aws:sqs:::q"


def test_a_gap_that_nothing_fills_is_named() -> None:
    with pytest.raises(TemplateInvalid, match=r"^NAME: nothing here provides Arn of Queue"):
        fill(Deferred(("x", ARN)), {}, "NAME")
