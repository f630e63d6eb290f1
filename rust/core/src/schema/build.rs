//! From a JSON Schema document to the graph of nodes that the accept filter walks.
//!
//! The graph never has to be complete: a keyword, dialect or reference it does not know becomes [`Rule::Unsure`]
//! or [`Rule::Opaque`], and the value is then judged by the `jsonschema` crate. It only has to be right.

use regex::Regex;
use rustc_hash::FxHashMap;

use super::error::SchemaError;
use super::node::{
    ArrayRule, Graph, Kinds, LINEAR_PROPERTIES, Node, NodeIx, NumberRule, ObjectRule, Property, Rule, TextRule,
};
use super::pointer;
use crate::value::{Key, List, Object, Value};

/// The dialects the filter knows, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    /// The dialect a document asks for by `$schema`; `None` when the filter does not know it.
    pub(super) fn of(schema: &Object) -> Option<Self> {
        let Some(name) = schema.get("$schema") else {
            return Some(Self::Draft2020);
        };
        match name.as_str()?.trim_end_matches('#') {
            "https://json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "https://json-schema.org/draft/2019-09/schema" => Some(Self::Draft2019),
            "http://json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "http://json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "http://json-schema.org/draft-04/schema" => Some(Self::Draft4),
            _ => None,
        }
    }
}

