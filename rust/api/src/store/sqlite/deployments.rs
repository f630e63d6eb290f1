//! Deployments in their table.

use std::sync::Arc;

use rusqlite::{OptionalExtension as _, Row};

use super::SqliteStore;
use super::codec::{decode, encode, natural, number};
use crate::store::{DeploymentRecord, DeploymentStore, IdField, StoreError, check_id};

const COLUMNS: &str = "deployment_id, artifact_id, artifact_version, document, updated_at";

type Columns = (Arc<str>, Arc<str>, u32, String, i64);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
}

fn record(
    (deployment_id, artifact_id, version, document, updated_at): Columns,
) -> Result<DeploymentRecord, StoreError> {
    Ok(DeploymentRecord {
        document: decode(&document, || format!("deployment {deployment_id}"))?,
        deployment_id,
        artifact_id,
        artifact_version: version,
        updated_at: natural(updated_at),
    })
}

impl DeploymentStore for SqliteStore {
    fn save_deployment(&self, deployment: DeploymentRecord) -> Result<(), StoreError> {
        check_id(IdField::Deployment, &deployment.deployment_id)?;
        let document = encode(&deployment.document);
        let updated_at = number(deployment.updated_at, "time")?;
        self.writer.run(move |connection| {
            connection
                .prepare_cached(&format!("INSERT OR REPLACE INTO deployments ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5)"))?
                .execute((
                    &deployment.deployment_id,
                    &deployment.artifact_id,
                    deployment.artifact_version,
                    &document,
                    updated_at,
                ))?;
            Ok(())
        })
    }

    fn deployment(&self, deployment_id: &str) -> Result<DeploymentRecord, StoreError> {
        self.readers.read(|transaction| {
            let found = transaction
                .prepare_cached(&format!("SELECT {COLUMNS} FROM deployments WHERE deployment_id = ?1"))?
                .query_row([deployment_id], columns)
                .optional()?;
            record(found.ok_or_else(|| StoreError::deployment_unknown(deployment_id))?)
        })
    }

    fn deployments(&self) -> Result<Vec<DeploymentRecord>, StoreError> {
        self.readers.read(|transaction| {
            let mut statement =
                transaction.prepare_cached(&format!("SELECT {COLUMNS} FROM deployments ORDER BY deployment_id"))?;
            let rows = statement.query_map([], columns)?;
            rows.map(|row| record(row?)).collect()
        })
    }

    fn delete_deployment(&self, deployment_id: &str) -> Result<(), StoreError> {
        let deployment_id: Arc<str> = Arc::from(deployment_id);
        self.writer.run(move |connection| {
            let deleted = connection
                .prepare_cached("DELETE FROM deployments WHERE deployment_id = ?1")?
                .execute([&deployment_id])?;
            if deleted == 0 { Err(StoreError::deployment_unknown(&deployment_id)) } else { Ok(()) }
        })
    }
}
