//! `workflow.<id>.v<n>`: a saved workflow as a capability.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use wf_core::document::{NonEmpty, Part, Positive, Reader, WorkflowRef};
use wf_core::value::Value;

use crate::error::PlatformError;

/// The namespace of saved workflows; no source can have this id.
pub const WORKFLOW_NAMESPACE: &str = "workflow";

wf_core::document! {
    /// A saved workflow as a capability.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct WorkflowCapabilityRef: "WorkflowCapabilityRef" {
        /// The artifact's id; may contain dots.
        pub artifact_id: Arc<str> => NonEmpty,
        /// Its version.
        pub version: u32 => Positive,
    }
    unknown Ignore;
    before accept_text;
}

fn accept_text<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let Value::String(text) = value else { return Some(Cow::Borrowed(value)) };
    match WorkflowCapabilityRef::from_text(text) {
        Ok(reference) => Some(Cow::Owned(reference.write())),
        Err(error) => {
            reader.hinted_problem(error.code(), error.to_string(), error.hint());
            None
        }
    }
}

impl WorkflowCapabilityRef {
    /// Reads `workflow.<id>.v<n>`, split at the last `.v`.
    ///
    /// # Errors
    /// [`PlatformError::BadWorkflowRef`] says which part is wrong.
    ///
    /// ```
    /// # use wf_platform::artifact::WorkflowCapabilityRef;
    /// let reference = WorkflowCapabilityRef::from_text("workflow.team.report.v3")?;
    /// assert_eq!((&*reference.artifact_id, reference.version), ("team.report", 3));
    /// # Ok::<(), wf_platform::PlatformError>(())
    /// ```
    pub fn from_text(text: &str) -> Result<Self, PlatformError> {
        let bad = |problem| PlatformError::BadWorkflowRef { text: text.into(), problem };
        let rest = text.strip_prefix("workflow.").ok_or_else(|| bad("must use the workflow namespace"))?;
        // `workflow.v1` has an empty id, and `.v1` is what is left of it.
        let dotted = format!(".{rest}");
        let (id, version) = dotted.rsplit_once(".v").ok_or_else(|| bad("must be workflow.<artifact_id>.v<version>"))?;
        if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad("must be workflow.<artifact_id>.v<version>"));
        }
        let id = id.strip_prefix('.').filter(|id| !id.is_empty()).ok_or_else(|| bad("requires an artifact id"))?;
        match version.parse() {
            Ok(version) if version >= 1 => Ok(Self { artifact_id: id.into(), version }),
            Ok(_) => Err(bad("requires version >= 1")),
            Err(_) => Err(bad("requires a version below 4294967296")),
        }
    }

    /// The workflow ref of a subgraph step that means this workflow.
    pub fn to_workflow_ref(&self) -> WorkflowRef {
        WorkflowRef::Artifact { artifact_id: Arc::clone(&self.artifact_id), version: self.version }
    }

    /// The saved workflow that a subgraph step means.
    ///
    /// # Errors
    /// [`PlatformError::NotAnArtifactRef`] for a ref by name.
    pub fn from_workflow_ref(reference: &WorkflowRef) -> Result<Self, PlatformError> {
        match reference {
            WorkflowRef::Artifact { artifact_id, version } => {
                Ok(Self { artifact_id: Arc::clone(artifact_id), version: *version })
            }
            WorkflowRef::Name(_) => Err(PlatformError::NotAnArtifactRef),
        }
    }

    /// The name of the capability within the namespace of saved workflows: `<id>.v<n>`.
    pub fn local_name(&self) -> Arc<str> {
        format!("{}.v{}", self.artifact_id, self.version).into()
    }
}

impl fmt::Display for WorkflowCapabilityRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{WORKFLOW_NAMESPACE}.{}.v{}", self.artifact_id, self.version)
    }
}
