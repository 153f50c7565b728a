//! Meshes of files into packages.
//!
//! | file | holds |
//! |---|---|
//! | `change` | what a call has changed |
//! | `triangles` | triangles as they are imported |
//! | `known` | the numbers that a mesh had, which files hold otherwise |
//! | `slots` | materials of the file as those of the mesh |
//! | `smoothing`, `tangents` | which triangles are shaded together; where textures run to |
//! | `drawn` | vertices as they are drawn |
//! | `kdop`, `triangle_tree`, `point_box` | trees for collision; boxes around points |
//! | `frames`, `collapse` | vertices for each frame; in which order they fall together |
//! | `ue1_mesh` | meshes of UE1 without bones |
//! | `unreal_3d`, `new_vertex_mesh` | such meshes from the files that the engine's compiler imports |
//! | `put_static`, `ue2_static`, `ue3_static`, `ue3_vertices` | static meshes |
//! | `exchange` | a body in the place of another |

pub(super) mod change;
mod collapse;
mod drawn;
mod exchange;
mod frames;
mod kdop;
mod known;
pub(super) mod new_vertex_mesh;
mod point_box;
mod put_static;
mod slots;
mod smoothing;
mod tangents;
mod triangle_tree;
mod triangles;
mod ue1_mesh;
mod ue2_static;
mod ue3_static;
mod ue3_vertices;
mod unreal_3d;

use self::change::MeshChange;
use self::exchange::exchange;
use self::known::KnownVertices;
use self::new_vertex_mesh::NewVertexMesh;
use self::put_static::{put_ue2, put_ue3};
use self::slots::MeshSlots;
use super::material::{self, MeshLods, MeshOptions};
use super::reading::{of_body, read};
use super::shape::{Animation, Lod, Mesh};
use super::source;
use super::source::MeshSource;
use crate::edit::{Edit, NewProperties};
use crate::error::{Error, Result};
use crate::object::{Body, ue1, ue2, ue3};
use crate::package::decode::native_as;
use crate::primitive::PackageIndex;
use crate::version::{ByteOrder, EngineFacts, UnrealVersions};

/// First file version whose static meshes are known to list their materials with tags; 115 does not.
const LISTED: u32 = 121;

/// The class of static meshes.
const CLASS: &str = "Engine.StaticMesh";

/// Meshes from files.
pub trait MeshEdits {
    /// Whether an object is a mesh that [`MeshEdits::replace_mesh`] can give other triangles.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    fn takes_mesh(&self, row: usize) -> Result<bool>;

    /// Gives a mesh of UE1 without bones, or a static mesh of UE2 or UE3, the triangles of a glTF 2.0 file, as
    /// [`Mesh::from_gltf`] reads it, with all that engines make of them: vertices, edges, bounds, collision, the order in
    /// which vertices fall together, the triangles as imported (in UE3 where the mesh keeps them). In UE1 morph targets
    /// are frames and the animations of their weights sequences.
    ///
    /// Materials are found by their names: those of the mesh first, then objects of the package. What is not of the
    /// triangles stays: simple shapes for collision, levels of detail that the file has not. A file with the mesh that
    /// is there changes nothing.
    ///
    /// Spec: ue1-3/06 §6.2, 10 §10.2, 11 §11.6.
    ///
    /// # Errors
    /// `Invalid` for a file that can't be read, one without the frames of a sequence of the mesh, a mesh that the engine can't number the vertices of, and objects that
    /// are no such mesh. The package is as before then.
    fn replace_mesh(&mut self, row: usize, file: &[u8]) -> Result<MeshChange>;

    /// Adds a mesh with the triangles of a glTF 2.0 file: in UE1 one with levels of detail, in UE2 and UE3 a static one. Materials are objects of the package that
    /// have the names of the file's.
    ///
    /// # Errors
    /// As [`MeshEdits::replace_mesh`] and [`Edit::add_object`].
    fn add_mesh(&mut self, path: &str, file: &[u8]) -> Result<(usize, MeshChange)>;

