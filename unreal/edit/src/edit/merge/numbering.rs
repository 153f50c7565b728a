//! Rows of another package's names, objects and soft paths here.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::archive::{Archived, References, Remap};
use crate::edit::Edit;
use crate::edit::copy::{CopyOptions, Fate, Needed};
use crate::edit::preload::PreloadDependencies;
use crate::error::Result;
use crate::inspect::ReferenceTexts;
use crate::object::Body;
use crate::package::Section;
use crate::primitive::{NameReferences, NameRemap, ObjectRef, PackageIndex, SoftObjectPath};
use crate::table::{Export, Tables};

/// Added to the rows of what is not here, so that they meet none that is.
const BEYOND: i32 = 1 << 29;

/// The numbers that rows of another package have in this one.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    names: BTreeMap<i32, i32>,
    pub objects: BTreeMap<i32, i32>,
    soft: BTreeMap<i32, i32>,
    /// Whether what is not known here keeps a number that nothing else has: for what is only compared.
    is_open: bool,
}

/// The rows that rows of the export table and their bodies use.
#[derive(Debug, Default)]
struct UsedRows {
    names: BTreeSet<i32>,
    objects: BTreeSet<i32>,
    soft: BTreeSet<i32>,
}

impl UsedRows {
    fn of(source: &mut Edit, rows: &[usize], sections: &[Section]) -> Self {
        let mut references = References::new(source.versions().clone());
        if !sections.is_empty() {
            let mut model = source.without_objects();
            for &section in sections {
                // Visiting never fails: it neither reads nor writes.
                let _ = model.serialize_section(section, &mut references);
            }
            for row in 0..source.tables().exports.len() {
                if let Some(mut depends) = source.tables().depends.get(row).cloned() {
                    let _ = depends.serialize(&mut references);
                }
            }
        }
        for &row in rows {
            let Some(mut export) = source.tables().exports.get(row).cloned() else { continue };
            // Visiting never fails: it neither reads nor writes.
            let _ = export.serialize(&mut references);
            if let Some(decoded) = source.decoded_mut(row) {
                let _ = decoded.body.serialize(&mut references);
            }
        }
        let mut objects: BTreeSet<i32> = references.objects().keys().copied().collect();
        for lists in rows.iter().filter_map(|&row| PreloadDependencies::of(source, row)) {
            let all = lists.lists().into_iter().flatten();
            objects.extend(all.map(|index| index.value()));
        }
        Self {
            names: references.names().keys().copied().collect(),
            objects,
            soft: references.rows(&SoftObjectPath::SPACE).keys().copied().collect(),
        }
    }
}

impl Numbering {
    /// For the rows of another package, which are decoded, and for sections of its header; what they need is added
    /// here. `exports` are the objects that are in both.
    pub fn adopting(
        edit: &mut Edit,
        source: &mut Edit,
        rows: &[usize],
        sections: &[Section],
        exports: &HashMap<usize, usize>,
    ) -> Result<Self> {
        let uses = UsedRows::of(source, rows, sections);
        let needed = Needed {
            roots: vec![rows.first().copied().unwrap_or(0)],
            outer: PackageIndex::NULL,
            fates: rows.iter().map(|&row| (row, Fate::Copied)).collect(),
            names: uses.names,
            imports: BTreeSet::new(),
        };
        let mut soft = edit.adopt_soft_paths(source, &needed)?;
        let context = source.context();
        for &row in &uses.soft {
            let path = usize::try_from(row).ok();
            let path = path.and_then(|row| source.soft_object_paths().get(row));
            if let Some(path) = path.filter(|_| !soft.contains_key(&row)) {
                let sub_path_utf8 = path.sub_path_utf8.clone();
                let blank = SoftObjectPath { sub_path_utf8, ..SoftObjectPath::default() };
                let here = edit.soft_path_of(&blank, &path.text(&context))?;
                soft.insert(row, edit.soft_path_row(here)?);
            }
        }
        let names = edit.adopt_names(source, &needed.names)?;
        let mut objects = objects_of(exports);
        let options = CopyOptions::new();
        for index in uses.objects {
            let index = PackageIndex::new(index);
            if let ObjectRef::Import(_) = index.target() {
                let here = match import_here(edit, source, index) {
                    Some(here) => here,
                    None => edit.adopt_import(source, index, &options)?,
                };
                objects.insert(index.value(), here.value());
            }
        }
        Ok(Self { names, objects, soft, is_open: false })
    }

