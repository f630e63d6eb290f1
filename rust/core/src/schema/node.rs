//! The compiled form of a schema that the accept filter walks.

use regex::Regex;
use rustc_hash::FxHashMap;

use crate::value::{Key, Value};

/// The place of a node within its [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeIx(pub(super) u32);

/// Kinds of values as bits, so that a `type` keyword is one mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(pub(super) u8);

impl Kinds {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOL: Self = Self(2);
    /// A number without fraction, whatever its spelling: `1.0` is an integer.
    pub(super) const INTEGER: Self = Self(4);
    /// A number with a fraction.
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    /// The kind of one value.
    #[inline]
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOL,
            Value::Int(_) | Value::BigInt(_) => Self::INTEGER,
            Value::Float(number) if number.fract() == 0.0 => Self::INTEGER,
            Value::Float(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::List(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The kinds a name of the `type` keyword stands for.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOL,
            "integer" => Self::INTEGER,
            "number" => Self::INTEGER.or(Self::FRACTION),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// One schema: the kinds it takes, and what else it asks.
#[derive(Debug)]
pub(crate) struct Node {
    pub(super) kinds: Kinds,
    pub(super) rules: Box<[Rule]>,
}

/// What a schema asks beyond the kind; the cheap ones come first.
#[derive(Debug)]
pub(super) enum Rule {
    /// A keyword the filter does not evaluate, with the schemas it applies to the value and to its parts.
    Unsure {
        here: Box<[NodeIx]>,
        parts: Box<[NodeIx]>,
    },
    /// A reference that leads where the filter cannot follow.
    Opaque,
    /// The schema `false`.
    Never,
    Const(Value),
    Enum(Box<[Value]>),
    Number(Box<NumberRule>),
    Text(Box<TextRule>),
    Object(Box<ObjectRule>),
    Array(Box<ArrayRule>),
    All(Box<[NodeIx]>),
    Any(Box<[NodeIx]>),
    One(Box<[NodeIx]>),
    Not(NodeIx),
    If {
        test: NodeIx,
        then: Option<NodeIx>,
        otherwise: Option<NodeIx>,
    },
}

#[derive(Debug, Default)]
pub(super) struct NumberRule {
    pub(super) minimum: Option<Value>,
    pub(super) maximum: Option<Value>,
    pub(super) above: Option<Value>,
    pub(super) below: Option<Value>,
    pub(super) multiple_of: Option<Value>,
}

#[derive(Debug, Default)]
pub(super) struct TextRule {
    pub(super) min_length: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) pattern: Option<Regex>,
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) key: Key,
    pub(super) node: NodeIx,
    pub(super) required: bool,
}

#[derive(Debug, Default)]
pub(super) struct ObjectRule {
    pub(super) properties: Box<[Property]>,
    /// Finds a property when there are too many to look through.
    pub(super) index: FxHashMap<Key, u32>,
    /// How many of `properties` are required.
    pub(super) required: usize,
    /// Required keys that are no declared property.
    pub(super) also_required: Box<[Key]>,
    pub(super) patterns: Box<[(Regex, NodeIx)]>,
    pub(super) additional: Option<NodeIx>,
    pub(super) names: Option<NodeIx>,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
    pub(super) dependent_required: Box<[(Key, Box<[Key]>)]>,
    pub(super) dependent_schemas: Box<[(Key, NodeIx)]>,
}

#[derive(Debug, Default)]
pub(super) struct ArrayRule {
    pub(super) prefix: Box<[NodeIx]>,
    pub(super) items: Option<NodeIx>,
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
    pub(super) unique: bool,
    pub(super) contains: Option<NodeIx>,
    pub(super) min_contains: Option<u64>,
    pub(super) max_contains: Option<u64>,
}

/// Up to this many properties are compared one by one.
pub(super) const LINEAR_PROPERTIES: usize = 8;

impl ObjectRule {
    /// The declared property of that name. `cursor` remembers where the last one was found, since objects mostly
    /// come in the order their schema declares.
    #[inline]
    pub(super) fn find(&self, key: &Key, cursor: &mut usize) -> Option<&Property> {
        if let Some(next) = self.properties.get(*cursor)
            && (Key::ptr_eq(&next.key, key) || next.key == *key)
        {
            *cursor += 1;
            return Some(next);
        }
        self.search(key, cursor)
    }

    fn search(&self, key: &Key, cursor: &mut usize) -> Option<&Property> {
        let position = if self.properties.len() > LINEAR_PROPERTIES {
            *self.index.get(key)? as usize
        } else {
            self.properties.iter().position(|property| property.key == *key)?
        };
        *cursor = position + 1;
        self.properties.get(position)
    }

    /// The declared property of that name.
    pub(super) fn property(&self, key: &Key) -> Option<&Property> {
        self.search(key, &mut 0)
    }

    /// Whether every entry has to be looked at, also those that are no declared property.
    pub(super) fn visits_all(&self) -> bool {
        self.additional.is_some() || !self.patterns.is_empty() || self.names.is_some()
    }
}

/// All nodes of one schema document; they refer to each other by place, so recursion needs no pointers.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(super) nodes: Vec<Node>,
}

impl Graph {
    #[inline]
    pub(super) fn node(&self, ix: NodeIx) -> &Node {
        &self.nodes[ix.0 as usize]
    }
}
