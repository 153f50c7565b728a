//! Reading tables back.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowPredicateFn, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowFilter,
};

use super::super::TableKind;
use super::shard::number_of;
use crate::error::{Error, Result};
use crate::file::{self, FileOrigin};

/// Rows that are read at once.
const ROWS: usize = 8192;
/// What whole files end in.
const END: &[u8; 4] = b"PAR1";

/// A file of a table.
pub(in crate::scan) struct TableFile {
    builder: ParquetRecordBatchReaderBuilder<File>,
}

impl TableFile {
    pub fn open(path: &Path) -> Result<Self> {
        let fail = |error| Error::io(path, error);
        let (file, _) = file::open(path, FileOrigin::Found)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file);
        let builder = builder.map_err(|error| fail(std::io::Error::other(error)))?;
        Ok(Self { builder: builder.with_batch_size(ROWS) })
    }

    /// A text that was stored beside the rows.
    pub fn note(&self, key: &str) -> Option<&str> {
        let notes = self.builder.metadata().file_metadata().key_value_metadata()?;
        notes.iter().find(|note| note.key == key)?.value.as_deref()
    }

    /// These columns alone, in the order of the file.
    pub fn columns(mut self, names: &[&str]) -> Self {
        let mask = ProjectionMask::columns(self.builder.parquet_schema(), names.iter().copied());
        self.builder = self.builder.with_projection(mask);
        self
    }

    /// The rows of these packages alone.
    pub fn packages(self, wanted: Arc<HashSet<i64>>) -> Self {
        self.only(move |id| wanted.contains(&id))
    }

    /// The rows of those packages whose keys pass.
    pub fn only(mut self, is_wanted: impl Fn(i64) -> bool + Send + 'static) -> Self {
        let mask = ProjectionMask::columns(self.builder.parquet_schema(), ["package_id"]);
        let filter = move |batch: RecordBatch| -> Result<BooleanArray, ArrowError> {
            let ids = batch.column(0).as_primitive::<Int64Type>();
            Ok(ids.values().iter().map(|id| Some(is_wanted(*id))).collect())
        };
        let filter = RowFilter::new(vec![Box::new(ArrowPredicateFn::new(mask, filter))]);
        self.builder = self.builder.with_row_filter(filter);
        self
    }

    /// The rows, batch by batch.
    pub fn read(self, path: &Path) -> Result<Batches> {
        let reader = self.builder.build();
        let reader = reader.map_err(|error| Error::io(path, std::io::Error::other(error)))?;
        Ok(Batches { path: path.into(), reader })
    }
}

/// The rows of a file.
pub(in crate::scan) struct Batches {
    path: Box<Path>,
    reader: ParquetRecordBatchReader,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.map_err(|error| Error::io(&self.path, std::io::Error::other(error))))
    }
}

/// The files of a table, the oldest shard first; none where the scan was not asked for it.
///
/// # Errors
/// `Io`.
pub(in crate::scan) fn table_files(folder: &Path, table: TableKind) -> Result<Vec<PathBuf>> {
    let place = folder.join(table.name());
    let entries = match std::fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && folder.is_dir() => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(Error::io(&place, error)),
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths.filter(|path| number_of(path).is_some()).collect();
    paths.sort();
    Ok(paths)
}

/// Whether a file was written to its end, as far as that shows: after a loss of power it may not be.
pub(super) fn is_whole(path: &Path) -> bool {
    let mut end = [0; END.len()];
    let read = file::open(path, FileOrigin::Found).is_ok_and(|(mut file, _)| {
        let seek = file.seek(SeekFrom::End(-(END.len() as i64)));
        seek.and_then(|_| file.read_exact(&mut end)).is_ok()
    });
    read && end == *END
}

/// The numbers in a column of a batch.
pub(in crate::scan) fn integers<'a>(
    batch: &'a RecordBatch,
    name: &str,
) -> Option<impl Fn(usize) -> Option<i64> + use<'a>> {
    let column = batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()?;
    Some(move |row: usize| column.is_valid(row).then(|| column.value(row)))
}
