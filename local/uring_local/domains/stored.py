"""`uring domains show`: the stored result of a domain, and the bodies that were kept of it."""

import json
import sys
from typing import Final

from rich.console import Console

from uring.errors import Misconfigured
from uring.objects import Reads
from uring.seeds.collect.metadata import DomainMetadata
from uring.seeds.domains.warc import BadSegment, read_record
from uring.seeds.partition import SUCCESS, Partition, build_domain_result_path
from uring_local.operate.bucket import open_bucket
from uring_local.words import printable

_METADATA: Final = "domain_metadata.json"


def show_stored(stack: str, domain: str, partition: str, evidence: str) -> bool:
    """Print a domain's metadata, or the bytes of its evidence; return False if it is missing.

    Args:
        stack: name of the stack.
        domain: the registrable domain.
        partition: such as ``sg/news/2026-01-28``.
        evidence: ``robots.txt``, ``sitemap.xml`` or ``homepage.html``; empty for the metadata.

    Raises:
        Misconfigured: no such stack, no permission, or a malformed partition.
        Unavailable: AWS did not answer.
    """
    of = Partition.named(partition)
    if of is None:
        raise Misconfigured(f"{printable(partition)}: not a partition, such as sg/news/2026-01-28")
    bucket = open_bucket(stack)
    folder = build_domain_result_path(of, domain)
    stored = bucket.get(f"{folder}/{_METADATA}")
    console = Console(highlight=False)
    if stored is None:
        console.print(f"{printable(domain)}: not collected in {of.name}", markup=False)
        return False
    metadata = DomainMetadata.from_json(stored.body)
    if evidence:
        body = read_evidence(bucket, folder, metadata, evidence)
        if body is None:
            console.print(f"{printable(evidence)}: not kept", markup=False)
            return False
        sys.stdout.buffer.write(body)
        sys.stdout.flush()
        return True
    is_marked = bucket.head(f"{folder}/{_METADATA}{SUCCESS}") is not None
    document = {**json.loads(metadata.to_json()), "is_collected": is_marked}
    print(json.dumps(document, ensure_ascii=True, indent=2))
    return True


def read_evidence(objects: Reads, folder: str, metadata: DomainMetadata, name: str) -> bytes | None:
    """Return a body that was kept of a domain, from its segment or its object; None without it.

    Raises:
        Misconfigured: the segment does not have the record that the metadata name.
    """
    for place in metadata.evidence or ():
        if place.name == name:
            segment = objects.get(place.key)
            if segment is None:
                return None
            try:
                return read_record(segment.body[place.offset : place.offset + place.length])
            except BadSegment as error:
                raise Misconfigured(f"{place.key}: {error}; collect the domain again") from error
    stored = objects.get(f"{folder}/{name}")
    return None if stored is None else stored.body
