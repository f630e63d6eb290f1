//! The accept filter: says quickly, and without allocating, what is surely valid.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;

use super::node::{ArrayRule, Graph, Kinds, NodeIx, NumberRule, ObjectRule, Rule, TextRule};
use crate::value::{List, Object, Value};

/// What the filter can say about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Surely valid.
    Yes,
    /// Surely not valid.
    No,
    /// Somebody else has to judge.
    Unsure,
}

/// Deepest nesting of schema within schema that the filter follows; it recurses once per level.
const MAX_DEPTH: u32 = 1_000;

/// Visits that are free, and how many more every part of the value pays for. Alternatives within alternatives
/// could otherwise be tried exponentially often.
const FREE_VISITS: u64 = 100_000;
const VISITS_PER_PART: u64 = 64;

/// What a check is about, as far as its size may have to be known.
#[derive(Clone, Copy)]
pub(super) enum Root<'v> {
    Value(&'v Value),
    Object(&'v Object),
}

/// The bookkeeping of one check.
pub(super) struct Walk<'v> {
    root: Root<'v>,
    depth: u32,
    visits: u64,
    limit: u64,
    measured: bool,
}

impl<'v> Walk<'v> {
    pub(super) fn new(root: &'v Value) -> Self {
        Self::of(Root::Value(root))
    }

    pub(super) fn of(root: Root<'v>) -> Self {
        Self { root, depth: 0, visits: 0, limit: FREE_VISITS, measured: false }
    }

    /// How many places have been looked at.
    #[cfg(test)]
    pub(super) fn visits(&self) -> u64 {
        self.visits
    }

    /// Counts a visit; false once the check has done more than its share, and from then on.
    #[inline]
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.visits += 1;
        (self.depth <= MAX_DEPTH && self.visits <= self.limit) || self.extend()
    }

    /// Like entering a node, for walks that are no check.
    pub(super) fn step_in(&mut self) -> bool {
        let entered = self.enter();
        if !entered {
            self.depth -= 1;
        }
        entered
    }

    pub(super) fn step_out(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn extend(&mut self) -> bool {
        if self.depth > MAX_DEPTH {
            // For good: the alternatives at every level above must not each try to go as deep again.
            self.measured = true;
            self.limit = 0;
        } else if !self.measured {
            self.measured = true;
            self.limit = FREE_VISITS + VISITS_PER_PART * parts(self.root);
        }
        self.visits <= self.limit
    }
}

/// How many values a value consists of.
fn parts(root: Root<'_>) -> u64 {
    let mut count = 0;
    let mut pending: Vec<&Value> = match root {
        Root::Value(value) => vec![value],
        Root::Object(object) => object.values().collect(),
    };
    while let Some(value) = pending.pop() {
        count += 1;
        match value {
            Value::List(items) => pending.extend(items.iter()),
            Value::Object(object) => pending.extend(object.values()),
            _ => {}
        }
    }
    count
}

/// Goes on after a `Yes`; anything else is the answer.
macro_rules! need {
    ($verdict:expr) => {
        match $verdict {
            Verdict::Yes => {}
            other => return other,
        }
    };
}
pub(super) use need;

#[inline]
fn sure(holds: bool) -> Verdict {
    if holds { Verdict::Yes } else { Verdict::No }
}

impl Graph {
    /// What can be said about `value` at the node.
    pub(super) fn check(&self, ix: NodeIx, value: &Value, walk: &mut Walk<'_>) -> Verdict {
        let node = self.node(ix);
        if !node.kinds.meets(Kinds::of(value)) {
            return Verdict::No;
        }
        if node.rules.is_empty() {
            return Verdict::Yes;
        }
        if !walk.enter() {
            walk.depth -= 1;
            return Verdict::Unsure;
        }
        let verdict = self.rules(&node.rules, value, walk);
        walk.depth -= 1;
        verdict
    }

    /// Like [`Self::check`], for an object that is not wrapped into a value.
    pub(super) fn check_object(&self, ix: NodeIx, object: &Object, walk: &mut Walk<'_>) -> Verdict {
        let node = self.node(ix);
        if !node.kinds.meets(Kinds::OBJECT) {
            return Verdict::No;
        }
        for rule in &node.rules {
            need!(match rule {
                Rule::Object(rule) => self.object(rule, object, walk),
                Rule::Number(_) | Rule::Text(_) | Rule::Array(_) => Verdict::Yes,
                _ => return self.rules(&node.rules, &Value::Object(object.clone()), walk),
            });
        }
        Verdict::Yes
    }

