"""The pytest plugin: `scripted_platform`, `recording_registry` and `workflow_harness`.

It is loaded in every pytest session of an environment that has this package, so it imports nothing heavy until a
test asks for a fixture.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from wf_authoring.testing import RecordingRegistry, ScriptedPlatform, WorkflowHarness

_HARNESS = pytest.StashKey["WorkflowHarness"]()


@pytest.fixture
def scripted_platform() -> "ScriptedPlatform":
    """A platform whose sources and resources stand in the test."""
    from wf_authoring.testing import ScriptedPlatform

    return ScriptedPlatform()


@pytest.fixture
def recording_registry() -> "RecordingRegistry":
    """The script and the record of node calls."""
    from wf_authoring.testing import RecordingRegistry

    return RecordingRegistry()


@pytest.fixture
def workflow_harness(
    request: pytest.FixtureRequest,
    scripted_platform: "ScriptedPlatform",
    recording_registry: "RecordingRegistry",
) -> "WorkflowHarness":
    """Runs workflows; when the test fails, the report shows their traces."""
    from wf_authoring.testing import WorkflowHarness

    harness = WorkflowHarness(scripted_platform, recording_registry)
    request.node.stash[_HARNESS] = harness
    return harness


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the traces of a failed test's runs to its report."""
    report = yield
    harness = item.stash.get(_HARNESS, None)
    if report.failed and harness is not None:
        for number, run in enumerate(harness.runs, 1):
            report.sections.append((f"workflow run {number}", repr(run)))
    return report
