//! Where names and objects from before a removal are now.

use std::collections::HashMap;
use std::sync::Arc;

use super::resources::current_rows;
use crate::archive::{Archived, Context, References, Remap};
use crate::edit::Edit;
use crate::edit::conform::export_titles;
use crate::edit::data_resource::visit;
use crate::edit::remove::{KeptObjects, import_titles};
use crate::error::{Error, Result};
use crate::object::Body;
use crate::primitive::{NameReferences, NameRemap, ObjectRef, PackageIndex};
use crate::property::PackageContext;
use crate::table::{NameEntry, next_row};
use crate::version::UnrealVersions;

/// Where names and objects from before a removal are now; `None` for those that have gone.
pub(super) struct CurrentPlaces {
    names: Vec<Option<i32>>,
    imports: Vec<Option<usize>>,
    exports: Vec<Option<usize>>,
    /// Rows of the table of data resources.
    pub(super) resources: Vec<Option<usize>>,
    /// Class and path of each export of now.
    titles: Vec<String>,
}

impl KeptObjects {
    /// Whether it was removed.
    pub fn is_gone(&self, index: PackageIndex) -> bool {
        matches!(index.target(), ObjectRef::Export(row) if self.rows.binary_search(&row).is_ok())
    }

    /// Whether the row of an export was empty after the removal.
    pub fn is_away(&self, row: usize) -> bool {
        self.rows.binary_search(&row).is_ok() || self.gaps.contains(&row)
    }

    /// The path of an export, in lower case.
    pub fn path(&self, row: usize) -> &str {
        let title = self.exports().get(row).map_or("", String::as_str);
        title.split_once(' ').map_or(title, |(_, path)| path)
    }

    fn name(&self, row: usize) -> Option<String> {
        let entry = self.tables().names.get(row)?;
        Some(entry.text.text(&self.source()).ok()?.into_owned())
    }
}

/// The same title at the place where it is looked for first, else wherever it is.
struct TitleRows<'a> {
    titles: &'a [String],
    rows: HashMap<&'a str, usize>,
}

impl<'a> TitleRows<'a> {
    fn of(titles: &'a [String]) -> Self {
        let rows = titles.iter().enumerate().rev();
        Self { titles, rows: rows.map(|(row, title)| (title.as_str(), row)).collect() }
    }

    fn row(&self, title: &str, first: usize) -> Option<usize> {
        match self.titles.get(first).is_some_and(|known| known == title) {
            true => Some(first),
            false => self.rows.get(title).copied(),
        }
    }
}

impl CurrentPlaces {
    pub fn of(package: &Edit, kept: &KeptObjects) -> Self {
        let titles = export_titles(package);
        let names: Vec<String> = package.names().iter().map(|text| text.into_owned()).collect();
        let known = TitleRows::of(&names);
        let old_names = (0..kept.tables().names.len()).map(|row| {
            let found = kept.name(row).and_then(|text| known.row(&text, row))?;
            i32::try_from(found).ok()
        });
        let imports = import_titles(package);
        let found = TitleRows::of(&imports);
        let old_imports = kept.imports().iter().enumerate();
        let old_imports = old_imports.map(|(row, title)| found.row(title, row)).collect();
        let found = TitleRows::of(&titles);
        let mut before = 0;
        let old_exports = kept.exports().iter().enumerate().map(|(row, title)| {
            if kept.is_away(row) {
                before += 1;
                return None;
            }
            found.row(title, row - before)
        });
        let (names, exports) = (old_names.collect(), old_exports.collect());
        let mut places =
            Self { names, imports: old_imports, exports, resources: Vec::new(), titles };
        let [now, before] =
            [package.tables(), kept.tables()].map(|it| it.further.data_resources.as_ref());
        places.resources = current_rows(now, before, |index| places.object(index));
        places
    }

    /// The path of what comes back that another object has taken.
    pub fn taken(&self, kept: &KeptObjects) -> Option<String> {
        let gone = kept.rows.iter().find(|&&row| {
            // Objects of one title may have stood side by side before.
            let title = &kept.exports()[row];
            let before = kept.exports().iter().filter(|known| *known == title).count();
            let gone = kept.rows.iter().filter(|&&row| kept.exports()[row] == *title).count();
            self.titles.iter().filter(|known| *known == title).count() > before - gone
        });
        gone.map(|&row| kept.path(row).to_owned())
    }

    pub fn export(&self, old: usize) -> Option<usize> {
        self.exports.get(old).copied().flatten()
    }

    pub fn set(&mut self, old: usize, row: usize) {
        if let Some(place) = self.exports.get_mut(old) {
            *place = Some(row);
        }
    }

    /// Whether exports and imports stand as the removal has left them.
    pub fn is_plain(&self, kept: &KeptObjects) -> bool {
        let rest = (0..self.exports.len()).filter(|&row| !kept.is_away(row));
        let imports = self.imports.iter().enumerate();
        rest.enumerate().all(|(row, old)| self.exports[old] == Some(row))
            && imports.clone().all(|(row, found)| *found == Some(row))
            && self.titles.len() == self.exports.len() - kept.rows.len() - kept.gaps.len()
    }

    /// Whether everything has the number that it had before.
    pub fn is_identity(&self, kept: &KeptObjects) -> bool {
        let names = self.names.iter().enumerate();
        let rows = |rows: &[Option<usize>]| {
            rows.iter().enumerate().all(|(row, found)| *found == Some(row))
        };
        names.clone().all(|(row, found)| found.and_then(|it| usize::try_from(it).ok()) == Some(row))
            && rows(&self.imports)
            && rows(&self.exports)
            && rows(&self.resources)
            && self.names.len() == kept.tables().names.len()
    }