    /// For the rows and sections of another package that are only compared: nothing is added.
    pub fn comparing(
        edit: &mut Edit,
        source: &mut Edit,
        rows: &[usize],
        sections: &[Section],
        exports: &HashMap<usize, usize>,
    ) -> Self {
        let uses = UsedRows::of(source, rows, sections);
        let mut numbering = Self { objects: objects_of(exports), is_open: true, ..Self::default() };
        let none = edit.last_none();
        for index in uses.names {
            let row = usize::try_from(index).ok();
            let known = match row {
                Some(row) if source.is_none_name(row) && none.is_some() => none,
                Some(row) => source.names().get(row).and_then(|text| edit.row_of_name(&text)),
                None => None,
            };
            let known = known.and_then(|row| i32::try_from(row).ok());
            numbering.names.extend(known.map(|known| (index, known)));
        }
        for index in uses.objects {
            let index = PackageIndex::new(index);
            if let ObjectRef::Import(_) = index.target()
                && let Some(here) = import_here(edit, source, index)
            {
                numbering.objects.insert(index.value(), here.value());
            }
        }
        if !uses.soft.is_empty() {
            let (ours, theirs) = (edit.context(), source.context());
            let known = edit.soft_object_paths().iter().zip(0_i32..);
            let known: HashMap<String, i32> =
                known.map(|(path, row)| (path.text(&ours), row)).collect();
            for row in uses.soft {
                let path = usize::try_from(row).ok();
                let path = path.and_then(|row| source.soft_object_paths().get(row));
                let here = path.and_then(|path| known.get(&path.text(&theirs)).copied());
                numbering.soft.extend(here.map(|here| (row, here)));
            }
        }
        numbering
    }

    fn rule(&self, known: &BTreeMap<i32, i32>, index: i32) -> Option<i32> {
        let open = || index.saturating_add(if index < 0 { -BEYOND } else { BEYOND });
        known.get(&index).copied().or_else(|| self.is_open.then(open))
    }

    fn apply(&self, source: &Edit, work: impl FnOnce(&mut Remap<'_>) -> Result<()>) -> Result<()> {
        let name = |index| self.rule(&self.names, index);
        let object = |index| self.rule(&self.objects, index);
        let soft = |row| self.rule(&self.soft, row);
        let mut remap = Remap::names_and_objects(source.versions().clone(), &name, &object)
            .with_rule(&SoftObjectPath::SPACE, &soft)
            .with_context(source.source_context())
            .materializing()
            .refusing_opaque();
        work(&mut remap)
    }

    /// Renumbers a body of the other package and makes it own its bytes.
    pub fn body(&self, source: &Edit, body: &mut Body) -> Result<()> {
        self.apply(source, |remap| body.serialize(remap))
    }

    /// Renumbers a row of the other package's export table.
    pub fn export(&self, source: &Edit, export: &mut Export) -> Result<()> {
        self.apply(source, |remap| export.serialize(remap))
    }

    /// The rows of a section of the other package, with the numbers of ours and owning their bytes.
    pub fn section(&self, source: &Edit, section: Section) -> Result<Tables> {
        let mut model = source.without_objects();
        self.apply(source, |remap| model.serialize_section(section, remap))?;
        Ok(std::mem::take(model.parts_mut().tables))
    }

    /// The object here that stands for one of the other package.
    pub fn object(&self, index: PackageIndex) -> Option<PackageIndex> {
        self.objects.get(&index.value()).map(|&index| PackageIndex::new(index))
    }
}

/// The numbers of the objects that are in both packages.
fn objects_of(exports: &HashMap<usize, usize>) -> BTreeMap<i32, i32> {
    let number = |row: usize| PackageIndex::export(row).value();
    let pairs = exports.iter().map(|(&there, &here)| (number(there), number(here)));
    pairs.chain([(0, 0)]).collect()
}

/// The same import here: at the same row as long as no edit has added one before it, else wherever it is.
fn import_here(edit: &Edit, source: &Edit, index: PackageIndex) -> Option<PackageIndex> {
    let text = source.reference_text(index);
    let is = |other: &PackageIndex| edit.reference_text(*other) == text;
    let ObjectRef::Import(row) = index.target() else { return None };
    let same = Some(index).filter(|_| row < edit.imports().len()).filter(is);
    same.or_else(|| {
        let named = edit.object_index();
        let name = source.object_name(index);
        let found = named.named(&name).iter().copied();
        found.filter(|index| matches!(index.target(), ObjectRef::Import(_))).find(is)
    })
}
