"""All families on the embedded stack: the real `sam build`, the real `sam deploy`."""

from conftest import assert_all_is_well, events, summaries, uring


def test_the_deployed_application_pushes_every_change() -> None:
    run = uring("run", "--ticks", "4", "--seed", "7", "--json", timeout=600)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr
    found = summaries(run.stdout)["notices"]
    assert_all_is_well(found)
    assert found["checked"] == 4 * found["outcomes"]["baseline"]
    # In the calm tick every job has a hint: the worker asks the sites, and nothing of AWS.
    (calm,) = [
        each
        for each in events(run.stdout)
        if each["event"] == "tick" and each["tick"] == 4 and each["family"] == "notices"
    ]
    assert "NoticeWorker" not in calm["aws_calls"]
