//! Artifacts: saved workflows as immutable, versioned documents.

mod build;
mod catalog_entry;
mod model;
mod names;
mod normalize;
mod plan;
mod requirement;
mod suggest;
mod tree;
mod workflow_ref;

pub use build::{ArtifactDraft, Children, create_artifact_from_plan};
pub use catalog_entry::WorkflowArtifactCatalogEntry;
pub use model::{ArtifactKind, WorkflowArtifact};
pub use names::{artifact_node_name, check_stored_id};
pub use normalize::{LogicalRef, NormalizedPlan, logical_ref_for_concrete_ref, normalize_plan_node_refs};
pub use plan::{PlanNames, plan_names};
pub use requirement::{RequiredCapability, SchemaEvidence};
pub use suggest::BindingNeeds;
pub use tree::SavedSubgraphTree;
pub use workflow_ref::{WORKFLOW_NAMESPACE, WorkflowCapabilityRef};
