//! Meshes as binary glTF, for drawing.

use std::cell::RefCell;
use std::collections::HashMap;

use bytes::Bytes;
use serde_json::{Value, json};
use unreal_packages::mesh::{
    Animation, Lod, Mesh, MeshLods, MeshObjects, MeshOptions, PackageMeshes,
};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::primitive::{ObjectRef, PackageIndex};

use crate::answer::Answer;
use crate::failure::{Failure, Result};
use crate::lent::LentFile;
use crate::opened::Opened;

/// Triangles of a level of detail that is drawn: browsers draw as many in a moment.
const MOST_TRIANGLES: usize = 2_000_000;
/// Vertices of a level of detail that is drawn.
const MOST_VERTICES: usize = 4_000_000;
/// Names of bones and sockets that are sent.
const MOST_NAMES: usize = 2_000;
/// Bytes of other packages that are read for the pictures of one mesh.
const MOST_READ: u64 = 512 << 20;

/// A mesh with all levels of detail that can be drawn, or the bones of an animation: the file that `upk extract --lod all`
/// writes, and its figures.
pub(crate) fn of(opened: &Opened, row: usize, lent: Vec<LentFile>) -> Result<Answer> {
    let package = opened.package();
    let objects = FilesAtHand::new(lent, opened.neighbor_options());
    let options =
        MeshOptions { lods: MeshLods::All, objects: Some(&objects), ..MeshOptions::default() };
    let mut mesh = match package.is_animation(row)? {
        true => package.animation(row, &options)?,
        false => package.mesh(row, &options)?,
    };
    mesh.lods.retain(|lod| lod.triangle_count() > 0);
    let first = mesh.lods.first().map_or((0, 0), figures);
    let fits = |lod: &Lod| {
        let (triangles, vertices) = figures(lod);
        triangles <= MOST_TRIANGLES && vertices <= MOST_VERTICES
    };
    let count = mesh.lods.len();
    mesh.lods.retain(fits);
    if mesh.lods.is_empty() && count > 0 {
        let (triangles, vertices) = first;
        let message = format!(
            "{}: {triangles} triangles and {vertices} vertices are more than the {MOST_TRIANGLES} and \
             {MOST_VERTICES} that are drawn here",
            mesh.name
        );
        return Err(Failure::new(message, "Write it with `upk extract --kind mesh`."));
    }
    let left = count - mesh.lods.len();
    if left > 0 {
        mesh.notes.push(format!("{left} levels of detail have more triangles than are drawn here"));
    }
    let value = json!({
        "lods": mesh.lods.iter().map(figures).collect::<Vec<_>>(),
        "materials": mesh.materials.iter().map(|it| json!([it.name, it.picture.is_some()])).collect::<Vec<_>>(),
        "bones": names(mesh.bones.iter().map(|bone| &bone.name)),
        "bone_count": mesh.bones.len(),
        "sockets": names(mesh.sockets.iter().map(|socket| &socket.name)),
        "socket_count": mesh.sockets.len(),
        "frames": frames(&mesh),
        "animations": mesh.animations.iter().map(animation).collect::<Vec<_>>(),
        "notes": mesh.notes,
    });
    Ok(Answer::with(&value, mesh.to_glb()?))
}

/// Triangles and vertices.
fn figures(lod: &Lod) -> (usize, usize) {
    (lod.triangle_count(), lod.positions.len())
}

fn names<'a>(all: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    all.take(MOST_NAMES).collect()
}

/// Positions that each vertex has; none where bones move it.
fn frames(mesh: &Mesh) -> usize {
    mesh.lods.first().map(|lod| lod.morphs.len()).filter(|count| *count > 0).map_or(0, |it| it + 1)
}

