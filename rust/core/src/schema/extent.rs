//! How much there is to say about a value that is not valid.
//!
//! The judge lists every violation of every alternative. Alternatives within alternatives multiply, so before it is
//! asked for the list, a walk without short cuts finds out whether the list has a reasonable length.

use super::filter::Walk;
use super::node::{ArrayRule, Graph, NodeIx, ObjectRule, Rule};
use crate::value::{List, Object, Value};

impl Graph {
    /// Whether all that the schema can say about the value can be listed.
    pub(super) fn is_enumerable(&self, ix: NodeIx, value: &Value, walk: &mut Walk<'_>) -> bool {
        if !walk.step_in() {
            return false;
        }
        let enumerable = self.node(ix).rules.iter().all(|rule| self.rule_is_enumerable(rule, value, walk));
        walk.step_out();
        enumerable
    }

    fn rule_is_enumerable(&self, rule: &Rule, value: &Value, walk: &mut Walk<'_>) -> bool {
        let mut all = |nodes: &[NodeIx]| nodes.iter().all(|node| self.is_enumerable(*node, value, walk));
        match (rule, value) {
            (Rule::Opaque, _) => false,
            (Rule::All(nodes) | Rule::Any(nodes) | Rule::One(nodes), _) => all(nodes),
            (Rule::Not(node), _) => all(&[*node]),
            (Rule::If { test, then, otherwise }, _) => {
                all(&[*test]) && all(then.as_slice()) && all(otherwise.as_slice())
            }
            (Rule::Unsure { here, parts }, _) => all(here) && self.parts_are_enumerable(parts, value, walk),
            (Rule::Object(rule), Value::Object(object)) => self.object_is_enumerable(rule, object, walk),
            (Rule::Array(rule), Value::List(items)) => self.array_is_enumerable(rule, items, walk),
            _ => true,
        }
    }

    fn parts_are_enumerable(&self, nodes: &[NodeIx], value: &Value, walk: &mut Walk<'_>) -> bool {
        let mut part = |part: &Value| nodes.iter().all(|node| self.is_enumerable(*node, part, walk));
        match value {
            Value::List(items) => items.iter().all(&mut part),
            Value::Object(object) => object.values().all(&mut part),
            _ => true,
        }
    }

    fn object_is_enumerable(&self, rule: &ObjectRule, object: &Object, walk: &mut Walk<'_>) -> bool {
        let mut entries = object.iter();
        entries.all(|(key, value)| {
            let declared = rule.property(key).map(|property| property.node);
            let matching = rule.patterns.iter().filter(|(regex, _)| regex.is_match(key)).map(|(_, node)| *node);
            let mut nodes: Vec<NodeIx> = declared.into_iter().chain(matching).collect();
            if nodes.is_empty() {
                nodes.extend(rule.additional);
            }
            nodes.iter().all(|node| self.is_enumerable(*node, value, walk))
        }) && rule
            .dependent_schemas
            .iter()
            .filter(|(key, _)| object.contains_key(key))
            .all(|(_, node)| self.is_enumerable(*node, &Value::Object(object.clone()), walk))
    }

    fn array_is_enumerable(&self, rule: &ArrayRule, items: &List, walk: &mut Walk<'_>) -> bool {
        items.iter().enumerate().all(|(position, item)| {
            let own = rule.prefix.get(position).copied().or(rule.items);
            own.into_iter().chain(rule.contains).all(|node| self.is_enumerable(node, item, walk))
        })
    }
}
