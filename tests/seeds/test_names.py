"""URL ─► registrable domain, authority and id, and no error but InvalidDomain."""

import dataclasses
from hashlib import sha256
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from uring.seeds.names import (
    InvalidDomain,
    NormalizedDomain,
    detect_authority,
    generate_domain_hash,
    validate_domain_id,
)
from uring.seeds.normalize import (
    PSL_VERSION,
    batch_normalize_domains,
    deduplicate_domains,
    extract_domain,
    extract_hostname,
    extract_registrable_domain,
    normalize_domain,
)

REFUSED = [
    ("", "bad_url"),
    ("mom.gov.sg", "bad_url"),
    ("ftp://mom.gov.sg/", "bad_url"),
    ("https://user@/", "bad_url"),
    ("https://user@/mom.gov.sg", "bad_url"),
    ("https:/@/mom.gov.sg", "bad_url"),
    ("https://user@mom..gov.sg/", "bad_url"),
    ("https://mom.gov.sg/\\user@elsewhere.example.com/", "bad_url"),
    ("https://mom\x1f.gov.sg/", "bad_url"),
    ("https:\\mom.gov.sg/", "bad_url"),
    ("https://mom\x91.gov.sg/", "bad_url"),
    ("http://mom.gov.sg\\@elsewhere.example.com/", "bad_url"),
    ("https://mom.gov.sg\x00.example.com/", "bad_url"),
    ("https://mom%2egov.sg/", "bad_url"),
    ("https://-mom.gov.sg/", "bad_url"),
    ("https://mom..gov.sg/", "bad_url"),
    (f"https://{'a' * 64}.gov.sg/", "bad_url"),
    (f"https://{'a.' * 126}gov.sg/", "bad_url"),
    ("https://\ud800.gov.sg/", "bad_url"),
    ("https://☃☃\u200d.com/", "bad_url"),
    ("https://192.0.2.7/", "ip_address"),
    ("https://0x7f.1/", "ip_address"),
    ("https://2130706433/", "ip_address"),
    ("https://[2001:db8::1]/", "ip_address"),
    ("https://localhost/", "single_label"),
    ("https://sg/", "is_suffix"),
    ("https://gov.sg/", "is_suffix"),
    ("https://GOV.SG./news", "is_suffix"),
    ("https://github.io/", "is_suffix"),
    ("https://mom.invalid/", "unknown_suffix"),
    ("https://db.internal/", "unknown_suffix"),
    ("https://xn--a.com/", "idna"),
    ("https://xn--ls8h.com/", "idna"),
]
DOMAINS = [
    ("https://www.mom.gov.sg/newsroom", "mom.gov.sg", "mom.gov.sg", "gov"),
    ("HTTP://WWW.Mom.Gov.SG.:8080/?q#f", "mom.gov.sg", "mom.gov.sg", "gov"),
    ("https://news.mom.gov.sg/", "news.mom.gov.sg", "mom.gov.sg", "gov"),
    ("https://www.gov.sg/", "www.gov.sg", "www.gov.sg", "gov"),
    ("https://www.com/", "www.com", "www.com", "com"),
    ("https://www.www.example.sg/", "www.example.sg", "example.sg", "other"),
    ("https://a.b.github.io/", "a.b.github.io", "b.github.io", "other"),
    ("https://www.city.kobe.jp/", "city.kobe.jp", "city.kobe.jp", "other"),
    ("https://bücher.example.de/", "xn--bcher-kva.example.de", "example.de", "other"),
    ("https://Straße.de/", "xn--strae-oqa.de", "xn--strae-oqa.de", "other"),
    ("https://한국.한국/", "xn--3e0b707e.xn--3e0b707e", "xn--3e0b707e.xn--3e0b707e", "other"),
]
AUTHORITIES = [
    ("mom.gov.sg", "gov"),
    ("moe.go.kr", "gov"),
    ("service.gov.uk", "gov"),
    ("mod.mil", "gov"),
    ("culture.gouv.fr", "gov"),
    ("bmf.gv.at", "gov"),
    ("city.lg.jp", "gov"),
    ("nus.edu.sg", "edu"),
    ("mit.edu", "edu"),
    ("ox.ac.uk", "edu"),
    ("inu.ac.kr", "edu"),
    ("seoul.es.kr", "edu"),
    ("school.nsw.edu.au", "edu"),
    ("lausd.k12.ca.us", "edu"),
    ("kist.re.kr", "org"),
    ("w3.org", "org"),
    ("kf.or.kr", "org"),
    ("who.int", "org"),
    ("example.com", "com"),
    ("dbs.com.sg", "com"),
    ("naver.co.kr", "com"),
    ("shop.uk.com", "com"),
    ("denver.co.us", "other"),
    ("comune.go.it", "other"),
    ("bank.es", "other"),
    ("example.net", "other"),
    ("site.ac", "other"),
    ("site.re.it", "other"),
    ("alone", "other"),
    ("", "other"),
]
RECORD = {
    "raw_url": "https://www.mom.gov.sg/newsroom",
    "normalized_domain": "mom.gov.sg",
    "domain_id": "gov:sg:mom.gov.sg",
    "source_type": "gov",
}
LABEL = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True).filter(
    lambda label: not label.startswith("xn--") and label[2:4] != "--"
)
HOSTS = st.builds(
    "{}.{}".format,
    st.lists(LABEL, min_size=1, max_size=4).map(".".join),
    st.sampled_from(["gov.sg", "co.kr", "com", "github.io", "xn--3e0b707e", "k12.ca.us"]),
)


