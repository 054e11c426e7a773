"""A short siege: some tries of every campaign, within minutes. `make siege` runs all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

TESTS = Path(__file__).parents[1]


def test_a_short_siege_finds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "siege", "--short", "--out", str(tmp_path)]
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    siege = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert siege.returncode == 0, siege.stdout[-6000:] + siege.stderr[-2000:]
    campaigns = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["campaigns"]
    assert len(campaigns) == 9
    for campaign in campaigns:
        assert campaign["tries"] > 0, campaign
