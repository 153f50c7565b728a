//! Materials of meshes: their names, and the picture of their base colour.

use std::collections::HashSet;
use std::path::Path;

use super::animation_set::KnownSkeletons;
use super::shape::{Mesh, MeshMaterial};
use super::source::{MeshSource, is_true, value};
use crate::content::{ContentKind, PackageContents};
use crate::package::{Package, redirector_target};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Elements, PropertyList, Value};

/// Objects looked at from a material to its picture.
const DEEPEST: usize = 32;

/// Where the properties of materials lead to the picture of their base colour, best first: UE2's shaders and modifiers,
/// inputs of UE3 and later, parameters of instances, the material that an instance is made from.
const WAYS: &[&str] = &[
    "Diffuse",
    "DiffuseMap",
    "BaseColor",
    "DiffuseColor",
    "EmissiveColor",
    "Material",
    "Material1",
    "FallbackMaterial",
    "TextureParameterValues",
    "EditorOnlyData",
    "Expression",
    "Texture",
    "A",
    "B",
    "Input",
    "Base",
    "Parent",
    "ReferencedTextures",
    "Expressions",
];

/// What finds objects of other packages.
pub trait MeshObjects: std::fmt::Debug {
    /// The package and row that an import of a package means, if they are at hand.
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)>;

    /// The package and row of an object of UE3 that is named by its whole path, which begins with its package, if they are
    /// at hand.
    fn find_path(&self, path: &str) -> Option<(Package, usize)>;
}

/// What of a mesh is read, and how pictures are looked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct MeshOptions<'a> {
    /// Which levels of detail.
    pub lods: MeshLods,
    /// Folders with companion files.
    pub folders: &'a [&'a Path],
    /// What finds objects of other packages.
    pub objects: Option<&'a dyn MeshObjects>,
    /// What is known of the skeletons of animations of UE3, for those who read many.
    pub known: Option<&'a KnownSkeletons>,
    /// Animations of UE3 and UE4 as they are packed, which is what a game plays, also where the keys that were imported are
    /// there.
    pub played: bool,
    /// Also the simple shapes that things collide with, where a mesh has them.
    pub collision: bool,
}

/// Levels of detail that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeshLods {
    /// The finest.
    #[default]
    Finest,
    /// The one with this number, 0 the finest.
    One(usize),
    /// All of them, each a node of its own.
    All,
}

/// Gives a mesh its materials, and those the pictures that resolve.
pub(super) fn add(
    mesh: &mut Mesh,
    package: &Package,
    materials: &[PackageIndex],
    options: &MeshOptions<'_>,
) {
    for (at, material) in materials.iter().enumerate() {
        let name = name_of(package, at, *material);
        let mut made = MeshMaterial { name, ..MeshMaterial::default() };
        let mut search = PictureSearch { options, seen: HashSet::new(), looked: 0 };
        if let Some(png) = search.picture(package, *material, &mut made) {
            made.picture = Some(png);
        }
        mesh.materials.push(made);
    }
}

/// Gives a mesh its materials without pictures.
pub(super) fn add_names(
    mesh: &mut Mesh,
    package: &Package,
    materials: &[PackageIndex],
    _: &MeshOptions<'_>,
) {
    let name = |(at, material): (usize, &PackageIndex)| MeshMaterial {
        name: name_of(package, at, *material),
        ..MeshMaterial::default()
    };
    mesh.materials = materials.iter().enumerate().map(name).collect();
}

/// What a material is called in files.
pub(super) fn name_of(package: &Package, at: usize, material: PackageIndex) -> String {
    match material.is_null() {
        true => format!("Material {at}"),
        false => package.path(material),
    }
}

struct PictureSearch<'a> {
    options: &'a MeshOptions<'a>,
    seen: HashSet<(u64, usize)>,
    looked: usize,
}

