"""`uring documents upload`: files become attachments of a page."""

import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from unicodedata import normalize

import boto3

from uring.aws.objects import S3Bucket
from uring.documents.names import Attachment, is_page, source_problem
from uring.errors import ConfigInvalid
from uring.extract.readers.reading import ExtractLimits
from uring_local.operate.bucket import deployed_with, open_bucket
from uring_local.words import counted, printable

_MOST_BYTES: Final = ExtractLimits().body_bytes


def upload(page: str, files: Sequence[Path], source: str | None, stack: str) -> None:
    """Put files under a page, each named like its file, or a single one as ``source``.

    Raises:
        ConfigInvalid: no file, a malformed name of a page or a source, or a large file.
        Misconfigured: no such stack, or no permission.
    """
    if not files:
        raise ConfigInvalid("no file was given; name one after the page")
    if source and len(files) != 1:
        raise ConfigInvalid(f"--source names one file, not {len(files)}; leave it out")
    # macOS writes the letters of a file's name in parts.
    names = [normalize("NFC", source or file.name) for file in files]
    attachments = [_attachment(page, name) for name in names]
    for file in files:
        if file.stat().st_size > _MOST_BYTES:
            raise ConfigInvalid(f"{file}: at most {_MOST_BYTES:,} bytes are read; split it")
    # Without the family nothing would read the files, nor report them.
    deployed_with(stack, "documents")
    bucket = S3Bucket(boto3.client("s3"), open_bucket(stack).name)
    for file, attachment in zip(files, attachments, strict=True):
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        body = file.read_bytes()
        bucket.write(attachment.key, body, kind)
        print(f"{printable(attachment.source)}: {counted(len(body), 'byte')}")


def _attachment(page: str, source: str) -> Attachment:
    if not is_page(page):
        raise ConfigInvalid(
            f"{printable(page)}: not a name of a page: use at most 128 letters, digits, . _ - and "
            "begin with a letter or digit"
        )
    if problem := source_problem(source):
        raise ConfigInvalid(
            f"{printable(source)}: not a name of an attachment: {problem}, see --source"
        )
    return Attachment(page, source)
