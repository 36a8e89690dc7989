"""A domain that is collected again, by force or at a later date, over servers with validators."""

import json
from typing import Any

from fakes.conditional import ConditionalWeb
from fakes.seeds import PARTITION, SeedWorld, folder

from uring.seeds.known.recollection import NEW_URLS
from uring.seeds.known.urls import read_new_urls
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import Partition

HOME = "https://a.com"
ROBOTS = f"{HOME}/robots.txt"
SITEMAP = f"{HOME}/sitemap.xml"
RULES = b"User-agent: *\nAllow: /\n"
LATER = Partition(PARTITION.country, PARTITION.category, "2026-01-29")


def pages(*names: str) -> bytes:
    """A sitemap of these pages."""
    urls = "".join(f"<url><loc>{HOME}/{name}</loc></url>" for name in names)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


def index(*names: str) -> bytes:
    """An index of these sitemaps."""
    urls = "".join(f"<sitemap><loc>{HOME}/{name}.xml</loc></sitemap>" for name in names)
    return f"<sitemapindex>{urls}</sitemapindex>".encode()


class AgainWorld(SeedWorld):
    """The world of one domain, a.com."""

    def __init__(self, sitemap: bytes | None = None, robots: bytes = RULES) -> None:
        super().__init__(web=ConditionalWeb())
        self.site = self.web
        assert isinstance(self.site, ConditionalWeb)
        self.progress.start(PARTITION, None, 1, self.clock())
        self.web.put("a.com", robots, sitemap)

    @property
    def conditional(self) -> ConditionalWeb:
        assert isinstance(self.web, ConditionalWeb)
        return self.web

    def show(self, name: str, body: bytes | None) -> None:
        """Let the domain have this at a path; None for nothing."""
        if body is None:
            self.web.answers.pop(f"{HOME}/{name}", None)
        else:
            self.web.answers[f"{HOME}/{name}"] = body

    def send(self, epoch: str = "first", partition: Partition = PARTITION) -> None:
        """Send the domain's message; every epoch but the first is forced."""
        fields: dict[str, Any] = {
            "domain_id": "com:sg:a.com",
            "domain_url": f"{HOME}/",
            "registrable_domain": "a.com",
            "authority": "com",
            "partition_info": {
                "country": partition.country,
                "category": partition.category,
                "date": partition.date,
            },
            "source_file_path": "datasets/x/raw_0001.json",
            "record_index": 0,
            "force": epoch != "first",
            "epoch": epoch,
        }
        if epoch != "first":
            self.progress.start(partition, epoch, 1, self.clock())
        message = DomainMessage.parse(json.dumps(fields))
        self.domains.send(message.group, message.name, message.body())

    def again(self, epoch: str = "first", partition: Partition = PARTITION) -> dict[str, Any]:
        """Collect the domain, two days later; return its metadata."""
        self.clock.advance(days=2)
        self.conditional.requests.clear()
        self.send(epoch, partition)
        self.collect()
        return self.metadata_at(partition)

    def metadata_at(self, partition: Partition = PARTITION) -> dict[str, Any]:
        key = f"processing/{partition.path}/a.com/domain_metadata.json"
        found: dict[str, Any] = json.loads(self.bucket.body(key))
        return found

    def new_urls(self, partition: Partition = PARTITION) -> tuple[str, list[str]]:
        """Epoch and paths of the stored file of new URLs."""
        key = f"processing/{partition.path}/a.com/{NEW_URLS}"
        if key not in self.bucket.bodies():
            return "", []
        epoch, urls = read_new_urls(self.bucket.body(key))
        return epoch, sorted(url.removeprefix(f"{HOME}/") for url in urls)

    def written(self) -> list[str]:
        """The names that were written below the domain's folder, since the last call."""
        prefix = f"{folder('a.com')}/"
        names = [key.removeprefix(prefix) for key in self.bucket.calls.written]
        self.bucket.calls.written.clear()
        return [name for name in names if "/" not in name]
