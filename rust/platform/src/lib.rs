//! Sources, policy, projections, artifacts and deployments as pure domain rules.
//!
//! Everything a workflow may use belongs to a [`source::CapabilitySource`]. A [`registry::SourceRegistry`] holds
//! the sources of a process and hands out immutable snapshots; every surface (planner, MCP client, admin page)
//! is a [`projection`] computed from one. The crate is generic over the executable handle `H`: it knows
//! contracts, never handlers, and does no IO, reads no clock and starts no thread.

pub mod admin;
pub mod artifact;
pub mod capability;
pub mod contracts;
pub mod deployment;
pub mod documentation;
pub mod error;
pub mod glob;
pub mod guidance;
pub mod hash;
pub mod id;
pub mod inventory;
pub mod listing;
pub mod page;
pub mod part;
pub mod projection;
pub mod registry;
pub mod resource_ref;
pub mod source;

mod nearest;
mod schema_diff;
mod structure;

pub use error::PlatformError;
pub use id::SourceId;
