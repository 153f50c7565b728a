//! Code as text that can be put back.

use std::collections::{BTreeSet, HashMap};

use crate::error::Result;
use crate::package::{ObjectPath, Package};
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::script::Script;
use crate::script::assembly::{AssemblyNames, assembly};
use crate::version::{UnrealVersions, threshold};

/// The names and objects of a package by their texts: for code as text of any number of its objects.
#[derive(Debug)]
pub struct CodeTexts<'a> {
    package: &'a Package,
    rows: NameTexts,
}

/// The first row of each text of the name table, without regard to case.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct NameTexts {
    rows: HashMap<String, i32>,
    /// How many rows of the table are in it.
    count: usize,
}

impl NameTexts {
    pub fn of(package: &Package) -> Self {
        let mut texts = Self::default();
        texts.add_new(package);
        texts
    }

    /// Takes in the rows that were appended to the table.
    pub fn add_new(&mut self, package: &Package) {
        let names = package.names();
        self.rows.reserve(names.len().saturating_sub(self.count));
        for row in self.count..names.len() {
            let text = names.get(row).map(|text| text.to_ascii_lowercase()).unwrap_or_default();
            self.rows.entry(text).or_insert(row as i32);
        }
        self.count = names.len();
    }

    /// The name of a text: `Light_3` is the row `Light` with a number, where names have numbers and there is such a
    /// row, else a row of the table (spec: ue1-3/01 §1.4).
    pub fn find(&self, text: &str, package: &Package) -> Option<Name> {
        let text = text.to_ascii_lowercase();
        let whole = self.rows.get(&text).map(|row| Name::new(*row));
        let numbered = || {
            let has_numbers = package.versions().file() >= threshold::NAME_NUMBER_ADDED;
            let (base, number) = Name::split(&text).filter(|_| has_numbers)?;
            self.rows.get(base).map(|row| Name { number, ..Name::new(*row) })
        };
        numbered().or(whole)
    }
}

/// The object of this path, if one alone has it.
#[doc(hidden)]
pub fn object_called(package: &Package, path: &str) -> Option<PackageIndex> {
    let wanted = ObjectPath { class: None, path: path.into() };
    match package.objects_at(&wanted)[..] {
        [found] => Some(found),
        _ => None,
    }
}

impl<'a> CodeTexts<'a> {
    /// The names of a package.
    pub fn new(package: &'a Package) -> Self {
        Self { package, rows: NameTexts::of(package) }
    }

    /// The code of a function, state, struct or class, one statement a line, as `Edit::assemble` takes it; `None`
    /// for an object without code. What names and objects are called, and how operands are written, says
    /// `docs/assembly.md`.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn section(&self, row: usize) -> Result<Option<String>> {
        let decoded = self.package.decode(row)?;
        let Some(script) = decoded.body.native.code() else { return Ok(None) };
        let index = PackageIndex::export(row);
        let path = self.package.path(index);
        let is_exact = self.package.find_export(&path).is_ok_and(|found| found == row)
            && !path.contains(char::is_control)
            && path == path.trim();
        let title = if is_exact { path } else { format!("#{row}") };
        let lines = self.lines(script)?;
        Ok(Some(format!("code {title}\n{lines}end\n")))
    }

    /// The statements of code, one a line.
    ///
    /// # Errors
    /// An item that does not follow the grammar; code that was loaded always does.
    pub fn lines(&self, script: &Script) -> Result<String> {
        let (versions, source) = (self.package.versions(), self.package.source());
        assembly(&script.items, versions, source, self, &BTreeSet::new())
    }
}

impl AssemblyNames for CodeTexts<'_> {
    fn name(&self, name: &Name) -> (String, bool) {
        let text = self.package.name_text(*name);
        let is_exact = self.rows.find(&text, self.package) == Some(*name);
        (text, is_exact)
    }

    fn object(&self, index: PackageIndex) -> (String, bool) {
        let path = self.package.path(index);
        let is_exact = !matches!(index.target(), ObjectRef::Null)
            && object_called(self.package, &path) == Some(index);
        (path, is_exact)
    }
}
