//! Sets of animations of UE3: the bones of their tracks, and the mesh whose bones they move. A set does not refer to that
//! mesh: the one that its author looked at is named as text, unless that was left out.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::animation::{BoneNames, no_skeleton};
use super::material::{MeshObjects, MeshOptions};
use super::shape::Bone;
use super::source::{MeshSource, class_name, is_true};
use super::ue3_skeletal::bones;
use crate::error::{Error, Result};
use crate::object::ue3::asset::skeletal_mesh::SkeletalMesh;
use crate::package::{Package, native_as};
use crate::primitive::Name;
use crate::property::{Elements, Value};

/// Meshes of a package among which one is looked for that has the bones of a set: each is held against every set.
const MOST_MESHES: usize = 256;

/// What the animations of a set share.
pub(super) struct AnimationSet {
    /// The bone of each track, by name.
    pub tracks: Vec<String>,
    pub skeleton: std::result::Result<SetSkeleton, NoSkeleton>,
    /// Bones that always stay where they are in the mesh.
    fixed: HashSet<String>,
    /// Those that move where others do not.
    moved: HashSet<String>,
    /// Whether others only turn.
    rotates: bool,
}

/// The mesh whose bones a set moves.
pub(super) struct SetSkeleton {
    pub mesh: Arc<MeshBones>,
    /// How it was found, where the set does not say which one it is.
    pub note: Option<String>,
}

/// The bones of a mesh.
pub(super) struct MeshBones {
    pub bones: Vec<Bone>,
    pub names: BoneNames,
}

/// Why a set has no skeleton.
pub(super) enum NoSkeleton {
    /// The mesh of this path is not there.
    Named(String),
    /// No mesh is named, and none of the package fits.
    Unnamed,
}

impl NoSkeleton {
    pub fn error(&self) -> Error {
        match self {
            Self::Named(name) => no_skeleton(name.clone()),
            Self::Unnamed => Error::invalid(format!(
                "its set names no mesh, and none of the first {MOST_MESHES} of its package has most of its bones"
            )),
        }
    }
}

impl AnimationSet {
    fn of(set: &MeshSource<'_>, known: &KnownSkeletons, options: &MeshOptions<'_>) -> Result<Self> {
        let tracks = names(set, "TrackBoneNames");
        let lower = |property| -> HashSet<String> {
            names(set, property).into_iter().map(|name| name.to_ascii_lowercase()).collect()
        };
        Ok(Self {
            skeleton: skeleton(set, &tracks, known, options)?,
            fixed: lower("ForceMeshTranslationBoneNames"),
            moved: lower("UseTranslationBoneNames"),
            // The engine's default: so says the object with the defaults of `AnimSet`.
            rotates: set.value("bAnimRotationOnly").is_none_or(is_true),
            tracks,
        })
    }

    /// Whether the engine leaves a bone where it is in the mesh: all but the root and those that the set lists, unless the
    /// set says that it moves bones.
    pub fn leaves(&self, bone: &str, is_root: bool) -> bool {
        let name = bone.to_ascii_lowercase();
        self.fixed.contains(&name) || self.rotates && !is_root && !self.moved.contains(&name)
    }
}

fn names(source: &MeshSource<'_>, property: &str) -> Vec<String> {
    let listed: &[Name] = match source.value(property) {
        Some(Value::Array(Elements::Name(all))) => all,
        _ => &[],
    };
    listed.iter().map(|name| source.name_text(*name)).collect()
}

/// The mesh that the set was made for; where nothing says which one that is, that of the package which has the most of its
/// bones, and more than half.
fn skeleton(
    set: &MeshSource<'_>,
    tracks: &[String],
    known: &KnownSkeletons,
    options: &MeshOptions<'_>,
) -> Result<std::result::Result<SetSkeleton, NoSkeleton>> {
    let package = set.package;
    let named = match set.value("PreviewSkelMeshName") {
        Some(Value::Name(name)) => Some(set.name_text(*name)).filter(|name| name != "None"),
        _ => None,
    };
    if let Some(name) = &named
        && let Some(mesh) = named_mesh(package, name, known, options.objects)?
    {
        return Ok(Ok(SetSkeleton { mesh, note: None }));
    }
    let mut best: Option<(usize, usize, Arc<MeshBones>)> = None;
    for row in known.meshes(package).iter().copied() {
        // A damaged mesh is none that fits.
        let Ok(Some(mesh)) = known.bones(package, row) else { continue };
        let count = tracks.iter().filter(|name| mesh.names.find(name).is_some()).count();
        if count * 2 > tracks.len() && best.as_ref().is_none_or(|(most, ..)| count > *most) {
            best = Some((count, row, mesh));
        }
    }
    Ok(match (best, named) {
        (Some((count, row, mesh)), _) => {
            let (path, all) = (package.exports().path(row), tracks.len());
            let note = format!("the bones are those of {path}, which has {count} of {all}");
            Ok(SetSkeleton { mesh, note: Some(note) })
        }
        (None, Some(name)) => Err(NoSkeleton::Named(name)),
        (None, None) => Err(NoSkeleton::Unnamed),
    })
}

