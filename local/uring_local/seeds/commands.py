"""`uring seeds`: collections of whole lists of domains.

boto3, requests, pydantic and rich are imported where they are needed: the other commands, and
`--help`, do without them.
"""

from typing import Annotated, Final

from cyclopts import ArgumentCollection, Group, Parameter

from uring_local.options import Json


def _either(choices: ArgumentCollection) -> None:
    if len([choice for choice in choices if choice.has_tokens]) != 1:
        raise ValueError("write either --stack or --bucket")


_WHERE: Final = Group("Where", validator=_either)


def migrate_datasets(
    *,
    stack: Annotated[str | None, Parameter(group=_WHERE)] = None,
    bucket: Annotated[str | None, Parameter(group=_WHERE)] = None,
    country: str | None = None,
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Copy datasets from research/datasets/ to the layout that is read, and verify each copy.

    Without --yes nothing is written. Originals stay, and no file is ever replaced. Exit code 1 if
    the place of a file is taken by another content, or a copy failed.

    Args:
        stack: the deployed stack, whose bucket has both layouts.
        bucket: the bucket, by its name.
        country: two letters; by default all countries.
        yes: copy.
        as_json: print one JSON object with every file.
    """
    from uring_local.seeds.migrate import migrate

    return migrate(bucket, stack, country, write=yes, as_json=as_json)
