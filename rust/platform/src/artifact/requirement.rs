//! What a saved workflow needs from its sources.

use std::borrow::Cow;
use std::sync::Arc;

use wf_core::document::Reader;
use wf_core::refs::CapabilityRef;
use wf_core::value::{Object, Value};

use crate::capability::{CapabilityKind, NodeContract, SchemaSide};
use crate::hash::{hash_contract, hash_json_schema};
use crate::part::Count;

wf_core::document! {
    /// A capability that a workflow needs, as it was when the workflow was saved.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RequiredCapability: "RequiredCapability" {
        /// The capability: its logical source and its name there.
        pub capability: CapabilityRef as "ref",
        /// What kind it is.
        pub kind: CapabilityKind,
        /// The hash of what its input schema promised.
        pub input_schema_hash: Option<Arc<str>> = None,
        /// Its input schema.
        pub input_schema_snapshot: Option<Object> = None,
        /// The hash of what its output schema promised.
        pub output_schema_hash: Option<Arc<str>> = None,
        /// Its output schema.
        pub output_schema_snapshot: Option<Object> = None,
        /// The concrete source that was looked at.
        pub observed_concrete_source: Option<Arc<str>> = None,
        /// When, in milliseconds since the epoch.
        pub observed_at_epoch_ms: Option<u64> => Count = None,
    }
    unknown Ignore;
    before accept_separate_names;
}

/// The older shape names the source and the capability in two fields.
#[expect(clippy::unnecessary_wraps, reason = "`document!` calls functions that may give up")]
fn accept_separate_names<'v>(value: &'v Value, _: &mut Reader) -> Option<Cow<'v, Value>> {
    let Some(object) = value.as_object().filter(|object| !object.contains_key("ref")) else {
        return Some(Cow::Borrowed(value));
    };
    let (Some(source), Some(name)) = (object.get("logical_source"), object.get("capability_name")) else {
        return Some(Cow::Borrowed(value));
    };
    let reference: Object = [("source", source.clone()), ("capability_key", name.clone())].into_iter().collect();
    let mut current: Object = [("ref", reference)].into_iter().collect();
    for (key, value) in object.iter().filter(|(key, _)| !matches!(key.as_ref(), "logical_source" | "capability_name")) {
        current.insert(Arc::clone(key), value.clone());
    }
    Some(Cow::Owned(Value::Object(current)))
}

impl RequiredCapability {
    /// A requirement of which nothing was observed.
    pub fn unobserved(capability: CapabilityRef, kind: CapabilityKind) -> Self {
        Self {
            capability,
            kind,
            input_schema_hash: None,
            input_schema_snapshot: None,
            output_schema_hash: None,
            output_schema_snapshot: None,
            observed_concrete_source: None,
            observed_at_epoch_ms: None,
        }
    }

    /// The same requirement with the contract that was observed.
    #[must_use]
    pub fn observing(mut self, contract: &NodeContract) -> Self {
        self.input_schema_hash = Some(Arc::clone(contract.hash(SchemaSide::Input)));
        self.input_schema_snapshot = Some(contract.schema(SchemaSide::Input).clone());
        self.output_schema_hash = Some(Arc::clone(contract.hash(SchemaSide::Output)));
        self.output_schema_snapshot = Some(contract.schema(SchemaSide::Output).clone());
        self
    }

    /// `<logical source>.<name>`: what the plan says, and the key of the requirement.
    pub fn display(&self) -> Arc<str> {
        self.capability.to_string().into()
    }

    /// The logical source.
    pub fn logical_source(&self) -> Arc<str> {
        self.capability.source.to_string().into()
    }

    /// The name within the source.
    pub fn capability_name(&self) -> &Arc<str> {
        &self.capability.name
    }

    /// What was recorded of one schema.
    pub fn recorded(&self, side: SchemaSide) -> SchemaEvidence {
        let (hash, schema) = match side {
            SchemaSide::Input => (&self.input_schema_hash, &self.input_schema_snapshot),
            SchemaSide::Output => (&self.output_schema_hash, &self.output_schema_snapshot),
        };
        SchemaEvidence { hash: hash.clone(), schema: schema.clone() }
    }
}

/// What is known of a schema: a hash, the schema, both, or nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaEvidence {
    /// A hash of it; an older record hashed remarks as well.
    pub hash: Option<Arc<str>>,
    /// The schema.
    pub schema: Option<Object>,
}

impl SchemaEvidence {
    /// Whether two pieces of evidence show different promises; `None` when one of them shows nothing.
    ///
    /// The schemas decide where both are known. A hash alone is compared with both kinds of hash of the other side,
    /// since records of older versions hashed titles and descriptions too.
    pub fn differs_from(&self, other: &Self) -> Option<bool> {
        let ours = self.hashes()?;
        let theirs = other.hashes()?;
        if let (Some(ours), Some(theirs)) = (&self.schema, &other.schema) {
            return Some(hash_contract(ours) != hash_contract(theirs));
        }
        Some(!ours.iter().any(|hash| theirs.contains(hash)))
    }

    fn hashes(&self) -> Option<Vec<Arc<str>>> {
        let computed = self
            .schema
            .iter()
            .flat_map(|schema| [hash_contract(schema), hash_json_schema(&Value::Object(schema.clone()))]);
        let hashes: Vec<Arc<str>> = self.hash.iter().cloned().chain(computed).collect();
        (!hashes.is_empty()).then_some(hashes)
    }
}
