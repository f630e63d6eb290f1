//! Inventories: what a source is and owns, as documents that hold contracts and never a handle.

mod detail;
mod list;
mod status;

pub use detail::{NodeSpecInventory, ReducerInventory, SourceCapabilityInventory, SourceInventory};
pub use list::{inspect_source, list_sources};
pub use status::{KindFlags, KindNames, SOURCE_PREVIEW_LIMIT, SourceStatus};
