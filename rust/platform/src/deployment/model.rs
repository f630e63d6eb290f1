//! The deployment document.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use wf_core::document::{NonEmpty, Positive, Reader};
use wf_core::value::{Object, Value};

use crate::part::SourceText;

wf_core::text_enum! {
    /// What happens when a capability's contract is no longer what the workflow was saved with.
    pub enum DriftPolicy {
        /// The deployment does not run.
        Block = "block",
        /// It runs, with a warning.
        Warn = "warn",
        /// It runs.
        Allow = "allow",
    }
}

wf_core::document! {
    /// What a logical source means.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SourceBinding: "SourceBinding" {
        /// The name that the workflow uses.
        pub logical_source: Arc<str> => SourceText,
        /// The source it means.
        pub concrete_source: Arc<str> => SourceText,
    }
    unknown Ignore;
}

wf_core::document! {
    /// An artifact and what its logical sources mean.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WorkflowDeployment: "WorkflowDeployment" {
        /// Its id.
        pub id: Arc<str> => NonEmpty,
        /// The artifact's id.
        pub artifact_id: Arc<str> => NonEmpty,
        /// The artifact's version.
        pub artifact_version: u32 => Positive,
        /// What the logical sources mean.
        pub bindings: Vec<SourceBinding> = Vec::new(),
        /// What happens when a contract has changed.
        pub drift_policy: DriftPolicy = DriftPolicy::Block,
    }
    unknown Ignore;
    before accept_older_shapes;
    after refuse_duplicate_bindings;
}

/// Accepts `deployment_id` for `id`, and bindings as an object.
fn accept_older_shapes<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let Some(object) = value.as_object() else { return Some(Cow::Borrowed(value)) };
    let mut current = object.clone();
    if let Some(id) = object.get("deployment_id") {
        if object.contains_key("id") {
            reader.problem("deployment.two_ids", "deployment fields 'id' and 'deployment_id' are mutually exclusive");
            return None;
        }
        current.insert("id", id.clone());
        current.remove("deployment_id");
    }
    if let Some(Value::Object(map)) = object.get("bindings") {
        current.insert("bindings", bindings_of_map(map));
    }
    Some(Cow::Owned(Value::Object(current)))
}

/// The list form of `{logical: concrete}`.
pub(crate) fn bindings_of_map(map: &Object) -> Value {
    let binding = |(logical, concrete): (&Arc<str>, &Value)| {
        Object::from_iter([
            ("logical_source", Value::String(Arc::clone(logical))),
            ("concrete_source", concrete.clone()),
        ])
    };
    Value::List(map.iter().map(binding).map(Value::Object).collect())
}

fn refuse_duplicate_bindings(deployment: WorkflowDeployment, reader: &mut Reader) -> WorkflowDeployment {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for binding in &deployment.bindings {
        *seen.entry(&binding.logical_source).or_default() += 1;
    }
    let twice: Vec<&str> = seen.into_iter().filter(|(_, times)| *times > 1).map(|(logical, _)| logical).collect();
    if !twice.is_empty() {
        reader.in_field("bindings", |reader| {
            let message = format!("duplicate deployment source bindings: {}", twice.join(", "));
            reader.hinted_problem(
                "deployment.duplicate_binding",
                message,
                Some("bind each logical source once".into()),
            );
        });
    }
    deployment
}

impl WorkflowDeployment {
    /// What a logical source is bound to.
    pub fn bound(&self, logical_source: &str) -> Option<&Arc<str>> {
        self.bindings
            .iter()
            .find(|binding| *binding.logical_source == *logical_source)
            .map(|binding| &binding.concrete_source)
    }
}
