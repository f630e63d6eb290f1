//! The table of keys that both directions share.

use std::cell::Cell;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyString;
use wf_core::value::Key;

/// How many keys each direction remembers; a power of two.
const SLOTS: usize = 512;
/// Longer keys are not worth keeping alive.
const LONGEST: usize = 64;

/// One remembered pair. It owns both ends, so neither address can be given to another object while it stands.
type Slot = Option<(Py<PyString>, Key)>;

/// Pairs of Python and Rust keys, found by the address of either end.
pub(super) struct Keys {
    by_python: Box<[Slot]>,
    by_rust: Box<[Slot]>,
}

thread_local! {
    // Taken out while in use: the garbage collector may run Python code in the middle of a conversion, and that
    // code may convert again. The inner conversion then finds nothing here and starts with an empty table.
    static KEYS: Cell<Option<Keys>> = const { Cell::new(None) };
}

impl Keys {
    fn new() -> Self {
        let empty = || std::iter::repeat_with(|| None).take(SLOTS).collect();
        Self { by_python: empty(), by_rust: empty() }
    }

    /// The Rust form of a dict's key; fails for a lone surrogate.
    pub(super) fn rust_key(&mut self, key: &Bound<'_, PyString>) -> PyResult<Key> {
        let slot = &mut self.by_python[slot_of(key.as_ptr() as usize)];
        if let Some((known, shared)) = slot
            && known.as_ptr() == key.as_ptr()
        {
            return Ok(Arc::clone(shared));
        }
        let text = key.to_str()?;
        let shared: Key = Arc::from(text);
        // Only plain strings: giving up an instance of a subclass could run Python code in the middle of a dict.
        if text.len() <= LONGEST && key.is_exact_instance_of::<PyString>() {
            *slot = Some((key.clone().unbind(), Arc::clone(&shared)));
        }
        Ok(shared)
    }

    /// The Python form of an object's key.
    pub(super) fn python_key<'py>(&mut self, py: Python<'py>, key: &Key) -> Bound<'py, PyString> {
        let slot = &mut self.by_rust[slot_of(Arc::as_ptr(key).cast::<u8>() as usize)];
        if let Some((text, known)) = slot
            && Arc::ptr_eq(known, key)
        {
            return text.bind(py).clone();
        }
        let text = PyString::new(py, key);
        if key.len() <= LONGEST {
            *slot = Some((text.clone().unbind(), Arc::clone(key)));
        }
        text
    }
}

/// Runs `work` with this thread's table.
pub(super) fn with_keys<R>(work: impl FnOnce(&mut Keys) -> R) -> R {
    KEYS.with(|cell| {
        let mut keys = cell.take().unwrap_or_else(Keys::new);
        let result = work(&mut keys);
        cell.set(Some(keys));
        result
    })
}

/// Addresses are multiples of 16, so the low bits carry nothing.
fn slot_of(address: usize) -> usize {
    (address >> 4 ^ address >> 13) & (SLOTS - 1)
}
