//! What to do next, for people and for models that drive the tools.

use std::sync::Arc;

use wf_core::value::{Object, Value};

use crate::deployment::{DependencyDiagnostic, is_runnable};

use super::{MissingDecisionKind, WrapperAuthoringHints, WrapperHintConfidence};

/// How many trace entries an example asks for at most.
const EXAMPLE_TRACE_LIMIT: u64 = 25;

wf_core::text_enum! {
    /// A tool that may come next.
    pub enum NextActionTool {
        /// Patch the draft.
        PatchDraftWorkspace = "wf.workflow.patch_draft_workspace",
        /// Validate the draft.
        ValidateDraftWorkspace = "wf.workflow.validate_draft_workspace",
        /// Validate the deployment.
        ValidateDeployment = "wf.workflow.validate_deployment",
        /// Run the deployment.
        RunDeployment = "wf.workflow.run_deployment",
        /// Answer the run's question.
        ResumeRun = "wf.workflow.resume_run",
        /// Read the run's trace.
        ReadRunTrace = "wf.workflow.read_run_trace",
    }
}

wf_core::document! {
    /// A request that could come next.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NextActionPatchExample: "NextActionPatchExample" {
        /// What it does.
        pub description: Arc<str>,
        /// The tool.
        pub tool: NextActionTool,
        /// Its arguments.
        pub request: Object,
    }
    unknown Ignore;
}

wf_core::document! {
    /// What to do next.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NextActions: "NextActions" {
        /// Whether there is anything to do.
        pub can_continue: bool,
        /// Whether the draft can be saved as it is; null when there is no draft.
        pub can_save_now: Option<bool> = None,
        /// The tool to use.
        pub recommended_next_tool: Option<NextActionTool> = None,
        /// Why.
        pub reason: Arc<str>,
        /// Requests to start from.
        pub patch_examples: Vec<NextActionPatchExample> = Vec::new(),
        /// What to keep in mind.
        pub warnings: Vec<Arc<str>> = Vec::new(),
    }
    unknown Ignore;
}

/// A run's status as far as guidance cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunStatus<'a> {
    /// It waits for an answer.
    Interrupted,
    /// It failed, or could not start.
    Failed,
    /// It is done.
    Completed,
    /// Anything else.
    Other(&'a str),
}

impl<'a> RunStatus<'a> {
    fn of(status: &'a str) -> Self {
        match status {
            "interrupted" => Self::Interrupted,
            "failed" | "unrunnable" => Self::Failed,
            "completed" => Self::Completed,
            other => Self::Other(other),
        }
    }
}

impl NextActions {
    /// After a draft was made from a capability's hints.
    pub fn from_wrapper_hints(workspace_id: &str, revision: u32, hints: &WrapperAuthoringHints) -> Self {
        let decided = |kinds: &[MissingDecisionKind]| {
            !hints.missing_decisions.iter().any(|decision| kinds.contains(&decision.kind))
        };
        if hints.confidence == WrapperHintConfidence::High && hints.missing_decisions.is_empty() {
            return Self {
                can_continue: true,
                can_save_now: Some(true),
                recommended_next_tool: Some(NextActionTool::ValidateDraftWorkspace),
                reason: "the hints have high confidence and leave nothing to decide; validate the draft and save it"
                    .into(),
                patch_examples: Vec::new(),
                warnings: Vec::new(),
            };
        }
        let example = |description: &str, patch: Vec<Object>| NextActionPatchExample {
            description: description.into(),
            tool: NextActionTool::PatchDraftWorkspace,
            request: Object::from_iter([
                ("workspace_id", Value::from(workspace_id)),
                ("revision", Value::from(revision)),
                ("patch", Value::from(patch)),
            ]),
        };
        let mut patch_examples = Vec::new();
        if !decided(&[MissingDecisionKind::ChooseOutputFields, MissingDecisionKind::ReviewNestedOutput]) {
            let replace = Object::from_iter([
                ("op", Value::from("replace")),
                ("path", Value::from("/steps/call/output")),
                ("value", Value::from(Vec::<Object>::new())),
            ]);
            patch_examples.push(example("choose which output fields the wrapper keeps", vec![replace]));
        }
        if !decided(&[MissingDecisionKind::ConfirmBooleanOutcomes]) {
            patch_examples.push(example("turn truth values into outcomes, or leave them as they are", Vec::new()));
        }
        Self {
            can_continue: true,
            can_save_now: Some(false),
            recommended_next_tool: Some(NextActionTool::PatchDraftWorkspace),
            reason: "there are missing wrapper decisions; patch the draft before saving it".into(),
            patch_examples,
            warnings: hints.notes.clone(),
        }
    }

