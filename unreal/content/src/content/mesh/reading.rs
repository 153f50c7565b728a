//! Objects as meshes, whichever engine made them.

use super::material::{self, MeshLods, MeshOptions};
use super::shape::{INFLUENCES, Lod, Mesh};
use super::source::{MeshSource, class_name};
use super::{
    bsp, classic_animation, classic_skeletal, classic_socket, collision, landscape, socket,
    terrain, ue2_static, ue3_skeletal, ue3_static, ue4_skeletal, ue4_static, vertex,
};
use crate::error::{Error, Result};
use crate::object::ue3::asset::fractured_mesh::FracturedStaticMesh;
use crate::object::{Body, Native, ue1, ue2, ue3, ue4};
use crate::package::{Package, native_as};
use crate::primitive::PackageIndex;

/// Those of landscapes among them.
const LANDSCAPES: &[&str] = &["Landscape", "LandscapeStreamingProxy"];

/// A mesh whose materials `add_materials` makes.
pub(super) fn read(
    package: &Package,
    row: usize,
    options: &MeshOptions<'_>,
    add_materials: impl FnOnce(&mut Mesh, &Package, &[PackageIndex], &MeshOptions<'_>),
) -> Result<Mesh> {
    let decoded = package.decode(row)?;
    let body = &decoded.body;
    if matches!(body.native, Native::Opaque(_)) {
        return Err(Error::invalid("it is not decoded"));
    }
    let source = MeshSource::of(package, row, body);
    let (mut mesh, materials) = of_body(&source, body)?;
    let count = mesh.lods.len();
    match options.lods {
        MeshLods::All => {}
        MeshLods::Finest => mesh.lods.truncate(1),
        MeshLods::One(level) if level < count => mesh.lods = vec![mesh.lods.swap_remove(level)],
        MeshLods::One(level) => {
            return Err(Error::invalid(format!(
                "it has {count} levels of detail, none is {level}"
            )));
        }
    }
    let used = mesh.lods.iter().flat_map(|lod| &lod.sections).map(|section| section.material);
    let used = used.filter(|material| *material <= usize::from(u16::MAX)).max();
    let mut materials = materials;
    materials.resize(used.map_or(0, |most| most + 1).max(materials.len()), Default::default());
    add_materials(&mut mesh, package, &materials, options);
    socket::add(&source, &mut mesh, options);
    classic_socket::add(&source, &mut mesh);
    collision::add(&source, &mut mesh, options);
    mesh.settle_places()?;
    for lod in &mut mesh.lods {
        lod.settle(mesh.bones.len())?;
    }
    let sum = |of: fn(&Lod) -> usize| mesh.lods.iter().map(of).sum::<usize>();
    let (bones, broken) = (sum(|lod| lod.further_influences), sum(|lod| lod.broken_uvs));
    if bones > 0 {
        mesh.notes.push(format!(
            "{bones} weights of bones beyond the {INFLUENCES} strongest of a vertex are left out"
        ));
    }
    if broken > 0 {
        mesh.notes.push(format!("{broken} texture coordinates are no numbers: they became 0"));
    }
    Ok(mesh)
}

/// What the body of an object is as a mesh, with its materials.
pub(super) fn of_body(source: &MeshSource<'_>, body: &Body) -> Result<(Mesh, Vec<PackageIndex>)> {
    if let Some(stored) = native_as::<ue1::LodMesh>(body) {
        return Ok((vertex::lod_mesh(source, stored)?, stored.mesh.textures.clone()));
    }
    if let Some(stored) = native_as::<ue1::Mesh>(body) {
        return Ok((vertex::mesh(source, stored)?, stored.textures.clone()));
    }
    if let Some(stored) = native_as::<ue1::SkeletalMesh>(body) {
        let base = &stored.lod_mesh;
        let texture = |it: &ue1::MeshMaterial| {
            let at = usize::try_from(it.texture_index).ok();
            at.and_then(|at| base.mesh.textures.get(at)).copied().unwrap_or_default()
        };
        let textures = base.materials.iter().map(texture).collect();
        return Ok((classic_skeletal::ue1(source, stored)?, textures));
    }
    if let Some(stored) = native_as::<ue2::SkeletalMesh>(body) {
        let mut mesh = classic_skeletal::ue2(source, stored)?;
        classic_animation::add(source, &mut mesh, stored.animation)?;
        return Ok((mesh, stored.base.materials.clone()));
    }
    if let Some(stored) = native_as::<ue2::VertMesh>(body) {
        return Ok((vertex::vert_mesh(source, stored)?, stored.base.materials.clone()));
    }
    if let Some(stored) = native_as::<ue2::StaticMesh>(body) {
        return Ok((ue2_static::mesh(source, stored)?, material::of_property(source, "Materials")));
    }
    let ue3_static = native_as::<ue3::asset::static_mesh::StaticMesh>(body);
    if let Some(stored) =
        ue3_static.or_else(|| native_as::<FracturedStaticMesh>(body).map(|it| &it.base))
    {
        return ue3_static::mesh(source, stored);
    }
    if let Some(stored) = native_as::<ue3::asset::skeletal_mesh::SkeletalMesh>(body) {
        return Ok((ue3_skeletal::mesh(source, stored)?, stored.head.materials.clone()));
    }
    if let Some(stored) = native_as::<ue4::asset::static_mesh::StaticMesh>(body) {
        let slots = stored.materials.iter().map(|it| it.material).collect::<Vec<_>>();
        let slots = match slots.is_empty() {
            true => material::of_property(source, "StaticMaterials"),
            false => slots,
        };
        let slots = match slots.is_empty() {
            true => material::of_property(source, "Materials"),
            false => slots,
        };
        return Ok((ue4_static::mesh(source, stored)?, slots));
    }
    if let Some(stored) = native_as::<ue4::asset::skeletal_mesh::SkeletalMesh>(body) {
        let slots = stored.materials.iter().map(|it| it.material).collect();
        return Ok((ue4_skeletal::mesh(source, stored)?, slots));
    }
    if let Some(stored) = native_as::<ue2::TerrainInfo>(body) {
        return terrain::ue2(source, stored);
    }
    if let Some(stored) = native_as::<ue3::world::terrain::Terrain>(body) {
        return terrain::ue3(source, stored);
    }
    if LANDSCAPES.contains(&class_name(source.package, source.row).as_str()) {
        return landscape::mesh(source);
    }
    if let Some(made) = bsp::mesh(source, body)? {
        return Ok(made);
    }
    Err(Error::invalid("it is no mesh that is known"))
}
