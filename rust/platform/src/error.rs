//! Everything that can go wrong in this crate, each cause with its stable code.

use std::sync::Arc;

use wf_core::value::repr_text;

use crate::capability::CapabilityKind;

/// What the rules of the platform refuse.
///
/// Messages that existing callers match keep their fixed phrase; [`PlatformError::hint`] says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlatformError {
    /// An id that does not follow the grammar.
    #[error(
        "source id must start with alphanumeric or underscore and contain only [A-Za-z0-9_.-]; in {} {fault}",
        repr_text(.id)
    )]
    BadSourceId {
        /// The id.
        id: Arc<str>,
        /// What is wrong with it.
        fault: String,
    },
    /// An id that belongs to the platform.
    #[error("source id {} is reserved", repr_text(.id))]
    ReservedSourceId {
        /// The id.
        id: Arc<str>,
    },
    /// A source of the platform outside the platform's names.
    #[error("source id {} is not under `wf.`, so it cannot belong to a source of the platform", repr_text(.id))]
    NotASystemId {
        /// The id.
        id: Arc<str>,
    },
    /// An id that is taken.
    #[error("duplicate source id {}", repr_text(.id))]
    DuplicateSourceId {
        /// The id.
        id: Arc<str>,
    },
    /// An id that a reader could take for another one.
    #[error("source id {} is too much like {}", repr_text(.id), repr_text(.existing))]
    CollidingSourceId {
        /// The new id.
        id: Arc<str>,
        /// The id that is there already.
        existing: Arc<str>,
    },
    /// A capability under a name of another source.
    #[error("{kind} {} does not belong to source {}", repr_text(.name), repr_text(.source_id))]
    ForeignCapability {
        /// The source that claims it.
        source_id: Arc<str>,
        /// What kind it is.
        kind: CapabilityKind,
        /// Its qualified name.
        name: Arc<str>,
    },
    /// Both policy flags at once.
    #[error("platform sources cannot require bindings")]
    ContradictoryPolicy,
    /// Disabling the source through which sources are enabled.
    #[error("source {} cannot be disabled", repr_text(.id))]
    CannotDisable {
        /// The id.
        id: Arc<str>,
    },
    /// No source has this id.
    #[error("unknown source {}", repr_text(.id))]
    UnknownSource {
        /// The id.
        id: Arc<str>,
        /// Ids that come close.
        nearest: Vec<Arc<str>>,
    },
    /// No source owns this capability.
    #[error("{} {}", unknown_phrase(*.kind), repr_text(.name))]
    UnknownCapability {
        /// The kind that was asked for, if any.
        kind: Option<CapabilityKind>,
        /// The qualified name.
        name: Arc<str>,
        /// Names that come close.
        nearest: Vec<Arc<str>>,
    },
    /// The source is switched off.
    #[error("source {} of {} is disabled", repr_text(.source_id), repr_text(.name))]
    SourceDisabled {
        /// The source.
        source_id: Arc<str>,
        /// The capability.
        name: Arc<str>,
    },
    /// The surface does not show the source.
    #[error("{} is not visible to the {surface}", repr_text(.name))]
    NotVisible {
        /// The capability.
        name: Arc<str>,
        /// The surface.
        surface: &'static str,
    },
    /// A workflow may not use it.
    #[error("{} is not safe for workflows and not explicitly allowed", repr_text(.name))]
    NotSafe {
        /// The capability.
        name: Arc<str>,
    },
    /// A deny pattern covers it.
    #[error("{} is denied by the policy of source {}", repr_text(.name), repr_text(.source_id))]
    Denied {
        /// The source.
        source_id: Arc<str>,
        /// The capability.
        name: Arc<str>,
    },
    /// It is for operators, and admin exposure is off.
    #[error("{} is for operators and admin exposure is switched off", repr_text(.name))]
    AdminOnly {
        /// The capability.
        name: Arc<str>,
    },
    /// The surface does not project this kind of capability.
    #[error("a {kind} is not shown to the {surface}")]
    NotProjected {
        /// The kind.
        kind: CapabilityKind,
        /// The surface.
        surface: &'static str,
    },
    /// A text that names no saved workflow.
    #[error("workflow capability ref {problem}")]
    BadWorkflowRef {
        /// The text.
        text: Arc<str>,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A subgraph that names a workflow which is not saved.
    #[error("workflow capability refs require an artifact workflow ref")]
    NotAnArtifactRef,
    /// An id that no store can keep.
    #[error("{field} must start with alphanumeric or underscore and contain only [A-Za-z0-9_.-]")]
    BadStoredId {
        /// The field that holds it.
        field: &'static str,
        /// The id.
        id: Arc<str>,
    },
    /// A plan that is no workflow, or a workflow that cannot work.
    #[error("invalid workflow plan: {}", .problems.join("; "))]
    InvalidPlan {
        /// Everything that is wrong with it, each with its place.
        problems: Vec<String>,
    },
    /// A plan without a schema.
    #[error("workflow plan is missing object field {}", repr_text(.field))]
    PlanFieldNotAnObject {
        /// The field.
        field: &'static str,
    },
    /// A saved artifact whose plan lacks a field.
    #[error("workflow artifact {artifact} is missing plan field {}", repr_text(.field))]
    MissingPlanField {
        /// `<id>@<version>`.
        artifact: String,
        /// The field.
        field: Arc<str>,
    },
    /// A logical source that means nothing in this deployment.
    #[error("unbound logical source {}", repr_text(.logical_source))]
    UnboundSource {
        /// The logical source.
        logical_source: Arc<str>,
        /// The capability that needs it.
        name: Arc<str>,
    },
    /// A page without items.
    #[error("limit must be >= 1")]
    LimitOutOfRange,
    /// A page before the first.
    #[error("cursor must be >= 0")]
    NegativeCursor,
    /// A cursor of another list, or no cursor at all.
    #[error("cursor {} is not one of ours", repr_text(.cursor))]
    ForeignCursor {
        /// The cursor.
        cursor: Arc<str>,
    },
}

