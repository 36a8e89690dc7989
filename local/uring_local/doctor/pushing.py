"""The way of a push out of the stack: secrets, and FCM's answer to one message."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from uring.aws.secrets import KeptSecret, json_secret
from uring.errors import Misconfigured
from uring.push.ports import Sent
from uring_local.doctor.finding import Diagnosis, failed, off, ok
from uring_local.doctor.subject import Subject
from uring_local.operate.push_test import REMEDIES, Destination, validate
from uring_local.words import printable

# FCM creates a topic at its first message or subscriber; nobody subscribes to this one.
_TOPIC: Final = "uring_doctor"
_STORE: Final = "store the service account's whole JSON in the secret"


def check_fcm_secret(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the service account: stored, readable, and of the stack's project."""
    name, what = subject.parameter("FcmCredentialsSecret"), "FCM secret"
    if not name:
        detail = "FcmCredentialsSecret is empty"
        if subject.parameter("FcmEndpoint"):
            yield off(what, f"{detail}; pushes go to a stand-in")
        else:
            yield failed(what, f"{detail}: nothing can be pushed", f"{_STORE}, name it, deploy")
        return
    try:
        account = json_secret(subject.client("secretsmanager"), name)
    except Misconfigured as error:
        remedy = (
            f"{_STORE} {name} in the stack's region, or correct FcmCredentialsSecret and deploy"
        )
        yield failed(what, printable(str(error)).partition("; ")[0], remedy)
        return
    missing = [key for key in ("client_email", "private_key", "project_id") if not account.get(key)]
    if missing:
        yield failed(what, f"secret {name} lacks {', '.join(missing)}", _STORE)
    elif account["project_id"] != subject.parameter("FcmProjectId"):
        yield failed(
            what,
            f"secret {name} belongs to another project than FcmProjectId",
            "store a key of that project, or correct FcmProjectId",
        )
    else:
        yield ok(what, _account(name, account))


def check_weather_secret(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on the weather gateway's key, if the stack has weather."""
    name = subject.parameter("WeatherKeySecret")
    if not name:
        return
    KeptSecret(lambda: subject.client("secretsmanager"), name).text()
    yield ok("weather secret", f"{name} is readable")


def check_fcm(subject: Subject) -> Iterator[Diagnosis]:
    """Yield a finding on FCM: it validates one message and delivers nothing."""
    endpoint, project = subject.parameter("FcmEndpoint"), subject.parameter("FcmProjectId")
    secret = subject.parameter("FcmCredentialsSecret")
    if not secret:
        yield off("FCM", "not called without a secret")
        return
    try:
        account = json_secret(subject.client("secretsmanager"), secret)
    except Misconfigured:
        yield off("FCM", "not called: its secret cannot be read")
        return
    answer = validate(_TOPIC, Destination(project, secret, endpoint), lambda: account)
    if isinstance(answer, Sent):
        yield ok("FCM", f"{endpoint or 'FCM'} would accept a push of project {project}")
    else:
        yield failed("FCM", printable(answer.reason), REMEDIES[answer.cause])


def _account(name: str, account: Mapping[str, Any]) -> str:
    return printable(f"{name} is the key of {account['client_email']}")
