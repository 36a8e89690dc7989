"""What must hold of every run of the document store, at rest and in its whole history.

lost      a text, translation or issue that should be there; an edit; a job or message without end
ghost     what is dead and stays; a job that pays again though nothing has changed
archive   an entry whose text is not there, or is not its own
hot       an account with less than was paid; a question paid for more often than faults explain
state     a fence that fell, a version that skipped, a status that went back
order     an issue of an older analysis behind a newer one, a mark without its round
"""

from collections.abc import Mapping

from document_history import ENDED, History
from document_services import ISSUE, Call
from document_world import DocumentFaultWorld
from verdict import Verdict

from uring.documents.names import COST_PREFIX, Attachment, attachments, bodies
from uring.documents.store.analysis import stored_analysis
from uring.documents.store.issues import IssueStore
from uring.documents.store.policies import PolicyStore
from uring.documents.work.answers import FOLDER
from uring.tables import Item


def judge_documents(world: DocumentFaultWorld) -> Verdict:
    """Hold a finished run against every promise."""
    verdict = Verdict()
    history = History(world, verdict)
    for number, change in enumerate(world.log):
        history.take(number, change)
    pages = {each.page for key in history.ever if (each := Attachment.at(key)) is not None}
    for page in sorted(pages):
        _page(world, page, verdict)
    if world.missed:
        verdict.add("lost", f"{', '.join(world.missed)} waited for the janitor")
    _jobs(world, history, verdict)
    _paid(world, history, verdict)
    world.once_more()
    for page in sorted(pages):
        _asked_for(world, page, verdict)
    if needless := world.once_more():
        verdict.add("ghost", f"{needless} calls though nothing had changed")
    return verdict


def _jobs(world: DocumentFaultWorld, history: History, verdict: Verdict) -> None:
    """Each that somebody was told of has ended, and nothing is left in a queue."""
    for asked in world.asked:
        state = history.states.get(asked.message.job, "none")
        if asked.is_told and state not in ENDED:
            verdict.add("lost", f"{asked.message.operation} is {state}")
    for name in ("queue", "letters"):
        if messages := getattr(world, name).messages:
            verdict.add("lost", f"{len(messages)} messages stay in {name}")
    if world.table.get("system", "purged") is None:
        verdict.add("order", "the janitor never ended")
    for name in ("record_failed", "job_failed", "sweep_failed"):
        for line in world.telemetry.named(name):
            if line["trace"]:
                verdict.add("state", f"{name}: {line['reason']}")


def _page(world: DocumentFaultWorld, page: str, verdict: Verdict) -> None:
    """In the end everything is there that should be, and nothing else."""
    store = PolicyStore(world.table, world.bucket)
    there = {
        listed.key.rpartition("/")[2]: listed for listed in world.bucket.list(attachments(page))
    }
    items = dict(world.table.query(page, ""))
    texts = _texts(world, page)
    for source, listed in there.items():
        entry = store.get(page, source)
        if entry is None or not entry.is_of(listed) or store.text(entry) != texts[source]:
            verdict.add("lost", f"the text of {source}")
    for entry in store.all(page):
        if entry.source not in there:
            verdict.add("ghost", f"{page}:{entry.key} stays")
    _dead(world, page, items, verdict)
    _issues(world, page, texts, verdict)


def _dead(
    world: DocumentFaultWorld, page: str, items: Mapping[str, Item], verdict: Verdict
) -> None:
    """Nothing is left that nobody needs."""
    if not any(world.bucket.list(attachments(page))):
        if left := [key for key in items if not key.startswith(COST_PREFIX)]:
            verdict.add("ghost", f"{page}: {', '.join(left)} stay")
        if left := [each.key for each in world.bucket.list(f"pages/{page}/")]:
            verdict.add("ghost", f"{', '.join(left)} stay")
    named = {item.get("body") for item in items.values()}
    for listed in world.bucket.list(bodies(page)):
        if listed.key not in named:
            verdict.add("ghost", f"{listed.key} is of nothing")
    if left := [key for key in items if key.startswith(("failed:", "gone"))]:
        verdict.add("ghost", f"{page}: {', '.join(left)} stay")


def _texts(world: DocumentFaultWorld, page: str) -> dict[str, str]:
    keys = [listed.key for listed in world.bucket.list(attachments(page))]
    return {key.rpartition("/")[2]: world.bucket.body(key).decode() for key in keys}


def _asked_for(world: DocumentFaultWorld, page: str, verdict: Verdict) -> None:
    """Whatever was asked for is there, and true."""
    store, texts = PolicyStore(world.table, world.bucket), _texts(world, page)
    for asked in world.asked:
        source, language = asked.message.source, asked.message.language
        is_analysis = (asked.message.page, asked.message.operation) == (page, "issues")
        if is_analysis and texts and stored_analysis(world.table, page) is None:
            verdict.add("lost", "the analysis")
        if asked.message.page != page or not source or not language or source not in texts:
            continue
        entry, original = store.get(page, source, language), store.get(page, source)
        if entry is None or original is None or not entry.is_translation_of(original):
            verdict.add("lost", f"{source} in {language}")
            continue
        lines = texts[source].split("\n")
        due = "\n".join(f"[{language}] {line.strip()}" if line else line for line in lines)
        if [*map(str.strip, store.text(entry).split("\n"))] != due.split("\n"):
            verdict.add("archive", f"{source} in {language} is another text")


def _issues(
    world: DocumentFaultWorld, page: str, texts: Mapping[str, str], verdict: Verdict
) -> None:
    """What holds are the issues of the texts; each is where it says."""
    analysis = stored_analysis(world.table, page)
    issues = [*IssueStore(world.table).all(page)]
    holding = {issue.title for issue in issues if not issue.is_stale}
    due = {found[1] for text in texts.values() for found in ISSUE.finditer(text)}
    if analysis is not None and (holding != due or analysis.applied != analysis.inputs):
        verdict.add("lost", f"issues are {sorted(holding)}, not {sorted(due)}")
    for issue in issues:
        for each in issue.references:
            if not issue.is_stale and texts[each.source][each.start : each.end] != each.quote:
                verdict.add("archive", f"{issue.title} is not where it says")


def _paid(world: DocumentFaultWorld, history: History, verdict: Verdict) -> None:
    """Nothing was paid twice but where a fault came between a call and its answer's keeping."""
    before: dict[str, Call] = {}
    again = 0
    for call in world.paid.calls:
        if (earlier := before.get(call.question)) is not None:
            again += 1
            since = world.log[earlier.at : call.at]
            is_kept = any(
                each.key.startswith(FOLDER) and earlier.mark in (each.body or b"").decode()
                for each in since
            )
            # Who stalls between its last look at the lease and its call cannot know.
            stalled = [each.call for each in world.faults.broken if each.kind == "pause"]
            if is_kept and "service.ask" not in stalled:
                verdict.add("hot", f"{call.question[:60]}: paid again, and the answer was kept")
        before[call.question] = call
    if again > len(world.faults.broken):
        verdict.add("hot", f"{again} calls too many")
    if history.micros < world.paid.micros:
        verdict.add("hot", f"{history.micros} on the account, {world.paid.micros} were paid")
    if history.stack_micros != history.micros:
        verdict.add("hot", f"{history.stack_micros} of {history.micros} on the stack's account")
