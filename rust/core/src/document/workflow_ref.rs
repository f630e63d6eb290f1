//! References to other workflows.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::form::{Definitions, Document, FieldInfo, Part, Positive, Reader, View};
use crate::value::{Object, Value};

/// Which workflow a subgraph step runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WorkflowRef {
    /// By name, as prepared by the caller.
    Name(Arc<str>),
    /// A saved artifact.
    Artifact {
        /// The artifact's id.
        artifact_id: Arc<str>,
        /// Its version, from 1.
        version: u32,
    },
}

document! {
    /// Which workflow a subgraph step runs: one by name, or a saved artifact.
    #[derive(Clone, Debug, PartialEq)]
    struct Fields: "WorkflowRef" {
        /// The name under which the caller has prepared it.
        name: Option<Arc<str>> = None,
        /// The artifact's id.
        artifact_id: Option<Arc<str>> = None,
        /// The artifact's version, from 1.
        version: Option<u32> => Version = None,
    }
    unknown Forbid;
    before from_text;
    compact without_nulls;
}

impl WorkflowRef {
    /// Reads text: `workflow.<id>.v<version>` is an artifact, everything else a name.
    fn split(text: &str) -> Option<(&str, &str)> {
        let (artifact_id, version) = text.strip_prefix("workflow.")?.rsplit_once(".v")?;
        let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        (digits && !artifact_id.is_empty()).then_some((artifact_id, version))
    }

    fn fields(&self) -> Fields {
        match self {
            Self::Name(name) => Fields { name: Some(name.clone()), artifact_id: None, version: None },
            Self::Artifact { artifact_id, version } => {
                Fields { name: None, artifact_id: Some(artifact_id.clone()), version: Some(*version) }
            }
        }
    }
}

impl fmt::Display for WorkflowRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => formatter.write_str(name),
            Self::Artifact { artifact_id, version } => write!(formatter, "workflow.{artifact_id}.v{version}"),
        }
    }
}

impl Part for WorkflowRef {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        let fields = Fields::read(value, reader)?;
        let problem = match (fields.name, fields.artifact_id, fields.version) {
            (Some(name), None, None) if name.trim().is_empty() => "workflow ref name must not be empty",
            (Some(name), None, None) => return Some(Self::Name(name)),
            (None, Some(id), Some(_)) if id.trim().is_empty() => "workflow artifact id must not be empty",
            (None, Some(artifact_id), Some(version)) => return Some(Self::Artifact { artifact_id, version }),
            (None, Some(_), None) | (None, None, Some(_)) => {
                "workflow artifact ref requires both artifact_id and version"
            }
            (Some(_), _, _) | (None, None, None) => "workflow ref requires exactly one of name or artifact_id/version",
        };
        reader.problem("workflow_ref.invalid", problem);
        None
    }

    fn write(&self) -> Value {
        self.fields().write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        Fields::schema(definitions)
    }

    fn view(&self) -> View {
        View::document(self)
    }
}

impl Document for WorkflowRef {
    const NAME: &'static str = Fields::NAME;

    fn fields() -> &'static [FieldInfo] {
        <Fields as Document>::fields()
    }

    fn field(&self, name: &str) -> Option<View> {
        self.fields().field(name)
    }
}

fn from_text<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let Value::String(text) = value else { return Some(Cow::Borrowed(value)) };
    let object = match WorkflowRef::split(text) {
        Some((artifact_id, version)) => {
            let Ok(version) = version.parse::<u32>() else {
                reader.problem("document.value", format!("expected a version from 1 to {}, got {version}", u32::MAX));
                return None;
            };
            Object::from_iter([("artifact_id", Value::from(artifact_id)), ("version", Value::from(version))])
        }
        None => Object::from_iter([("name", value.clone())]),
    };
    Some(Cow::Owned(Value::Object(object)))
}

#[expect(clippy::needless_pass_by_value, reason = "what `compact` expects")]
fn without_nulls(_: &Fields, object: Object) -> Value {
    Value::Object(object.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())).collect())
}

/// A version from 1, or none.
#[derive(Clone, Copy, Debug)]
struct Version;

impl super::form::Codec<Option<u32>> for Version {
    fn read(value: &Value, reader: &mut Reader) -> Option<Option<u32>> {
        if value.is_null() { Some(None) } else { <Positive as super::form::Codec<u32>>::read(value, reader).map(Some) }
    }

    fn write(part: &Option<u32>) -> Value {
        part.write()
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let version = <Positive as super::form::Codec<u32>>::schema(definitions);
        Definitions::any_of(vec![version, Definitions::null()])
    }
}
