"""`uring doctor`: for a person who has deployed a stack, or doubts one.

boto3, google-auth and rich are imported where they are needed: `--help` works without.
"""

from uring_local.options import Json


def examine_stack(*, stack: str, as_json: Json = False) -> bool:
    """Examine a deployed stack as an operator would, each failure with its remedy.

    Reads lists, secrets, schedules, logs, queues and alarms; has FCM validate one message, which is
    delivered to nobody; reads as the readers do; and writes one object below state/doctor/, which
    it removes. Exit code 1 if anything fails.

    Args:
        stack: the deployed stack's name.
        as_json: print one JSON object.
    """
    from uring_local.doctor.examine import examine
    from uring_local.doctor.show import show, show_json
    from uring_local.doctor.subject import Subject

    findings = examine(Subject(stack))
    return show_json(stack, findings) if as_json else show(findings)
