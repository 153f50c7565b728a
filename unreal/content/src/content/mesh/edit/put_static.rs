//! Meshes of files as static meshes.

use super::change::MeshChange;
use super::exchange::exchange;
use super::slots::MeshSlots;
use super::triangles::MeshTriangles;
use super::ue2_static;
use super::ue3_static::{self, LodParts, StaticForm, StaticSlot};
use crate::content::mesh::shape::{Lod, Mesh};
use crate::content::mesh::source::MeshSource;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::object::{Body, ue2, ue3};
use crate::primitive::{Guid, PackageIndex};
use crate::version::UnrealVersions;

/// The triangles of a level, with what is left out of them said.
fn level_triangles(
    lod: &Lod,
    most_sets: usize,
    slots: &MeshSlots,
    change: &mut MeshChange,
) -> Result<MeshTriangles> {
    let made = MeshTriangles::of(lod, most_sets, &slots.of_file)?;
    if made.without_area > 0 {
        let count = made.without_area;
        change.notes.push(format!("left out: triangles with two corners in one place ({count})"));
        change.triangles -= count;
    }
    if lod.uvs.len() > made.sets {
        let count = lod.uvs.len() - made.sets;
        change.notes.push(format!("left out: sets of texture coordinates ({count})"));
    }
    Ok(made)
}

/// Puts the mesh of a file into a static mesh of UE2.
pub(super) fn put_ue2(
    edit: &mut Edit,
    row: usize,
    mut stored: ue2::StaticMesh,
    slots: &MeshSlots,
    new: &Mesh,
    change: &mut MeshChange,
) -> Result<()> {
    if new.lods.len() > 1 {
        let count = new.lods.len() - 1;
        change
            .notes
            .push(format!("left out: levels of detail, which this engine has not ({count})"));
    }
    let triangles = level_triangles(&new.lods[0], ue2_static::MOST_SETS, slots, change)?;
    slots.store(edit, row)?;
    let collides = slots.collides(edit, row)?;
    let alphas = stored.alphas.data.0.bytes(edit.source())?;
    if alphas.iter().any(|byte| *byte != 255) {
        change.notes.push("alphas of vertices, of a meaning not known, became 255".to_owned());
    }
    let form = ue2::CollisionTreeForm::of(edit.versions());
    ue2_static::store(&mut stored, &triangles, &collides, form, change)?;
    if !stored.collision_model.is_null() || !stored.karma_props.is_null() {
        change.notes.push("kept: the simple shapes for collision".to_owned());
    }
    exchange(edit, row, stored)
}

/// Puts the mesh of a file into a static mesh of UE3.
pub(super) fn put_ue3(
    edit: &mut Edit,
    row: usize,
    body: &Body,
    mut stored: ue3::asset::static_mesh::StaticMesh,
    slots: &MeshSlots,
    new: &Mesh,
    change: &mut MeshChange,
) -> Result<()> {
    let file = edit.versions().file();
    let form = StaticForm {
        has_color: file < 615,
        has_small_nodes: match &stored.kdop_tree {
            tree if tree.compact_nodes.count > 0 => true,
            tree => tree.nodes.count == 0 && file >= 770,
        },
        has_fragments: file >= 514,
    };
    let is_new = stored.lods.is_empty();
    if is_new {
        stored.lods.resize_with(new.lods.len(), Default::default);
        stored.tail.lod_info_count = new.lods.len() as i32;
    }
    let (have, wanted) = (stored.lods.len(), new.lods.len());
    if wanted > have {
        return Err(Error::invalid(format!(
            "the file has {wanted} levels of detail, the mesh {have}: levels are not added"
        )));
    }
    if wanted < have {
        change
            .notes
            .push(format!("kept: levels of detail behind those of the file ({})", have - wanted));
    }
    let before = |material: &PackageIndex| {
        let elements = stored.lods.iter().flat_map(|lod| &lod.elements);
        elements.into_iter().find(|element| element.material == *material).cloned()
    };
    let all_slots: Vec<_> = slots
        .objects
        .iter()
        .map(|material| StaticSlot { material: *material, before: before(material) })
        .collect();
    let named = stored.lods.iter().map(|lod| lod.elements.len()).max().unwrap_or(0);
    if named > slots.objects.len() {
        change
            .notes
            .push("parts that had one material became one, with what the first says".to_owned());
    }
    let mut lods = stored.lods.clone();
    for (level, (lod, new)) in lods.iter_mut().zip(&new.lods).enumerate() {
        let mut triangles = level_triangles(new, ue3_static::MOST_SETS, slots, change)?;
        // Parts without triangles are left out, and what numbers materials numbers the parts.
        let used = triangles.renumber();
        let slots_of_engine: Vec<_> =
            used.iter().filter_map(|slot| all_slots.get(*slot).cloned()).collect();
        let source = MeshSource::of(edit, row, body);
        let parts = if is_new { LodParts::new(file) } else { LodParts::of(lod) };
        let form_and_parts = (form, parts);
        let drawn =
            ue3_static::store(&source, lod, &triangles, &slots_of_engine, form_and_parts, change)?;
        if level == 0 {
            stored.bounds = ue3_static::bounds(&triangles);
            // A mesh whose triangles stop nothing has no tree.
            if is_new || stored.kdop_tree.triangles.count > 0 {
                let slots = &slots_of_engine;
                stored.kdop_tree = ue3_static::collision(&triangles, &drawn, slots, form)?;
            }
        }
    }
    stored.lods = lods;
    // Light that was computed is of other vertices; how densely textures lie is computed anew where it is not stored.
    // What a version does not store is 0, and stays so.
    let tail = &mut stored.tail;
    if tail.lighting_guid != Guid::default() || (is_new && file >= 600) {
        tail.lighting_guid = Guid::random();
    }
    if tail.vertex_position_version != 0 || (is_new && file >= 801) {
        tail.vertex_position_version = tail.vertex_position_version.wrapping_add(1);
    }
    stored.tail.streaming_texture_factors.clear();
    if !stored.body_setup.is_null() {
        change.notes.push("kept: the simple shapes for collision".to_owned());
    }
    exchange(edit, row, stored)
}
