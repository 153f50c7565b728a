//! References of the header to rows that its tables do not have: a save refuses those that its package was not
//! opened with.

use std::collections::HashSet;

use super::save::SaveOptions;
use super::saving::{Lent, Saving};
use crate::archive::{Archive, Context};
use crate::error::{Error, ErrorKind, Noun, PathStep, Result, noun};
use crate::primitive::{Name, ObjectRef, PackageIndex, Visit, Visitor, Way};
use crate::table::{Section, Tables};

/// A reference to a row that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct MissingRow {
    section: Section,
    /// The row of the section that it stands in.
    row: Option<usize>,
    /// Whether it is a name.
    is_name: bool,
    /// The stored number.
    number: i32,
}

/// How many rows the tables have.
#[derive(Debug, Clone, Copy)]
struct TableSizes {
    names: usize,
    imports: usize,
    exports: usize,
}

impl TableSizes {
    /// Verse cells stand behind the other rows.
    fn of(tables: &Tables) -> Self {
        let (imports, exports) = (&tables.further.cell_imports, &tables.further.cell_exports);
        Self {
            names: tables.names.len(),
            imports: tables.imports.len() + imports.len(),
            exports: tables.exports.len() + exports.len(),
        }
    }

    fn has_name(&self, name: &Name) -> bool {
        usize::try_from(name.index.value()).is_ok_and(|row| row < self.names)
    }

    fn has_object(&self, index: PackageIndex) -> bool {
        match index.target() {
            ObjectRef::Null => true,
            ObjectRef::Import(row) => row < self.imports,
            ObjectRef::Export(row) => row < self.exports,
        }
    }

    /// The error for a row that is not there.
    fn error(&self, missing: MissingRow) -> Error {
        let number = missing.number;
        let (what, name, count): (Noun, i64, usize) = match missing.is_name {
            true => (noun::NAME, number.into(), self.names),
            false if number > 0 => (noun::EXPORT, i64::from(number) - 1, self.exports),
            false => (noun::IMPORT, -1 - i64::from(number), self.imports),
        };
        let hint = format!("; the table has {count}");
        ErrorKind::NotFound { what, name: format!("#{name}"), hint }.into()
    }
}

/// Notes each reference to a row that is not there, with its path where paths are asked for.
struct MissingRowVisitor<'a> {
    sizes: TableSizes,
    section: Section,
    takes_paths: bool,
    note: &'a mut dyn FnMut(MissingRow, &Way),
}

impl MissingRowVisitor<'_> {
    #[cold]
    fn found(&mut self, is_name: bool, number: i32, path: &Way) {
        let row = path.steps().into_iter().find_map(|step| match step {
            PathStep::Index(row) => Some(row),
            _ => None,
        });
        (self.note)(MissingRow { section: self.section, row, is_name, number }, path);
    }
}

impl Visitor for MissingRowVisitor<'_> {
    fn takes_paths(&self) -> bool {
        self.takes_paths
    }

    #[inline]
    fn object(&mut self, index: &mut PackageIndex, path: &Way) {
        if !self.sizes.has_object(*index) {
            self.found(false, index.value(), path);
        }
    }

    #[inline]
    fn name(&mut self, name: &mut Name, path: &Way) {
        if !self.sizes.has_name(name) {
            self.found(true, name.index.value(), path);
        }
    }
}

impl Saving<'_> {
    /// Refuses references of the header to rows that its tables do not have, where the source has no such: a package
    /// that is damaged is saved as it was opened.
    ///
    /// # Errors
    /// `NotFound` with the path of the first one.
    pub(super) fn check_rows(&mut self) -> Result<()> {
        if !self.package.rows_changed {
            return Ok(());
        }
        let mut is_sound = true;
        self.each_missing_row(false, &mut |_, _| is_sound = false);
        if is_sound {
            return Ok(());
        }
        let known = self.missing_rows_of_source();
        let mut first = None;
        self.each_missing_row(true, &mut |missing, path| {
            if first.is_none() && !known.contains(&missing) {
                first = Some((missing, path.steps()));
            }
        });
        let Some((missing, steps)) = first else { return Ok(()) };
        let error = TableSizes::of(&self.package.tables).error(missing);
        Err(steps.into_iter().rev().fold(error, Error::within))
    }

    /// Those that the package was opened with; none for one that is made.
    fn missing_rows_of_source(&self) -> HashSet<MissingRow> {
        let mut known = HashSet::new();
        let options = SaveOptions::new();
        if let Ok(mut opened) = self.package.reopened(self.package.source.clone())
            && let Ok(mut saving) = Saving::new(Lent::Own(&mut opened), &options, None)
        {
            saving.each_missing_row(true, &mut |missing, _| _ = known.insert(missing));
        }
        known
    }

    fn each_missing_row(&mut self, takes_paths: bool, note: &mut dyn FnMut(MissingRow, &Way)) {
        let sizes = TableSizes::of(&self.package.tables);
        for section in self.package.header_sections() {
            let mut visitor = MissingRowVisitor { sizes, section, takes_paths, note: &mut *note };
            let versions = self.package.versions.clone();
            let mut visit = Visit::new(&mut visitor, versions, Context::nothing());
            // Visiting never fails: it neither reads nor writes.
            let _ = self.save_section(section, visit.as_dyn());
        }
    }
}
