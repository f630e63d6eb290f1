//! Source ids: their grammar, which are reserved, and which are too alike to live side by side.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use wf_core::refs::SourceRef;

use crate::error::PlatformError;

/// The source of the control plane; never shown to an MCP client unless admin exposure is switched on.
pub const ADMIN_SOURCE_ID: &str = "wf.admin";

/// The longest id accepted.
const MAX_LENGTH: usize = 200;

/// The id of a capability source, such as `wf.std` or `drive.personal`.
///
/// One or more segments joined by dots, of ASCII letters, digits, `_` and `-`; the first character is a letter, a
/// digit or `_`. Ids become path components, MCP names and prefixes of capability names, so nothing else is let in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(Arc<str>);

impl SourceId {
    /// Reads an id.
    ///
    /// # Errors
    /// [`PlatformError::BadSourceId`] names the first thing that is wrong with it.
    ///
    /// ```
    /// # use wf_platform::SourceId;
    /// assert_eq!(SourceId::parse("drive.personal")?.as_str(), "drive.personal");
    /// assert!(SourceId::parse("drive..personal").is_err());
    /// # Ok::<(), wf_platform::PlatformError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, PlatformError> {
        match fault_of(text) {
            None => Ok(Self(Arc::from(text))),
            Some(fault) => Err(PlatformError::BadSourceId { id: text.into(), fault }),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as shared text.
    pub fn as_shared(&self) -> &Arc<str> {
        &self.0
    }

    /// Whether the id belongs to the platform: `wf` and everything under it, and `workflow`, the namespace of saved
    /// workflows.
    pub fn is_reserved(&self) -> bool {
        let key = self.likeness();
        let first = key.split('.').next().unwrap_or_default();
        first == likeness("wf") || first == likeness("workflow")
    }

    /// Whether this is the control plane's source, or a source under it.
    pub fn is_admin(&self) -> bool {
        self.as_str().strip_prefix(ADMIN_SOURCE_ID).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// The name of `qualified` within this source, if it starts with this id and a dot.
    pub fn local_name<'a>(&self, qualified: &'a str) -> Option<&'a str> {
        qualified.strip_prefix(self.as_str())?.strip_prefix('.').filter(|rest| !rest.is_empty())
    }

    /// The qualified name of a capability of this source.
    pub fn qualify(&self, local_name: &str) -> Arc<str> {
        format!("{self}.{local_name}").into()
    }

    /// The id as a reference.
    pub(crate) fn to_source_ref(&self) -> SourceRef {
        SourceRef::parse(self.as_str()).expect("ids follow the stricter grammar")
    }

    /// An id that is known to be good.
    pub(crate) fn known(id: &'static str) -> Self {
        Self::parse(id).expect("the ids of the platform are good")
    }

    /// What two ids that a reader could take for each other have in common.
    pub(crate) fn likeness(&self) -> String {
        likeness(self.as_str())
    }
}

/// Folds what looks alike: letter case, `0`/`O`, `1`/`l`/`I`, `rn`/`m`, `vv`/`w`, `-`/`_`.
///
/// The look-alikes are folded both before and after the case, since `I` looks like `l` while `i` does not.
fn likeness(text: &str) -> String {
    let looks: String = text
        .chars()
        .map(|letter| match letter {
            '0' => 'o',
            '1' | 'I' => 'l',
            '-' => '_',
            other => other.to_ascii_lowercase(),
        })
        .collect();
    looks.replace("rn", "m").replace("vv", "w")
}

/// The ids as they are compared for clashes: what looks alike, and what differs in case only.
///
/// Two keys, because `DRIVE.I` and `drive.i` differ in case only, yet `I` was folded with `l`.
pub(crate) fn clash_keys(id: &SourceId) -> [String; 2] {
    [id.likeness(), likeness(&id.as_str().to_ascii_lowercase())]
}

fn fault_of(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("there is nothing".into());
    }
    if text.len() > MAX_LENGTH {
        return Some(format!("there are more than {MAX_LENGTH} characters"));
    }
    if let Some(letter) = text.chars().find(|letter| !(letter.is_ascii_alphanumeric() || "_.-".contains(*letter))) {
        return Some(format!("there is a `{}` (U+{:04X})", letter.escape_debug(), u32::from(letter)));
    }
    if text.split('.').any(str::is_empty) {
        return Some("a segment between the dots is empty".into());
    }
    text.starts_with('-').then(|| "there is a `-` in front".into())
}

impl fmt::Display for SourceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Borrow<str> for SourceId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for SourceId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
