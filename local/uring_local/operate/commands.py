"""`uring config upload` and `split`, `env`, `push test`, `state`: for operators of a stack.

Their libraries (boto3, google-auth) are imported where they are needed: the other commands, and
`--help`, work without them.
"""

from pathlib import Path
from typing import Annotated, Final, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from uring_local.options import Json, Topic
from uring_local.project import SITEMAP
from uring_local.region import OtherRegion

_SAM_BUILD: Final = Path(".aws-sam") / "build"


def upload_config(config: Path = SITEMAP, /, *, stack: str) -> bool:
    """Check the sitemap and put it into a deployed stack's bucket.

    Exit code 1 if it has a problem: then it is not uploaded.

    Args:
        config: the file.
        stack: the deployed stack's name.
    """
    from uring_local.operate.upload import upload

    return upload(config, stack)


def split_config(
    config: Path = SITEMAP, /, *, entries: Annotated[int, Parameter(validator=Number(gte=1))] = 3000
) -> None:
    """Divide the sitemap into shards of at most n entries, or put it together again.

    Each shard is a file: the first id of each further one stands in the first file, in ``shards``,
    and in the file's name, such as ``sitemap.g.json``. Orchestrator and monitor do the shards side
    by side. Nothing happens to a deployed stack until the upload.

    Args:
        config: the first file.
        entries: n.
    """
    from uring_local.operate.split import split

    files = split(config, entries)
    print(f"{config}: {len(files)} {'file' if len(files) == 1 else 'files'}: {', '.join(files)}")


def copy_data(
    source: str,
    /,
    *,
    stack: str,
    from_region: OtherRegion = None,
    as_json: Json = False,
) -> bool:
    """Copy all data of a stack into a new one, of another name or region.

    Both must have ScheduleState=DISABLED, and the old one no waiting messages. It copies objects
    and items that the new stack lacks, and changes nothing else: repeat it after a failure. Exit
    code 1 if the new stack has other objects of the same names.

    Args:
        source: the old stack's name.
        stack: the new stack's name.
        from_region: the old stack's region, if it is another.
        as_json: print one JSON object.
    """
    from uring_local.operate.copy import copy

    return copy(source, from_region, stack, as_json=as_json)


def write_env(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True)] = Path("env.json"),
    /,
    *,
    stack: str,
) -> bool:
    """Write the variables of a deployed stack's functions for `sam local invoke --env-vars`.

    With them a function in a container acts on that stack: events/README.md describes each.

    Args:
        file: the file, replaced if it exists; - prints.
        stack: the deployed stack's name.
    """
    from uring_local.operate.env import write_environments

    return write_environments(file, stack)


def compile_functions(directory: Path = _SAM_BUILD, /) -> None:
    """Compile the output of `sam build`: functions start twice as fast.

    Takes the Python version of the build. Run it between `sam build` and `sam deploy`.

    Args:
        directory: the output of `sam build`.
    """
    from uring_local.build.compiled import compile_build

    print(f"{directory}: {compile_build(directory)} modules are compiled")


def push_test(
    *,
    topic: Topic,
    stack: str | None = None,
    project: str = "",
    credentials_secret: str = "",
    endpoint: str = "",
    as_json: Json = False,
) -> bool:
    """Ask FCM whether it would accept a push now. Nothing is delivered.

    Has FCM validate one message through the notifier's own sender: key, project, topic and message.
    Exit code 1 if it refuses, with the remedy.

    Args:
        topic: the topic to ask about, without /topics/.
        stack: a deployed stack whose project, secret and endpoint are used.
        project: the Firebase project.
        credentials_secret: the service account's name in Secrets Manager; without one,
            Google's application default credentials are used.
        endpoint: the address of a stand-in for FCM.
        as_json: print one JSON object.
    """
    from uring_local.operate.push_test import Destination, ask

    destination = Destination(project, credentials_secret, endpoint)
    return ask(topic, destination, stack=stack, as_json=as_json)


def decide_board(
    source: str,
    word: Literal["new", "same"],
    /,
    *,
    stack: str,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Decide on a board whose ids do not fit the known notices: ids_gone or ids_reused.

    Without --yes nothing is written. Exit code 1 if nothing was.

    Args:
        source: the department's id.
        word: new: they are new notices, push them. same: they are the known notices under other
            ids; only what came since the doubt began is pushed.
        stack: the deployed stack's name.
        yes: write it.
        as_json: print one JSON object.
    """
    from uring_local.operate.decide import decide_board as decide

    return decide(source, word, stack=stack, write=yes, as_json=as_json)


def retract_pushes(
    source: str,
    /,
    *ids: str,
    stack: str,
    event: tuple[str, ...] = (),
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Take back the latest push of each of these notices of a department.

    Devices remove its banner and its mark; the notices stay for readers. Without --yes nothing is
    written. Exit code 1 if a push is still to be taken back.

    Args:
        source: the department's id.
        ids: of notices.
        stack: the deployed stack's name.
        event: the event id of another push to take back, such as a digest; may be repeated.
        yes: write it.
        as_json: print one JSON object.
    """
    from uring_local.operate.retract import retract_pushes as retract

    return retract(source, ids, event, stack=stack, write=yes, as_json=as_json)


def show_state(
    source: str, /, *, stack: str, family: str | None = None, as_json: Json = False
) -> bool:
    """Show a source's state, and whether readers see it.

    Exit code 1 if the state is broken, or latest.json differs from it.

    Args:
        source: its name, such as a department's id or metar.
        stack: the deployed stack's name.
        family: the source's, where two families have one of this name.
        as_json: print one JSON object.
    """
    from uring_local.operate import state

    return state.show_state(source, stack=stack, family=family, as_json=as_json)


def repair_state(
    source: str,
    /,
    *,
    stack: str,
    family: str | None = None,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Restore the newest readable version of a broken state.

    Without --yes nothing is written. Exit code 1 if something stays broken.

    Args:
        source: its name, such as a department's id or metar.
        stack: the deployed stack's name.
        family: the source's, where two families have one of this name.
        yes: write it.
        as_json: print one JSON object.
    """
    from uring_local.operate import state

    return state.repair_state(source, stack=stack, family=family, write=yes, as_json=as_json)