@pytest.mark.parametrize(("url", "reason"), REFUSED)
def test_what_has_no_registrable_domain_is_refused_in_one_word(url: str, reason: str) -> None:
    with pytest.raises(InvalidDomain) as refused:
        normalize_domain(url, "SG")
    assert refused.value.reason == reason
    assert refused.value.detail.isprintable()


@pytest.mark.parametrize(("url", "hostname", "domain", "authority"), DOMAINS)
def test_a_url_belongs_to_one_domain(url: str, hostname: str, domain: str, authority: str) -> None:
    normalized = normalize_domain(url, "sg")
    assert dataclasses.asdict(normalized) == {
        "input_url": url,
        "hostname": hostname,
        "registrable_domain": domain,
        "authority": authority,
        "country": "SG",
        "domain_id": f"{authority}:sg:{domain}",
        "domain_hash": sha256(f"{authority}:sg:{domain}".encode()).hexdigest(),
    }
    assert validate_domain_id(normalized.domain_id)


@pytest.mark.parametrize(("domain", "authority"), AUTHORITIES)
def test_the_suffix_says_who_registers(domain: str, authority: str) -> None:
    assert detect_authority(domain) == authority


def test_a_caller_who_knows_the_authority_is_believed() -> None:
    assert normalize_domain("https://nea.example.sg/", "SG", "gov").authority == "gov"


@pytest.mark.parametrize("country", ["", "S", "SGP", "S1", "\uff33\uff27", "sg\n"])
def test_a_country_has_two_letters(country: str) -> None:
    with pytest.raises(ValueError, match="two letters"):
        normalize_domain("https://mom.gov.sg/", country)
    with pytest.raises(ValueError, match="two letters"):
        batch_normalize_domains([], country)


def test_a_secret_in_a_url_is_not_repeated() -> None:
    with pytest.raises(InvalidDomain) as refused:
        normalize_domain("https://me:hunter2@mom..gov.sg/?token=hunter2", "SG")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://mom.gov.sg/x\r",
        "\x00\x1f https://mom.gov.sg/x \x00",
        "\ufeffhttps://mom.gov.sg/x\ufeff",
        "ht\ttps://mom.\ngov.sg/x\r\n",
        "https://user@mom.gov.sg/x",
        "https://me:hunter2@mom.gov.sg/x",
        "https://me:p@ss@mom.gov.sg/x",
        "https:/mom.gov.sg/x",
        "https:mom.gov.sg/x",
        "https:///mom.gov.sg/x",
        "https:/me:hunter2@mom.gov.sg/x",
    ],
)
def test_a_url_is_read_as_browsers_read_it(url: str) -> None:
    """url.spec.whatwg.org, section 4.4; lists made of tables of text have such ends."""
    normalized = normalize_domain(url, "SG")
    assert normalized.domain_id == "gov:sg:mom.gov.sg"
    # The user name and the password are nobody's business.
    assert normalized.input_url == "https://mom.gov.sg/x"
    assert extract_domain({"raw_url": url}, "SG") == normalized


@pytest.mark.parametrize("sign", ["\x01", "\x7f", "\x91", "\u2028"])
def test_a_control_character_in_a_path_costs_no_domain(sign: str) -> None:
    """Pages in the wrong encoding name their links so."""
    normalized = normalize_domain(f"https://mom.gov.sg/caf{sign}?q={sign}#{sign}x", "SG")
    escape = quote(sign)
    assert normalized.input_url == f"https://mom.gov.sg/caf{escape}?q={escape}#{escape}x"


@pytest.mark.parametrize(
    "url", ["https://mom.gov.sg/@x", "https://mom.gov.sg?a=@x", "https://mom.gov.sg#me@x.com"]
)
def test_a_sign_behind_the_host_ends_no_user_name(url: str) -> None:
    normalized = normalize_domain(url, "SG")
    assert (normalized.input_url, normalized.registrable_domain) == (url, "mom.gov.sg")


def test_a_list_is_split_into_domains_and_refusals_in_its_order() -> None:
    urls = ["https://a.com/", "nothing", "https://b.com/", "https://gov.sg/"]
    domains, refused = batch_normalize_domains(urls, "SG")
    assert [domain.registrable_domain for domain in domains] == ["a.com", "b.com"]
    assert [(url, error.reason) for url, error in refused] == [
        ("nothing", "bad_url"),
        ("https://gov.sg/", "is_suffix"),
    ]


