//! The foreach step: one body for every item of a list.

use std::borrow::Cow;
use std::sync::Arc;

use super::form::{Positive, Reader};
use crate::path::{GraphSourcePath, StatePath};
use crate::value::{Object, Value};

document! {
    /// Runs its `loop` branch once per item of a list.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ForeachStep: "ForeachNode" {
        /// The step's id.
        pub id: Arc<str>,
        /// The list, a path that begins with input, state, or context; fixed when the step is entered.
        pub over: GraphSourcePath,
        /// The context key that holds the item.
        pub alias: Arc<str> as "as",
        /// One after the other, or several at once.
        pub mode: ForeachMode = ForeachMode::default(),
        /// What happens when an item fails.
        pub item_error: ErrorPolicy = ErrorPolicy::default(),
        /// The limits of concurrent mode; present exactly then.
        pub concurrent: Option<ForeachConcurrency> = None,
    }
    tag "type" = "foreach";
    before legacy_shape;
    after check_mode;
}

text_enum! {
    /// `mode` of a foreach step.
    #[derive(Default)]
    pub enum ForeachMode {
        /// `serial`: an item starts when the one before it has finished.
        #[default]
        Serial = "serial",
        /// `concurrent`: items overlap within limits and commit together.
        Concurrent = "concurrent",
    }
}

document! {
    /// The limits of a concurrent foreach.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ForeachConcurrency: "ForeachConcurrentPolicy" {
        /// How many items may be running at once.
        pub max_active: u32 => Positive = 4,
        /// How many items may be started and unfinished, blocked ones included; at least `max_active`.
        pub max_outstanding: u32 => Positive = 20,
        /// What happens to the other items when one raises an interrupt.
        pub interrupt: ForeachInterrupt = ForeachInterrupt::default(),
    }
    unknown Forbid;
    after check_limits;
}

text_enum! {
    /// `interrupt` of a concurrent foreach.
    #[derive(Default)]
    pub enum ForeachInterrupt {
        /// `quiesce`: the calls in flight finish, then the run pauses.
        #[default]
        Quiesce = "quiesce",
    }
}

document! {
    /// What happens when an item of a foreach, or a branch of a fork, fails.
    #[derive(Clone, Debug, PartialEq, Default)]
    pub struct ErrorPolicy: "ForeachItemErrorPolicy" {
        /// The rule.
        pub action: ErrorAction = ErrorAction::default(),
        /// Where the records of the failures go (`collect` only).
        pub collect_to: Option<StatePath> = None,
    }
    unknown Forbid;
    before policy_shorthand;
    after check_collect;
}

text_enum! {
    /// The rule of an [`ErrorPolicy`].
    #[derive(Default)]
    pub enum ErrorAction {
        /// `fail`: the whole step fails.
        #[default]
        Fail = "fail",
        /// `skip`: the item counts for nothing.
        Skip = "skip",
        /// `collect`: like skip, and a record of the failure is kept.
        Collect = "collect",
    }
}

impl Default for ForeachConcurrency {
    fn default() -> Self {
        Self { max_active: 4, max_outstanding: 20, interrupt: ForeachInterrupt::Quiesce }
    }
}

/// Takes `parallel`, `on_item_error` and `as_` for what they are called now.
fn legacy_shape<'v>(value: &'v Value, reader: &mut Reader) -> Option<Cow<'v, Value>> {
    let Value::Object(object) = value else { return Some(Cow::Borrowed(value)) };
    if !["parallel", "on_item_error", "as_"].iter().any(|key| object.contains_key(key))
        && object.get("mode").and_then(Value::as_str) != Some("parallel")
    {
        return Some(Cow::Borrowed(value));
    }
    let mut canonical = object.clone();
    if object.get("mode").and_then(Value::as_str) == Some("parallel") {
        canonical.insert("mode", "concurrent");
    }
    let mut clean = true;
    clean &= rename(&mut canonical, reader, "parallel", "concurrent", |value| value);
    clean &= rename(&mut canonical, reader, "on_item_error", "item_error", |action| {
        if action.is_null() { action } else { Value::Object(Object::from_iter([("action", action)])) }
    });
    if let Some(alias) = canonical.remove("as_")
        && !canonical.contains_key("as")
    {
        canonical.insert("as", alias);
    }
    clean.then_some(Cow::Owned(Value::Object(canonical)))
}

/// Moves a deprecated key to its present name, unless both are there.
fn rename(
    object: &mut Object,
    reader: &mut Reader,
    deprecated: &'static str,
    name: &'static str,
    convert: impl FnOnce(Value) -> Value,
) -> bool {
    let Some(value) = object.remove(deprecated) else { return true };
    if object.contains_key(name) {
        if value.is_null() {
            return true;
        }
        reader.problem("document.conflict", format!("cannot mix deprecated {deprecated} with {name}"));
        return false;
    }
    let value = convert(value);
    // An absent policy was sometimes written as null under the old name.
    if !value.is_null() {
        object.insert(name, value);
    }
    true
}

fn check_mode(step: ForeachStep, reader: &mut Reader) -> ForeachStep {
    match (step.mode, &step.concurrent) {
        (ForeachMode::Concurrent, None) => reader.hinted_problem(
            "foreach.no_concurrent_policy",
            "concurrent foreach requires concurrent policy",
            Some(r#"add "concurrent": {} for the default limits"#.to_owned()),
        ),
        (ForeachMode::Serial, Some(_)) => reader.hinted_problem(
            "foreach.needless_concurrent_policy",
            "concurrent policy is only valid when mode='concurrent'",
            Some(r#"set "mode": "concurrent" or leave "concurrent" out"#.to_owned()),
        ),
        _ => {}
    }
    step
}

fn check_limits(limits: ForeachConcurrency, reader: &mut Reader) -> ForeachConcurrency {
    if limits.max_outstanding < limits.max_active {
        reader.problem("foreach.limits", "max_outstanding must be >= max_active");
    }
    limits
}

/// A bare word is the action.
#[expect(clippy::unnecessary_wraps, reason = "what `before` expects")]
fn policy_shorthand<'v>(value: &'v Value, _: &mut Reader) -> Option<Cow<'v, Value>> {
    Some(match value {
        Value::String(_) => Cow::Owned(Value::Object(Object::from_iter([("action", value.clone())]))),
        _ => Cow::Borrowed(value),
    })
}

fn check_collect(policy: ErrorPolicy, reader: &mut Reader) -> ErrorPolicy {
    match (policy.action, &policy.collect_to) {
        (ErrorAction::Collect, None) => reader.hinted_problem(
            "foreach.no_collect_target",
            "collect item error policy requires collect_to",
            Some(r#"add "collect_to" with a list in the state, for example "state.errors""#.to_owned()),
        ),
        (ErrorAction::Fail | ErrorAction::Skip, Some(_)) => {
            reader.problem("foreach.needless_collect_target", "collect_to is only valid when action='collect'");
        }
        _ => {}
    }
    policy
}
