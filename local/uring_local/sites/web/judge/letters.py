"""Judges the dead letters: one for each message that cannot succeed, with its reason."""

import json
from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from typing import Final

from uring_local.sites.stage.published import Published
from uring_local.sites.web.dataset import Dataset
from uring_local.sites.web.expected import Found, Outcome
from uring_local.sites.web.model import Domain
from uring_local.stack.application import Letter

DOMAINS: Final = "DomainDeadLetterQueue"
FILES: Final = "SeedDeadLetterQueue"

Day = tuple[Dataset, Mapping[str, tuple[Domain, Found]]]
"""A day's files and domains."""


def judge_letters(
    days: Sequence[Day], published: Published, processes: int = 1
) -> tuple[int, list[str]]:
    """Return the number of due letters, and the faults of the letters in the queues.

    The first letter of each domain is read. A file without records may come again every day: it is
    listed until it is done. A file whose reader was killed sends its domains again. An unreachable
    domain has no mark, so it becomes a letter once more.

    Args:
        days: up to now.
        published: reads the queues.
        processes: number of processes of the run; all but the last were killed.
    """
    due = dict(_due_domains(days))
    count, letters = published.letters(DOMAINS)
    faults = list(_faults_of_domains(due, letters))
    missing = {name for name, _ in due} - {_domain_of(letter)[0] for letter in letters}
    faults += [f"no dead letter about {name}" for name in sorted(missing)]
    if not len(due) <= count <= processes * len(due):
        faults.append(f"{count} dead letters about domains, not {len(due)}")
    failed = {
        files.path(file) for files, _ in days for file in files.files if file.status == "failed"
    }
    again, letters = published.letters(FILES)
    seen = {str(json.loads(letter.body)["file_path"]) for letter in letters}
    faults += [f"dead letter about {path}, which can be read" for path in sorted(seen - failed)]
    faults += [f"no dead letter about {path}" for path in sorted(failed - seen)]
    good = min(max(count, len(due)), processes * len(due))
    return good + max(again, len(failed)), faults


def most_letters(days: Sequence[Day], processes: int, listed: int) -> dict[str, int]:
    """Return the largest number of letters that the site can have caused so far, by queue.

    Args:
        days: up to now.
        processes: number of processes of the run.
        listed: number of days for which a file without records is listed, each time to fail.
    """
    failed = [sum(file.status == "failed" for file in files.files) for files, _ in days]
    times = [min(listed, len(days) - at) for at in range(len(days))]
    return {
        DOMAINS: processes * sum(1 for _ in _due_domains(days)),
        FILES: processes * sum(map(mul, failed, times)),
    }


def _faults_of_domains(
    due: Mapping[tuple[str, str], Outcome], letters: Sequence[Letter]
) -> Iterator[str]:
    for letter in letters:
        name, path = _domain_of(letter)
        reason = letter.attributes.get("reason", "")
        outcome = due.get((name, path))
        if outcome is None:
            yield f"dead letter about {name} of {path}, which is not due: {reason!r}"
        elif outcome not in reason:
            yield f"dead letter about {name}: {reason!r} is not {outcome}"


def _domain_of(letter: Letter) -> tuple[str, str]:
    message = json.loads(letter.body)
    return message["registrable_domain"], message["source_file_path"]


def _due_domains(days: Sequence[Day]) -> Iterator[tuple[tuple[str, str], Outcome]]:
    """Yield the domain, the file and the outcome of each message that cannot succeed."""
    for files, each in days:
        sources = files.domains
        for name, (_, found) in each.items():
            if not found.is_reachable:
                yield from (((name, path), found.outcome) for path in sources[name])
