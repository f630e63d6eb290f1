//! The store in one `SQLite` file.
//!
//! One connection writes, and writers that come at once share a commit (see [`commit`]). Reads have connections of
//! their own and never wait for a writer. The file is readable by its owner only.

mod artifacts;
mod codec;
mod commit;
mod deployments;
mod events;
mod leases;
mod open;
mod readers;
mod runs;
mod settings;

use std::path::{Path, PathBuf};
use std::time::Duration;

use commit::Committer;
use readers::Readers;

use super::StoreError;

/// What a commit survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
    /// The end of the process, and a loss of power: every commit waits for the disk.
    #[default]
    Full,
    /// The end of the process; a loss of power may cost the last commits, never the file.
    Normal,
    /// Nothing is promised; for tests and throw-away runs.
    Off,
}

impl Durability {
    fn pragma(self) -> &'static str {
        match self {
            Self::Full => "FULL",
            Self::Normal => "NORMAL",
            Self::Off => "OFF",
        }
    }
}

/// How a file is opened.
#[derive(Clone, Copy, Debug)]
pub struct SqliteOptions {
    /// What a commit survives.
    pub durability: Durability,
    /// How long to wait while another process has the file locked.
    pub busy_timeout: Duration,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { durability: Durability::Full, busy_timeout: Duration::from_secs(5) }
    }
}

/// A store in one file.
///
/// ```
/// use wf_api::store::{ArtifactStore, SqliteStore};
///
/// let root = tempfile::tempdir().unwrap();
/// let store = SqliteStore::open(root.path()).unwrap();
/// assert!(store.artifact_heads().unwrap().is_empty());
/// assert!(root.path().join("wf.sqlite3").exists());
/// ```
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    writer: Committer,
    readers: Readers,
}

impl SqliteStore {
    /// The name of the file within its folder.
    pub const FILE_NAME: &'static str = "wf.sqlite3";

    /// Opens the store in a folder, and makes both when they are not there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Foreign`] or [`StoreError::TooNew`].
    pub fn open(root: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::open_with(root, SqliteOptions::default())
    }

    /// Opens the store in a folder with other options.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`].
    pub fn open_with(root: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        let path = root.as_ref().join(Self::FILE_NAME);
        let writer = open::writer(&path, options)?;
        Ok(Self { readers: Readers::new(path.clone(), options.busy_timeout), writer: Committer::new(writer), path })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
