//! Schemas that would be applied to one and the same value without end.

use super::node::{Graph, NodeIx, Rule};

impl Graph {
    /// A node that leads back to itself before anything goes into the value, if there is one.
    ///
    /// Recursion through properties or items ends with the value. Recursion in place has no meaning: checkers
    /// overflow, or each answers something else.
    pub(super) fn endless(&self) -> Option<NodeIx> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            Open,
            Done,
        }
        let mut seen = vec![Seen::No; self.nodes.len()];
        let all = (0_u32..).take(self.nodes.len()).map(NodeIx);
        for start in all {
            // The nodes on the way, each with those that are still to be followed from there.
            let mut way: Vec<(NodeIx, Vec<NodeIx>)> = Vec::new();
            let mut next = Some(start);
            loop {
                if let Some(ix) = next.take() {
                    match seen.get_mut(ix.0 as usize) {
                        Some(Seen::Open) => return Some(ix),
                        Some(state @ Seen::No) => {
                            *state = Seen::Open;
                            way.push((ix, self.in_place(ix)));
                        }
                        Some(Seen::Done) | None => {}
                    }
                }
                let Some((ix, pending)) = way.last_mut() else { break };
                next = pending.pop();
                if next.is_none() {
                    if let Some(state) = seen.get_mut(ix.0 as usize) {
                        *state = Seen::Done;
                    }
                    way.pop();
                }
            }
        }
        None
    }

    /// The nodes that are applied to the very value the node is applied to.
    fn in_place(&self, ix: NodeIx) -> Vec<NodeIx> {
        let mut nodes = Vec::new();
        for rule in &self.node(ix).rules {
            match rule {
                Rule::All(more) | Rule::Any(more) | Rule::One(more) => nodes.extend(more),
                Rule::Unsure { here, .. } => nodes.extend(here),
                Rule::Not(node) => nodes.push(*node),
                Rule::If { test, then, otherwise } => {
                    nodes.push(*test);
                    nodes.extend(then.iter().chain(otherwise));
                }
                Rule::Object(rule) => nodes.extend(rule.dependent_schemas.iter().map(|(_, node)| *node)),
                _ => {}
            }
        }
        nodes
    }
}
