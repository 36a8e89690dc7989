"""Records of raw files: about a domain, written in one of many ways, or unusable."""

from random import Random
from typing import Any, Final

from uring_local.sites.web.model import Domain

_METHODS: Final = ("manual", "google_search", "crtsh")
_LIVENESS: Final = ("alive", "unstable", "blocked", "dead")
_HINTS: Final = ("news", "policy", "notices")

BAD: Final[tuple[Any, ...]] = (
    {"normalized_domain": "no-address.com.sg", "domain_id": "com:sg:no-address.com.sg"},
    {"raw_url": None, "domain_id": "com:sg:null.com.sg"},
    {"raw_url": 17},
    "https://only-a-text.com.sg/",
    None,
    {"raw_url": ""},
    {"raw_url": "https://10.20.30.40/news", "source_type": "other"},
    {"raw_url": "https://[2001:db8::17]/", "source_type": "other"},
    {"raw_url": "http://0x7f.1/", "source_type": "other"},
    {"raw_url": "https://gov.sg/", "source_type": "gov"},
    {"raw_url": "https://com.sg", "source_type": "com"},
    {"raw_url": "https://intranet/notices", "source_type": "other"},
    {"raw_url": "https://reader:secret@kept-out..com.sg/", "source_type": "com"},
    {"raw_url": "https://kept-out.com.sg\\@elsewhere.com/", "source_type": "com"},
    {"raw_url": "https://no-such-ending.sgp/", "source_type": "other"},
    {"raw_url": "ftp://files.kept-out.com.sg/list", "source_type": "com"},
    {"raw_url": "news of the day", "source_type": "other"},
)
"""Records that cannot be used, one of each kind."""


def record(domain: Domain, random: Random) -> dict[str, Any]:
    """Return a record about a domain, written in a random way: some fields missing or wrong."""
    name = domain.name
    full = {
        "raw_url": random.choice(
            (
                f"https://www.{name.domain}/newsroom",
                f"https://{name.domain}/",
                f"http://{name.domain}",
                f"https://news.{name.domain}/a?b=c#d",
                f"HTTPS://WWW.{name.domain.upper()}/News",
                f"https://www.{name.written}/한국어",
                f"https://{name.domain}:443/notices/",
            )
        ),
        "normalized_domain": name.domain,
        "domain_id": domain_id(domain),
        "source_type": name.authority,
        "discovery_method": random.choice(_METHODS),
        "confidence": round(random.random(), 2),
        "content_hints": random.sample(_HINTS, random.randrange(len(_HINTS))),
    }
    if random.random() < 0.5:  # noqa: PLR2004 - optional
        full["liveness_status"] = random.choice(_LIVENESS)
    match random.randrange(12):
        case 0:
            # An address alone: the reader works out the rest.
            return {"raw_url": full["raw_url"]}
        case 1:
            del full["domain_id"]
        case 2:
            full["domain_id"] = "no id"
        case 3:
            full["domain_id"] = f"{name.authority}:sg:another-one.com.sg"
            full["normalized_domain"] = "another-one.com.sg"
    return full


def ghost(number: int) -> dict[str, Any]:
    """Return a good record of a domain outside the web; a correct reader never reaches it."""
    name = f"ghost-{number}.com.sg"
    return {
        "raw_url": f"https://www.{name}/",
        "normalized_domain": name,
        "domain_id": f"com:sg:{name}",
        "source_type": "com",
    }


def domain_id(domain: Domain) -> str:
    """Return a domain's id, as ``gov:sg:amber-bay-1.gov.sg``."""
    return f"{domain.name.authority}:sg:{domain.domain}"