/// The mesh of this path, which begins with the name of a package.
fn named_mesh(
    package: &Package,
    path: &str,
    known: &KnownSkeletons,
    objects: Option<&dyn MeshObjects>,
) -> Result<Option<Arc<MeshBones>>> {
    if let Some((other, row)) = objects.and_then(|it| it.find_path(path)) {
        return known.bones(&other, row);
    }
    // A package does not know its own name: the rest of the path may be one of its objects.
    let inner = path.split_once('.').map(|(_, inner)| inner);
    for path in [Some(path), inner].into_iter().flatten() {
        if let Ok(row) = package.find_export(path)
            && let Some(mesh) = known.bones(package, row)?
        {
            return Ok(Some(mesh));
        }
    }
    Ok(None)
}

/// What is known of sets of animations and their meshes while many animations are read: each is looked at once
/// ([`MeshOptions::known`]). Packages, told apart by the place of their bytes, must stay as they are meanwhile.
#[derive(Default)]
pub struct KnownSkeletons {
    sets: ByObject<Arc<AnimationSet>>,
    bones: ByObject<Option<Arc<MeshBones>>>,
    /// Rows of meshes with bones.
    meshes: Mutex<HashMap<usize, Arc<Vec<usize>>>>,
}

/// By the place of the package's bytes and the row.
type ByObject<T> = Mutex<HashMap<(usize, usize), T>>;

impl fmt::Debug for KnownSkeletons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownSkeletons").finish_non_exhaustive()
    }
}

fn place(package: &Package) -> usize {
    package.source().as_ptr() as usize
}

/// What is known, also where a thread has ended badly: it is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KnownSkeletons {
    /// The set of animations in this row.
    pub(super) fn set(
        &self,
        package: &Package,
        row: usize,
        options: &MeshOptions<'_>,
    ) -> Result<Arc<AnimationSet>> {
        let key = (place(package), row);
        if let Some(known) = lock(&self.sets).get(&key) {
            return Ok(known.clone());
        }
        let decoded = package.decode(row)?;
        let set = MeshSource::of(package, row, &decoded.body);
        let made = Arc::new(AnimationSet::of(&set, self, options)?);
        lock(&self.sets).insert(key, made.clone());
        Ok(made)
    }

    /// The bones of the mesh in this row; `None` for what is no mesh with bones.
    fn bones(&self, package: &Package, row: usize) -> Result<Option<Arc<MeshBones>>> {
        let key = (place(package), row);
        if let Some(known) = lock(&self.bones).get(&key) {
            return Ok(known.clone());
        }
        let decoded = package.decode(row)?;
        let source = MeshSource::of(package, row, &decoded.body);
        let made = match native_as::<SkeletalMesh>(&decoded.body) {
            Some(stored) => {
                let bones = bones(&source, stored)?;
                let names = BoneNames::of(&bones);
                Some(Arc::new(MeshBones { bones, names }))
            }
            None => None,
        };
        lock(&self.bones).insert(key, made.clone());
        Ok(made)
    }

    fn meshes(&self, package: &Package) -> Arc<Vec<usize>> {
        let key = place(package);
        if let Some(known) = lock(&self.meshes).get(&key) {
            return known.clone();
        }
        let rows = 0..package.exports().len();
        let is_mesh = |row: &usize| class_name(package, *row) == "SkeletalMesh";
        let made = Arc::new(rows.filter(is_mesh).take(MOST_MESHES).collect::<Vec<_>>());
        lock(&self.meshes).insert(key, made.clone());
        made
    }
}