    /// After a deployment was validated; only errors keep it from running.
    pub fn from_deployment_validation(deployment_id: &str, diagnostics: &[DependencyDiagnostic]) -> Self {
        let plain = |tool, reason: String| Self {
            can_continue: true,
            can_save_now: None,
            recommended_next_tool: Some(tool),
            reason: reason.into(),
            patch_examples: Vec::new(),
            warnings: warnings(diagnostics),
        };
        if is_runnable(diagnostics) {
            let reason = format!("deployment `{deployment_id}` is runnable; use run_deployment");
            return plain(NextActionTool::RunDeployment, reason);
        }
        let found = |codes: &[&str]| diagnostics.iter().any(|diagnostic| codes.contains(&diagnostic.code.as_ref()));
        let remedy = if found(&["source_unreachable"]) {
            "fix or reconnect the source that cannot be reached, then validate again"
        } else if found(&["source_missing", "binding_missing"]) {
            "bind every logical source to a source that exists, then validate again"
        } else if found(&["capability_missing", "schema_changed"]) {
            "refresh the source or save the workflow against its present contract, then validate again"
        } else {
            "repair what the diagnostics name, then validate again"
        };
        plain(NextActionTool::ValidateDeployment, remedy.into())
    }

    /// After a run stopped.
    pub fn from_run_result(
        run_id: Option<&str>,
        status: &str,
        trace_count: u64,
        diagnostics: &[DependencyDiagnostic],
    ) -> Self {
        let plain = |can_continue, tool, reason: String| Self {
            can_continue,
            can_save_now: None,
            recommended_next_tool: tool,
            reason: reason.into(),
            patch_examples: Vec::new(),
            warnings: warnings(diagnostics),
        };
        match (RunStatus::of(status), run_id) {
            (RunStatus::Interrupted, Some(_)) if !is_runnable(diagnostics) => plain(
                true,
                Some(NextActionTool::ResumeRun),
                "the run waits for an answer, but its sources are not as they were; repair them, then use resume_run"
                    .into(),
            ),
            (RunStatus::Interrupted, Some(_)) => plain(
                true,
                Some(NextActionTool::ResumeRun),
                "the run waits for an answer; use resume_run with an outcome and a payload".into(),
            ),
            (RunStatus::Failed, Some(run_id)) if trace_count > 0 => {
                let range = Object::from_iter([
                    ("start", Value::Int(0)),
                    ("limit", Value::Int(i64::try_from(trace_count.min(EXAMPLE_TRACE_LIMIT)).unwrap_or(1))),
                ]);
                let request = Object::from_iter([("run_id", Value::from(run_id)), ("trace_range", range.into())]);
                let reason = "the run failed; read a bounded trace to see where";
                Self {
                    patch_examples: vec![NextActionPatchExample {
                        description: "read the first entries of the trace".into(),
                        tool: NextActionTool::ReadRunTrace,
                        request,
                    }],
                    ..plain(true, Some(NextActionTool::ReadRunTrace), reason.into())
                }
            }
            (RunStatus::Failed, _) => {
                plain(false, None, "the run stopped before producing trace; see the error and the diagnostics".into())
            }
            (RunStatus::Completed, _) => plain(false, None, "the run has completed".into()),
            (RunStatus::Interrupted | RunStatus::Other(_), _) => {
                plain(false, None, format!("the run has status '{status}'"))
            }
        }
    }
}

impl NextActions {
    /// After a part of a failed run's trace was read up to the entry `read_to`: the next part, if there is one.
    #[must_use]
    pub fn after_trace(mut self, run_id: &str, read_to: u64, trace_count: u64) -> Self {
        if self.recommended_next_tool != Some(NextActionTool::ReadRunTrace) {
            return self;
        }
        self.patch_examples.clear();
        if read_to < trace_count {
            let number = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
            let limit = (trace_count - read_to).min(EXAMPLE_TRACE_LIMIT);
            let range = Object::from_iter([("start", number(read_to)), ("limit", number(limit))]);
            self.reason = "the trace goes on; read its next entries".into();
            self.patch_examples.push(NextActionPatchExample {
                description: "read the next entries of the trace".into(),
                tool: NextActionTool::ReadRunTrace,
                request: Object::from_iter([("run_id", Value::from(run_id)), ("trace_range", range.into())]),
            });
        } else {
            self.recommended_next_tool = None;
            self.reason =
                "the failure and the last entry say where the run failed; mend the cause, then retry it".into();
        }
        self
    }
}

/// One line for each diagnostic: its code and what it is about.
fn warnings(diagnostics: &[DependencyDiagnostic]) -> Vec<Arc<str>> {
    diagnostics
        .iter()
        .map(|diagnostic| {
            let about = diagnostic.bound_source.as_ref().unwrap_or(&diagnostic.logical_ref);
            if about.is_empty() { Arc::clone(&diagnostic.code) } else { format!("{}: {about}", diagnostic.code).into() }
        })
        .collect()
}