    /// Names and imports that what comes back uses, and that have gone since.
    pub fn add_missing(&mut self, package: &mut Edit, kept: &KeptObjects) -> Result<()> {
        let mut used = References::new(package.versions().clone());
        for &row in &kept.rows {
            let _ = kept.tables().exports[row].clone().serialize(&mut used);
        }
        let bodies = kept.bodies.iter().map(|(_, body)| body);
        for body in bodies.chain(kept.changed.iter().map(|(_, before, _)| before)) {
            let _ = body.body.clone().serialize(&mut used);
        }
        let mut missing: Vec<usize> = Vec::new();
        let mut open: Vec<_> = used.objects().keys().copied().map(PackageIndex::new).collect();
        while let Some(index) = open.pop() {
            if let ObjectRef::Import(row) = index.target()
                && self.imports.get(row) == Some(&None)
                && !missing.contains(&row)
                && let Some(import) = kept.tables().imports.get(row)
            {
                missing.push(row);
                open.push(import.outer_index);
                let _ = import.clone().serialize(&mut used);
            }
        }
        for &row in used.names().keys() {
            let Ok(row) = usize::try_from(row) else { continue };
            if self.names.get(row) == Some(&None)
                && let Some(entry) = kept.tables().names.get(row)
            {
                self.names[row] = Some(package.return_name(entry, kept)?);
            }
        }
        missing.sort_unstable();
        let first = package.tables().imports.len();
        for (at, &row) in missing.iter().enumerate() {
            next_row(first + at)?;
            self.imports[row] = Some(first + at);
        }
        for &row in &missing {
            let mut import = kept.tables().imports[row];
            let (by_name, by_object) = self.rules();
            let versions = package.versions().clone();
            import.serialize(&mut Remap::names_and_objects(versions, &by_name, &by_object))?;
            package.return_import(import)?;
        }
        package.sync_counts()
    }

    /// Rows were put between the others.
    pub fn follow(&mut self, rows: &[Option<usize>]) {
        let moved: HashMap<usize, usize> =
            rows.iter().enumerate().filter_map(|(new, old)| Some(((*old)?, new))).collect();
        for place in &mut self.exports {
            *place = place.and_then(|old| moved.get(&old).copied());
        }
    }

    /// An object's number now; null for one that has gone.
    pub fn object(&self, old: PackageIndex) -> PackageIndex {
        match old.target() {
            ObjectRef::Null => PackageIndex::NULL,
            ObjectRef::Import(row) => {
                let row = self.imports.get(row).copied().flatten();
                row.map(PackageIndex::import).unwrap_or_default()
            }
            ObjectRef::Export(row) => {
                self.export(row).map(PackageIndex::export).unwrap_or_default()
            }
        }
    }

    /// The rules for names and objects.
    pub fn rules(&self) -> (impl Fn(i32) -> Option<i32> + '_, impl Fn(i32) -> Option<i32> + '_) {
        let name = |old: i32| *self.names.get(usize::try_from(old).ok()?)?;
        let object = |old: i32| {
            let new = self.object(PackageIndex::new(old));
            (old == 0 || !new.is_null()).then_some(new.value())
        };
        (name, object)
    }

    /// Where spans lie that were kept.
    pub fn context(&self, kept: &KeptObjects) -> Arc<Context> {
        Arc::new(Context::new(kept.source(), Vec::new()))
    }

    /// A body from before with the numbers of now.
    ///
    /// # Errors
    /// `NotMapped` where it refers to something that has gone, `Invalid` for a data resource that has.
    pub fn moved(&self, package: &Edit, kept: &KeptObjects, body: &Body) -> Result<Body> {
        let (by_name, by_object) = self.rules();
        let versions = package.versions().of_bodies();
        let mut remap = Remap::names_and_objects(versions, &by_name, &by_object)
            .materializing()
            .with_context(self.context(kept));
        let mut body = body.clone();
        body.serialize(&mut remap)?;
        if self.resources.is_empty() {
            return Ok(body);
        }
        let mut missing = None;
        visit(&mut body, package.versions(), &mut |row| {
            let Ok(old) = usize::try_from(row) else { return row };
            let new = self.resources.get(old).copied().flatten();
            new.and_then(|row| i32::try_from(row).ok()).unwrap_or_else(|| {
                missing = Some(row);
                row
            })
        });
        match missing {
            Some(row) => Err(Error::invalid(format!("data resource {row} has gone"))),
            None => Ok(body),
        }
    }
}

impl Edit {
    /// A name from before comes back, at the end of the table.
    fn return_name(&mut self, entry: &NameEntry, kept: &KeptObjects) -> Result<i32> {
        let mut entry = entry.clone();
        entry.text.materialize(&kept.source())?;
        Ok(self.push_name(entry)?.index.value())
    }

    /// An import from before comes back, at the end of the table.
    fn return_import(&mut self, import: crate::table::Import) -> Result<()> {
        self.push_import(import)?;
        if self.tables().further.asset_dependencies.is_some()
            && let Some(dependencies) = &mut self.further_mut().asset_dependencies
        {
            dependencies.import_used_in_game.push(true);
        }
        Ok(())
    }
}