    /// Adds a mesh of UE1 with the polygons of a `_d.3d` file and the frames of an `_a.3d` file, as its compiler imports
    /// them.
    ///
    /// Spec: ue1-3/16 §16.9.
    ///
    /// # Errors
    /// `Invalid` for files that can't be read, polygons of an unknown kind, and sequences of frames that are not there; as
    /// [`Edit::add_object`].
    fn add_vertex_mesh(
        &mut self,
        path: &str,
        data: &[u8],
        animation: &[u8],
        new: &NewVertexMesh,
    ) -> Result<usize>;
}

impl MeshEdits for Edit {
    fn takes_mesh(&self, row: usize) -> Result<bool> {
        Ok(is_taken(&self.decode(row)?.body) && check_target(self).is_ok())
    }

    fn replace_mesh(&mut self, row: usize, file: &[u8]) -> Result<MeshChange> {
        let path = self.exports().path(row);
        let body = self.decode(row)?.into_owned().body;
        let replaced = self.appending(|edit| replace(edit, row, &body, file));
        replaced.map_err(|error| Error::invalid(format!("{path}: {error}")))
    }

    fn add_mesh(&mut self, path: &str, file: &[u8]) -> Result<(usize, MeshChange)> {
        self.appending(|edit| add(edit, path, file))
    }

    fn add_vertex_mesh(
        &mut self,
        path: &str,
        data: &[u8],
        animation: &[u8],
        new: &NewVertexMesh,
    ) -> Result<usize> {
        self.appending(|edit| new_vertex_mesh::add(edit, path, (data, animation), new))
    }
}

fn is_taken(body: &Body) -> bool {
    native_as::<ue1::LodMesh>(body).is_some()
        || native_as::<ue1::Mesh>(body).is_some()
        || native_as::<ue2::StaticMesh>(body).is_some()
        || native_as::<ue3::asset::static_mesh::StaticMesh>(body).is_some()
}

fn replace(edit: &mut Edit, row: usize, body: &Body, file: &[u8]) -> Result<MeshChange> {
    check_target(edit)?;
    if !is_taken(body) {
        let class = source::class_name(edit, row);
        return Err(Error::invalid(format!(
            "objects of class {class} can be extracted, not imported: meshes of UE1 without bones and static meshes of UE2 \
             and UE3 can"
        )));
    }
    let mut new = Mesh::from_gltf(file)?;
    let (old, mut materials) = of_body(&MeshSource::of(edit, row, body), body)?;
    // Those of version 115 stand in a list that is not decoded.
    let used = old.lods.iter().flat_map(|lod| &lod.sections).map(|section| section.material + 1);
    let used = used.max().unwrap_or(0).min(usize::from(u16::MAX));
    materials.resize(used.max(materials.len()), PackageIndex::NULL);
    let mut change = MeshChange { notes: std::mem::take(&mut new.notes), ..MeshChange::default() };
    let has_frames =
        native_as::<ue1::LodMesh>(body).is_some() || native_as::<ue1::Mesh>(body).is_some();
    if !has_frames
        && (!new.animations.is_empty() || new.lods.iter().any(|lod| !lod.morphs.is_empty()))
    {
        change.notes.push("left out: morph targets, which static meshes have not".to_owned());
        new.animations.clear();
        new.lods.iter_mut().for_each(|lod| lod.morphs.clear());
    }
    if is_same(edit, row, &new)? {
        return Ok(change);
    }
    change.changed = true;
    for (lod, old) in new.lods.iter_mut().zip(&old.lods) {
        KnownVertices::of(old).settle(lod);
    }
    put(edit, row, body, &materials, &new, &mut change)?;
    Ok(change)
}

fn add(edit: &mut Edit, path: &str, file: &[u8]) -> Result<(usize, MeshChange)> {
    check_target(edit)?;
    let versions = edit.versions();
    if versions.has_bulk_content() && versions.game() != crate::Game::Mainline {
        let game = versions.game();
        return Err(Error::invalid(format!(
            "meshes of {game} can be changed, not made: they have numbers of unknown meaning"
        )));
    }
    let mut new = Mesh::from_gltf(file)?;
    let notes = std::mem::take(&mut new.notes);
    let mut change = MeshChange { changed: true, notes, ..MeshChange::default() };
    let row = add_blank(edit, path)?;
    let body = edit.decode(row)?.into_owned().body;
    put(edit, row, &body, &[], &new, &mut change)?;
    Ok((row, change))
}

