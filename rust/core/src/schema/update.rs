//! What a change to a valid value can break, and nothing else.
//!
//! A state that was valid before a step stays valid as long as what the step changed is: a write below one
//! property of an object cannot break its other properties. So the cost of a check follows what was written, not
//! what was there. Whatever does not fit this reasoning answers [`Verdict::Unsure`], and is checked whole.

use super::filter::{Verdict, Walk, need};
use super::node::{ArrayRule, Graph, Kinds, NodeIx, ObjectRule, Rule};
use crate::value::{Key, List, Object, Value};

/// A change to one place of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    /// The place holds this value now.
    Set(&'a Value),
    /// These items come at the end of the list that is there.
    Append(&'a List),
    /// These entries replace or join those of the object that is there.
    Merge(&'a Object),
}

impl Graph {
    /// Whether a value that was valid (`old`) stays valid when the place at `path` below it changes.
    pub(super) fn change(
        &self,
        ix: NodeIx,
        old: Option<&Value>,
        path: &[Key],
        change: Change<'_>,
        walk: &mut Walk<'_>,
    ) -> Verdict {
        if let (true, Change::Set(value)) = (path.is_empty(), change) {
            return self.check(ix, value, walk);
        }
        if self.node(ix).rules.is_empty() && !path.is_empty() {
            // Whatever was there before, an object is there now.
            return if self.node(ix).kinds.meets(Kinds::OBJECT) { Verdict::Yes } else { Verdict::No };
        }
        let fits = match (old, change) {
            (Some(Value::Object(_)), Change::Merge(_)) | (Some(Value::List(_)), Change::Append(_)) => true,
            (Some(Value::Object(_)), _) => !path.is_empty(),
            _ => false,
        };
        let (Some(old), true) = (old, fits) else { return Verdict::Unsure };
        if !walk.step_in() {
            return Verdict::Unsure;
        }
        let mut verdict = Verdict::Yes;
        for rule in &self.node(ix).rules {
            verdict = self.change_under(rule, old, path, change, walk);
            if verdict != Verdict::Yes {
                break;
            }
        }
        walk.step_out();
        verdict
    }

    fn change_under(&self, rule: &Rule, old: &Value, path: &[Key], change: Change<'_>, walk: &mut Walk<'_>) -> Verdict {
        match (rule, old) {
            (Rule::Number(_) | Rule::Text(_), _)
            | (Rule::Object(_), Value::List(_))
            | (Rule::Array(_), Value::Object(_)) => Verdict::Yes,
            (Rule::All(nodes), _) => {
                for node in nodes {
                    need!(self.change(*node, Some(old), path, change, walk));
                }
                Verdict::Yes
            }
            // The kind stays as it was. Where one branch alone takes that kind, it is the one that was met, and no
            // other can be met now.
            (Rule::Any(nodes) | Rule::One(nodes), _) => match self.sole_branch(nodes, Kinds::of(old)) {
                Some(node) => self.change(node, Some(old), path, change, walk),
                None => Verdict::Unsure,
            },
            (Rule::Object(rule), Value::Object(object)) => match (path.split_first(), change) {
                (Some((key, rest)), change) => self.entry_change(rule, object, key, rest, change, walk),
                (None, Change::Merge(entries)) => {
                    let none: &[Key] = &[];
                    for (key, value) in entries {
                        need!(self.entry_change(rule, object, key, none, Change::Set(value), walk));
                    }
                    Verdict::Yes
                }
                _ => Verdict::Unsure,
            },
            (Rule::Array(rule), Value::List(items)) => match change {
                Change::Append(added) if path.is_empty() => self.append(rule, items.len(), added, walk),
                _ => Verdict::Unsure,
            },
            _ => Verdict::Unsure,
        }
    }

    fn entry_change(
        &self,
        rule: &ObjectRule,
        object: &Object,
        key: &Key,
        rest: &[Key],
        change: Change<'_>,
        walk: &mut Walk<'_>,
    ) -> Verdict {
        let old = object.get(key);
        if old.is_none() {
            if rule.max.is_some() || !rule.dependent_required.is_empty() {
                return Verdict::Unsure;
            }
            if let Some(names) = rule.names {
                need!(self.check(names, &Value::String(key.clone()), walk));
            }
        }
        if !rule.dependent_schemas.is_empty() {
            return Verdict::Unsure;
        }
        let mut known = false;
        if let Some(property) = rule.property(key) {
            known = true;
            need!(self.change(property.node, old, rest, change, walk));
        }
        for (regex, node) in &rule.patterns {
            if regex.is_match(key) {
                known = true;
                need!(self.change(*node, old, rest, change, walk));
            }
        }
        match rule.additional {
            Some(node) if !known => self.change(node, old, rest, change, walk),
            _ => Verdict::Yes,
        }
    }

    fn append(&self, rule: &ArrayRule, length: usize, added: &List, walk: &mut Walk<'_>) -> Verdict {
        let size = (length + added.len()) as u64;
        if rule.max.is_some_and(|max| size > max) {
            return Verdict::No;
        }
        // Whether the list was unique, and how many of its items matched, nobody remembers.
        if rule.unique || (rule.contains.is_some() && rule.max_contains.is_some()) {
            return Verdict::Unsure;
        }
        self.items(rule, length, added, walk)
    }

    /// Whether checking a value at `outer` always checks the place at `way` below it at `inner`.
    pub(super) fn covers(&self, outer: NodeIx, way: &[Key], inner: NodeIx) -> bool {
        let mut reached = self.conjunction(vec![outer]);
        for key in way {
            let next = reached
                .iter()
                .flat_map(|ix| &self.node(*ix).rules)
                .filter_map(|rule| match rule {
                    Rule::Object(rule) => rule.property(key).map(|property| property.node),
                    _ => None,
                })
                .collect();
            reached = self.conjunction(next);
        }
        reached.contains(&inner)
    }

    /// The nodes, and all that they refer to unconditionally.
    fn conjunction(&self, mut nodes: Vec<NodeIx>) -> Vec<NodeIx> {
        let mut at = 0;
        while let Some(ix) = nodes.get(at).copied() {
            at += 1;
            for rule in &self.node(ix).rules {
                if let Rule::All(more) = rule {
                    for ix in more {
                        if !nodes.contains(ix) {
                            nodes.push(*ix);
                        }
                    }
                }
            }
        }
        nodes
    }

    /// The only branch that can take values of the kind.
    fn sole_branch(&self, branches: &[NodeIx], kind: Kinds) -> Option<NodeIx> {
        let mut taking = branches.iter().filter(|branch| self.may_take(**branch, kind, 8));
        let first = taking.next()?;
        taking.next().is_none().then_some(*first)
    }

    /// Whether the node might take some value of the kind; `depth` bounds how far references are followed.
    fn may_take(&self, ix: NodeIx, kind: Kinds, depth: u32) -> bool {
        let node = self.node(ix);
        let Some(depth) = depth.checked_sub(1) else { return true };
        node.kinds.meets(kind)
            && node.rules.iter().all(|rule| match rule {
                Rule::Never => false,
                Rule::Const(value) => Kinds::of(value).meets(kind),
                Rule::Enum(options) => options.iter().any(|option| Kinds::of(option).meets(kind)),
                Rule::All(nodes) => nodes.iter().all(|node| self.may_take(*node, kind, depth)),
                Rule::Any(nodes) | Rule::One(nodes) => nodes.iter().any(|node| self.may_take(*node, kind, depth)),
                _ => true,
            })
    }
}
