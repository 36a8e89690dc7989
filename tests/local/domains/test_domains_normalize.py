"""`uring domains normalize`: what is shown of a URL, and the exit code."""

import json

import pytest

from uring_local.cli import main

SHOWN = ["https://www.mom.gov.sg/newsroom", "www.gov.sg"]


def test_domains_are_shown_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "normalize", "--json", *SHOWN]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["domain_id"] for line in lines] == ["gov:sg:mom.gov.sg", "gov:sg:www.gov.sg"]
    assert all(line["psl_version"] for line in lines)


def test_a_refusal_is_shown_and_makes_the_command_fail(capsys: pytest.CaptureFixture[str]) -> None:
    urls = ["gov.sg", "https://me:hunter2@mom..gov.sg/", "https://[x/?hunter2"]
    assert main(["domains", "normalize", "--json", *urls, *SHOWN]) == 1
    out = capsys.readouterr().out
    reasons = [json.loads(line).get("reason") for line in out.splitlines()]
    assert reasons == ["is_suffix", "bad_url", "bad_url", None, None]
    assert "hunter2" not in out


def test_people_see_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "normalize", *SHOWN, "[red]", "192.0.2.7"]) == 1
    out = capsys.readouterr().out
    for word in ("mom.gov.sg", "gov:sg:www.gov.sg", "ip_address", "bad_url", "[red]"):
        assert word in out


def test_a_country_that_is_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["domains", "normalize", "--country", "KOR", *SHOWN]) == 1
    assert "--country: 'KOR' is not a country code" in capsys.readouterr().err
