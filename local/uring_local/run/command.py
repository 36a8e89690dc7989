"""`uring run`: the application on a stack of this machine, and a verdict on it."""

from uring_local.run.options import DEFAULTS, Options


def run(*, options: Options = DEFAULTS) -> bool:
    """Run the application on a stack of this machine.

    Runs every family side by side against its bundled site, a stand-in for FCM and an embedded
    stack, or the stack that AWS_ENDPOINT_URL, or its forms for single services, name. Ends after
    --ticks with a summary of each family: exit code 1 if anything was lost, doubled or wrong, or if
    a dead letter is left that the site did not cause on purpose.

    A tick of the notices is ten minutes of their schedule, on the real clock. A tick of the weather
    is five minutes, and a tick of the regulations or the seeds is a day. These families have clocks
    of their own, so their functions are always in this process and their data always fresh. With
    --config, and on a stack that the environment names, they are left out. On such a stack
    --family seeds, regulations or documents can go on after a kill.

    With --rhythm the notices have such a clock too. Their ticks are those of the stack's schedules:
    under sooner and thrifty every two minutes from 8 to 20 in Korea, else every ten.
    """
    from uring_local.run.launch import launch

    return launch(options)