/// Builds the nodes of a document on demand, each once.
pub(super) struct Builder<'s> {
    root: &'s Value,
    dialect: Option<Dialect>,
    /// Whether `#/…` surely means this document; not so below an `$id` of its own.
    local_refs: bool,
    /// The pointer of every node, also of those that are not built yet: a queue, so that no chain of references can
    /// exhaust the stack.
    pointers: Vec<String>,
    by_pointer: FxHashMap<String, NodeIx>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(root: &'s Value) -> Self {
        let dialect = root.as_object().and_then(Dialect::of);
        let mut builder =
            Self { root, dialect, local_refs: true, pointers: Vec::new(), by_pointer: FxHashMap::default() };
        builder.look_for_other_resources();
        builder
    }

    /// An `$id`, `$anchor` or `$schema` below the root changes what references and keywords mean there.
    fn look_for_other_resources(&mut self) {
        let mut pending = vec![(self.root, true)];
        while let Some((value, is_root)) = pending.pop() {
            match value {
                Value::List(items) => pending.extend(items.iter().map(|item| (item, false))),
                Value::Object(object) => {
                    for (key, child) in object {
                        let text = child.as_str().is_some();
                        if !is_root && text && matches!(&**key, "$id" | "id") {
                            self.local_refs = false;
                        }
                        if !is_root && text && &**key == "$schema" {
                            self.dialect = None;
                        }
                        pending.push((child, false));
                    }
                }
                _ => {}
            }
        }
    }

    /// The node of the schema at `pointer`.
    pub(super) fn node_at(&mut self, pointer: String) -> NodeIx {
        if let Some(known) = self.by_pointer.get(&pointer) {
            return *known;
        }
        let ix = NodeIx(u32::try_from(self.pointers.len()).unwrap_or(u32::MAX));
        self.pointers.push(pointer.clone());
        self.by_pointer.insert(pointer, ix);
        ix
    }

    /// Fills in every node that was asked for, and what they refer to.
    ///
    /// # Errors
    /// A schema would be applied to one value without end.
    pub(super) fn finish(mut self) -> Result<Graph, SchemaError> {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.pointers.len());
        while let Some(pointer) = self.pointers.get(nodes.len()).cloned() {
            let root = self.root;
            nodes.push(match (pointer::resolve(root, &pointer), self.dialect) {
                (Some(Value::Bool(true)), Some(_)) => Node { kinds: Kinds::ALL, rules: Box::default() },
                (Some(Value::Bool(false)), Some(_)) => Node { kinds: Kinds::ALL, rules: Box::new([Rule::Never]) },
                (Some(Value::Object(schema)), Some(dialect)) => self.schema(schema, &pointer, dialect),
                _ => opaque(),
            });
        }
        let graph = Graph { nodes };
        match graph.endless() {
            None => Ok(graph),
            Some(ix) => {
                let path = self.pointers.get(ix.0 as usize).cloned().unwrap_or_default();
                Err(SchemaError::Endless { path })
            }
        }
    }

    fn schema(&mut self, schema: &Object, pointer: &str, dialect: Dialect) -> Node {
        // Up to draft 7 a reference replaces everything beside it.
        if dialect <= Dialect::Draft7
            && let Some(reference) = schema.get("$ref")
        {
            return Node { kinds: Kinds::ALL, rules: Box::new([self.reference(reference)]) };
        }
        let mut parts = Parts::default();
        for (key, value) in schema {
            if self.keyword(&mut parts, schema, key, value, pointer, dialect).is_none() {
                let within = self.schemas_within(value, &pointer::join(pointer, key));
                let (here, parts_of_it) = match &**key {
                    "dependencies" => (within, Box::default()),
                    _ => (Box::default(), within),
                };
                parts.rules.push(Rule::Unsure { here, parts: parts_of_it });
            }
        }
        parts.into_node()
    }

    /// The schemas that a keyword holds: itself, or the items or entries of it.
    fn schemas_within(&mut self, value: &Value, at: &str) -> Box<[NodeIx]> {
        let itself = matches!(value, Value::Object(_)).then(|| at.to_owned());
        let parts: Vec<String> = match value {
            Value::List(items) => (0..items.len()).map(|position| pointer::join(at, &position.to_string())).collect(),
            Value::Object(entries) => entries.keys().map(|key| pointer::join(at, key)).collect(),
            _ => Vec::new(),
        };
        let root = self.root;
        itself
            .into_iter()
            .chain(parts)
            .filter(|pointer| pointer::resolve(root, pointer).is_some_and(|schema| schema.as_object().is_some()))
            .map(|pointer| self.node_at(pointer))
            .collect()
    }

    /// Takes one keyword into `parts`; `None` means the filter cannot say what it asks.
    fn keyword(
        &mut self,
        parts: &mut Parts,
        schema: &Object,
        key: &Key,
        value: &Value,
        at: &str,
        dialect: Dialect,
    ) -> Option<()> {
        let since = |first: Dialect| (dialect >= first).then_some(());
        match &**key {
            "type" => {
                parts.kinds = Kinds(parts.kinds.0 & kinds(value)?.0);
                // Draft 4 goes by the spelling of a number, which values do not keep.
                if dialect == Dialect::Draft4 && parts.kinds.meets(Kinds::INTEGER) {
                    return None;
                }
            }
            "const" | "contains" | "propertyNames" if dialect < Dialect::Draft6 => return None,
            "const" => parts.rules.push(Rule::Const(value.clone())),
            "enum" => parts.rules.push(Rule::Enum(value.as_list()?.iter().cloned().collect())),
            "minimum" => parts.number().minimum = Some(number(value)?),
            "maximum" => parts.number().maximum = Some(number(value)?),
            "exclusiveMinimum" => parts.number().above = Some(number(value)?),
            "exclusiveMaximum" => parts.number().below = Some(number(value)?),
            "multipleOf" => parts.number().multiple_of = Some(number(value)?),
            "minLength" => parts.text().min_length = Some(count(value)?),
            "maxLength" => parts.text().max_length = Some(count(value)?),
            "pattern" => parts.text().pattern = Some(pattern(value.as_str()?)?),
            "$ref" => parts.rules.push(self.reference(value)),
            "allOf" => parts.rules.push(Rule::All(self.branches(value.as_list()?, at, key))),
            "anyOf" => parts.rules.push(Rule::Any(self.branches(value.as_list()?, at, key))),
            "oneOf" => parts.rules.push(Rule::One(self.branches(value.as_list()?, at, key))),
            "not" => parts.rules.push(Rule::Not(self.node_at(pointer::join(at, key)))),
            "if" => {
                since(Dialect::Draft7)?;
                let mut branch = |name: &str| schema.contains_key(name).then(|| self.node_at(pointer::join(at, name)));
                let (then, otherwise) = (branch("then"), branch("else"));
                let test = self.node_at(pointer::join(at, key));
                parts.rules.push(Rule::If { test, then, otherwise });
            }
            "properties"
            | "required"
            | "additionalProperties"
            | "patternProperties"
            | "propertyNames"
            | "minProperties"
            | "maxProperties"
            | "dependentRequired"
            | "dependentSchemas"
            | "dependencies" => {
                self.object_keyword(parts, key, value, at, dialect)?;
            }
            "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
            | "minContains" | "maxContains" => self.array_keyword(parts, schema, key, value, at, dialect)?,
            "unevaluatedProperties" | "unevaluatedItems" => value.as_bool()?.then_some(())?,
            "$dynamicRef" | "$recursiveRef" => parts.rules.push(Rule::Opaque),
            // Annotations, `format` and `content…` (never asserted here), kernel keywords, anything unknown.
            _ => {}
        }
        Some(())
    }

    fn object_keyword(
        &mut self,
        parts: &mut Parts,
        key: &Key,
        value: &Value,
        at: &str,
        dialect: Dialect,
    ) -> Option<()> {
        let base = pointer::join(at, key);
        match &**key {
            "properties" => {
                for name in value.as_object()?.keys() {
                    let node = self.node_at(pointer::join(&base, name));
                    parts.object().properties.push((name.clone(), node));
                }
            }
            "required" => {
                for name in value.as_list()?.iter() {
                    let Value::String(name) = name else { return None };
                    parts.object().required.push(name.clone());
                }
            }
            "additionalProperties" => parts.object().additional = Some(self.node_at(base)),
            "patternProperties" => {
                for name in value.as_object()?.keys() {
                    let node = self.node_at(pointer::join(&base, name));
                    let regex = pattern(name)?;
                    parts.object().patterns.push((regex, node));
                }
            }
            "propertyNames" => parts.object().names = Some(self.node_at(base)),
            "minProperties" => parts.object().min = Some(count(value)?),
            "maxProperties" => parts.object().max = Some(count(value)?),
            "dependentRequired" if dialect >= Dialect::Draft2019 => {
                for (name, needed) in value.as_object()? {
                    let needed = needed.as_list()?.iter().map(text_of).collect::<Option<Box<[Key]>>>()?;
                    parts.object().dependent_required.push((name.clone(), needed));
                }
            }
            "dependentSchemas" if dialect >= Dialect::Draft2019 => {
                for name in value.as_object()?.keys() {
                    let node = self.node_at(pointer::join(&base, name));
                    parts.object().dependent_schemas.push((name.clone(), node));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn array_keyword(
        &mut self,
        parts: &mut Parts,
        schema: &Object,
        key: &Key,
        value: &Value,
        at: &str,
        dialect: Dialect,
    ) -> Option<()> {
        let base = pointer::join(at, key);
        match (&**key, value) {
            ("items", Value::List(items)) if dialect < Dialect::Draft2020 => {
                parts.array().prefix = self.branches(items, at, key);
            }
            ("items", Value::Object(_) | Value::Bool(_)) => parts.array().items = Some(self.node_at(base)),
            ("prefixItems", Value::List(items)) if dialect >= Dialect::Draft2020 => {
                parts.array().prefix = self.branches(items, at, key);
            }
            // Means something only beside a list of `items`.
            ("additionalItems", _) if dialect < Dialect::Draft2020 => {
                if matches!(schema.get("items"), Some(Value::List(_))) {
                    parts.array().items = Some(self.node_at(base));
                }
            }
            ("minItems", _) => parts.array().min = Some(count(value)?),
            ("maxItems", _) => parts.array().max = Some(count(value)?),
            ("uniqueItems", Value::Bool(unique)) => parts.array().unique = *unique,
            ("contains", _) => parts.array().contains = Some(self.node_at(base)),
            ("minContains", _) if dialect >= Dialect::Draft2019 => parts.array().min_contains = Some(count(value)?),
            ("maxContains", _) if dialect >= Dialect::Draft2019 => parts.array().max_contains = Some(count(value)?),
            _ => return None,
        }
        Some(())
    }

    fn branches(&mut self, items: &List, at: &str, key: &str) -> Box<[NodeIx]> {
        let base = pointer::join(at, key);
        (0..items.len()).map(|position| self.node_at(pointer::join(&base, &position.to_string()))).collect()
    }

    fn reference(&mut self, value: &Value) -> Rule {
        let target = value.as_str().filter(|_| self.local_refs).and_then(pointer::local);
        match target {
            Some(pointer) if pointer::resolve(self.root, &pointer).is_some() => {
                Rule::All(Box::new([self.node_at(pointer)]))
            }
            _ => Rule::Opaque,
        }
    }
}

/// A schema while its keywords are read.
#[derive(Default)]
struct Parts {
    kinds: AllKinds,
    rules: Vec<Rule>,
    number: Option<Box<NumberRule>>,
    text: Option<Box<TextRule>>,
    object: Option<ObjectParts>,
    array: Option<Box<ArrayRule>>,
}

/// [`Kinds`] with all of them as the default.
type AllKinds = Kinds;

impl Default for Kinds {
    fn default() -> Self {
        Self::ALL
    }
}

#[derive(Default)]
struct ObjectParts {
    properties: Vec<(Key, NodeIx)>,
    required: Vec<Key>,
    patterns: Vec<(Regex, NodeIx)>,
    additional: Option<NodeIx>,
    names: Option<NodeIx>,
    min: Option<u64>,
    max: Option<u64>,
    dependent_required: Vec<(Key, Box<[Key]>)>,
    dependent_schemas: Vec<(Key, NodeIx)>,
}

impl Parts {
    fn number(&mut self) -> &mut NumberRule {
        self.number.get_or_insert_default()
    }

    fn text(&mut self) -> &mut TextRule {
        self.text.get_or_insert_default()
    }

    fn object(&mut self) -> &mut ObjectParts {
        self.object.get_or_insert_default()
    }

    fn array(&mut self) -> &mut ArrayRule {
        self.array.get_or_insert_default()
    }

    fn into_node(self) -> Node {
        let mut rules = Vec::with_capacity(self.rules.len() + 4);
        rules.extend(self.number.map(Rule::Number));
        rules.extend(self.text.map(Rule::Text));
        rules.extend(self.object.and_then(ObjectParts::into_rule).map(|rule| Rule::Object(Box::new(rule))));
        rules.extend(self.array.map(Rule::Array));
        rules.extend(self.rules);
        Node { kinds: self.kinds, rules: rules.into() }
    }
}

impl ObjectParts {
    /// `None` when the keywords ask nothing, such as empty `properties` and `required`.
    fn into_rule(self) -> Option<ObjectRule> {
        let mut also_required: Vec<Key> = self.required;
        also_required.sort();
        also_required.dedup();
        let properties: Box<[Property]> = self
            .properties
            .into_iter()
            .map(|(key, node)| {
                let place = also_required.iter().position(|name| *name == key);
                if let Some(place) = place {
                    also_required.swap_remove(place);
                }
                Property { key, node, required: place.is_some() }
            })
            .collect();
        let mut index = FxHashMap::default();
        if properties.len() > LINEAR_PROPERTIES {
            index.extend((0_u32..).zip(&properties).map(|(position, property)| (property.key.clone(), position)));
        }
        let rule = ObjectRule {
            required: properties.iter().filter(|property| property.required).count(),
            properties,
            index,
            also_required: also_required.into(),
            patterns: self.patterns.into(),
            additional: self.additional,
            names: self.names,
            min: self.min,
            max: self.max,
            dependent_required: self.dependent_required.into(),
            dependent_schemas: self.dependent_schemas.into(),
        };
        let asks_nothing = rule.properties.is_empty()
            && rule.also_required.is_empty()
            && !rule.visits_all()
            && rule.min.is_none()
            && rule.max.is_none()
            && rule.dependent_required.is_empty()
            && rule.dependent_schemas.is_empty();
        (!asks_nothing).then_some(rule)
    }
}

fn opaque() -> Node {
    Node { kinds: Kinds::ALL, rules: Box::new([Rule::Opaque]) }
}

fn kinds(value: &Value) -> Option<Kinds> {
    match value {
        Value::String(name) => Kinds::named(name),
        Value::List(names) => {
            names.iter().try_fold(Kinds(0), |kinds, name| Some(kinds.or(Kinds::named(name.as_str()?)?)))
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<Value> {
    matches!(value, Value::Int(_) | Value::BigInt(_) | Value::Float(_)).then(|| value.clone())
}

fn count(value: &Value) -> Option<u64> {
    u64::try_from(value.as_i64()?).ok()
}

fn text_of(value: &Value) -> Option<Key> {
    if let Value::String(text) = value { Some(text.clone()) } else { None }
}

/// The expression as the `jsonschema` crate would run it.
fn pattern(source: &str) -> Option<Regex> {
    let translated = jsonschema_regex::to_rust_regex(source).ok()?;
    Regex::new(&translated).ok()
}
