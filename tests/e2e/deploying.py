"""`uring deploy` of a build that is packed once: SAM would pack its 21 folders in each run."""

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from uring_local.build.packages import packages
from uring_local.cli import main
from uring_local.deploy import run
from uring_local.deploy.plan import DeployPlan
from uring_local.stack.deploy import stamped

if __name__ == "__main__":
    with ExitStack() as files:

        def packed(built: Path) -> Path:
            return files.enter_context(stamped(built / "template.yaml", packages(built), {}))

        run.DeployPlan = partial(DeployPlan, template=packed)  # type: ignore[assignment, misc]
        sys.exit(main(["deploy", *sys.argv[1:]]))
