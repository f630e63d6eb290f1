"""The run machine itself, for whoever writes a driver of their own.

A run never calls a handler, reads a clock or waits. `Run.poll` says what to do next; the driver does it and reports
what has happened.

Example:
    >>> from wf_core import Workflow
    >>> from wf_core.runtime.machine import Call, Run, Stopped
    >>> def drive(run, handlers):
    ...     while True:
    ...         match run.poll():
    ...             case Call() as call:
    ...                 run.resolve(call.id, handlers[call.node](call.payload, call.context()))
    ...             case Stopped():
    ...                 return run.state()
"""

from typing import TypeAlias

from _wf._native.core import Call, CancelCall, Idle, Reduce, Run, Stopped

__all__ = ["Call", "CancelCall", "Effect", "Idle", "Reduce", "Run", "Stopped"]

Effect: TypeAlias = Call | Reduce | CancelCall | Idle | Stopped
"""What `Run.poll` gives."""
