"""A stage of its own, and plans for it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deploy_stages import STAGES

from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.stage import SamStage, read_stage


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A samconfig.toml."""
    place = tmp_path / "samconfig.toml"
    place.write_text(STAGES, encoding="utf-8")
    return place


@pytest.fixture
def stage(file: Path) -> SamStage:
    return read_stage(None, file)


@pytest.fixture
def plan(stage: SamStage) -> Callable[..., DeployPlan]:
    """A function that makes a plan: of a session, parameters of the stage, and values of a plan."""

    def make(session: Any, parameters: dict[str, str] | None = None, **values: Any) -> DeployPlan:
        wanted = replace(stage, parameters={**stage.parameters, **(parameters or {})})
        answers = {"ask": lambda _: True, "pause": lambda _: None} | values
        return DeployPlan(wanted, session=session, **answers)

    return make
