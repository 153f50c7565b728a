//! Taking former rows out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use rayon::prelude::*;

use super::super::TableKind;
use super::folder::Depot;
use super::reader::{TableFile, integers};
use super::shard::{Shard, draft_of, file_of, remove, rename};
use super::shard_writer::{ShardWriter, failure, writer};
use super::shards::known_files;
use crate::error::Result;

/// Of how many packages of a shard one may be a former one before the shard is written anew.
const ONE_OF: usize = 8;
/// Shards of fewer packages and bytes of them are small; when there are so many of them they are joined.
const SMALL: usize = 256;
const SMALL_BYTES: i64 = 8 << 20;
const MANY: usize = 16;
/// Packages of shards that are joined.
const JOINED: usize = 2048;

impl Depot {
    /// Takes the rows of former packages out of all tables.
    ///
    /// # Errors
    /// `Io`.
    pub fn compact(&mut self) -> Result<u64> {
        self.settle(true)
    }

    /// Writes shards anew whose other tables hold too much of packages that do not count any more, or all of them that
    /// hold any; says how many.
    pub(super) fn settle(&mut self, all: bool) -> Result<u64> {
        let mut shards = std::mem::take(&mut self.shards.all);
        for shard in shards.extract_if(.., |shard| shard.packages == 0) {
            remove(&self.folder, &self.manifest, shard.number)?;
        }
        let back = self.come_back(&shards)?;
        let is_small = |shard: &Shard| shard.packages < SMALL && shard.bytes < SMALL_BYTES;
        let joins = shards.iter().filter(|shard| is_small(shard)).count() >= MANY;
        let is_stale = |shard: &Shard| {
            let (stale, live) = (shard.stale.len(), shard.packages);
            stale > 0
                && (all
                    || stale * ONE_OF > stale + live
                    || shard.stale.iter().any(|id| back.contains(id)))
        };
        let (rewritten, kept): (Vec<_>, Vec<_>) =
            shards.into_iter().partition(|shard| is_stale(shard) || joins && is_small(shard));
        let count = rewritten.len() as u64;
        let mut units: Vec<Vec<Shard>> = Vec::new();
        for shard in rewritten {
            match units.last_mut() {
                Some(unit) if live(unit) + shard.packages <= JOINED => unit.push(shard),
                _ => units.push(vec![shard]),
            }
        }
        let first = self.shards.next;
        self.shards.next += units.len() as u64;
        let numbered: Vec<_> = units.into_iter().zip(first..).collect();
        let joined = numbered
            .into_par_iter()
            .with_max_len(1)
            .map(|(unit, number)| self.join(unit, number))
            .collect::<Result<Vec<_>>>()?;
        self.shards.all = kept;
        self.shards.all.extend(joined);
        if self.shards.all.is_empty() {
            // Those who read want a file in each folder.
            let shard = self.join(Vec::new(), self.shards.next)?;
            self.shards.next += 1;
            self.shards.all.push(shard);
        }
        Ok(count)
    }

    /// The keys among those of former packages that count again: what is still there of a former package must not
    /// stand for one that has come back.
    fn come_back(&self, shards: &[Shard]) -> Result<HashSet<i64>> {
        let stale: HashSet<i64> = shards.iter().flat_map(|shard| &shard.stale).copied().collect();
        if stale.is_empty() {
            return Ok(stale);
        }
        let of_one = |shard: &Shard| {
            let path = file_of(&self.folder, TableKind::Packages, shard.number);
            let mut ids = Vec::new();
            for batch in TableFile::open(&path)?.columns(&["package_id"]).read(&path)? {
                let batch = batch?;
                let Some(id) = integers(&batch, "package_id") else { continue };
                ids.extend((0..batch.num_rows()).filter_map(id).filter(|id| stale.contains(id)));
            }
            Ok(ids)
        };
        let found = shards.par_iter().map(of_one).collect::<Result<Vec<_>>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The file of a shard's packages without those that do not count any more, and with new times of some.
    pub(super) fn rewrite_packages(
        &self,
        shard: &Shard,
        gone: Arc<HashSet<i64>>,
        times: &HashMap<i64, Option<i64>>,
    ) -> Result<()> {
        let table = TableKind::Packages;
        let (path, draft) = (
            file_of(&self.folder, table, shard.number),
            draft_of(&self.folder, self.manifest.drafts(), table, shard.number),
        );
        self.manifest.check_own(&path)?;
        let mut file = writer(table, &draft, &self.settings, &shard.stale)?;
        let rows = TableFile::open(&path)?.only(move |id| !gone.contains(&id));
        for batch in rows.read(&path)? {
            let batch = batch?;
            let batch = with_times(&batch, times).unwrap_or(batch);
            file.write(&batch).map_err(|error| failure(&draft, error))?;
        }
        let (hash, bytes) = file.into_inner().map_err(|error| failure(&draft, error))?.end();
        self.manifest.note(&[(path.clone(), hash, bytes)])?;
        rename(&draft, &path)
    }

    /// Writes one shard with the rows of several that count, and removes them.
    fn join(&self, unit: Vec<Shard>, number: u64) -> Result<Shard> {
        let mut writer =
            ShardWriter::new(&self.folder, &self.manifest, self.tables, &self.settings, number)?;
        let mut joined = Shard::of(number, &[]);
        for shard in &unit {
            let path = file_of(&self.folder, TableKind::Packages, shard.number);
            let known = known_files(&path)?;
            known.iter().for_each(|file| joined.add(&file.path, file.bytes));
            for batch in TableFile::open(&path)?.read(&path)? {
                writer.write(TableKind::Packages, &batch?);
            }
            let wanted: Arc<HashSet<i64>> = Arc::new(known.iter().map(|it| it.id).collect());
            for table in self.tables.iter().filter(|table| *table != TableKind::Packages) {
                let path = file_of(&self.folder, table, shard.number);
                for batch in TableFile::open(&path)?.packages(wanted.clone()).read(&path)? {
                    writer.write(table, &batch?);
                }
            }
        }
        writer.finish()?;
        let numbers: Vec<_> = unit.iter().map(|shard| shard.number).collect();
        numbers.into_iter().try_for_each(|old| remove(&self.folder, &self.manifest, old))?;
        Ok(joined)
    }
}

/// The rows of packages with their times as they are now.
fn with_times(batch: &RecordBatch, times: &HashMap<i64, Option<i64>>) -> Option<RecordBatch> {
    let at = batch.schema().index_of("modified").ok()?;
    let (ids, modified) = (integers(batch, "package_id")?, integers(batch, "modified")?);
    let now = (0..batch.num_rows()).map(|row| match ids(row).and_then(|id| times.get(&id)) {
        Some(time) => *time,
        None => modified(row),
    });
    let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
    columns[at] = Arc::new(now.collect::<Int64Array>());
    RecordBatch::try_new(batch.schema(), columns).ok()
}

fn live(unit: &[Shard]) -> usize {
    unit.iter().map(|shard| shard.packages).sum()
}