    fn rules(&self, rules: &[Rule], value: &Value, walk: &mut Walk<'_>) -> Verdict {
        for rule in rules {
            need!(match (rule, value) {
                (Rule::Unsure { .. } | Rule::Opaque, _) => Verdict::Unsure,
                (Rule::Never, _) => Verdict::No,
                (Rule::Const(expected), _) => equal(expected, value),
                (Rule::Enum(options), _) => any(options.iter().map(|option| equal(option, value))),
                (Rule::Number(rule), Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => number(rule, value),
                (Rule::Text(rule), Value::String(text)) => self::text(rule, text),
                (Rule::Object(rule), Value::Object(object)) => self.object(rule, object, walk),
                (Rule::Array(rule), Value::List(items)) => self.array(rule, items, walk),
                (Rule::Number(_) | Rule::Text(_) | Rule::Object(_) | Rule::Array(_), _) => Verdict::Yes,
                (Rule::All(nodes), _) => self.all(nodes, value, walk),
                (Rule::Any(nodes), _) => any(nodes.iter().map(|node| self.check(*node, value, walk))),
                (Rule::One(nodes), _) => self.one(nodes, value, walk),
                (Rule::Not(node), _) => not(self.check(*node, value, walk)),
                (Rule::If { test, then, otherwise }, _) => match self.check(*test, value, walk) {
                    Verdict::Yes => then.map_or(Verdict::Yes, |node| self.check(node, value, walk)),
                    Verdict::No => otherwise.map_or(Verdict::Yes, |node| self.check(node, value, walk)),
                    Verdict::Unsure => Verdict::Unsure,
                },
            });
        }
        Verdict::Yes
    }

    fn all(&self, nodes: &[NodeIx], value: &Value, walk: &mut Walk<'_>) -> Verdict {
        for node in nodes {
            need!(self.check(*node, value, walk));
        }
        Verdict::Yes
    }

    fn one(&self, nodes: &[NodeIx], value: &Value, walk: &mut Walk<'_>) -> Verdict {
        let mut accepted = 0;
        for node in nodes {
            match self.check(*node, value, walk) {
                Verdict::Yes => accepted += 1,
                Verdict::No => {}
                Verdict::Unsure => return Verdict::Unsure,
            }
        }
        sure(accepted == 1)
    }

    fn object(&self, rule: &ObjectRule, object: &Object, walk: &mut Walk<'_>) -> Verdict {
        let size = object.len() as u64;
        if rule.min.is_some_and(|min| size < min) || rule.max.is_some_and(|max| size > max) {
            return Verdict::No;
        }
        let found = if rule.visits_all() || object.len() <= 4 * rule.properties.len() + 8 {
            self.entries(rule, object, walk)
        } else {
            self.declared(rule, object, walk)
        };
        need!(found);
        if !rule.also_required.iter().all(|key| object.contains_key(key)) {
            return Verdict::No;
        }
        for (key, needed) in &rule.dependent_required {
            if object.contains_key(key) && !needed.iter().all(|key| object.contains_key(key)) {
                return Verdict::No;
            }
        }
        for (key, node) in &rule.dependent_schemas {
            if object.contains_key(key) {
                need!(self.check(*node, &Value::Object(object.clone()), walk));
            }
        }
        Verdict::Yes
    }

    /// Looks at every entry of the object.
    fn entries(&self, rule: &ObjectRule, object: &Object, walk: &mut Walk<'_>) -> Verdict {
        let (mut cursor, mut required) = (0, 0);
        for (key, value) in object {
            let property = rule.find(key, &mut cursor);
            let mut known = false;
            if let Some(property) = property {
                known = true;
                required += usize::from(property.required);
                need!(self.check(property.node, value, walk));
            }
            for (regex, node) in &rule.patterns {
                if regex.is_match(key) {
                    known = true;
                    need!(self.check(*node, value, walk));
                }
            }
            if let Some(node) = rule.additional
                && !known
            {
                need!(self.check(node, value, walk));
            }
            if let Some(node) = rule.names {
                need!(self.check(node, &Value::String(key.clone()), walk));
            }
        }
        sure(required == rule.required)
    }

    /// Looks at the declared properties only, where an object has many entries that no rule is about.
    fn declared(&self, rule: &ObjectRule, object: &Object, walk: &mut Walk<'_>) -> Verdict {
        for property in &rule.properties {
            match object.get(&property.key) {
                Some(value) => need!(self.check(property.node, value, walk)),
                None if property.required => return Verdict::No,
                None => {}
            }
        }
        Verdict::Yes
    }

    fn array(&self, rule: &ArrayRule, items: &List, walk: &mut Walk<'_>) -> Verdict {
        let size = items.len() as u64;
        if rule.min.is_some_and(|min| size < min) || rule.max.is_some_and(|max| size > max) {
            return Verdict::No;
        }
        need!(self.items(rule, 0, items, walk));
        if rule.unique {
            let mut seen = FxHashSet::default();
            if !items.iter().all(|item| seen.insert(item)) {
                return Verdict::No;
            }
        }
        if let Some(node) = rule.contains {
            let mut matches = 0_u64;
            for item in items.iter() {
                match self.check(node, item, walk) {
                    Verdict::Yes => matches += 1,
                    Verdict::No => {}
                    Verdict::Unsure => return Verdict::Unsure,
                }
            }
            let enough = matches >= rule.min_contains.unwrap_or(1);
            return sure(enough && rule.max_contains.is_none_or(|max| matches <= max));
        }
        Verdict::Yes
    }

    /// Checks items of which the first stands at `offset` of its list.
    pub(super) fn items(&self, rule: &ArrayRule, offset: usize, items: &[Value], walk: &mut Walk<'_>) -> Verdict {
        let prefix = rule.prefix.get(offset..).unwrap_or_default();
        for (node, item) in prefix.iter().zip(items) {
            need!(self.check(*node, item, walk));
        }
        if let Some(node) = rule.items {
            for item in items.iter().skip(prefix.len()) {
                need!(self.check(node, item, walk));
            }
        }
        Verdict::Yes
    }
}

fn any(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut answer = Verdict::No;
    for verdict in verdicts {
        match verdict {
            Verdict::Yes => return Verdict::Yes,
            Verdict::No => {}
            Verdict::Unsure => answer = Verdict::Unsure,
        }
    }
    answer
}

fn not(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Yes => Verdict::No,
        Verdict::No => Verdict::Yes,
        Verdict::Unsure => Verdict::Unsure,
    }
}

