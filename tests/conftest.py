"""Settings shared by all Python tests: Hypothesis profiles and the folders that tests read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Programs for the type checkers, not for running.
collect_ignore_glob = ["typing/bad/*", "typing/good/*"]

# A slow machine breaks no law, so there is no deadline. `make test` stays short; HYPOTHESIS_PROFILE=deep digs deeper.
settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of this repository."""
    return ROOT