/// Adds a mesh of the kind that the engine has, without triangles.
fn add_blank(edit: &mut Edit, path: &str) -> Result<usize> {
    let file_version = edit.versions().file();
    let properties = NewProperties::new(edit).finish();
    if edit.versions().has_mip_colors() {
        return edit.add_object(path, "Engine.LodMesh", properties, ue1_mesh::blank());
    }
    if file_version < LISTED {
        return Err(Error::invalid(format!(
            "static meshes of version {file_version} can be changed, not made: their materials are listed in another form"
        )));
    }
    if edit.versions().has_bulk_content() {
        let mesh =
            ue3::asset::static_mesh::StaticMesh { internal_version: 18, ..Default::default() };
        return edit.add_object(path, CLASS, properties, mesh);
    }
    let internal_version = match ue2::CollisionTreeForm::of(edit.versions()) {
        ue2::CollisionTreeForm::Ut => 11,
        _ => 9,
    };
    let mesh = ue2::StaticMesh { internal_version, ..ue2::StaticMesh::default() };
    edit.add_object(path, CLASS, properties, mesh)
}

/// Refuses packages whose meshes are not made.
fn check_target(edit: &Edit) -> Result<()> {
    let versions = edit.versions();
    if versions.byte_order == ByteOrder::Big {
        return Err(Error::invalid("meshes of consoles can be extracted, not made"));
    }
    match versions.game() == crate::Game::Swat4 {
        true => Err(Error::invalid("meshes of SWAT 4 can be extracted, not made")),
        false => Ok(()),
    }
}

/// Whether a file has the mesh that is there.
fn is_same(edit: &Edit, row: usize, new: &Mesh) -> Result<bool> {
    let options = MeshOptions { lods: MeshLods::All, ..MeshOptions::default() };
    let written = read(edit, row, &options, material::add_names).and_then(|mut old| {
        old.lods.truncate(new.lods.len());
        old.to_glb()
    });
    // What can't be written is not what the file has.
    let Ok(written) = written else { return Ok(false) };
    let written = Mesh::from_gltf(&written)?;
    let is_same = |(one, other): (&Animation, &Animation)| {
        let seconds = (one.frame_seconds - other.frame_seconds).abs();
        one.name == other.name && one.frames == other.frames && seconds < 1e-4
    };
    let (one, other) = (&written.animations, &new.animations);
    let are_same = one.len() == other.len() && one.iter().zip(other).all(is_same);
    Ok(written.lods == new.lods && written.materials == new.materials && are_same)
}

fn put(
    edit: &mut Edit,
    row: usize,
    body: &Body,
    materials: &[PackageIndex],
    new: &Mesh,
    change: &mut MeshChange,
) -> Result<()> {
    let slots = MeshSlots::of(edit, materials, &new.materials, change)?;
    change.triangles = new.lods.iter().map(Lod::triangle_count).sum();
    if let Some(stored) = native_as::<ue1::LodMesh>(body) {
        let mut stored = stored.clone();
        ue1_mesh::store_lod(edit, row, &mut stored, (&slots, new), change)?;
        return exchange(edit, row, stored);
    }
    if let Some(stored) = native_as::<ue1::Mesh>(body) {
        let mut stored = stored.clone();
        ue1_mesh::store_plain(edit, row, &mut stored, (&slots, new), change)?;
        return exchange(edit, row, stored);
    }
    if let Some(stored) = native_as::<ue2::StaticMesh>(body) {
        return put_ue2(edit, row, stored.clone(), &slots, new, change);
    }
    match native_as::<ue3::asset::static_mesh::StaticMesh>(body) {
        Some(stored) => put_ue3(edit, row, body, stored.clone(), &slots, new, change),
        None => Err(Error::invalid("it is no static mesh that is known")),
    }
}
