"""Refusals of an HTTP API, for people."""

from uring_local.operate.signed import ApiAnswer
from uring_local.words import printable


def problem_lines(answer: ApiAnswer) -> list[str]:
    """Return problem details (RFC 9457), or the gateway's message, with the fields below."""
    document = answer.document
    words = (document.get(name) for name in ("title", "detail", "message"))
    said = ": ".join(str(word) for word in words if word) or answer.text or "no reason given"
    lines = [printable(f"refused ({answer.status}): {said}")]
    errors = document.get("errors")
    if isinstance(errors, dict):
        lines += [printable(f"  {field}: {problem}") for field, problem in errors.items()]
    return lines
