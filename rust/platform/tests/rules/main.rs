//! The rules of the platform, seen from outside: one binary, since linking costs more than running.

mod admin;
mod artifacts;
mod deployments;
mod documents;
mod guidance;
mod hashes;
mod inventory;
mod projection;
mod registry;
mod support;
mod trees;