/// Name, frames, seconds.
fn animation(animation: &Animation) -> Value {
    let of_vertices = animation.frames.len();
    if of_vertices > 0 {
        let seconds = animation.frame_seconds * (of_vertices - 1) as f32;
        return json!([animation.name, of_vertices, seconds]);
    }
    let mut frames = 0;
    let mut seconds = 0.0_f32;
    for track in &animation.tracks {
        let times = [
            (track.translations.len(), track.translations.last().map(|key| key.0)),
            (track.rotations.len(), track.rotations.last().map(|key| key.0)),
            (track.scales.len(), track.scales.last().map(|key| key.0)),
        ];
        for (count, last) in times {
            frames = frames.max(count);
            seconds = seconds.max(last.filter(|time| time.is_finite()).unwrap_or_default());
        }
    }
    json!([animation.name, frames, seconds])
}

/// Other packages whose files the page has: a mesh's pictures are often in them.
#[derive(Debug)]
struct FilesAtHand {
    files: Vec<LentFile>,
    options: OpenOptions,
    opened: RefCell<HashMap<String, Option<Package>>>,
    read: RefCell<u64>,
}

impl FilesAtHand {
    fn new(files: Vec<LentFile>, options: OpenOptions) -> Self {
        Self { files, options, opened: RefCell::default(), read: RefCell::default() }
    }

    /// A package by its path or name: that of the file's path that has most in common with it.
    fn package(&self, name: &str) -> Option<Package> {
        let name = name.to_ascii_lowercase();
        if let Some(known) = self.opened.borrow().get(&name) {
            return known.clone();
        }
        let made = self.open(&name);
        self.opened.borrow_mut().insert(name, made.clone());
        made
    }

    fn open(&self, name: &str) -> Option<Package> {
        let short = name.rsplit('/').next()?;
        let is_it = |file: &&LentFile| {
            let (stem, extension) = parts(&file.name);
            stem.rsplit('/').next() == Some(short)
                && LentFile::companion(file).is_none()
                && extension != "uexp"
        };
        let shared = |file: &&LentFile| {
            let (stem, _) = parts(&file.name);
            let ends = stem.bytes().rev().zip(name.bytes().rev());
            ends.take_while(|(a, b)| a == b).count()
        };
        let header = self.files.iter().filter(is_it).max_by_key(shared)?;
        let (stem, _) = parts(&header.name);
        let beside: Vec<_> = self.files.iter().filter(|file| parts(&file.name).0 == stem).collect();
        let bodies = beside.iter().find(|file| parts(&file.name).1 == "uexp");
        let size = header.size.saturating_add(bodies.map_or(0, |file| file.size));
        let read = self.read.borrow().saturating_add(size);
        if read > MOST_READ {
            return None;
        }
        *self.read.borrow_mut() = read;
        let options = &self.options;
        let bytes = |file: &LentFile| file.read().map(Bytes::from).ok();
        let mut package = match bodies {
            Some(bodies) => options.open_split(&bytes(header)?, &bytes(bodies)?).ok()?,
            None => options.open_bytes(bytes(header)?).ok()?,
        };
        for companion in beside.into_iter().filter_map(LentFile::companion) {
            companion.add_to(&mut package);
        }
        Some(package)
    }
}

/// A path without its ending in lower case, and that ending: all behind the first dot of the name.
fn parts(path: &str) -> (String, String) {
    let path = path.to_ascii_lowercase();
    let start = path.rfind('/').map_or(0, |at| at + 1);
    match path[start..].find('.') {
        Some(dot) => (path[..start + dot].to_owned(), path[start + dot + 1..].to_owned()),
        None => (path, String::new()),
    }
}

impl MeshObjects for FilesAtHand {
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)> {
        let ObjectRef::Import(_) = import.target() else { return None };
        let mut top = import;
        // A damaged table may have a ring of outers.
        for _ in 0..package.imports().len() {
            match package.outer(top) {
                outer if outer.is_null() => break,
                outer => top = outer,
            }
        }
        let name = package.path(top);
        let path = package.path(import);
        let inner = path.strip_prefix(&name)?.trim_start_matches(['.', ':']).to_owned();
        let other = self.package(&name)?;
        let row = other.find_export(&inner).ok()?;
        Some((other, row))
    }

    fn find_path(&self, path: &str) -> Option<(Package, usize)> {
        let (name, inner) = path.split_once('.')?;
        let other = self.package(name)?;
        let row = other.find_export(inner).ok()?;
        Some((other, row))
    }
}