impl PictureSearch<'_> {
    fn picture(
        &mut self,
        package: &Package,
        object: PackageIndex,
        made: &mut MeshMaterial,
    ) -> Option<Vec<u8>> {
        self.looked += 1;
        if self.looked > DEEPEST {
            return None;
        }
        let row = match object.target() {
            ObjectRef::Export(row) if row < package.exports().len() => row,
            ObjectRef::Import(_) => {
                let (other, row) = self.options.objects?.find(package, object)?;
                return self.picture(&other, PackageIndex::export(row), made);
            }
            _ => return None,
        };
        if !self.seen.insert((package.source().as_ptr() as u64, row)) {
            return None;
        }
        let contents = package.contents();
        if contents.content_kind(row).ok()? == Some(ContentKind::Texture) {
            let image = contents.texture_image_beside(row, self.options.folders).ok()?;
            return image.to_png().ok();
        }
        let decoded = package.decode(row).ok()?;
        if let Some(target) = redirector_target(&decoded.body) {
            return self.picture(package, target, made);
        }
        let list = decoded.body.lists().next()?;
        made.two_sided |= value(package, list, "TwoSided").is_some_and(is_true);
        made.masked |= value(package, list, "BlendMode").is_some_and(|value| match value {
            Value::Name(name) => package.name_text(*name).ends_with("_Masked"),
            Value::Byte(number) => *number == 1,
            _ => false,
        });
        let next = ways(package, list);
        next.into_iter().find_map(|next| self.picture(package, next, made))
    }
}

/// Objects that a material leads to, the likeliest first.
fn ways(package: &Package, list: &PropertyList) -> Vec<PackageIndex> {
    let mut found = Vec::new();
    for way in WAYS {
        let Some(value) = value(package, list, way) else { continue };
        let mut here = Vec::new();
        objects(package, value, &mut here, 4);
        // The parameter of an instance that is called so.
        here.sort_by_key(|(name, _)| !is_base(name));
        found.extend(here.into_iter().map(|(_, object)| object));
    }
    found
}

/// Whether a parameter is called as those of base colours are.
fn is_base(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["diff", "base", "albedo", "color"].iter().any(|part| name.contains(part))
}

/// The objects of a value, with the name that stands beside each.
fn objects(package: &Package, value: &Value, found: &mut Vec<(String, PackageIndex)>, depth: u32) {
    if depth == 0 {
        return;
    }
    let mut elements = |elements: &Elements| match elements {
        Elements::Object(all) => found.extend(all.iter().map(|it| (String::new(), *it))),
        Elements::Values(all) => {
            for value in all {
                objects(package, value, found, depth - 1);
            }
        }
        _ => {}
    };
    match value {
        Value::Object(object) => found.push((String::new(), *object)),
        Value::Array(all) => elements(all),
        Value::StructArray(all) => elements(&all.elements),
        Value::Fields(all) => {
            for value in all {
                objects(package, value, found, depth - 1);
            }
        }
        Value::List(list) => {
            let start = found.len();
            for property in &list.properties {
                objects(package, property.value(), found, depth - 1);
            }
            let name = self::value(package, list, "ParameterName").and_then(|value| match value {
                Value::Name(name) => Some(package.name_text(*name)),
                _ => None,
            });
            if let Some(name) = name {
                found[start..].iter_mut().for_each(|(known, _)| known.clone_from(&name));
            }
        }
        _ => {}
    }
}

/// The materials in a property of structs with a `Material` each.
pub(super) fn of_property(source: &MeshSource<'_>, name: &str) -> Vec<PackageIndex> {
    if let Some(Value::Array(Elements::Object(all))) = source.value(name) {
        return all.clone();
    }
    let material = |list: Option<&PropertyList>| {
        let list = list?;
        ["Material", "MaterialInterface"].iter().find_map(|name| {
            match self::value(source.package, list, name) {
                Some(Value::Object(object)) => Some(*object),
                _ => None,
            }
        })
    };
    source.lists(name).map(|list| material(list).unwrap_or_default()).collect()
}
