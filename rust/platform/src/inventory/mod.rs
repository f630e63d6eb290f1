//! Inventories: what a source is and owns, as documents that hold contracts and never a handle.

mod detail;
mod list;
mod status;

pub use detail::{NodeSpecInventory, ReducerInventory, SourceCapabilityInventory};
pub use list::{SourcePage, inspect_source, list_sources};
pub use status::{
    SOURCE_PREVIEW_LIMIT, SourceCapabilityHasMore, SourceCapabilityPreview, SourceInventory, SourceStatus,
};