def test_the_first_of_each_id_stays() -> None:
    urls = ["https://www.a.com/1", "https://b.com/", "https://x.a.com/2"]
    domains, _ = batch_normalize_domains(urls, "SG")
    assert [domain.input_url for domain in deduplicate_domains(domains)] == urls[:2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "gov:sg",
        "gov:SG:mom.gov.sg",
        "mil:sg:mom.gov.sg",
        "gov:sg:Mom.gov.sg",
        "gov:sg:mom",
        "gov:sg:mom.gov.sg\n",
        "gov:sg:mom..sg",
        "gov:sg:../../state",
        f"gov:sg:{'a.' * 126}gov.sg",
        " gov:sg:mom.gov.sg",
    ],
)
def test_an_id_of_another_form_is_none(text: str) -> None:
    assert not validate_domain_id(text)


def test_the_hash_is_of_the_id_alone() -> None:
    assert generate_domain_hash("gov:sg:mom.gov.sg") == (sha256(b"gov:sg:mom.gov.sg").hexdigest())


def test_the_version_of_the_list_is_named() -> None:
    assert PSL_VERSION.rpartition(".")[2].isdigit()


class TestRecords:
    def test_an_id_that_fits_the_url_is_kept(self) -> None:
        """Case 1: also its country, and an authority that the suffix does not tell."""
        record = RECORD | {"domain_id": "edu:my:mom.gov.sg", "source_type": "edu"}
        domain = extract_domain(record, "sg")
        assert (domain.domain_id, domain.authority, domain.country) == (
            "edu:my:mom.gov.sg",
            "edu",
            "MY",
        )
        assert domain.input_url == record["raw_url"]

    def test_an_id_without_a_stated_source_type_keeps_its_own_authority(self) -> None:
        record = {"raw_url": "https://nea.example.sg/", "domain_id": "gov:sg:example.sg"}
        assert extract_domain(record, "sg").authority == "gov"

    @pytest.mark.parametrize(
        "domain_id",
        [None, "", 7, ["gov"], "gov:sg:moh.gov.sg", "gov:sg:www.mom.gov.sg", "gov:sg", "x" * 10**6],
    )
    def test_an_id_that_does_not_fit_is_made_anew(self, domain_id: object) -> None:
        """Case 2: a list cannot put one domain's results into the folder of another."""
        domain = extract_domain(RECORD | {"domain_id": domain_id}, "sg")
        assert domain == normalize_domain(RECORD["raw_url"], "SG")

    def test_an_id_of_another_domain_says_nothing_of_this_one(self) -> None:
        record = {"raw_url": RECORD["raw_url"], "domain_id": "edu:my:moh.gov.sg"}
        assert extract_domain(record, "sg").domain_id == "gov:sg:mom.gov.sg"

    def test_the_source_type_counts_before_id_and_suffix(self) -> None:
        assert extract_domain(RECORD | {"source_type": "org"}, "sg").domain_id == (
            "org:sg:mom.gov.sg"
        )

    @pytest.mark.parametrize("source_type", [None, "", "mil", 3, ["gov"], {}])
    def test_a_source_type_that_is_none_is_passed_over(self, source_type: object) -> None:
        assert extract_domain(RECORD | {"source_type": source_type}, "sg").authority == "gov"

    @pytest.mark.parametrize("url", [None, "", 7, [], {"url": "https://mom.gov.sg/"}])
    def test_a_record_needs_a_raw_url(self, url: object) -> None:
        with pytest.raises(InvalidDomain, match="no_url"):
            extract_domain(RECORD | {"raw_url": url}, "sg")

    def test_the_document_s_normalized_domain_is_not_believed(self) -> None:
        """It is a folder's name in the bucket."""
        domain = extract_domain(RECORD | {"normalized_domain": "../../state"}, "sg")
        assert domain.registrable_domain == "mom.gov.sg"


@given(HOSTS)
def test_normalising_twice_is_normalising_once(host: str) -> None:
    try:
        once = normalize_domain(f"https://{host}/", "sg")
    except InvalidDomain:
        assume(False)
    twice = normalize_domain(f"https://{once.registrable_domain}/", "sg")
    assert dataclasses.replace(twice, input_url="", hostname="") == dataclasses.replace(
        once, input_url="", hostname=""
    )
    assert extract_registrable_domain(once.hostname) == once.registrable_domain
    assert f".{once.hostname}".endswith(f".{once.registrable_domain}")
    assert extract_hostname(f"https://{once.hostname}/") in (
        once.hostname,
        once.hostname.removeprefix("www."),
    )


@given(st.one_of(st.text(), st.text().map("https://{}".format)))
@example("https://xn--/")
@example("https://xn--0.xn--0/")
@example("https://a\u0661.com/")
@example("//[::1")
def test_any_text_has_a_domain_or_is_refused(text: str) -> None:
    try:
        domain = normalize_domain(text, "SG")
    except InvalidDomain:
        return
    assert isinstance(domain, NormalizedDomain)
    assert validate_domain_id(domain.domain_id)


@given(st.dictionaries(st.sampled_from([*RECORD]), st.one_of(st.none(), st.text(), st.integers())))
def test_any_record_has_a_domain_or_is_refused(record: dict[str, object]) -> None:
    try:
        domain = extract_domain(record, "SG")
    except InvalidDomain:
        return
    assert validate_domain_id(domain.domain_id)
