//! Objects that stand beside the one that they belong to: a brush's model, the model's polygons.
//!
//! A copy of the one copies these: two brushes that share a model change each other's shape. UnrealEd
//! copies actors as text, and what the engine's sources declare `export` is in it and is made anew when the
//! text is pasted (`var export model Brush`, `export editinline KarmaParamsCollision KParams`).

use std::collections::HashSet;

use crate::archive::{Archived, References};
use crate::edit::Edit;
use crate::error::Result;
use crate::primitive::{NameReferences, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Properties whose objects belong to the one that has them, and of which class these must be; any where it is
/// empty.
const BY_PROPERTY: &[(&str, &str)] = &[
    ("Brush", "Model"),
    ("StaticMeshInstance", "StaticMeshInstance"),
    ("KParams", ""),
    ("Emitters", ""),
];
/// Classes whose own data refers to objects that belong to them, with the classes of these.
const BY_CLASS: &[(&str, &[&str])] = &[
    ("Model", &["Polys", "Vectors", "Points", "BspNodes", "BspSurfs", "Verts"]),
    ("TerrainInfo", &["TerrainSector"]),
];

impl Edit {
    /// Rows that are decoded, with those that belong to them and what lies in these, decoded whole; ascending.
    pub(in crate::edit) fn decoded_with_owned(&mut self, rows: Vec<usize>) -> Result<Vec<usize>> {
        let mut all: HashSet<usize> = rows.iter().copied().collect();
        let mut open = rows;
        while let Some(row) = open.pop() {
            for owned in self.owned_by(row) {
                if all.contains(&owned) {
                    continue;
                }
                for row in self.decoded_with_inner(owned)? {
                    if all.insert(row) {
                        open.push(row);
                    }
                }
            }
        }
        let mut rows: Vec<_> = all.into_iter().collect();
        rows.sort_unstable();
        Ok(rows)
    }

    /// The objects that belong to one that is decoded.
    fn owned_by(&self, row: usize) -> Vec<usize> {
        let Some(decoded) = self.bodies().decoded.get(&row) else { return Vec::new() };
        let versions = self.versions().of_bodies();
        let mut found = Vec::new();
        let mut collect = |objects: References, is_owned: &dyn Fn(&str) -> bool| {
            for index in objects.objects().keys().copied().map(PackageIndex::new) {
                if let ObjectRef::Export(row) = index.target()
                    && let Some(export) = self.tables().exports.get(row)
                    && is_owned(&self.object_name(export.class_index))
                {
                    found.push(row);
                }
            }
        };
        let class = self.class_name_of(row);
        // The component of a brush refers to the model as well, which stays the brush's.
        let lists = decoded.body.lists().filter(|_| !class.ends_with("Component"));
        for property in lists.flat_map(|list| &list.properties) {
            let name = property.name_text(|name| self.name_text(name));
            let known = BY_PROPERTY.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
            let Some((_, wanted)) = known else { continue };
            let mut objects = References::new(versions.clone());
            // Visiting never fails: it neither reads nor writes.
            let _ = property.value().clone().serialize(&mut objects);
            collect(objects, &|of| wanted.is_empty() || wanted.eq_ignore_ascii_case(of));
        }
        if let Some((_, classes)) =
            BY_CLASS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&class))
        {
            let mut objects = References::new(versions);
            let _ = decoded.body.clone().serialize(&mut objects);
            collect(objects, &|of| classes.iter().any(|known| known.eq_ignore_ascii_case(of)));
        }
        found
    }

    /// The bare name of the class of an export.
    pub(in crate::edit) fn class_name_of(&self, row: usize) -> String {
        let class = self.tables().exports.get(row).map(|export| export.class_index);
        class.map(|class| self.object_name(class)).unwrap_or_default()
    }
}
