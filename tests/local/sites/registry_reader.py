"""A reader of the registries' pages that shares no code with them, and a product without faults."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import urllib3

from uring_local.fcm.journal import Delivery
from uring_local.loopback import Request
from uring_local.sites.registry.journal import Journal, Push, Text, TextChange
from uring_local.sites.registry.judge import Shown
from uring_local.sites.registry.library import body_of
from uring_local.sites.registry.model import OPENED, REGISTRIES, File, Registry, date_of
from uring_local.sites.registry.page import download_link, preview_link
from uring_local.sites.registry.simulation import RegistrySimulation
from uring_local.sites.registry.site import RECHECK_DAYS, RegistrySite
from uring_local.sites.registry.stories import MONTH
from uring_local.sites.registry.supplements import in_force
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import World
from uring_local.sites.stage.verdict import Verdict

BASE = "http://registry.invalid/www/rules.do?key=610"


@dataclass
class Cells:
    """A row as the page has it: the title of its cell, hrefs and titles of its anchors."""

    title: str = ""
    hrefs: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)

    @property
    def file_nos(self) -> set[str]:
        return {parse_qs(urlsplit(href).query)["fileNo"][0] for href in self.hrefs}


class ListReader(HTMLParser):
    """Collects rows with links, and the texts of comments."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[Cells] = []
        self.comments: list[str] = []
        self.chapters: list[str] = []
        self._in: str = ""
        self.feed(text)
        self.rows = [row for row in self.rows if row.hrefs]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._in = tag
        if tag == "tr":
            self.rows.append(Cells())
        elif tag == "a" and self.rows and "fileNo=" in values["href"]:
            self.rows[-1].hrefs.append(values["href"])
            self.rows[-1].labels.append(values["title"])

    def handle_endtag(self, _: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in == "p" and self.rows:
            self.rows[-1].title += data
        elif self._in == "th":
            self.chapters.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def get(site: RegistrySite, target: str, **headers: str) -> urllib3.BaseHTTPResponse:
    return urllib3.request(
        "GET", f"http://{site.host}{target}", headers=headers, retries=False, timeout=20
    )


def list_of(site: RegistrySite, registry: Registry) -> ListReader:
    return ListReader(get(site, f"{registry.path}?key={registry.key}").data.decode())


def run_entry(day: int, due: Mapping[str, Any]) -> dict[str, Any]:
    return {"key": "metadata:sync:lastRun", "timestamp": f"{date_of(day)}T16:00:00Z", **due}


def table_of(expected: Journal, day: int, url: str = BASE) -> dict[str, dict[str, Any]]:
    """What a product without faults has in its table after a day."""
    table: dict[str, dict[str, Any]] = {"metadata:sync:lastRun": run_entry(day, expected.runs[day])}
    for title, known in expected.known.items():
        table[f"policy:{title}"] = {
            "title": title,
            "fileNo": known.row.file_no,
            "status": "active" if known.is_active else "archived",
            "lastUpdated": f"{date_of(known.updated)}T16:00:00Z",
            "previewUrl": urljoin(url, preview_link(known.row)),
            "downloadUrl": urljoin(url, download_link(known.row)),
        }
    for title, letter in expected.dead_letters.items():
        table[f"dead-letter:{title}"] = {
            "title": title,
            "fileNo": expected.known[title].row.file_no,
            "retryCount": letter.tries,
            "errorMessage": f"{letter.reason}: no text can be read",
        }
    return {key: {**entry, "key": key} for key, entry in table.items()}


def text_of(file: File) -> str:
    lines = [f"# {file.paper.title}"]
    for paragraph in file.paper.paragraphs:
        if isinstance(paragraph, str):
            lines.append(paragraph.replace("제2장", "## 제2장"))
        else:
            lines += [f"| {' | '.join(cell.text for cell in cells)} |" for cells in paragraph.rows]
    return "\n\n<!-- page 1 -->\n".join(lines)


def record_of(due: Text) -> dict[str, Any]:
    file = due.file
    return {
        "title": due.title,
        "fileNo": file.number,
        "format": file.format,
        "sourceSha256": hashlib.sha256(body_of(file)).hexdigest(),
        "textSha256": hashlib.sha256(text_of(file).encode()).hexdigest(),
        **in_force(file.supplements).head,
    }


def shown_of(expected: Journal, url: str = BASE) -> Shown:
    """What a product without faults has published in the end."""
    table = table_of(expected, max(expected.runs), url)
    active = [table[f"policy:{title}"] for title in expected.active]
    return Shown(
        table=table,
        latest={"items": [{**entry, "id": entry["title"]} for entry in active]},
        archive=[
            {"id": push.title, "push": True, "event_id": f"{number}", **dates_of(push)}
            for number, push in enumerate(expected.pushes.elements())
        ],
        texts={
            number: (text_of(due.file), record_of(due)) for number, due in expected.texts.items()
        },
        differences={
            name: {
                "title": due.title,
                "previousFileNo": due.files.partition("-")[0],
                "fileNo": due.files.partition("-")[2],
                **due.in_force.head,
                "articles": [{"key": key, "change": kind} for key, kind in due.changes.items()],
            }
            for name, due in expected.differences.items()
        },
    )


def dates_of(push: Push) -> dict[str, str]:
    """The fields that a push and its line of the archive share."""
    fields = {"kind": push.kind}
    if push.files:
        date, words = push.in_force
        fields |= {"effective": date, "effective_text": words, "cause": push.cause}
    return fields


def page_of(push: Push | TextChange, registry: str) -> str:
    """The key of a difference, without its ending."""
    owner = hashlib.sha256(push.title.encode()).hexdigest()[:8]
    return f"data/{registry}/differences/{push.files}.{owner}.2"


def delivered(push: Push, event: str) -> Delivery:
    at = f"{date_of(push.day)}T16:00:00Z"
    data = {"title": push.title, "detected_at": at, **dates_of(push)}
    if push.files:
        data["articles_changed"] = f"{push.articles}"
        data["text"] = f"/data/{push.registry}/texts/{push.files.partition('-')[2]}.md"
        data["difference"] = f"/{page_of(push, push.registry)}.html"
    return Delivery(event, push.registry, data, datetime(2026, 11, 1, tzinfo=UTC), 1, "ok")


class FaultlessProduct(Published):
    """Publishes what the journals of a simulation make due."""

    def __init__(self, simulation: RegistrySimulation) -> None:
        super().__init__(None, "")
        self._simulation = simulation
        self.day = 0
        self.objects: dict[str, bytes] = {}
        self.tables: dict[str, dict[str, dict[str, Any]]] = {}

    def publish(self, day: int) -> None:
        for registry in REGISTRIES:
            journal = self._simulation.journals[registry.id]
            self.tables[registry.id] = table_of(journal, day, self._url(registry))
            if day % RECHECK_DAYS == 0:
                self._ask(journal)

    def _ask(self, journal: Journal) -> None:
        site = self._simulation.site
        assert isinstance(site, RegistrySite)
        for known in journal.active.values():
            site.respond(Request("GET", download_link(known.row)))

    def finish(self) -> None:
        for registry in REGISTRIES:
            folder = f"data/{registry.id}"
            journal = self._simulation.journals[registry.id]
            shown = shown_of(journal, self._url(registry))
            self.tables[registry.id] = table_of(journal, max(journal.runs), self._url(registry))
            self._put(f"{folder}/latest.json", shown.latest)
            lines = "\n".join(json.dumps(line) for line in shown.archive)
            self.objects[f"{folder}/archive/202603.jsonl"] = lines.encode()
            for number, (text, record) in shown.texts.items():
                lines = "".join(f"{key}: {json.dumps(value)}\n" for key, value in record.items())
                head = f"---\n{lines}---\n\n"
                self.objects[f"{folder}/texts/{number}.md"] = (head + text).encode()
            for name, document in shown.differences.items():
                page = page_of(journal.differences[name], registry.id)
                self._put(f"{page}.json", document)
                files = journal.differences[name].files.replace("-", " → ")
                self.objects[f"{page}.html"] = f"<h1>{files}</h1>".encode()

    def deliveries(self) -> list[Delivery]:
        pushes = [
            push
            for registry in REGISTRIES
            for push in self._simulation.journals[registry.id].pushes.elements()
        ]
        return [delivered(push, f"event {number}") for number, push in enumerate(pushes)]

    def written(self, prefix: str) -> dict[str, datetime]:
        keys = sorted(key for key in self.objects if key.startswith(prefix))
        return dict.fromkeys(keys, datetime(2026, 11, 1, tzinfo=UTC))

    def body(self, key: str) -> bytes:
        return self.objects[key]

    def table(self, name: str, partition: str) -> dict[str, dict[str, Any]]:
        assert name == "RegistryTable"
        return self.tables[partition]

    def _url(self, registry: Registry) -> str:
        assert self._simulation.site is not None
        return f"http://{self._simulation.site.host}{registry.path}?key={registry.key}"

    def _put(self, key: str, document: Mapping[str, Any]) -> None:
        self.objects[key] = json.dumps(document).encode()


def world(seed: int) -> World:
    return World(seed, datetime(2026, 3, 2, tzinfo=UTC).date())


class Month:
    """A month of a simulation beside a product whose only faults are planted ones."""

    def __init__(self, seed: int) -> None:
        self.simulation = RegistrySimulation(world(seed))
        self.product = FaultlessProduct(self.simulation)
        with self.simulation:
            for day in range(1, MONTH + 1):
                at = OPENED + timedelta(days=day - 1)
                assert self.simulation.advance(day, at) == 2
                self.product.publish(day)
                self.simulation.inspect(at, self.product)
            self.product.finish()

    def verdict(self, deliveries: list[Delivery] | None = None) -> Verdict:
        pushes = self.product.deliveries() if deliveries is None else deliveries
        return self.simulation.judge(self.product, pushes, ())
