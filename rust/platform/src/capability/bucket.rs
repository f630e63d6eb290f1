//! The capabilities of one kind.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A contract and, where this process can execute it, the handle that does.
#[derive(Debug)]
pub struct Entry<C, H> {
    contract: Arc<C>,
    handle: Option<H>,
}

// Not derived: a derived `Clone` would ask `C: Clone`, though only the pointer is copied.
impl<C, H: Clone> Clone for Entry<C, H> {
    fn clone(&self) -> Self {
        Self { contract: Arc::clone(&self.contract), handle: self.handle.clone() }
    }
}

impl<C, H> Entry<C, H> {
    /// A capability that this process can execute.
    pub fn new(contract: impl Into<Arc<C>>, handle: H) -> Self {
        Self { contract: contract.into(), handle: Some(handle) }
    }

    /// A capability known by its contract only, for example from a catalog whose upstream is not connected.
    pub fn contract_only(contract: impl Into<Arc<C>>) -> Self {
        Self { contract: contract.into(), handle: None }
    }

    /// What it takes and gives.
    pub fn contract(&self) -> &Arc<C> {
        &self.contract
    }

    /// What executes it.
    pub fn handle(&self) -> Option<&H> {
        self.handle.as_ref()
    }
}

/// The capabilities of one kind, keyed by qualified name, in the order in which they were added.
#[derive(Clone, Debug)]
pub struct Bucket<C, H> {
    entries: IndexMap<Arc<str>, Entry<C, H>, FxBuildHasher>,
    /// The names in order; made once, since every status and inventory shows them sorted.
    sorted: OnceLock<Arc<[Arc<str>]>>,
}

impl<C, H> Default for Bucket<C, H> {
    fn default() -> Self {
        Self { entries: IndexMap::default(), sorted: OnceLock::new() }
    }
}

impl<C, H> Bucket<C, H> {
    /// Adds a capability; one of the same name is replaced and returned.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, entry: Entry<C, H>) -> Option<Entry<C, H>> {
        self.sorted = OnceLock::new();
        self.entries.insert(name.into(), entry)
    }

    /// The capability of that qualified name.
    pub fn get(&self, name: &str) -> Option<&Entry<C, H>> {
        self.entries.get(name)
    }

    /// Whether there is one of that qualified name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Names and capabilities in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Entry<C, H>)> {
        self.entries.iter()
    }

    /// The names, sorted.
    pub fn names(&self) -> &[Arc<str>] {
        self.sorted.get_or_init(|| {
            let mut names: Vec<Arc<str>> = self.entries.keys().cloned().collect();
            names.sort_unstable();
            names.into()
        })
    }

    /// Names and capabilities sorted by name.
    pub fn iter_sorted(&self) -> impl Iterator<Item = (&Arc<str>, &Entry<C, H>)> {
        self.names().iter().filter_map(|name| self.entries.get_key_value(name.as_ref()))
    }
}

impl<C, H> FromIterator<(Arc<str>, Entry<C, H>)> for Bucket<C, H> {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Entry<C, H>)>>(entries: I) -> Self {
        Self { entries: entries.into_iter().collect(), sorted: OnceLock::new() }
    }
}
