//! Violations in the words the specification fixes.

use std::fmt::Write;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::Value as Json;

use super::Violation;
use super::order::Placed;
use super::pointer;
use crate::value::{Object, Value, short_repr_text};

/// The longest rendering of one value within a message.
const LONGEST: usize = 2_000;

/// The violation an error at a place of the value stands for. `matches` counts the items of a list that meet the
/// `contains` of the schema at a pointer.
pub(super) fn violation(
    value: &Value,
    place: &str,
    placed: &Placed<'_, '_>,
    matches: impl FnOnce(&str, &[Json]) -> Option<usize>,
) -> Violation {
    let keyword = placed.keyword.clone();
    match placed.error.kind() {
        ValidationErrorKind::FalseSchema => {
            // What the specification says about a container, the judge says about the first part too many.
            let container =
                if placed.within { place.rsplit_once('/').map_or("", |(container, _)| container) } else { place };
            let message = match (keyword.as_str(), pointer::resolve(value, container)) {
                ("items", Some(Value::List(list))) => Some(surplus_items(list, placed.owner)),
                ("additionalProperties", Some(Value::Object(object))) => Some(surplus_entries(object, placed.owner)),
                ("propertyNames", Some(Value::Object(object))) => {
                    object.keys().next().map(|name| format!("False schema does not allow {}", repr_text(name)))
                }
                _ => None,
            };
            if let Some(message) = message {
                return Violation { path: python_path(value, container), keyword, message };
            }
        }
        ValidationErrorKind::Contains => {
            let items = placed.error.instance().as_array().map(Vec::as_slice).unwrap_or_default();
            let message = contains(placed, items, matches(&placed.at, items));
            return Violation { path: python_path(value, place), keyword, message };
        }
        _ => {}
    }
    Violation { path: python_path(value, place), keyword, message: text(placed) }
}

/// The message of an error whose place in a schema does not matter.
pub(super) fn plain(error: &ValidationError<'_>) -> String {
    let placed =
        Placed { error, owner: None, keyword: error.kind().keyword().to_owned(), within: false, at: String::new() };
    text(&placed)
}

/// A JSON pointer as `['a'][0]`.
fn python_path(root: &Value, pointer: &str) -> String {
    let mut path = String::new();
    let mut place = Some(root);
    for segment in pointer::segments(pointer) {
        // Writing into a `String` cannot fail.
        let _ = match place {
            Some(Value::List(_)) => write!(path, "[{segment}]"),
            _ => write!(path, "[{}]", repr_text(&segment)),
        };
        place = place.and_then(|value| pointer::step(value, &segment));
    }
    path
}

fn repr(json: &Json) -> String {
    repr_value(&from_json(json))
}

fn repr_value(value: &Value) -> String {
    value.short_repr(LONGEST)
}

pub(super) fn repr_text(text: &str) -> String {
    short_repr_text(text, LONGEST)
}

/// What the judge holds was made from values, so it is one.
fn from_json(json: &Json) -> Value {
    Value::from_serde_json(json).unwrap_or_default()
}

/// What Python says about something too small, or empty where one thing is needed.
fn too_small(limit: u64, otherwise: &str) -> &str {
    if limit == 1 { "should be non-empty" } else { otherwise }
}

fn too_large(limit: u64, otherwise: &str) -> &str {
    if limit == 0 { "is expected to be empty" } else { otherwise }
}