fn unknown_phrase(kind: Option<CapabilityKind>) -> &'static str {
    match kind {
        Some(CapabilityKind::NodeSpec) => "unknown qualified node",
        Some(CapabilityKind::Reducer) => "unknown reducer",
        Some(CapabilityKind::Tool) => "unknown tool",
        Some(CapabilityKind::Prompt) => "unknown prompt",
        Some(CapabilityKind::Resource) => "unknown resource",
        Some(CapabilityKind::Workflow) | None => "unknown workflow capability",
    }
}

impl PlatformError {
    /// The stable code of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadSourceId { .. } => "source.bad_id",
            Self::ReservedSourceId { .. } => "source.reserved_id",
            Self::NotASystemId { .. } => "source.not_a_system_id",
            Self::DuplicateSourceId { .. } => "source.duplicate_id",
            Self::CollidingSourceId { .. } => "source.colliding_id",
            Self::ForeignCapability { .. } => "source.foreign_capability",
            Self::ContradictoryPolicy => "source.contradictory_policy",
            Self::CannotDisable { .. } => "source.cannot_disable",
            Self::UnknownSource { .. } => "source.unknown",
            Self::UnknownCapability { .. } => "capability.unknown",
            Self::SourceDisabled { .. } => "capability.disabled",
            Self::NotVisible { .. } => "capability.not_visible",
            Self::NotSafe { .. } => "capability.not_safe",
            Self::Denied { .. } => "capability.denied",
            Self::AdminOnly { .. } => "capability.admin_only",
            Self::NotProjected { .. } => "capability.not_projected",
            Self::BadWorkflowRef { .. } => "artifact.bad_ref",
            Self::NotAnArtifactRef => "artifact.not_an_artifact_ref",
            Self::BadStoredId { .. } => "artifact.bad_id",
            Self::InvalidPlan { .. } => "artifact.invalid_plan",
            Self::PlanFieldNotAnObject { .. } | Self::MissingPlanField { .. } => "artifact.missing_plan_field",
            Self::UnboundSource { .. } => "deployment.unbound_source",
            Self::LimitOutOfRange => "page.limit_out_of_range",
            Self::NegativeCursor => "page.negative_cursor",
            Self::ForeignCursor { .. } => "page.foreign_cursor",
        }
    }

    /// A plan with these problems.
    pub(crate) fn invalid_plan(problems: impl IntoIterator<Item = String>) -> Self {
        Self::InvalidPlan { problems: problems.into_iter().collect() }
    }

    /// Whether the cause is a name that does not exist (a `KeyError` in Python).
    pub fn is_unknown_name(&self) -> bool {
        matches!(self, Self::UnknownSource { .. } | Self::UnknownCapability { .. } | Self::UnboundSource { .. })
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::BadSourceId { .. } => "use an id such as `drive.personal`".into(),
            Self::ReservedSourceId { .. } => {
                "ids under `wf.` and `workflow` belong to the platform; choose another first segment".into()
            }
            Self::NotASystemId { .. } => "register it as a connection or python source".into(),
            Self::DuplicateSourceId { .. } => "replace the source, or choose another id".into(),
            Self::CollidingSourceId { .. } => {
                "choose an id that differs by more than letter case or look-alike characters".into()
            }
            Self::ForeignCapability { source_id, .. } => format!("its name must start with `{source_id}.`"),
            Self::ContradictoryPolicy => "set `binding_required` to false for a platform source".into(),
            Self::CannotDisable { .. } => "sources are enabled and disabled through it".into(),
            Self::UnknownSource { nearest, .. } | Self::UnknownCapability { nearest, .. } => {
                return did_you_mean(nearest);
            }
            Self::SourceDisabled { source_id, .. } => format!("enable source `{source_id}`"),
            Self::NotVisible { surface, .. } => format!("make its source visible to the {surface}"),
            Self::NotSafe { .. } => "add its name to the allow list of its source".into(),
            Self::Denied { .. } => "take the matching pattern off the deny list of its source".into(),
            Self::AdminOnly { .. } => "start the server with admin exposure".into(),
            Self::BadWorkflowRef { .. } => "write it as `workflow.<artifact_id>.v<version>`".into(),
            Self::NotAnArtifactRef => "save the child workflow and refer to it by artifact id and version".into(),
            Self::BadStoredId { .. } => "use an id such as `report` or `team.report-2`".into(),
            Self::InvalidPlan { .. } => "correct the plan and save it again".into(),
            Self::PlanFieldNotAnObject { field } => format!("give the plan a JSON Schema as `{field}`"),
            Self::MissingPlanField { .. } => "save a new version of the artifact".into(),
            Self::UnboundSource { logical_source, .. } => format!("bind `{logical_source}` in the deployment"),
            Self::ForeignCursor { .. } => "pass the `next_cursor` of the page before, unchanged".into(),
            Self::NotProjected { .. } | Self::LimitOutOfRange | Self::NegativeCursor => return None,
        })
    }
}

fn did_you_mean(nearest: &[Arc<str>]) -> Option<String> {
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}
