"""Judges the dead letters: one a message that nobody can do anything about, with its reason."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from uring_local.sites.simulation import Published
from uring_local.sites.web.dataset import Dataset
from uring_local.sites.web.expected import Found
from uring_local.sites.web.model import Domain
from uring_local.stack.application import Letter

DOMAINS: Final = "DomainDeadLetterQueue"
FILES: Final = "SeedDeadLetterQueue"

Day = tuple[Dataset, Mapping[str, tuple[Domain, Found]]]
"""A day's files and domains."""


def judge_letters(days: Sequence[Day], published: Published) -> tuple[int, list[str]]:
    """Return how many letters are as they should be, and what is wrong with the others.

    A file without records may come again with every day: it is listed as long as it is not done.
    """
    good, faults = 0, list[str]()
    domains = Counter(dict(_due_domains(days)))
    files = Counter(
        files.path(file) for files, _ in days for file in files.files if file.status == "failed"
    )
    outcomes = {name: found.outcome for _, each in days for name, (_, found) in each.items()}
    for letter in published.letters(DOMAINS):
        message = json.loads(letter.body)
        name, path = message["registrable_domain"], message["source_file_path"]
        if domains[name, path] <= 0:
            faults.append(f"dead letter about {name} of {path}, which is not due")
            continue
        domains[name, path] -= 1
        good += 1
        if outcomes[name] not in _reason(letter):
            faults.append(f"dead letter about {name}: {_reason(letter)!r} is not its outcome")
    seen = Counter(json.loads(letter.body)["file_path"] for letter in published.letters(FILES))
    for path, count in seen.items():
        if path in files:
            good += count
        else:
            faults.append(f"dead letter about {path}, which can be read")
    missing = [*domains.elements(), *(path for path in files if path not in seen)]
    return good, [*faults, *(f"no dead letter about {each}" for each in missing)]


def _due_domains(days: Sequence[Day]) -> Iterator[tuple[tuple[str, str], int]]:
    for files, each in days:
        sources = files.domains
        for name, (_, found) in each.items():
            if not found.is_reachable:
                yield from (((name, path), 1) for path in sources[name])


def _reason(letter: Letter) -> str:
    return letter.attributes.get("reason", "")
