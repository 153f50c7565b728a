//! The rows of packages: one function makes them for the command, for Python and for every engine.

use arrow_array::RecordBatch;

use super::body_rows::{BodyRows, Learned};
use super::origin::Origins;
use super::package_rows::ScannedFile;
use super::row_buffer::{Cell, RowBuffer};
use super::saved_by::SaveOrigin;
use super::title::title;
use super::{FileHashes, TableKind, TableSet};
use crate::archive::hex;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::primitive::split_soft_path;
use crate::version::UnrealVersions;

/// Makes the rows of packages and hands them out in batches.
pub struct PackageRows {
    tables: TableSet,
    buffers: [RowBuffer; TableKind::ALL.len()],
    full: Vec<(TableKind, RecordBatch)>,
    each: Option<BatchSink>,
    reads_bodies: bool,
    hashes: FileHashes,
    /// A folder, and what errors call it.
    shown: Option<(String, String)>,
}

type BatchSink = Box<dyn FnMut(TableKind, RecordBatch) + Send>;

impl std::fmt::Debug for PackageRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackageRows")
            .field("tables", &self.tables)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl PackageRows {
    /// PackageRows of these tables, all of which [`PackageRows::finish`] hands out.
    pub fn new(tables: TableSet) -> Self {
        let buffers = TableKind::ALL.map(RowBuffer::new);
        let hashes = FileHashes::default();
        Self {
            tables,
            buffers,
            full: Vec::new(),
            each: None,
            reads_bodies: true,
            hashes,
            shown: None,
        }
    }

    /// Decodes no body: for columns that are not made of them ([`TableKind::needs_bodies`]). Rows of packages say
    /// nothing of bodies then.
    #[must_use]
    pub fn without_bodies(mut self) -> Self {
        self.reads_bodies = false;
        self
    }

    /// Makes these hashes of files as well.
    #[must_use]
    pub fn hashing(mut self, hashes: FileHashes) -> Self {
        self.hashes = hashes;
        self
    }

    /// Calls the folder `from` by another name in errors: for copies of files that lie elsewhere.
    #[must_use]
    pub fn showing_as(mut self, from: String, to: String) -> Self {
        self.shown = Some((from, to));
        self
    }

    /// The same; batches that are full go to `each` at once, so that memory does not grow with their number.
    pub fn handing_on(
        tables: TableSet,
        each: impl FnMut(TableKind, RecordBatch) + Send + 'static,
    ) -> Self {
        Self { each: Some(Box::new(each)), ..Self::new(tables) }
    }

    /// The tables that are wanted.
    pub fn tables(&self) -> TableSet {
        self.tables
    }

    /// Bytes in memory, about, without those of full batches.
    pub fn bytes(&self) -> usize {
        self.buffers.iter().map(RowBuffer::bytes).sum()
    }

    /// Everything that is left, table by table.
    pub fn finish(&mut self) -> Vec<(TableKind, RecordBatch)> {
        let mut left = std::mem::take(&mut self.full);
        for (table, buffer) in TableKind::ALL.into_iter().zip(&mut self.buffers) {
            left.extend(buffer.take().map(|batch| (table, batch)));
        }
        left.sort_by_key(|(table, _)| *table);
        left
    }

    pub(super) fn push(&mut self, table: TableKind, cells: &[Cell<'_>]) {
        if !self.tables.contains(table) {
            return;
        }
        let buffer = &mut self.buffers[table as usize];
        buffer.push(cells);
        if !buffer.is_full() {
            return;
        }
        let Some(batch) = buffer.take() else { return };
        match &mut self.each {
            Some(each) => each(table, batch),
            None => self.full.push((table, batch)),
        }
    }

    /// The rows of an open package.
    pub fn add_package(&mut self, file: &ScannedFile, package: &Package) {
        let id = file.id();
        let mut origins = Origins::new(package, &file.mount_path);
        let learned = match self.reads_bodies {
            true => BodyRows { package, id, rows: self, origins: &mut origins }.add(),
            false => Learned::none(package),
        };
        if self.tables.contains(TableKind::Names) {
            self.add_names(id, package);
        }
        if self.tables.contains(TableKind::Imports) {
            self.add_imports(id, package, &mut origins);
        }
        if self.tables.contains(TableKind::Exports) {
            self.add_exports(id, package, &learned);
        }
        if self.tables.contains(TableKind::Refs) {
            self.add_header_refs(id, package);
        }
        if self.tables.contains(TableKind::Tags) {
            self.add_tags(id, package);
        }
        // Last: whatever ends this before has no row that says it was opened.
        self.add_package_row(file, package, &learned);
    }

    /// The row of a file that can't be opened, and the finding that says so.
    pub fn add_failure(&mut self, file: &ScannedFile, is_unsupported: bool, reason: &str) {
        let (status, rule, severity) = match is_unsupported {
            true => ("unsupported", "unsupported", "warning"),
            false => ("failed", "unreadable", "error"),
        };
        let reason = match &self.shown {
            Some((from, to)) => &shown_as(reason, from, to),
            None => reason,
        };
        let cells = [
            Cell::Integer(file.id()),
            Cell::Text(&file.path),
            Cell::Text(&file.relative_path),
            Cell::Text(&file.mount_path),
            Cell::count(file.bytes),
            file.modified.map_or(Cell::Null, Cell::Integer),
            Cell::maybe(file.blake3.as_deref()),
        ];
        let nothing = [Cell::Null; 18];
        let end = [Cell::Text(status), Cell::Text(reason)];
        let unknown = [Cell::Null; 7];
        self.push(TableKind::Packages, &[&cells[..], &nothing, &end, &unknown].concat());
        let cells = [
            Cell::Integer(file.id()),
            Cell::Text(rule),
            Cell::Text(severity),
            Cell::Null,
            Cell::Text(reason),
        ];
        self.push(TableKind::Findings, &cells);
    }

    fn add_package_row(&mut self, file: &ScannedFile, package: &Package, learned: &Learned) {
        let (versions, summary) = (package.versions(), package.summary());
        let engine = format!("UE{}", versions.engine() as u8 + 1);
        let guid = package.guid();
        let guid = (!guid.is_zero()).then(|| guid.to_string());
        let hash = summary.saved_hash;
        let hash = hash.iter().any(|byte| *byte != 0).then(|| hex(&hash));
        let coverage = &learned.coverage;
        let [sha1, md5] = self.hashes.of(package);
        let origin = SaveOrigin::of(package);
        let cells = [
            Cell::Integer(file.id()),
            Cell::Text(&file.path),
            Cell::Text(&file.relative_path),
            Cell::Text(&file.mount_path),
            Cell::count(file.bytes),
            file.modified.map_or(Cell::Null, Cell::Integer),
            Cell::maybe(file.blake3.as_deref()),
            Cell::Text(&engine),
            Cell::count(versions.file().into()),
            Cell::count(versions.licensee().into()),
            Cell::count(versions.ue4().into()),
            Cell::count(versions.ue5().into()),
            Cell::Text(versions.game().slug()),
            Cell::count(summary.package_flags.0.into()),
            Cell::maybe(guid.as_deref()),
            Cell::maybe(hash.as_deref()),
            Cell::count(summary.generations.len() as u64),
            Cell::count(package.source().len() as u64),
            Cell::count(coverage.typed),
            Cell::count(coverage.payload),
            Cell::count(coverage.opaque),
            Cell::count(coverage.gap),
            Cell::count(learned.sizes.total),
            Cell::count(learned.sizes.tables),
            Cell::count(learned.sizes.unknown),
            Cell::Text("opened"),
            Cell::Null,
            Cell::maybe(origin.release.as_deref()),
            Cell::maybe(origin.by),
            Cell::maybe(origin.engine_version.as_deref()),
            origin.changelist.map_or(Cell::Null, |number| Cell::count(number.into())),
            Cell::maybe(title(package)),
            Cell::maybe(sha1.as_deref()),
            Cell::maybe(md5.as_deref()),
        ];
        self.push(TableKind::Packages, &cells);
    }

    fn add_tags(&mut self, id: i64, package: &Package) {
        let source = package.source();
        let registry = package.tables().further.asset_registry.iter();
        for asset in registry.flat_map(|registry| &registry.assets) {
            let path = asset.object_path.text(source).unwrap_or_default();
            let class = asset.object_class_name.text(source).unwrap_or_default();
            for tag in &asset.tags {
                let key = tag.key.text(source).unwrap_or_default();
                let value = tag.value.text(source).unwrap_or_default();
                let cells = [
                    Cell::Integer(id),
                    Cell::Text(&path),
                    Cell::Text(&class),
                    Cell::Text(&key),
                    Cell::Text(&value),
                ];
                self.push(TableKind::Tags, &cells);
            }
        }
    }

    fn add_names(&mut self, id: i64, package: &Package) {
        let has_flags = package.versions().has_name_flags();
        for (row, entry) in package.names().entries().iter().enumerate() {
            let text = package.names().get(row).unwrap_or_default();
            let flags = if has_flags { Cell::count(entry.flags.0) } else { Cell::Null };
            let cells = [Cell::Integer(id), Cell::Integer(row as i64), Cell::Text(&text), flags];
            self.push(TableKind::Names, &cells);
        }
    }

    fn add_imports(&mut self, id: i64, package: &Package, origins: &mut Origins<'_>) {
        for import in package.imports().iter() {
            let class = import.class();
            let of = origins.package_of(import.index());
            let optional = import.entry().import_optional.is_true();
            let cells = [
                Cell::Integer(id),
                Cell::Integer(import.row() as i64),
                Cell::Text(origins.full_path(import.index())),
                Cell::Text(&class),
                Cell::Boolean(optional),
                Cell::Text(&of),
            ];
            self.push(TableKind::Imports, &cells);
        }
    }

    fn add_exports(&mut self, id: i64, package: &Package, learned: &Learned) {
        let path = |index: PackageIndex| (!index.is_null()).then(|| package.path(index));
        for export in package.exports().iter() {
            let (row, entry) = (export.row(), export.entry());
            let bulk = &learned.bulk[row];
            let (own, class) = (export.path(), export.class());
            let [derived, outer, archetype] =
                [entry.super_index, entry.outer_index, entry.archetype()].map(path);
            let cells = [
                Cell::Integer(id),
                Cell::Integer(row as i64),
                Cell::Text(&own),
                Cell::Text(&class),
                Cell::maybe(derived.as_deref()),
                Cell::maybe(outer.as_deref()),
                Cell::maybe(archetype.as_deref()),
                Cell::count(export.flags().0),
                Cell::count(export.size()),
                Cell::count(export.offset()),
                Cell::maybe(learned.hashes[row].as_deref()),
                Cell::count(export.size().saturating_add(bulk.outside())),
                Cell::count(bulk.inline),
                Cell::count(bulk.package),
                Cell::count(bulk.trailer),
                Cell::count(bulk.ubulk),
                Cell::count(bulk.uptnl),
                Cell::count(bulk.upayload),
                Cell::count(bulk.tfc),
            ];
            self.push(TableKind::Exports, &cells);
        }
    }

    /// Soft paths that the header lists.
    fn add_header_refs(&mut self, id: i64, package: &Package) {
        let further = &package.tables().further;
        let mut add = |place: String, path: &str| {
            if path.is_empty() {
                return;
            }
            let cells = [
                Cell::Integer(id),
                Cell::Null,
                Cell::Null,
                Cell::Text(&place),
                Cell::Text("soft"),
                Cell::Text(path),
                Cell::Text(split_soft_path(path).0),
            ];
            self.push(TableKind::Refs, &cells);
        };
        for (row, reference) in further.soft_package_references.iter().enumerate() {
            let path = reference.path.text(package.source()).unwrap_or_default();
            let path = match path.is_empty() {
                true => package.name_text(reference.name),
                false => path.into_owned(),
            };
            add(format!("soft_package_references[{row}]"), &path);
        }
        if further.soft_object_paths.is_empty() {
            return;
        }
        let context = package.decoding_context();
        for (row, path) in further.soft_object_paths.iter().enumerate() {
            add(format!("soft_object_paths[{row}]"), &path.text(&context));
        }
    }
}

/// What is shown of a text that names files of one folder, where they are copies of those of another.
fn shown_as(text: &str, from: &str, to: &str) -> String {
    text.replace(from, to)
}
