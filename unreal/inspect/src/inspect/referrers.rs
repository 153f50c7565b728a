//! Who refers to an object or a name.

use crate::archive::{Archive, Archived, References};
use crate::package::{Package, Section};
use crate::primitive::{NameReferences, PackageIndex};
use crate::version::UnrealVersions;

/// Where something is referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Referrer {
    /// The table, or the body of the export that does.
    pub section: Section,
    /// How often.
    pub count: u64,
}

impl Referrer {
    /// The tables and bodies that refer to an object; bodies as far as they can be decoded.
    pub fn of_object(package: &Package, object: PackageIndex) -> Vec<Self> {
        collect(package, |references| {
            references.objects().get(&object.value()).copied().unwrap_or_default()
        })
    }

    /// The tables and bodies that use a row of the name table; bodies as in [`Referrer::of_object`].
    pub fn of_name(package: &Package, row: usize) -> Vec<Referrer> {
        let row = i32::try_from(row).unwrap_or(-1);
        collect(package, |references| references.names().get(&row).copied().unwrap_or_default())
    }
}

/// Everything that tables and bodies refer to, in one pass; bodies as in [`Referrer::of_object`].
pub fn references(package: &Package) -> References {
    let mut model = package.without_bodies();
    let mut references = References::new(package.versions().clone());
    // Visiting never fails: it neither reads nor writes.
    for place in package.header_places() {
        let _ = model.serialize_section(place.section, references.as_dyn());
    }
    references.set_versions(package.versions().of_bodies());
    package.each_body(|_, decoded| drop(decoded.body.serialize(&mut references)));
    references
}

fn collect(package: &Package, count: impl Fn(&References) -> u64) -> Vec<Referrer> {
    let mut model = package.without_bodies();
    let mut found = Vec::new();
    let mut note = |section: Section, references: &References| {
        let count = count(references);
        if count > 0 {
            found.push(Referrer { section, count });
        }
    };
    for place in package.header_places() {
        let mut references = References::new(package.versions().of_bodies());
        // Visiting never fails: it neither reads nor writes.
        let _ = model.serialize_section(place.section, references.as_dyn());
        note(place.section, &references);
    }
    package.each_body(|row, decoded| {
        let mut references = References::new(package.versions().of_bodies());
        let _ = decoded.body.serialize(&mut references);
        note(Section::Body(row as u32), &references);
    });
    found
}
