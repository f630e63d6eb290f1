"""Fakes and a harness for tests of workflows; the pytest plugin offers them as fixtures.

Example:
    >>> from wf_authoring import WorkflowBuilder, node
    >>> from wf_authoring.testing import WorkflowHarness
    >>> @node
    ... def double(value: int) -> int:
    ...     return value * 2
    >>> number = {"type": "object", "properties": {"value": {"type": "integer"}, "result": {"type": "integer"}}}
    >>> builder = WorkflowBuilder("demo", number, number, number)
    >>> builder.set_entry_point(double)
    >>> builder.connect("double", "ok", builder.end())
    ('double', 'end_ok')
    >>> run = WorkflowHarness().run_sync(builder, {"value": 21})
    >>> run.assert_visited("double", "end_ok").output
    {'value': 21, 'result': 42}
"""

from wf_authoring.testing.harness import HarnessRun, WorkflowHarness
from wf_authoring.testing.live import LiveRun, VirtualClock
from wf_authoring.testing.platform import ResourceRead, ScriptedPlatform
from wf_authoring.testing.recording import NodeCall, RecordingRegistry
from wf_authoring.testing.replies import NEVER, Later, after
from wf_authoring.testing.table import trace_table

__all__ = [
    "NEVER",
    "HarnessRun",
    "Later",
    "LiveRun",
    "NodeCall",
    "RecordingRegistry",
    "ResourceRead",
    "ScriptedPlatform",
    "VirtualClock",
    "WorkflowHarness",
    "after",
    "trace_table",
]
