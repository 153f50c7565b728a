//! Writing a shard.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::super::{TableKind, TableSet};
use super::manifest::{HashedFile, Manifest};
use super::shard::{commit, draft_of, file_of};
use super::shards::{SETTINGS, STALE};
use crate::error::{Error, Result};
use crate::file;

/// Rows, and bytes before compression, of a group of rows: what is in memory of each file.
const GROUP_ROWS: usize = 1 << 18;
const GROUP_BYTES: usize = 6 << 20;

/// The files of a shard, until they are whole.
pub(super) struct ShardWriter {
    folder: PathBuf,
    tables: TableSet,
    number: u64,
    files: Vec<(TableKind, ArrowWriter<HashedFile>)>,
    manifest: Arc<Manifest>,
    failed: Option<Error>,
}

impl ShardWriter {
    pub fn new(
        folder: &Path,
        manifest: &Arc<Manifest>,
        tables: TableSet,
        settings: &str,
        number: u64,
    ) -> Result<Self> {
        let mut files = Vec::new();
        for table in tables.iter() {
            let path = draft_of(folder, manifest.drafts(), table, number);
            files.push((table, writer(table, &path, settings, &[])?));
        }
        let (folder, manifest) = (folder.to_owned(), manifest.clone());
        Ok(Self { folder, tables, number, files, manifest, failed: None })
    }

    /// Adds rows; the first error is kept until the end.
    pub fn write(&mut self, table: TableKind, batch: &RecordBatch) {
        let (number, folder) = (self.number, &self.folder);
        let file = self.files.iter_mut().find(|(known, _)| *known == table);
        let Some((_, file)) = file.filter(|_| self.failed.is_none()) else { return };
        if let Err(error) = file.write(batch) {
            let draft = draft_of(folder, self.manifest.drafts(), table, number);
            self.failed = Some(failure(&draft, error));
        }
    }

    /// Removes what was written.
    pub fn discard(self) {
        let (folder, number) = (self.folder, self.number);
        drop(self.files);
        for table in self.tables.iter() {
            // What can't be removed the next scan removes.
            let draft = draft_of(&folder, self.manifest.drafts(), table, number);
            let _ = std::fs::remove_file(draft);
        }
    }

    /// Ends the files and gives them their true names.
    pub fn finish(self) -> Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let drafts = self.manifest.drafts();
        let mut written = Vec::new();
        for (table, file) in self.files {
            let ended = file.into_inner().map_err(|error| {
                failure(&draft_of(&self.folder, drafts, table, self.number), error)
            })?;
            let (hash, bytes) = ended.end();
            written.push((file_of(&self.folder, table, self.number), hash, bytes));
        }
        self.manifest.note(&written)?;
        commit(&self.folder, drafts, self.tables, self.number)
    }
}

/// A writer that is filled from elsewhere.
pub(super) type SharedWriter = Arc<Mutex<ShardWriter>>;

/// Adds rows to a writer that others hold as well.
pub(super) fn write_to(writer: &SharedWriter, table: TableKind, batch: &RecordBatch) {
    // What is written is complete at every step; another thread's panic spoils nothing.
    writer.lock().unwrap_or_else(PoisonError::into_inner).write(table, batch);
}

/// A file of a table.
pub(super) fn writer(
    table: TableKind,
    path: &Path,
    settings: &str,
    stale: &[i64],
) -> Result<ArrowWriter<HashedFile>> {
    let file = HashedFile::new(file::create_new(path)?);
    let mut notes = vec![KeyValue::new(SETTINGS.to_owned(), settings.to_owned())];
    if !stale.is_empty() {
        let ids: Vec<_> = stale.iter().map(ToString::to_string).collect();
        notes.push(KeyValue::new(STALE.to_owned(), ids.join(" ")));
    }
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_statistics_truncate_length(Some(64))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_max_row_group_bytes(Some(GROUP_BYTES))
        .set_key_value_metadata(Some(notes))
        .build();
    ArrowWriter::try_new(file, table.schema(), Some(properties))
        .map_err(|error| failure(path, error))
}

pub(super) fn failure(path: &Path, error: parquet::errors::ParquetError) -> Error {
    Error::io(path, std::io::Error::other(error))
}