fn text(placed: &Placed<'_, '_>) -> String {
    use ValidationErrorKind as Kind;
    let error = placed.error;
    let instance = || repr(error.instance());
    match error.kind() {
        Kind::Type { kind } => {
            let names = match kind {
                TypeKind::Single(kind) => vec![kind.to_string()],
                TypeKind::Multiple(kinds) => {
                    declared_types(placed.owner).unwrap_or_else(|| kinds.iter().map(|kind| kind.to_string()).collect())
                }
            };
            let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!("{} is not of type {}", instance(), quoted.join(", "))
        }
        Kind::Required { property } if placed.keyword == "dependentRequired" => {
            format!("{} is a dependency of {}", repr(property), dependent_on(property, placed))
        }
        Kind::Required { property } => format!("{} is a required property", repr(property)),
        Kind::AdditionalProperties { unexpected } => match patterns(placed.owner) {
            Some(patterns) => {
                format!("{} not match any of the regexes: {patterns}", names(unexpected, ["does", "do"]))
            }
            None => {
                format!("Additional properties are not allowed ({} unexpected)", names(unexpected, ["was", "were"]))
            }
        },
        Kind::UnevaluatedProperties { unexpected } => unevaluated_properties(unexpected, placed.owner),
        Kind::UnevaluatedItems { unexpected } => {
            let verb = if unexpected.len() == 1 { "was" } else { "were" };
            let item = |text: &String| Value::parse_json(text).map_or_else(|_| text.clone(), |item| repr_value(&item));
            let items: Vec<String> = unexpected.iter().map(item).collect();
            format!("Unevaluated items are not allowed ({} {verb} unexpected)", items.join(", "))
        }
        Kind::AdditionalItems { limit } => match from_json(error.instance()) {
            Value::List(items) => surplus(&items, *limit),
            other => format!("{} is too long", repr_value(&other)),
        },
        Kind::Enum { options } => format!("{} is not one of {}", instance(), repr(options)),
        Kind::Constant { expected_value } => format!("{} was expected", repr(expected_value)),
        Kind::Minimum { limit } => format!("{} is less than the minimum of {}", instance(), repr(limit)),
        Kind::Maximum { limit } => format!("{} is greater than the maximum of {}", instance(), repr(limit)),
        Kind::ExclusiveMinimum { limit } => {
            format!("{} is less than or equal to the minimum of {}", instance(), repr(limit))
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("{} is greater than or equal to the maximum of {}", instance(), repr(limit))
        }
        Kind::MultipleOf { multiple_of } => format!("{} is not a multiple of {}", instance(), repr(multiple_of)),
        Kind::MinLength { limit } | Kind::MinItems { limit } => {
            format!("{} {}", instance(), too_small(*limit, "is too short"))
        }
        Kind::MaxLength { limit } | Kind::MaxItems { limit } => {
            format!("{} {}", instance(), too_large(*limit, "is too long"))
        }
        Kind::MinProperties { limit } => {
            format!("{} {}", instance(), too_small(*limit, "does not have enough properties"))
        }
        Kind::MaxProperties { limit } => format!("{} {}", instance(), too_large(*limit, "has too many properties")),
        Kind::Pattern { pattern } => format!("{} does not match {}", instance(), repr_text(pattern)),
        Kind::UniqueItems => format!("{} has non-unique elements", instance()),
        Kind::Contains => format!("{} does not contain items matching the given schema", instance()),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => {
            format!("{} is not valid under any of the given schemas", instance())
        }
        Kind::OneOfMultipleValid { context } => {
            let valid: Vec<usize> =
                context.iter().enumerate().filter(|(_, errors)| errors.is_empty()).map(|(at, _)| at).collect();
            format!("{} is valid under each of {}", instance(), each_of(placed.owner, &valid))
        }
        Kind::Not { schema } => format!("{} should not be valid under {}", instance(), repr(schema)),
        Kind::FalseSchema => format!("False schema does not allow {}", instance()),
        Kind::PropertyNames { error } => plain(error),
        _ => error.to_string(),
    }
}

