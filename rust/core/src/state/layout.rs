//! The fields of a state schema, compiled.

use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::access;
use super::error::{LayoutError, StateError};
use super::target::{CompiledOutputs, StateTarget, TargetParts, compile_outputs};
use crate::document::{OutputBinding, StateSchema};
use crate::eval::descend;
use crate::path::{StatePath, first_overlap};
use crate::reducer::{BuiltinReducer, Reducer, ReducerSet};
use crate::schema::CompiledSchema;
use crate::value::{Key, Object, Value};

/// A state schema, ready for initial states and writes.
#[derive(Debug)]
pub struct StateLayout {
    pub(super) fields: Box<[Field]>,
    by_path: FxHashMap<Arc<[Key]>, u32>,
    /// For each field at the top, the fields whose schemas decide whether its value is valid; the others are covered.
    roots: FxHashMap<Key, Box<[u32]>>,
    /// The defaults, each at its place, or why they cannot be put there.
    defaults: Result<Object, StateError>,
    /// Whether every field that the defaults fill is valid.
    valid_defaults: bool,
}

/// One declared field.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) path: StatePath,
    pub(super) schema: CompiledSchema,
    reducer: Reducer,
    /// `person.name`, as messages show it.
    pub(super) dotted: String,
}

impl StateLayout {
    /// Compiles a state schema with the reducers its fields refer to.
    ///
    /// # Errors
    /// Everything that is wrong: with the schema itself, and with the reducers of its fields.
    pub fn compile(schema: &StateSchema, reducers: &dyn ReducerSet) -> Result<Self, Vec<LayoutError>> {
        let root = Value::Object(schema.as_object().clone());
        let mut problems = Vec::new();
        let mut pointers = Vec::new();
        let mut declared = Vec::new();
        for field in schema.fields() {
            let dotted = field.path.0.join(".");
            match Reducer::find(&field.reducer, reducers) {
                Ok(reducer) => declared.push((field, dotted, reducer)),
                Err(cause) => problems.push(LayoutError::Reducer { field: dotted, cause }),
            }
            pointers.push(find_property(&root, &field.path.0));
        }
        let known: Vec<String> = pointers.iter().flatten().cloned().collect();
        let parts = match CompiledSchema::with_parts(schema.as_object(), &known) {
            Ok((_, parts)) => parts,
            Err(error) => {
                problems.insert(0, error.into());
                Vec::new()
            }
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut parts = parts.into_iter();
        let mut fields = Vec::with_capacity(declared.len());
        for ((field, dotted, reducer), pointer) in declared.into_iter().zip(&pointers) {
            let schema = match pointer.as_ref().and_then(|_| parts.next()) {
                Some(part) => part,
                // A field that the document does not hold where its path says; its own schema has to do.
                None => CompiledSchema::compile(field.schema.as_object()).map_err(|error| vec![error.into()])?,
            };
            fields.push(Field { path: field.path.clone(), schema, reducer, dotted });
        }
        Ok(Self::with_fields(fields.into(), schema))
    }

    fn with_fields(fields: Box<[Field]>, schema: &StateSchema) -> Self {
        let by_path = (0_u32..).zip(&fields).map(|(at, field)| (Arc::clone(&field.path.0), at)).collect();
        let roots = FxHashMap::default();
        let mut layout = Self { fields, by_path, roots, defaults: Ok(Object::new()), valid_defaults: true };
        layout.roots = layout.top_fields();
        let mut defaults = Object::new();
        for field in schema.fields() {
            let Some(value) = field.default.clone().filter(|value| !value.is_null()) else { continue };
            if let Err(error) = access::set(&mut defaults, &field.path.0, value) {
                layout.defaults = Err(error);
                return layout;
            }
        }
        layout.valid_defaults = layout.check_fields(&defaults, |_| true, "initial state").is_ok();
        layout.defaults = Ok(defaults);
        layout
    }

    /// The state a run starts with: the defaults, and over them the input.
    ///
    /// # Errors
    /// A default or a part of the input does not meet the schema of its field, or a default cannot be put at its
    /// place.
    pub fn initial_state(&self, input: &Object) -> Result<Object, StateError> {
        let mut state = self.defaults.clone()?;
        for (key, value) in input {
            state.insert(key.clone(), value.clone());
        }
        if self.valid_defaults && input.iter().all(|(key, value)| self.accepts_root(key, value)) {
            return Ok(state);
        }
        // Defaults were checked once; what the input brings has to be checked each time.
        let fresh =
            |field: &Field| !self.valid_defaults || field.path.0.first().is_some_and(|root| input.contains_key(root));
        self.check_fields(&state, fresh, "initial state")?;
        Ok(state)
    }

    /// For each field at the top, the fields at or below it that no field around them covers.
    fn top_fields(&self) -> FxHashMap<Key, Box<[u32]>> {
        let tops = self.fields.iter().filter(|field| field.path.0.len() == 1);
        tops.filter_map(|field| {
            Some((field.path.0.first()?.clone(), Arc::clone(&self.target(&field.path).0).deciding.clone()))
        })
        .collect()
    }

    /// Whether the filter is sure that the value of a key at the top is valid.
    fn accepts_root(&self, key: &Key, value: &Value) -> bool {
        let deciding = self.roots.get(key).into_iter().flatten();
        deciding.filter_map(|at| self.fields.get(*at as usize)).all(|field| {
            let within = field.path.0.get(1..).unwrap_or_default();
            descend(value, within).is_none_or(|value| field.schema.accepts(value))
        })
    }

    /// Checks every declared field that a state holds, for example of a snapshot from elsewhere.
    ///
    /// # Errors
    /// The first field that does not meet its schema, the deepest ones first.
    pub fn check_state(&self, state: &Object) -> Result<(), StateError> {
        self.check_fields(state, |_| true, "state")
    }

    fn check_fields(&self, state: &Object, wanted: impl Fn(&Field) -> bool, label: &str) -> Result<(), StateError> {
        let mut fields: Vec<&Field> = self.fields.iter().filter(|field| wanted(field)).collect();
        fields.sort_by_key(|field| std::cmp::Reverse(field.path.0.len()));
        for field in fields {
            if let Some(value) = access::get(state, &field.path.0) {
                field.schema.check(value, format_args!("{label} state.{}", field.dotted))?;
            }
        }
        Ok(())
    }

    /// Prepares a place for writing, declared or not.
    pub fn target(&self, path: &StatePath) -> StateTarget {
        let declared = self.by_path.get(path.parts()).and_then(|at| self.fields.get(*at as usize));
        let reducer = declared.map_or(Reducer::Builtin(BuiltinReducer::Replace), |field| field.reducer.clone());
        let related = self.related(path.parts());
        let mut covered: FxHashSet<u32> = FxHashSet::default();
        let mut deciding = Vec::new();
        // Fields come parents first, so the outermost decides and says which of the others it checks anyway.
        for at in &related {
            let Some(field) = self.fields.get(*at as usize) else { continue };
            if covered.contains(at) {
                continue;
            }
            deciding.push(*at);
            for other in &related {
                if let Some(inner) = self.fields.get(*other as usize)
                    && let Some(way) = inner.path.0.strip_prefix(&*field.path.0)
                    && field.schema.covers(way, &inner.schema)
                {
                    covered.insert(*other);
                }
            }
        }
        StateTarget(Arc::new(TargetParts {
            path: path.clone(),
            text: path.to_string().into(),
            reducer,
            declared: declared.is_some(),
            deciding: deciding.into(),
            related,
        }))
    }

    /// The fields around a place, the one there, and those within it, outermost first.
    fn related(&self, parts: &[Key]) -> Box<[u32]> {
        let around = (1..parts.len()).filter_map(|depth| self.by_path.get(parts.get(..depth)?).copied());
        let here = self.by_path.get(parts).copied();
        // A field is followed by those within it.
        let after = here.and_then(|at| self.fields.get(at as usize + 1..)).unwrap_or_default();
        let within = after.iter().take_while(|field| field.path.0.starts_with(parts)).count();
        let first = here.map_or(0, |at| at + 1);
        around.chain(here).chain((first..).take(within)).collect()
    }

    /// Prepares output bindings.
    ///
    /// # Errors
    /// Two targets are the same place, or one lies within the other.
    pub fn outputs(&self, bindings: &[OutputBinding]) -> Result<CompiledOutputs, StateError> {
        if first_overlap(bindings.iter().map(|binding| binding.target.parts())).is_some() {
            return Err(StateError::OverlappingTargets);
        }
        Ok(compile_outputs(bindings, |path| self.target(path)))
    }
}

/// The JSON pointer of the property schema at a field's path, following local references.
fn find_property(root: &Value, path: &[Key]) -> Option<String> {
    let mut pointer = String::new();
    for key in path {
        let mut visited = FxHashSet::default();
        loop {
            if !visited.insert(pointer.clone()) {
                return None;
            }
            let schema = CompiledSchema::resolve(root, &pointer)?.as_object()?;
            let properties = schema.get("properties").and_then(Value::as_object);
            if properties.is_some_and(|properties| properties.contains_key(key)) {
                // Writing into a `String` cannot fail.
                let _ = write!(pointer, "/properties/{}", key.replace('~', "~0").replace('/', "~1"));
                break;
            }
            pointer = CompiledSchema::local_reference(schema.get("$ref")?.as_str()?)?;
        }
    }
    Some(pointer)
}
