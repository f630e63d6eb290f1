//! The artifact document.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use wf_core::document::{Document, NonEmpty, Positive, Reader};
use wf_core::refs::CapabilityRef;
use wf_core::value::{Object, Value};

use super::RequiredCapability;

wf_core::text_enum! {
    /// What an artifact is for.
    pub enum ArtifactKind {
        /// A workflow of its own.
        Workflow = "workflow",
        /// A small workflow around one capability, offered as a capability itself.
        Wrapper = "wrapper",
    }
}

wf_core::document! {
    /// A saved workflow: immutable once saved under its id and version.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WorkflowArtifact: "WorkflowArtifact" {
        /// Its id.
        pub id: Arc<str> => NonEmpty,
        /// Its version, chosen by whoever saves it.
        pub version: u32 => Positive,
        /// A title for people.
        pub title: Arc<str>,
        /// What it is for.
        pub kind: ArtifactKind = ArtifactKind::Workflow,
        /// What it does.
        pub description: Option<Arc<str>> = None,
        /// The schema of its input.
        pub input_schema: Object,
        /// The schema of its output.
        pub output_schema: Object,
        /// The outcomes it may end with.
        pub outcomes: Vec<Arc<str>>,
        /// The workflow document without node contracts, over logical sources.
        pub plan: Object,
        /// What it needs from its sources.
        pub required_capabilities: Vec<RequiredCapability> = Vec::new(),
        /// The saved workflows it runs, by id, each with the highest version it uses.
        pub workflow_dependencies: Vec<(Arc<str>, u32)> = Vec::new(),
        /// The version of the catalog it was made from, as its maker counts.
        pub created_from_catalog_version: Value = Value::Null,
    }
    unknown Ignore;
    before accept_requirement_map;
    after refuse_duplicate_requirements;
}

/// The older shape keeps requirements in an object keyed by display ref, where the ref itself may be missing.
#[expect(clippy::unnecessary_wraps, reason = "`document!` calls functions that may give up")]
fn accept_requirement_map<'v>(value: &'v Value, _: &mut Reader) -> Option<Cow<'v, Value>> {
    let Some(object) = value.as_object() else { return Some(Cow::Borrowed(value)) };
    let Some(Value::Object(map)) = object.get("required_capabilities") else { return Some(Cow::Borrowed(value)) };
    let requirements = map.iter().map(|(display, requirement)| named_requirement(display, requirement)).collect();
    let mut current = object.clone();
    current.insert("required_capabilities", Value::List(requirements));
    Some(Cow::Owned(Value::Object(current)))
}

fn named_requirement(display: &str, requirement: &Value) -> Value {
    let Some(object) = requirement.as_object() else { return requirement.clone() };
    if object.contains_key("ref") || object.contains_key("logical_source") {
        return requirement.clone();
    }
    let mut current = object.clone();
    current.insert("ref", display);
    Value::Object(current)
}

fn refuse_duplicate_requirements(artifact: WorkflowArtifact, reader: &mut Reader) -> WorkflowArtifact {
    let mut seen: BTreeMap<&CapabilityRef, usize> = BTreeMap::new();
    for requirement in &artifact.required_capabilities {
        *seen.entry(&requirement.capability).or_default() += 1;
    }
    let twice: Vec<String> =
        seen.into_iter().filter(|(_, times)| *times > 1).map(|(capability, _)| capability.to_string()).collect();
    if !twice.is_empty() {
        reader.in_field("required_capabilities", |reader| {
            let message = format!("duplicate required capability refs: {}", twice.join(", "));
            reader.hinted_problem("artifact.duplicate_requirement", message, Some("name each capability once".into()));
        });
    }
    artifact
}

impl WorkflowArtifact {
    /// Whether both say the same: everything except when and from which catalog it was observed.
    ///
    /// Saving the same content again changes nothing; saving other content under the same id and version is refused.
    pub fn same_content(&self, other: &Self) -> bool {
        self.content_hash() == other.content_hash()
    }

    /// The hash of the content: equal exactly when [`WorkflowArtifact::same_content`] says so.
    pub fn content_hash(&self) -> Arc<str> {
        self.timeless().dump().sha256().into()
    }

    fn timeless(&self) -> Self {
        let mut artifact = self.clone();
        artifact.created_from_catalog_version = Value::Null;
        for requirement in &mut artifact.required_capabilities {
            requirement.observed_at_epoch_ms = None;
        }
        artifact
    }

    /// The requirement of that display ref.
    pub fn requirement(&self, display: &str) -> Option<&RequiredCapability> {
        self.required_capabilities.iter().find(|requirement| *requirement.display() == *display)
    }

    /// A field of the plan that must be an object.
    ///
    /// # Errors
    /// The phrase that callers match when it is missing.
    pub fn plan_field(&self, name: &str) -> Result<&Value, crate::PlatformError> {
        self.plan.get(name).ok_or_else(|| crate::PlatformError::MissingPlanField {
            artifact: format!("{}@{}", self.id, self.version),
            field: name.into(),
        })
    }
}
