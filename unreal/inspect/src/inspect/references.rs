//! Where an object is referred to: by number, and softly by its path.

use std::collections::HashSet;

use super::own_path::package_path;
use crate::archive::Context;
use crate::package::{Package, Section};
use crate::primitive::{Name, NameContext, ObjectRef, PackageIndex, SoftObjectPath, Visitor, Way};
use crate::version::UnrealVersions;

/// One place that refers to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReferencePlace {
    /// The table, or the body of the export that does.
    pub section: Section,
    /// Its path: `RootComponent`, `exports[3].outer_index`.
    pub place: String,
    /// Whether it refers by path, so that the object need not be loaded.
    pub soft: bool,
}

/// Collects references to one object.
struct Finder<'a> {
    target: PackageIndex,
    /// The path as [`plain`] writes it; empty where it is not known.
    path: String,
    /// Rows of the list of soft paths that mean it.
    rows: HashSet<i32>,
    context: &'a Context,
    section: Section,
    found: Vec<ReferencePlace>,
}

/// One form for the paths of soft references and of imports.
#[doc(hidden)]
pub fn plain(path: &str) -> String {
    path.replace(':', ".").to_ascii_lowercase()
}

impl ReferencePlace {
    /// Every place that refers to an object: in tables, and in bodies as far as they can be decoded. Of UE4 and UE5 also what refers to it softly, by its path, where the path
    /// of the package is known ([`package_path`](crate::inspect::package_path)).
    pub fn to(package: &Package, object: PackageIndex) -> Vec<Self> {
        Self::search(package, object).0
    }

    /// The same, and the rows of the bodies that are not decoded whole and may refer to it as well.
    pub fn search(package: &Package, object: PackageIndex) -> (Vec<Self>, Vec<usize>) {
        let context = package.decoding_context();
        let path = match (object.target(), package_path(package)) {
            _ if !package.versions().has_soft_references() => String::new(),
            (ObjectRef::Import(_), _) => plain(&package.path(object)),
            (ObjectRef::Export(_), Some(own)) => plain(&format!("{own}.{}", package.path(object))),
            _ => String::new(),
        };
        let rows = package.soft_object_paths().iter().zip(0..);
        let rows = rows.filter(|(row, _)| !path.is_empty() && plain(&row.text(&context)) == path);
        let mut finder = Finder {
            target: object,
            rows: rows.map(|(_, row)| row).collect(),
            path,
            context: &context,
            section: Section::Summary,
            found: Vec::new(),
        };
        let mut enter = |finder: &mut Finder<'_>, section| finder.section = section;
        package.without_bodies().visit_header(&mut finder, &context, None, &mut enter);
        let mut unseen = Vec::new();
        package.each_body(|row, decoded| {
            finder.section = Section::Body(row as u32);
            package.show_body(&mut decoded.body, &context, &mut finder);
            unseen.extend((!decoded.is_complete()).then_some(row));
        });
        (finder.found, unseen)
    }
}

impl Finder<'_> {
    fn note(&mut self, way: &Way, soft: bool) {
        let place = way.to_string();
        self.found.push(ReferencePlace { section: self.section, place, soft });
    }
}

impl Visitor for Finder<'_> {
    fn object(&mut self, index: &mut PackageIndex, way: &Way) {
        if *index == self.target {
            self.note(way, false);
        }
    }

    fn name(&mut self, name: &mut Name, way: &Way) {
        let packages = [Section::SoftPackageReferences, Section::AssetDependencies];
        if packages.contains(&self.section)
            && !self.path.is_empty()
            && self.context.name_text(name).is_some_and(|text| plain(&text) == self.path)
        {
            self.note(way, true);
        }
    }

    fn soft_path(&mut self, path: &mut SoftObjectPath, way: &Way) {
        if !self.path.is_empty() && plain(&path.text(self.context)) == self.path {
            self.note(way, true);
        }
    }

    fn soft_row(&mut self, row: &mut i32, way: &Way) {
        if self.rows.contains(row) {
            self.note(way, true);
        }
    }
}
