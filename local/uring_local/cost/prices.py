"""AWS's list prices in dollars, without tax; nothing here asks AWS.

Most prices of us-east-1 were compared with third-party accounts of AWS's price pages; those of
Seoul were not compared. The prices of Translate and of the model are parameters of the template.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

AS_OF: Final = "2025-10"
"""The month of the prices."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of AWS's bill.

    Args:
        service: the AWS service.
        name: the unit's noun.
        per: units per price.
        free: units free each month, without an end and for every account.
    """

    service: str
    name: str
    per: int = 1
    free: float = 0


_MILLION: Final = 1_000_000

UNITS: Final[Mapping[str, Unit]] = {
    "lambda_request": Unit("Lambda", "requests", _MILLION),
    "gb_second_arm64": Unit("Lambda", "GB-seconds, arm64"),
    "gb_second_x86_64": Unit("Lambda", "GB-seconds, x86_64"),
    "spot_cpu_hour": Unit("Fargate Spot", "processor hours"),
    "spot_gb_hour": Unit("Fargate Spot", "GB-hours"),
    "address_hour": Unit("VPC", "hours of IPv4 addresses"),
    "sqs_request": Unit("SQS FIFO", "requests", _MILLION),
    "sqs_idle": Unit("SQS FIFO", "receives of empty queues", _MILLION),
    "s3_put": Unit("S3", "PUT", 1_000),
    "s3_list": Unit("S3", "LIST", 1_000),
    "s3_read": Unit("S3", "GET and HEAD", 1_000),
    "s3_gb_month": Unit("S3", "GB stored"),
    "table_write": Unit("DynamoDB", "write units", _MILLION),
    "table_read": Unit("DynamoDB", "read units", _MILLION),
    "log_gb": Unit("CloudWatch", "GB of logs"),
    "log_gb_month": Unit("CloudWatch", "GB of logs kept"),
    "metric": Unit("CloudWatch", "custom metrics"),
    "alarm": Unit("CloudWatch", "metrics of alarms"),
    "dashboard": Unit("CloudWatch", "dashboards", free=3),
    "secret": Unit("Secrets Manager", "secrets"),
    "secret_call": Unit("Secrets Manager", "requests", 10_000),
    "api_request": Unit("API Gateway", "HTTP API requests", _MILLION),
    "cdn_request": Unit("CloudFront", "requests", 10_000, free=10 * _MILLION),
    "cdn_gb": Unit("CloudFront", "GB to readers", free=1_000),
    "egress_gb": Unit("Data transfer", "GB to sites", free=100),
    "translate_character": Unit("Translate", "characters", _MILLION),
    "bedrock_input": Unit("Bedrock", "tokens read", _MILLION),
    "bedrock_output": Unit("Bedrock", "tokens written", _MILLION),
}
"""By name, in the order of the bill."""

_VIRGINIA: Final[Mapping[str, float]] = {
    "lambda_request": 0.20,
    "gb_second_arm64": 0.0000133334,
    "gb_second_x86_64": 0.0000166667,
    # Of arm64, at the 70 % below list that AWS names; it moves with what is free.
    "spot_cpu_hour": 0.0097,
    "spot_gb_hour": 0.00107,
    "address_hour": 0.005,
    "sqs_request": 0.50,
    "sqs_idle": 0.50,
    "s3_put": 0.005,
    "s3_list": 0.005,
    "s3_read": 0.0004,
    "s3_gb_month": 0.023,
    "table_write": 0.625,
    "table_read": 0.125,
    "log_gb": 0.50,
    "log_gb_month": 0.03,
    "metric": 0.30,
    "alarm": 0.10,
    "dashboard": 3.00,
    "secret": 0.40,
    "secret_call": 0.05,
    "api_request": 1.00,
    # The price of the readers' region, which is Korea, not of the stack's.
    "cdn_request": 0.012,
    "cdn_gb": 0.120,
    "egress_gb": 0.09,
}

DOLLARS: Final[Mapping[str, Mapping[str, float]]] = {
    "us-east-1": _VIRGINIA,
    "ap-northeast-2": {
        **_VIRGINIA,
        "spot_cpu_hour": 0.0112,
        "spot_gb_hour": 0.00123,
        "s3_put": 0.0045,
        "s3_list": 0.0045,
        "s3_read": 0.00035,
        "s3_gb_month": 0.025,
        "table_write": 0.678,
        "table_read": 0.1356,
        "log_gb": 0.76,
        "log_gb_month": 0.0314,
        "api_request": 1.23,
        "egress_gb": 0.126,
    },
}
"""By region, then by unit."""