/// Numbers beyond this are not exact as a float, and checkers disagree about comparing them with one.
const EXACT: i64 = 1 << 53;

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Int(number) => (-EXACT..=EXACT).contains(number),
        #[expect(clippy::cast_precision_loss, reason = "2**53 is exact")]
        Value::Float(number) => number.abs() <= EXACT as f64,
        _ => false,
    }
}

/// The order of two numbers, where every checker agrees on it.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    let comparable = match (a, b) {
        (Value::Int(_) | Value::BigInt(_), Value::Int(_) | Value::BigInt(_)) => true,
        _ => is_exact(a) && is_exact(b),
    };
    if comparable { a.order(b) } else { None }
}

/// Equality of a value with one from the schema.
fn equal(expected: &Value, value: &Value) -> Verdict {
    match (expected, value) {
        (Value::List(_), Value::List(_)) | (Value::Object(_), Value::Object(_)) => {
            // Numbers within are compared exactly here, which is the only disagreement possible.
            if expected == value { Verdict::Yes } else { Verdict::Unsure }
        }
        (Value::Int(_) | Value::BigInt(_) | Value::Float(_), Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => {
            match order(expected, value) {
                Some(order) => sure(order == Ordering::Equal),
                None => Verdict::Unsure,
            }
        }
        _ => sure(expected == value),
    }
}

fn bounded(value: &Value, bound: Option<&Value>, holds: fn(Ordering) -> bool) -> Verdict {
    match bound.map(|bound| order(value, bound)) {
        None => Verdict::Yes,
        Some(Some(order)) => sure(holds(order)),
        Some(None) => Verdict::Unsure,
    }
}

fn number(rule: &NumberRule, value: &Value) -> Verdict {
    need!(bounded(value, rule.minimum.as_ref(), Ordering::is_ge));
    need!(bounded(value, rule.maximum.as_ref(), Ordering::is_le));
    need!(bounded(value, rule.above.as_ref(), Ordering::is_gt));
    need!(bounded(value, rule.below.as_ref(), Ordering::is_lt));
    match (&rule.multiple_of, value) {
        (None, _) => Verdict::Yes,
        (Some(Value::Int(step)), Value::Int(number)) if *step > 0 => sure(number % step == 0),
        _ => Verdict::Unsure,
    }
}

fn text(rule: &TextRule, text: &str) -> Verdict {
    if rule.min_length.is_some() || rule.max_length.is_some() {
        let length = text.chars().count() as u64;
        if rule.min_length.is_some_and(|min| length < min) || rule.max_length.is_some_and(|max| length > max) {
            return Verdict::No;
        }
    }
    sure(rule.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text)))
}
