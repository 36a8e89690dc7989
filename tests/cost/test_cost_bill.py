"""The bill: of the template, of the work, of a region."""

import json
import re
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final, get_args

import pytest
from expanded import ROOT, TEMPLATE

from uring_local.cli import main
from uring_local.cost.bill import Bill, make_bill
from uring_local.cost.command import Region
from uring_local.cost.deployment import Deployment, deployment
from uring_local.cost.prices import DOLLARS, UNITS
from uring_local.cost.table import DEPARTMENTS, GOALS, SITE_SECONDS
from uring_local.cost.waiting import waiting
from uring_local.cost.workload import Workload
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import Template, load, parse

PAGE: Final = (ROOT / "docs" / "cost.md").read_text(encoding="utf-8")
# Their prices are parameters of the template.
OF_TEMPLATE: Final = {"translate_character", "bedrock_input", "bedrock_output"}


def bill(work: Workload | None = None, region: str = "us-east-1", **parameters: str) -> Bill:
    return make_bill(deployment(FAMILIES, **parameters), work or Workload(), region)


def amount(of: Bill, name: str) -> float:
    unit = UNITS[name]
    return sum(line.amount for line in of.lines if line.unit == unit)


def dollars(of: Bill, service: str) -> float:
    return sum(line.total for line in of.lines if line.unit.service == service)


def changed(change: Any) -> Deployment:
    """A deployment of the template after this change of its document."""
    template = load(TEMPLATE, switching_on(FAMILIES), "uring")
    document = deepcopy(dict(template.document))
    change(document["Resources"])
    return Deployment(
        Template(document, template.parameters, template.stack_name, template.functions)
    )


def test_the_page_is_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(r"```sh\nuring (cost[^\n]*)\n```\n\n```text\n(.*?)\n```", PAGE, re.DOTALL)
    assert [line for line, _ in shown] == [
        "cost --departments 1000",
        "cost --departments 10000",
        "cost --table",
        "cost --abuse",
    ]
    for line, expected in shown:
        assert main(line.split()) == 0
        printed = [each.rstrip() for each in capsys.readouterr().out.splitlines()]
        assert "\n".join(printed) == expected, f"docs/cost.md is old: uring {line}"


@pytest.mark.parametrize("departments", [100, 1_000, 10_000])
def test_the_page_has_the_largest_lines(departments: int) -> None:
    work = Workload(departments=departments)
    alone, everything = make_bill(deployment(), work, "us-east-1"), bill(work)
    largest = sorted(alone.lines, key=lambda line: -line.total)[:3]
    shown = ", ".join(f"{line.unit.service} {line.unit.name} {line.total:.2f}" for line in largest)
    cells = f"{departments:,} | {alone.per_department:.5f} | {everything.per_department:.5f}"
    assert f"| {cells} | {shown} |" in PAGE


@pytest.mark.parametrize(("departments", "most"), GOALS.items())
def test_a_department_costs_at_most(departments: int, most: float) -> None:
    """Requirement X8, with a median site of 0.3 s."""
    alone = make_bill(deployment(), Workload(departments=departments), "us-east-1")
    assert Workload().site_seconds == 0.3
    assert alone.per_department <= most


