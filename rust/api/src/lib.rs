//! What turns documents into something that runs: handlers, readers, stores and the application's operations.
//!
//! * [`handler`] says what a node handler is; [`std_nodes`] holds the twenty nodes of `wf.std`,
//!   and [`builtin`] the sources that every server has.
//! * [`resource`] reads what a resource ref points to, within bounds; [`file`] is the reader for a directory.
//! * [`store`] keeps artifacts, deployments and runs, in memory or in one `SQLite` file.
//! * [`driver`] drives runs whose handlers are native.
//! * [`process`] tells which processes are alive.
//! * [`operations`] is what an application does with all of it, and [`admin`] what operators do.
//!
//! This is the first room with files, clocks and `tokio`. It knows no transport and no Python.

pub mod admin;
pub mod builtin;
pub mod clock;
pub mod driver;
pub mod error;
pub mod file;
pub mod handler;
pub mod operations;
pub mod process;
pub mod resource;
pub mod std_nodes;
pub mod store;
