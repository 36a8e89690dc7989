"""`uring deploy`: a stage of samconfig.toml, from the account to its first tick.

boto3, rich and SAM's parser are imported where they are needed: `--help` works without.
"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from uring_local.options import Json
from uring_local.region import Region
from uring_local.samconfig import SAMCONFIG


def deploy_stack(
    *,
    stack: str | None = None,
    sitemap: Path | None = None,
    region: Region = None,
    config_file: Annotated[Path, Parameter(show_default=False)] = SAMCONFIG,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Deploy a stage of samconfig.toml: check the account, build, deploy, upload, examine.

    May be killed and run again at any step: it goes on where it stopped, and waits for what is
    under way. After a first deployment that failed it asks, deletes the stack and begins again.
    Schedules are enabled last, if the doctor finds no failure and the stage says
    ScheduleState=ENABLED.

    Exit code 0: deployed and well. 1: a step failed, with its remedy. 2: wrong usage.

    Args:
        stack: of the stage; by default that of the first.
        sitemap: the list of boards to upload; without one config/sitemap.json, if the stack has
            none yet and the file has no examples.
        region: in place of the stage's.
        config_file: the file with the stages, as of `sam deploy`.
        yes: answer every question with yes.
        as_json: print one JSON object at the end.
    """
    from uring_local.deploy.run import run

    return run(
        stack,
        region=region,
        sitemap=sitemap,
        config_file=config_file,
        yes=yes,
        as_json=as_json,
    )
