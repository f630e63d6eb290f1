//! Artifacts in their table.

use std::sync::Arc;

use rusqlite::{OptionalExtension as _, Row};

use super::SqliteStore;
use super::codec::{decode, encode, natural, number};
use crate::store::{ArtifactHead, ArtifactRecord, ArtifactStore, IdField, Saved, StoreError, check_id};

const COLUMNS: &str = "artifact_id, version, kind, title, description, content_hash, document, created_at";

type Columns = (ArtifactHead, Arc<str>, String, i64);

fn head(row: &Row<'_>) -> rusqlite::Result<ArtifactHead> {
    Ok(ArtifactHead {
        artifact_id: row.get(0)?,
        version: row.get(1)?,
        kind: row.get(2)?,
        title: row.get(3)?,
        description: row.get(4)?,
    })
}

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((head(row)?, row.get(5)?, row.get(6)?, row.get(7)?))
}

fn record((head, content_hash, document, created_at): Columns) -> Result<ArtifactRecord, StoreError> {
    let document = decode(&document, || format!("artifact {}@{}", head.artifact_id, head.version))?;
    Ok(ArtifactRecord { head, content_hash, document, created_at: natural(created_at) })
}

impl ArtifactStore for SqliteStore {
    fn save_artifact(&self, artifact: ArtifactRecord) -> Result<Saved, StoreError> {
        check_id(IdField::Artifact, &artifact.head.artifact_id)?;
        let version = artifact.head.version;
        let document = encode(&artifact.document);
        let created_at = number(artifact.created_at, "time")?;
        self.writer.run(move |connection| {
            let head = artifact.head;
            let known: Option<Arc<str>> = connection
                .prepare_cached("SELECT content_hash FROM artifacts WHERE artifact_id = ?1 AND version = ?2")?
                .query_row((&head.artifact_id, version), |row| row.get(0))
                .optional()?;
            match known {
                Some(known) if known == artifact.content_hash => return Ok(Saved::Unchanged),
                Some(_) => {
                    return Err(StoreError::ArtifactExists { artifact_id: head.artifact_id, version: head.version });
                }
                None => {}
            }
            connection
                .prepare_cached(&format!("INSERT INTO artifacts ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"))?
                .execute((
                    &head.artifact_id,
                    version,
                    &head.kind,
                    &head.title,
                    &head.description,
                    &artifact.content_hash,
                    &document,
                    created_at,
                ))?;
            Ok(Saved::New)
        })
    }

    fn artifact(&self, artifact_id: &str, version: u32) -> Result<ArtifactRecord, StoreError> {
        let unknown = || StoreError::artifact_unknown(artifact_id, Some(version));
        self.readers.read(|transaction| {
            let found = transaction
                .prepare_cached(&format!("SELECT {COLUMNS} FROM artifacts WHERE artifact_id = ?1 AND version = ?2"))?
                .query_row((artifact_id, version), columns)
                .optional()?;
            record(found.ok_or_else(unknown)?)
        })
    }

    fn artifact_hash(&self, artifact_id: &str, version: u32) -> Result<Arc<str>, StoreError> {
        self.readers.read(|transaction| {
            transaction
                .prepare_cached("SELECT content_hash FROM artifacts WHERE artifact_id = ?1 AND version = ?2")?
                .query_row((artifact_id, version), |row| row.get(0))
                .optional()?
                .ok_or_else(|| StoreError::artifact_unknown(artifact_id, Some(version)))
        })
    }

    fn latest_artifact(&self, artifact_id: &str) -> Result<ArtifactRecord, StoreError> {
        self.readers.read(|transaction| {
            let found = transaction
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM artifacts WHERE artifact_id = ?1 ORDER BY version DESC LIMIT 1"
                ))?
                .query_row([artifact_id], columns)
                .optional()?;
            record(found.ok_or_else(|| StoreError::artifact_unknown(artifact_id, None))?)
        })
    }

    fn artifact_heads(&self) -> Result<Vec<ArtifactHead>, StoreError> {
        self.readers.read(|transaction| {
            let mut statement = transaction
                .prepare_cached(&format!("SELECT {COLUMNS} FROM artifacts ORDER BY artifact_id, version"))?;
            let heads = statement.query_map([], head)?.collect::<rusqlite::Result<_>>()?;
            Ok(heads)
        })
    }

    fn delete_artifact(&self, artifact_id: &str, version: u32) -> Result<Vec<Arc<str>>, StoreError> {
        let unknown = StoreError::artifact_unknown(artifact_id, Some(version));
        let artifact_id: Arc<str> = Arc::from(artifact_id);
        self.writer.run(move |connection| {
            let users: Vec<Arc<str>> = connection
                .prepare_cached(
                    "SELECT deployment_id FROM deployments WHERE artifact_id = ?1 AND artifact_version = ?2
                     ORDER BY deployment_id",
                )?
                .query_map((&artifact_id, version), |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            let there = connection
                .prepare_cached("SELECT 1 FROM artifacts WHERE artifact_id = ?1 AND version = ?2")?
                .exists((&artifact_id, version))?;
            if !there {
                return Err(unknown);
            }
            if users.is_empty() {
                connection
                    .prepare_cached("DELETE FROM artifacts WHERE artifact_id = ?1 AND version = ?2")?
                    .execute((&artifact_id, version))?;
            }
            Ok(users)
        })
    }
}
