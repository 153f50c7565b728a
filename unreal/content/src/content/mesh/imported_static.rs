//! Static meshes of UE4 and UE5 as they were imported: what the editor makes levels of detail from.

use super::mesh_description::{self, MaterialSlots};
use super::raw_mesh;
use super::shape::{Lod, Mesh};
use super::source::{MeshSource, value};
use crate::error::{Error, Result};
use crate::inspect::{editor_payload, payload};
use crate::object::ue4::asset::small::MeshDescriptionBulkData;
use crate::object::ue4::asset::static_mesh::StaticMesh;
use crate::package::native_as;
use crate::property::{PropertyList, Value};
use crate::version::custom;

/// Adds the levels of detail that were imported. Those that the editor makes by itself are not stored.
pub(super) fn add(source: &MeshSource<'_>, stored: &StaticMesh, mesh: &mut Mesh) -> Result<()> {
    let slots = MaterialSlots::of(source, stored);
    let settings: Vec<_> = source.lists("SourceModels").collect();
    let count = settings.len().max(stored.source_models.len());
    for model in 0..count {
        let list = settings.get(model).copied().flatten();
        match level(source, stored, model, list, &slots) {
            Ok(None) if model == 0 => {}
            Ok(None) => mesh.notes.push(format!("LOD{model} is one that the editor makes")),
            Ok(Some(mut lod)) => {
                scale(source, list, &mut lod);
                mesh.lods.push(lod);
            }
            Err(error) if mesh.lods.is_empty() => return Err(error),
            Err(error) => mesh.notes.push(format!("LOD{model}: {error}")),
        }
    }
    match mesh.lods.is_empty() {
        true => Err(Error::invalid("it has no level of detail that was imported")),
        false => Ok(()),
    }
}

/// One level of detail; `None` for one that was not imported.
fn level(
    source: &MeshSource<'_>,
    stored: &StaticMesh,
    model: usize,
    list: Option<&PropertyList>,
    slots: &MaterialSlots,
) -> Result<Option<Lod>> {
    let versions = source.package.versions();
    // UE5 has them as objects; what counts the models is the same.
    let imported = stored.source_models.get(model).filter(|model| model.bulk.element_count > 0);
    if let Some(imported) = imported {
        let (bytes, _) = payload(source.package, &imported.bulk)?;
        let is_raw =
            versions.custom(&custom::EDITOR) < custom::editor::STATIC_MESH_DEPRECATED_RAW_MESH;
        return match is_raw {
            true => raw_mesh::lod(&bytes),
            false => mesh_description::lod(&bytes, versions, model, slots),
        }
        .map(Some);
    }
    let object = list.and_then(|list| value(source.package, list, "StaticMeshDescriptionBulkData"));
    let Some(row) = object.and_then(Value::export) else { return Ok(None) };
    let decoded = source.package.decode(row)?;
    let Some(stored) = native_as::<MeshDescriptionBulkData>(&decoded.body) else {
        let path = source.package.exports().path(row);
        return Err(Error::invalid(format!("{path} holds no mesh description")));
    };
    let (bytes, _) = editor_payload(source.package, &stored.bulk)?;
    match bytes.is_empty() {
        true => Ok(None),
        false => mesh_description::lod(&bytes, versions, model, slots).map(Some),
    }
}

/// The scale that the editor gives a level of detail when it builds it.
fn scale(source: &MeshSource<'_>, list: Option<&PropertyList>, lod: &mut Lod) {
    let settings = list.and_then(|list| value(source.package, list, "BuildSettings"));
    let scale = settings
        .and_then(Value::as_list)
        .and_then(|list| value(source.package, list, "BuildScale3D"))
        .and_then(Value::three_numbers);
    let Some(scale) = scale.filter(|scale| *scale != [1.0; 3]) else { return };
    for position in &mut lod.positions {
        for (axis, number) in position.iter_mut().enumerate() {
            *number = (f64::from(*number) * scale[axis]) as f32;
        }
    }
    // Normals stand upright on what was stretched: they go the other way.
    for normal in &mut lod.normals {
        for (axis, number) in normal.iter_mut().enumerate() {
            *number = (f64::from(*number) / scale[axis]) as f32;
        }
    }
}
