"""The workflow engine: documents, validation and runs."""

from wf_core.errors import WfError, WorkflowExecutionError, WorkflowValidationError
from wf_core.models import *  # noqa: F403
from wf_core.tokens import END, START