def test_the_page_says_what_holds_beside_the_goal(capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(r"^\| [^|]+`(--[^`]+)` \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    assert len(rows) == 6
    for options, *shown in rows:
        for number, cell in zip(GOALS, shown, strict=True):
            assert main(["cost", "--json", "--departments", str(number), *options.split()]) == 0
            printed = json.loads(capsys.readouterr().out)
            assert f"{printed['dollars_per_department']:.5f}" == cell, options


@pytest.mark.parametrize("seconds", SITE_SECONDS)
def test_the_page_has_the_slowest_of_ten(seconds: float) -> None:
    work = Workload(site_seconds=seconds)
    anyhow = waiting(replace(work, site_steady=0), 10)
    cells = (waiting(work), anyhow, waiting(work, 10))
    row = " | ".join([f"{seconds:g} s", *(f"{cell:.2f} s" for cell in cells)])
    assert f"| {row} |" in PAGE


def test_the_table_has_the_goals_that_a_department_is_held_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The rows of a site of 0.3 s are those of the bill; slower sites may miss the goal."""
    assert main(["cost", "--table", "--rhythm", "thrifty"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["its", "goal", *(f"{GOALS[number]:.5f}" for number in (1_000, 10_000))] in rows
    for seconds in SITE_SECONDS:
        work = Workload(rhythm="thrifty", site_seconds=seconds)
        bills = [
            make_bill(deployment(), replace(work, departments=number), "us-east-1")
            for number in DEPARTMENTS
        ]
        cells = [f"{each.per_department:.5f}" for each in bills]
        assert ["a", "department", f"{seconds}", "s", *cells] in rows


def test_a_table_is_no_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--table", "--json"]) == 1
    assert "--table: has no JSON" in capsys.readouterr().err


def test_lines_and_families_are_the_same_dollars(capsys: pytest.CaptureFixture[str]) -> None:
    families = "--families weather,regulations,seeds,documents,subscriptions"
    work = "--departments 50 --pages 3 --translated 1000000 --domains 1000 --browsers 500"
    command = f"cost --json {work} {families}"
    assert main(command.split()) == 0
    printed = json.loads(capsys.readouterr().out)
    assert sum(line["dollars"] for line in printed["lines"]) == pytest.approx(printed["dollars"])
    assert sum(printed["families"].values()) == pytest.approx(printed["dollars"])
    for line in printed["lines"]:
        assert sum(line["families"].values()) == pytest.approx(line["dollars"])
    assert printed["families"].keys() == {
        "stack",
        "notices",
        "weather",
        "regulations",
        "seeds",
        "documents",
        "subscriptions",
    }
    assert printed["dollars_per_department"] == pytest.approx(printed["dollars"] / 50)


@pytest.mark.parametrize(
    "options",
    [
        "--departments 0",
        "--departments 1000001",
        "--changes -1",
        "--views 1.5",
        "--batch 11",
        "--batch 0",
        "--site-seconds nan",
        "--site-seconds inf",
        "--site-spread 4",
        "--site-steady 1.1",
        "--job-characters 0",
        "--region mars-north-1",
        "--families tides",
        "--families weather,",
    ],
)
def test_a_wrong_option_is_refused(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cost", *options.split()])
    assert ended.value.code == 2
    assert options.split(maxsplit=1)[0] in capsys.readouterr().err


def test_every_region_has_every_price() -> None:
    assert get_args(Region) == tuple(DOLLARS)
    for prices in DOLLARS.values():
        assert prices.keys() == UNITS.keys() - OF_TEMPLATE


def test_another_region_is_another_bill_of_the_same_work() -> None:
    ours, seoul = bill(), bill(region="ap-northeast-2")
    assert amount(ours, "s3_put") == amount(seoul, "s3_put")
    assert dollars(seoul, "S3") < dollars(ours, "S3")


def test_alarms_are_those_of_the_template_with_metric_math_by_metric() -> None:
    resources = parse(TEMPLATE)["Resources"].values()
    alarms = [each["Properties"] for each in resources if each["Type"] == "AWS::CloudWatch::Alarm"]
    more = sum(
        sum("MetricStat" in each for each in alarm["Metrics"]) - 1
        for alarm in alarms
        if "Metrics" in alarm
    )
    assert more > 0
    # One is there only where releases take over by steps.
    assert amount(bill(Gradual="true"), "alarm") == len(alarms) + more
    assert amount(bill(), "alarm") == len(alarms) + more - 1
    assert amount(bill(Operations="false"), "alarm") == len(alarms) - 4


def test_a_secret_is_paid_where_a_parameter_names_it() -> None:
    assert amount(bill(), "secret") == 2
    assert amount(bill(FcmCredentialsSecret="", WeatherKeySecret=""), "secret") == 0


def test_what_the_template_leaves_out_costs_nothing() -> None:
    work = Workload(departments=100_000)
    full = make_bill(deployment(FAMILIES), work, "us-east-1")
    without_cdn = make_bill(changed(lambda each: each.pop("Distribution")), work, "us-east-1")
    assert dollars(full, "CloudFront") > 0
    assert dollars(without_cdn, "CloudFront") == 0
    disabled = make_bill(deployment(Cdn="DISABLED"), work, "us-east-1")
    assert dollars(disabled, "CloudFront") == 0


# The queues that each feeds functions from, and its dashboards.
PARTS: Final = {
    "weather": (1, 0),
    "regulations": (2, 0),
    "seeds": (2, 1),
    "watches": (1, 0),
    "documents": (1, 1),
    "subscriptions": (0, 0),
}


@pytest.mark.parametrize("family", PARTS)
def test_a_family_that_is_not_deployed_costs_nothing(family: str) -> None:
    """Not its alarms, queues and dashboards, and no work of it."""
    work = Workload(pages=10, domains=1_000, browsers=1_000)
    # A watch needs the seeds: it is in the bill of itself alone.
    others = [name for name in FAMILIES if name not in (family, "watches")]
    with_it = make_bill(deployment([*others, family]), work, "us-east-1")
    without = make_bill(deployment(others), work, "us-east-1")
    queues, dashboards = PARTS[family]
    idle = amount(bill(), "sqs_idle") / deployment(FAMILIES).queues_polled
    assert amount(with_it, "sqs_idle") - amount(without, "sqs_idle") == pytest.approx(queues * idle)
    assert amount(with_it, "dashboard") - amount(without, "dashboard") == dashboards
    assert amount(with_it, "alarm") > amount(without, "alarm")
    assert family in with_it.deployed
    assert family not in {*without.deployed, *without.families}
    assert amount(with_it, "secret") - amount(without, "secret") == (family == "weather")


def test_without_a_word_the_stack_is_the_templates_default(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cost", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["deployed"] == ["notices"]
    assert printed["families"].keys() == {"stack", "notices"}
    assert main(["cost", "--json", "--families", "weather"]) == 0
    assert json.loads(capsys.readouterr().out)["deployed"] == ["notices", "weather"]


@pytest.mark.parametrize(
    ("work", "told"),
    [
        ("--domains 5", "--domains: the stack has no seeds; add --families notices,seeds"),
        ("--pages 5", "--pages: the stack has no documents; add --families notices,documents"),
        ("--translated 5 --families weather", "add --families weather,documents"),
        ("--browsers 5", "--browsers: the stack has no subscriptions"),
    ],
)
def test_work_of_a_family_that_is_not_there_is_refused(
    work: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cost", *work.split()]) == 1
    assert told in capsys.readouterr().err


def test_memory_architecture_and_retention_are_the_templates() -> None:
    arm, intel = bill(), bill(Architecture="x86_64")
    assert amount(arm, "gb_second_arm64") == amount(intel, "gb_second_x86_64") > 0
    assert amount(arm, "gb_second_x86_64") == 0
    month, day = bill(LogRetentionDays="30"), bill(LogRetentionDays="1")
    ratio = amount(month, "log_gb_month") / amount(day, "log_gb_month")
    assert ratio == pytest.approx(30)
    often, seldom = bill(MetarMinutes="5"), bill(MetarMinutes="30")
    assert often.families["weather"] > seldom.families["weather"]


def test_translation_and_the_model_cost_what_parameters_say() -> None:
    work = Workload(pages=10, translated=2_000_000)
    given = {"DocumentCharacterDollars": "10", "DocumentInputDollars": "1"}
    found = bill(work, **given, DocumentOutputDollars="5")
    assert dollars(found, "Translate") == pytest.approx(20)
    # Ten analyses of 20,000 tokens, and a tenth of that written.
    assert dollars(found, "Bedrock") == pytest.approx(0.2 + 0.1)


def test_what_is_free_is_free_once() -> None:
    few, many = bill(Workload(departments=10_000)), bill(Workload(departments=20_000))
    assert amount(few, "cdn_request") == UNITS["cdn_request"].free
    assert dollars(few, "CloudFront") == 0
    # Ten million requests more, at 0.012 for ten thousand; their bytes are free.
    assert dollars(many, "CloudFront") == pytest.approx(12)


def test_departments_pay_by_number_and_share_the_stack() -> None:
    ten, twenty = bill(Workload(departments=1_000)), bill(Workload(departments=2_000))
    assert ten.families["stack"] == twenty.families["stack"]
    ratio = twenty.families["notices"] / ten.families["notices"]
    assert 1 < ratio <= 2
    assert twenty.per_department < ten.per_department


@pytest.mark.parametrize(
    ("work", "evidence", "dollars"),
    [
        ("domains", "objects", 33),
        ("domains", "segments", 28),
        ("ranges", "objects", 25.6),
        ("ranges", "segments", 15.6),
        ("ranges", "none", 15.4),
    ],
)
def test_a_million_domains_cost_what_the_page_of_seeds_says(
    work: str, evidence: str, dollars: float
) -> None:
    deployed = deployment(FAMILIES, SeedWork=work, Evidence=evidence)
    found = make_bill(deployed, Workload(domains=10**6), "us-east-1").families["seeds"]
    assert found == pytest.approx(dollars, rel=0.02)


def test_ten_and_a_hundred_million_cost_what_the_page_of_seeds_says() -> None:
    """By the function, and by containers that settle 27 domains a second each, in its place."""
    page = (ROOT / "docs" / "seeds.md").read_text("utf-8")
    by_function = figures(page, "the function, dollars")
    by_containers = figures(page, "containers, dollars")
    for number, (domains, hours) in enumerate([(10**7, 103), (10**8, 1_029)]):
        found = bill(Workload(domains=domains, container_hours=hours))
        parts = {
            service: sum(
                line.dollars.get("seeds", 0) for line in found.lines if line.unit.service in service
            )
            for service in (("Lambda",), ("Fargate Spot", "VPC"))
        }
        compute = parts["Fargate Spot", "VPC"]
        both = found.families["seeds"]
        assert both - compute == pytest.approx(by_function[number], rel=0.01)
        # A delete for each domain, not for ten.
        others = both - parts["Lambda",] + 0.9 * domains * DOLLARS["us-east-1"]["sqs_request"] / 1e6
        assert others == pytest.approx(by_containers[2 * number], rel=0.01)
        assert compute == pytest.approx(by_containers[2 * number + 1], rel=0.03)


def figures(page: str, row: str) -> list[float]:
    """The dollars of a row of a page's table."""
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {row} |"))
    return [float(each.replace(",", "")) for each in re.findall(r"\$([\d,.]*\d)", line)]


def test_a_container_costs_its_size_and_an_address() -> None:
    """docs/seeds.md has the price of an hour; the size is the template's."""
    none, one = (bill(Workload(container_hours=hours)) for hours in (0, 100))
    assert dollars(none, "Fargate Spot") == 0
    assert one.total - none.total == pytest.approx(1.69, rel=0.01)
