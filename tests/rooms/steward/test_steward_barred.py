"""A branch that GitHub bars by the ruleset that comes with the program: the App's deeds pass, nobody else's push or Merge does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fakegithub import Refusal, rulesets
from hostile.small import git_in
from support.doorstep import doorstep

from nomicgit.forge import barrier, setup
from nomicgit.forge.apps import App


@pytest.mark.slow
def test_the_app_passes_by_what_bars_all_others(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        github, ada = door.github, door.github.user("ada", role="admin")
        github.steward = github.app("court", 77)
        wanted = dict(barrier.passing_by(setup.ruleset(), App("77")))
        laid = rulesets.lay(github, ada, wanted)
        assert list(barrier.differences(laid, setup.ruleset(), App("77"))) == []
        pull = door.propose("cy", "Moonlight")
        assert [deed.action for deed in door.run().deeds] == ["propose"]
        with pytest.raises(Refusal, match="Required status check"):
            github.merge(ada, pull)
        git_in(tmp_path, "clone", "-q", str(github.repo.path), "adas")
        git_in(tmp_path / "adas", "commit", "-q", "--allow-empty", "-m", "Mine")
        push = ["git", "-C", str(tmp_path / "adas"), "push", "-q", github.git_url(who=ada), "main"]
        refused = subprocess.run(push, capture_output=True, text=True, check=False)
        assert refused.returncode != 0
        assert "Protected branch update failed" in refused.stderr
        door.review("dee", pull)
        assert door.run().problems == []
        with pytest.raises(Refusal, match="GitHub Actions integration must be part of"):
            rulesets.lay(
                github, ada, dict(barrier.passing_by(setup.ruleset(), App(str(rulesets.OF_RUNS)))), 42
            )