/// The names of a `type` list in the order the schema writes them.
fn declared_types(owner: Option<&Object>) -> Option<Vec<String>> {
    let names = owner?.get("type")?.as_list()?;
    names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

fn patterns(owner: Option<&Object>) -> Option<String> {
    let patterns = owner?.get("patternProperties")?.as_object()?;
    let quoted: Vec<String> = patterns.keys().map(|pattern| repr_text(pattern)).collect();
    Some(quoted.join(", "))
}

/// The branches that accepted a value although only one may; Python names the first of them last.
fn each_of(owner: Option<&Object>, valid: &[usize]) -> String {
    let branches = owner.and_then(|owner| owner.get("oneOf")).and_then(Value::as_list);
    let in_order = valid.iter().skip(1).chain(valid.first());
    let quoted: Vec<String> =
        in_order.filter_map(|at| branches.and_then(|branches| branches.get(*at))).map(repr_value).collect();
    quoted.join(", ")
}

fn contains(placed: &Placed<'_, '_>, items: &[Json], matches: Option<usize>) -> String {
    let limit = |name: &str| placed.owner.and_then(|owner| owner.get(name)).and_then(Value::as_i64);
    let matches = matches.and_then(|matches| i64::try_from(matches).ok()).unwrap_or_default();
    match (limit("minContains"), limit("maxContains")) {
        (_, Some(most)) if matches > most => {
            format!("Too many items match the given schema (expected at most {most})")
        }
        (Some(least), _) if matches > 0 => {
            format!("Too few items match the given schema (expected at least {least} but only {matches} matched)")
        }
        _ => format!("{} does not contain items matching the given schema", repr(&Json::Array(items.to_vec()))),
    }
}

/// Items beyond those a list may have.
fn surplus(items: &[Value], limit: usize) -> String {
    let extra = items.get(limit..).unwrap_or_default();
    let noun = if limit == 1 { "item" } else { "items" };
    let rest = match extra {
        [one] => repr_value(one),
        many => repr_value(&Value::List(many.iter().cloned().collect())),
    };
    format!("Expected at most {limit} {noun} but found {} extra: {rest}", extra.len())
}

fn surplus_items(items: &[Value], owner: Option<&Object>) -> String {
    let prefix = owner.and_then(|owner| owner.get("prefixItems")).and_then(Value::as_list);
    surplus(items, prefix.map_or(0, |prefix| prefix.len()))
}

fn surplus_entries(object: &Object, owner: Option<&Object>) -> String {
    let declared = owner.and_then(|owner| owner.get("properties")).and_then(Value::as_object);
    let unexpected: Vec<String> = object
        .keys()
        .filter(|key| !declared.is_some_and(|declared| declared.contains_key(key)))
        .map(ToString::to_string)
        .collect();
    format!("Additional properties are not allowed ({} unexpected)", names(&unexpected, ["was", "were"]))
}

fn unevaluated_properties(unexpected: &[String], owner: Option<&Object>) -> String {
    if let Some(Value::Bool(false)) | None = owner.and_then(|owner| owner.get("unevaluatedProperties")) {
        return format!("Unevaluated properties are not allowed ({} unexpected)", names(unexpected, ["was", "were"]));
    }
    let quoted: Vec<String> = unexpected.iter().map(|name| repr_text(name)).collect();
    let verb = if quoted.len() == 1 { "was" } else { "were" };
    let quoted = quoted.join(", ");
    format!("Unevaluated properties are not valid under the given schema ({quoted} {verb} unevaluated and invalid)")
}

/// The key whose presence made another one required.
fn dependent_on(needed: &Json, placed: &Placed<'_, '_>) -> String {
    let rules = placed.owner.and_then(|owner| owner.get("dependentRequired")).and_then(Value::as_object);
    let present = |key: &str| placed.error.instance().as_object().is_some_and(|object| object.contains_key(key));
    let asks = |rule: &Value| rule.as_list().is_some_and(|keys| keys.iter().any(|key| key.as_str() == needed.as_str()));
    rules
        .and_then(|rules| rules.iter().find(|(key, rule)| present(key) && asks(rule)))
        .map(|(key, _)| repr_text(key))
        .unwrap_or_default()
}

/// Names in order, quoted, with the verb that fits their number.
fn names(names: &[String], verb: [&str; 2]) -> String {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort();
    let quoted: Vec<String> = names.iter().map(|name| repr_text(name)).collect();
    format!("{} {}", quoted.join(", "), if quoted.len() == 1 { verb[0] } else { verb[1] })
}
