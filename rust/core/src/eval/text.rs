//! Paths in their canonical form, for messages.

use std::sync::Arc;

use crate::path::{GraphRoot, GraphSourcePath, LocalPath, StatePath};

pub(crate) fn graph(path: &GraphSourcePath) -> String {
    let root = match path.root {
        GraphRoot::Input => "input",
        GraphRoot::State => "state",
        GraphRoot::Context => "context",
    };
    rooted(root, &path.parts)
}

pub(crate) fn state(path: &StatePath) -> String {
    rooted("state", &path.0)
}

pub(crate) fn local(path: &LocalPath) -> String {
    if path.0.is_empty() {
        return ".".to_owned();
    }
    let mut text = String::new();
    join(&mut text, &path.0);
    text
}

fn rooted(root: &str, parts: &[Arc<str>]) -> String {
    let mut text = root.to_owned();
    join(&mut text, parts);
    text
}

fn join(text: &mut String, parts: &[Arc<str>]) {
    for part in parts {
        if !text.is_empty() {
            text.push('.');
        }
        let bare = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if bare && !part.is_empty() {
            text.push_str(part);
        } else {
            text.push_str(&serde_json::Value::from(&**part).to_string());
        }
    }
}
