//! Materials of meshes: their names and pictures.

use std::path::Path;

use super::animation_set::KnownSkeletons;
use super::shape::{Mesh, MeshMaterial};
use super::source::MeshSource;
use super::surface::MaterialSurface;
use super::surface_picture::SurfacePictures;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::property::{Elements, PropertyList, Value};

/// What finds objects of other packages.
pub trait MeshObjects: std::fmt::Debug {
    /// The package and row that an import of a package means, if they are at hand.
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)>;

    /// The package and row of an object of UE3 that is named by its whole path, which begins with its package, if they are
    /// at hand.
    fn find_path(&self, path: &str) -> Option<(Package, usize)>;

    /// Calls `each` with the packages of one actor each that belong to the level of a package (UE5).
    fn each_actor_package(&self, level: &Package, each: &mut dyn FnMut(&Package)) {
        let _ = (level, each);
    }
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
    add_with(&mut SurfacePictures::default(), mesh, package, materials, options);
}

/// The same with pictures that are made already.
pub(super) fn add_with(
    pictures: &mut SurfacePictures,
    mesh: &mut Mesh,
    package: &Package,
    materials: &[PackageIndex],
    options: &MeshOptions<'_>,
) {
    for (at, material) in materials.iter().enumerate() {
        let name = name_of(package, at, *material);
        let mut made = MeshMaterial { name, ..MeshMaterial::default() };
        let surface = MaterialSurface::of(package, *material, options);
        pictures.add(&mut made, &surface, options);
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

/// The materials in a property of structs with a `Material` each.
pub(super) fn of_property(source: &MeshSource<'_>, name: &str) -> Vec<PackageIndex> {
    if let Some(Value::Array(Elements::Object(all))) = source.value(name) {
        return all.clone();
    }
    let material = |list: Option<&PropertyList>| {
        let list = list?;
        ["Material", "MaterialInterface"].iter().find_map(|name| {
            match super::source::value(source.package, list, name) {
                Some(Value::Object(object)) => Some(*object),
                _ => None,
            }
        })
    };
    source.lists(name).map(|list| material(list).unwrap_or_default()).collect()
}
