//! Where a body says a name.

use crate::archive::Archived;
use crate::object::Body;
use crate::package::Package;
use crate::primitive::{Name, Visit, Visitor, Way};
use crate::version::UnrealVersions;

/// The fields of a body that say a name.
#[derive(Debug, Clone, Default)]
pub(super) struct Mentions {
    fields: Vec<String>,
}

/// Collects them.
struct Collect<F: Fn(&Name) -> bool> {
    is_wanted: F,
    fields: Vec<String>,
}

impl<F: Fn(&Name) -> bool> Visitor for Collect<F> {
    fn name(&mut self, name: &mut Name, path: &Way) {
        if (self.is_wanted)(name) {
            self.fields.push(path.to_string());
        }
    }
}

impl Mentions {
    /// The mentions of a name with its number.
    pub fn of(body: &Body, name: Name, package: &Package) -> Self {
        Self::matching(body, package, |known| *known == name)
    }

    /// The mentions of a row of the name table.
    pub fn of_row(body: &Body, row: i32, package: &Package) -> Self {
        Self::matching(body, package, |known| known.index.value() == row)
    }

    fn matching(body: &Body, package: &Package, is_wanted: impl Fn(&Name) -> bool) -> Self {
        let mut collect = Collect { is_wanted, fields: Vec::new() };
        let (versions, context) = (package.versions().of_bodies(), package.decoding_context());
        let mut visit = Visit::new(&mut collect, versions, context);
        // Looking fails nowhere that matters: what was met is said.
        let _ = body.clone().serialize(&mut visit);
        Self { fields: collect.fields }
    }

    pub fn count(&self) -> usize {
        self.fields.len()
    }

    pub fn first(&self) -> Option<&str> {
        self.fields.first().map(String::as_str)
    }
}

/// Objects of a package whose values or code say a name: those that a renamed declaration of another package
/// may leave behind. The field that says it stands beside each.
pub fn uses_of_name(package: &Package, name: &str) -> Vec<(String, String)> {
    let Some(row) = package.names().find(name) else { return Vec::new() };
    let Ok(row) = i32::try_from(row) else { return Vec::new() };
    let mut found = Vec::new();
    package.each_body(|at, decoded| {
        let mentions = Mentions::of_row(&decoded.body, row, package);
        if let Some(field) = mentions.first() {
            found.push((package.exports().path(at), field.to_owned()));
        }
    });
    found
}
