//! Which of several violations comes first: the one whose keyword the schema writes first.
//!
//! The judge visits keywords in an order of its own. The order in the document is what authors see, so each error
//! is ranked by the way that leads to it: the position of every keyword, property, branch and item passed.

use std::borrow::Cow;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use rustc_hash::FxHashMap;

use super::pointer;
use crate::value::{Object, Value};

/// An error together with the place its keyword has in the schema.
pub(super) struct Placed<'e, 's> {
    pub(super) error: &'e ValidationError<'e>,
    /// The schema object that holds the keyword, where it could be found.
    pub(super) owner: Option<&'s Object>,
    /// The keyword as the schema spells it.
    pub(super) keyword: String,
    /// Whether the keyword's last step led from a container into one of its parts.
    pub(super) within: bool,
    /// Where `owner` stands in the document.
    pub(super) at: String,
}

/// The error that comes first, and where in the value it is.
pub(super) fn first<'e, 's>(
    root: &'s Value,
    entry: &str,
    value: &Value,
    errors: &'e [ValidationError<'e>],
) -> Option<(String, Placed<'e, 's>)> {
    let mut ranker = Ranker { root, value, positions: FxHashMap::default() };
    let placed = errors.iter().map(|error| ranker.place(entry, error));
    let (_, mut first) = placed.min_by(|a, b| a.0.cmp(&b.0))?;
    let place = first.error.instance_path().as_str().to_owned();
    // An error about the name of a property is about that name.
    while let ValidationErrorKind::PropertyNames { error } = first.error.kind() {
        first = ranker.place(entry, error).1;
    }
    Some((place, first))
}

struct Ranker<'s, 'v> {
    root: &'s Value,
    value: &'v Value,
    /// Positions of keys, per object of the value, by its pointer.
    positions: FxHashMap<String, FxHashMap<&'v str, usize>>,
}

/// The part of the value that the walk has reached.
struct Place<'v, 'p> {
    value: Option<&'v Value>,
    pointer: String,
    rest: Box<dyn Iterator<Item = Cow<'p, str>> + 'p>,
}

impl<'s, 'v> Ranker<'s, 'v> {
    fn place<'e>(&mut self, entry: &str, error: &'e ValidationError<'e>) -> (Vec<usize>, Placed<'e, 's>) {
        let mut rank = Vec::new();
        let evaluation = error.evaluation_path().as_str();
        let mut way = pointer::segments(evaluation);
        // A check of a part enters through a reference of its own making.
        if !entry.is_empty() {
            way.next();
        }
        let mut schema = pointer::resolve(self.root, entry);
        let mut at = entry.to_owned();
        // Where the schema reached stands; `at` follows it as long as there are objects.
        let mut reached = entry.to_owned();
        let mut place = Place {
            value: Some(self.value),
            pointer: String::new(),
            rest: Box::new(pointer::segments(error.instance_path().as_str())),
        };
        let mut owner = None;
        let mut keyword = String::new();
        let mut within = false;
        while let Some(segment) = way.next() {
            let Some(Value::Object(object)) = schema else { break };
            let at_entry = owner.replace(object).is_none() && !entry.is_empty();
            at.clone_from(&reached);
            within = false;
            let key = segment.as_ref();
            keyword.clear();
            keyword.push_str(key);
            // `then` and `else` count where their `if` stands.
            let counted = if matches!(key, "then" | "else") { "if" } else { key };
            rank.push(if at_entry { canonical_position(object, counted) } else { position(object, counted) });
            let inner = object.get(key);
            reached = pointer::join(&reached, key);
            schema = match key {
                "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "dependentRequired" => {
                    let Some(name) = way.next() else { break };
                    let Some(Value::Object(map)) = inner else { break };
                    rank.push(position(map, &name));
                    reached = pointer::join(&reached, &name);
                    match key {
                        "properties" => self.descend(&mut place, None),
                        "patternProperties" => self.descend(&mut place, Some(&mut rank)),
                        _ => false,
                    };
                    map.get(&name)
                }
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                    let Some(index) = way.next() else { break };
                    rank.extend(pointer::index(&index));
                    reached = pointer::join(&reached, &index);
                    if key == "prefixItems" {
                        self.descend(&mut place, None);
                    }
                    inner.and_then(|branches| pointer::step(branches, &index))
                }
                "items" if matches!(inner, Some(Value::List(_))) => {
                    let Some(index) = way.next() else { break };
                    rank.extend(pointer::index(&index));
                    reached = pointer::join(&reached, &index);
                    self.descend(&mut place, None);
                    inner.and_then(|branches| pointer::step(branches, &index))
                }
                "items" | "additionalItems" | "unevaluatedItems" | "additionalProperties" | "unevaluatedProperties" => {
                    // `false` is reported at the container by some checks, at the part by others.
                    within = self.descend(&mut place, Some(&mut rank));
                    inner
                }
                "if" => match way.next() {
                    Some(branch) if matches!(&*branch, "then" | "else") => {
                        reached = pointer::join(&at, &branch);
                        object.get(&branch)
                    }
                    _ => inner,
                },
                "$ref" => {
                    let Some(target) = inner.and_then(Value::as_str).and_then(pointer::local) else { break };
                    reached = target;
                    pointer::resolve(self.root, &reached)
                }
                _ => inner,
            };
        }
        if let (ValidationErrorKind::Required { property }, Some(owner)) = (error.kind(), owner)
            && let (Some(Value::List(names)), Some(name)) = (owner.get("required"), property.as_str())
        {
            rank.extend(names.iter().position(|known| known.as_str() == Some(name)));
        }
        (rank, Placed { error, owner, keyword, within, at })
    }

    /// Follows the value one step, if there is one; adds where that step stands among its siblings.
    fn descend(&mut self, place: &mut Place<'v, '_>, rank: Option<&mut Vec<usize>>) -> bool {
        let Some(step) = place.rest.next() else { return false };
        if let (Some(rank), Some(value)) = (rank, place.value) {
            let position = match value {
                Value::Object(object) => {
                    let positions = self
                        .positions
                        .entry(place.pointer.clone())
                        .or_insert_with(|| object.keys().enumerate().map(|(at, key)| (&**key, at)).collect());
                    positions.get(&*step).copied()
                }
                _ => pointer::index(&step),
            };
            rank.extend(position);
        }
        place.value = place.value.and_then(|value| pointer::step(value, &step));
        place.pointer = pointer::join(&place.pointer, &step);
        true
    }
}

/// The position of a keyword once the schema stands alone: as a document it would be in canonical form.
fn canonical_position(object: &Object, key: &str) -> usize {
    const FIRST: [&str; 4] = ["title", "type", "properties", "required"];
    FIRST.iter().position(|first| *first == key).unwrap_or_else(|| FIRST.len().saturating_add(position(object, key)))
}

fn position(object: &Object, key: &str) -> usize {
    object.keys().position(|known| &**known == key).unwrap_or(usize::MAX)
}
