"""Two stages, and the findings of a run in short."""

from collections.abc import Iterable

from uring_local.doctor.finding import Diagnosis

STAGES = """
version = 0.1
[default.global.parameters]
stack_name = "uring-here"
region = "ap-northeast-2"
parameter_overrides = [
  'Contact="https://uring.invalid/test"', 'FcmProjectId="uring-test"',
  'FcmCredentialsSecret="uring/fcm"', 'AlarmEmail="ops@uring.example"',
]
[prod.global.parameters]
stack_name = "uring-there"
parameter_overrides = "Environment=prod Contact=a@b.example"
[prod.deploy.parameters]
region = "eu-west-1"
confirm_changeset = true
"""
"""A samconfig.toml. The first one can be deployed."""


def lines(findings: Iterable[Diagnosis]) -> list[tuple[str, str]]:
    """The status and the text of each finding; whatever fails has a remedy."""
    made: list[Diagnosis] = [*findings]
    assert all(each.remedy for each in made if each.status == "failed")
    return [(each.status, each.detail) for each in made]
