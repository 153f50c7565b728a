//! Taking former rows out.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use rayon::prelude::*;

use super::super::TableKind;
use super::folder::Depot;
use super::reader::{TableFile, integers};
use super::shard::{Shard, draft_of, file_of, remove, rename};
use super::shard_writer::{ShardWriter, failure, writer};
use super::shards::KnownPlace;
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
        let shards = self.shards.all.iter().enumerate();
        let keep = shards.flat_map(|(at, shard)| (0..shard.files.len()).map(move |row| (at, row)));
        let keep = keep.collect();
        self.settle(&keep, true)
    }

    /// Takes the packages out that do not count any more, and writes shards anew whose other tables hold too much
    /// of former ones, or all of them that hold any; says how many.
    pub(super) fn settle(&mut self, keep: &HashSet<KnownPlace>, all: bool) -> Result<u64> {
        for (at, shard) in self.shards.all.iter_mut().enumerate() {
            let mut row = 0;
            let before = shard.files.len();
            let stale = &mut shard.stale;
            shard.files.retain(|file| {
                let is_kept = keep.contains(&(at, row));
                row += 1;
                if !is_kept {
                    stale.push(file.id);
                }
                is_kept
            });
            if shard.files.len() < before {
                self.touched.insert(shard.number);
            }
        }
        let mut shards = std::mem::take(&mut self.shards.all);
        let is_dead = |shard: &Shard| shard.files.is_empty();
        for shard in shards.extract_if(.., |shard| is_dead(shard)) {
            remove(&self.folder, &self.manifest, shard.number)?;
        }
        // What is still there of a former package must not stand for one that has come back.
        let ids: HashSet<i64> =
            shards.iter().flat_map(|it| &it.files).map(|file| file.id).collect();
        let is_small = |shard: &Shard| {
            let bytes: i64 = shard.files.iter().map(|file| file.bytes).sum();
            shard.files.len() < SMALL && bytes < SMALL_BYTES
        };
        let joins = shards.iter().filter(|shard| is_small(shard)).count() >= MANY;
        let is_stale = |shard: &Shard| {
            let (stale, live) = (shard.stale.len(), shard.files.len());
            stale > 0
                && (all
                    || stale * ONE_OF > stale + live
                    || shard.stale.iter().any(|id| ids.contains(id)))
        };
        let (rewritten, kept): (Vec<_>, Vec<_>) =
            shards.into_iter().partition(|shard| is_stale(shard) || joins && is_small(shard));
        let touched = std::mem::take(&mut self.touched);
        kept.par_iter()
            .filter(|shard| touched.contains(&shard.number))
            .try_for_each(|shard| self.rewrite_packages(shard))?;
        let count = rewritten.len() as u64;
        let mut units: Vec<Vec<Shard>> = Vec::new();
        for shard in rewritten {
            match units.last_mut() {
                Some(unit) if live(unit) + shard.files.len() <= JOINED => unit.push(shard),
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

    /// The file of a shard's packages with those that count, and their times as they are now.
    fn rewrite_packages(&self, shard: &Shard) -> Result<()> {
        let table = TableKind::Packages;
        let (path, draft) = (
            file_of(&self.folder, table, shard.number),
            draft_of(&self.folder, self.manifest.drafts(), table, shard.number),
        );
        self.manifest.check_own(&path)?;
        let mut file = writer(table, &draft, &self.settings, &shard.stale)?;
        self.copy_packages(shard, |batch| {
            file.write(batch).map_err(|error| failure(&draft, error))
        })?;
        let (hash, bytes) = file.into_inner().map_err(|error| failure(&draft, error))?.end();
        self.manifest.note(&[(path.clone(), hash, bytes)])?;
        rename(&draft, &path)
    }

    fn copy_packages(
        &self,
        shard: &Shard,
        mut each: impl FnMut(&RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let path = file_of(&self.folder, TableKind::Packages, shard.number);
        let times: std::collections::HashMap<i64, Option<i64>> =
            shard.files.iter().map(|file| (file.id, file.modified)).collect();
        let wanted = Arc::new(times.keys().copied().collect());
        for batch in TableFile::open(&path)?.packages(wanted).read(&path)? {
            let batch = batch?;
            let schema = batch.schema();
            let at = schema.index_of("modified").ok();
            let ids = integers(&batch, "package_id");
            let (Some(at), Some(ids)) = (at, ids) else { continue };
            let now = (0..batch.num_rows()).map(|row| times.get(&ids(row)?).copied().flatten());
            let mut columns: Vec<ArrayRef> = batch.columns().to_vec();
            columns[at] = Arc::new(now.collect::<Int64Array>());
            if let Ok(batch) = RecordBatch::try_new(schema, columns) {
                each(&batch)?;
            }
        }
        Ok(())
    }

    /// Writes one shard with the rows of several that count, and removes them.
    fn join(&self, unit: Vec<Shard>, number: u64) -> Result<Shard> {
        let mut writer =
            ShardWriter::new(&self.folder, &self.manifest, self.tables, &self.settings, number)?;
        for shard in &unit {
            self.copy_packages(shard, |batch| {
                writer.write(TableKind::Packages, batch);
                Ok(())
            })?;
            let wanted: Arc<HashSet<i64>> = Arc::new(shard.files.iter().map(|it| it.id).collect());
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
        let files = unit.into_iter().flat_map(|shard| shard.files).collect();
        Ok(Shard { number, files, stale: Vec::new() })
    }
}

fn live(unit: &[Shard]) -> usize {
    unit.iter().map(|shard| shard.files.len()).sum()
}
