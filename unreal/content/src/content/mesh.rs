//! Meshes: of every engine in one form, and as binary glTF 2.0 (`.glb`).
//!
//! | file | holds |
//! |---|---|
//! | `shape` | [`Mesh`]: what a mesh is, whichever engine made it |
//! | `numbers`, `affine` | vertices as they are stored, places within each other |
//! | `reading` | an object as a mesh, whichever engine made it |
//! | `source` | the object that a mesh is made from |
//! | `sections` | triangles by their materials |
//! | `vertex` | vertices frame by frame, UE1 and UE2 |
//! | `classic_skeletal`, `classic_animation` | bones, UE1 and UE2; their animations, UE2 |
//! | `ue2_static`, `ue3_static`, `ue4_static` | static meshes |
//! | `imported_static`, `raw_mesh`, `mesh_description` | those of UE4 and UE5 as they were imported |
//! | `ue3_skeletal`, `ue4_skeletal`, `ue4_drawn` | bones |
//! | `ue3_animation`, `animation_set` | animations of UE3 and their sets |
//! | `animation`, `control_tracks` | animations of UE4 and UE5 |
//! | `packed_keys`, `key_list`, `key_form` | keys as they are packed for playing |
//! | `bsp` | models of brushes and levels |
//! | `terrain`, `landscape`, `height_grid` | terrains of UE2 and UE3, landscapes of UE4 and UE5 |
//! | `collision`, `collision_shape`, `shape_list`, `hull` | simple shapes that things collide with |
//! | `agg_geom`, `karma`, `model_hull`, `matrix` | those of UE3 to UE5, and of UE2 |
//! | `socket`, `classic_socket` | places on meshes of UE3 to UE5 that others are fixed to; of UE1 and UE2 |
//! | `material`, `surface`, `surface_picture` | materials and what they show of their surface |
//! | `picture_search`, `material_level`, `material_color`, `material_parameter`, `object_at` | from a material to its pictures and numbers |
//! | `scene`, `scene_file`, `scene_light` | levels as scenes, and as files |
//! | `scene_reader`, `scene_actor`, `scene_component`, `inherited_object` | from a level to its scene |
//! | `glb`, `glb_collision` | files out |
//! | `actor_x`, `psk`, `psk_bones`, `psk_chunks`, `psk_points`, `psk_read`, `psa` | files of the importers of UE1 to UE3: `.psk`, `.pskx`, `.psa`, both ways |
//! | `gltf_file`, `gltf_read` | files in |
//! | `edit` | meshes of files into packages |
//!
//! ```no_run
//! use unreal_packages::mesh::{MeshOptions, PackageMeshes};
//! use unreal_packages::prelude::*;
//!
//! # fn main() -> unreal_packages::Result<()> {
//! let package = Package::open("Mine.usx")?;
//! let row = package.find_export("Rocks.Boulder")?;
//! let mesh = package.mesh(row, &MeshOptions::default())?;
//! println!("{} triangles", mesh.lods[0].triangle_count());
//! let file: Vec<u8> = mesh.to_glb()?;
//! # Ok(())
//! # }
//! ```

pub mod actor_x;
mod affine;
mod agg_geom;
mod animation;
mod animation_set;
mod bsp;
mod classic_animation;
mod classic_skeletal;
mod classic_socket;
mod collision;
mod collision_shape;
mod control_tracks;
mod edit;
mod glb;
mod glb_collision;
mod gltf_file;
mod gltf_read;
mod height_grid;
mod hull;
mod imported_static;
mod inherited_object;
mod karma;
mod key_form;
mod key_list;
mod landscape;
mod material;
mod material_color;
mod material_level;
mod material_parameter;
mod matrix;
mod mesh_description;
mod model_hull;
mod numbers;
mod object_at;
mod packed_keys;
mod picture_search;
mod psa;
mod psk;
mod psk_bones;
mod psk_chunks;
mod psk_points;
mod psk_read;
mod raw_mesh;
mod reading;
mod scene;
mod scene_actor;
mod scene_component;
mod scene_file;
mod scene_light;
mod scene_reader;
mod sections;
mod shape;
mod shape_list;
mod socket;
mod source;
mod surface;
mod surface_picture;
mod terrain;
mod ue2_static;
mod ue3_animation;
mod ue3_skeletal;
mod ue3_static;
mod ue4_drawn;
mod ue4_morphs;
mod ue4_skeletal;
mod ue4_static;
mod vertex;

pub use animation_set::KnownSkeletons;
pub use collision_shape::{CollisionForm, CollisionShape};
pub use edit::MeshEdits;
pub use edit::change::MeshChange;
pub use edit::new_vertex_mesh::{NewSequence, NewVertexMesh};
pub use material::{MeshLods, MeshObjects, MeshOptions};
pub use psk::ActorXOutput;
pub use scene::{LevelScene, SceneContent, SceneMesh, SceneNode};
pub use scene_light::{LightShape, SceneLight};
pub use shape::{
    Animation, Bone, INFLUENCES, Influences, Lod, Mesh, MeshMaterial, MeshPlacement, MeshSection,
    Morph, Socket, Track,
};

use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::Defaults;
use crate::object::Native;
use crate::package::{Package, native_as};
use crate::primitive::PackageIndex;

/// The meshes of a [`Package`].
pub trait PackageMeshes {
    /// Whether an object is a mesh, which may be one that can't be read.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    fn is_mesh(&self, row: usize) -> Result<bool>;

    /// An object as a mesh.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no mesh, and for meshes that have no triangles here or do not fit together,
    /// with the reason.
    fn mesh(&self, row: usize, options: &MeshOptions<'_>) -> Result<Mesh>;

    /// Whether an object is an animation of its own, which may be one that can't be read.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    fn is_animation(&self, row: usize) -> Result<bool>;

    /// An animation of UE3 to UE5: the bones of its skeleton and what moves them, without triangles, as it was imported, or
    /// else as UE3 to UE5 pack it. The skeleton of another package is what [`MeshOptions::objects`] finds.
    ///
    /// # Errors
    /// `NotFound`, also for a skeleton that is not at hand; `Invalid` for what is no animation, and for those that have no
    /// such keys, with the reason.
    fn animation(&self, row: usize, options: &MeshOptions<'_>) -> Result<Mesh>;

    /// A material as meshes show it, with the pictures that it leads to.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    fn mesh_material(&self, row: usize, options: &MeshOptions<'_>) -> Result<MeshMaterial>;

    /// The levels of the package as a scene: their geometry, the meshes and terrains that actors and components place, lights.
    /// Meshes and materials of other packages are those that [`MeshOptions::objects`] finds, values of imported classes
    /// those of `defaults`. What is not shown is said in [`LevelScene::notes`].
    ///
    /// # Errors
    /// `NotFound` where the package has no level that is decoded.
    fn level_scene(
        &self,
        defaults: Option<&dyn Defaults>,
        options: &MeshOptions<'_>,
    ) -> Result<LevelScene>;
}

/// Classes whose objects are meshes, by their names.
const CLASSES: &[&str] = &[
    "Mesh",
    "LodMesh",
    "SkeletalMesh",
    "StaticMesh",
    "VertMesh",
    "FracturedStaticMesh",
    "Model",
    "TerrainInfo",
    "Terrain",
    "Landscape",
    "LandscapeStreamingProxy",
];

impl PackageMeshes for Package {
    fn is_mesh(&self, row: usize) -> Result<bool> {
        let decoded = self.decode(row)?;
        let class = source::class_name(self, row);
        Ok(CLASSES.contains(&class.as_str()) && !matches!(decoded.body.native, Native::None))
    }

    fn mesh(&self, row: usize, options: &MeshOptions<'_>) -> Result<Mesh> {
        let path = self.exports().path(row);
        reading::read(self, row, options, material::add).map_err(|error| {
            let class = source::class_name(self, row);
            Error::invalid(format!("{path} ({class}): {error}"))
        })
    }

    fn is_animation(&self, row: usize) -> Result<bool> {
        let decoded = self.decode(row)?;
        let class = source::class_name(self, row);
        Ok(class == "AnimSequence" && !matches!(decoded.body.native, Native::None))
    }

    fn animation(&self, row: usize, options: &MeshOptions<'_>) -> Result<Mesh> {
        let decoded = self.decode(row)?;
        let source = source::MeshSource::of(self, row, &decoded.body);
        let body = &decoded.body;
        let made = if let Some(stored) = native_as(body) {
            animation::mesh(&source, stored, options)
        } else if let Some(stored) = native_as(body) {
            ue3_animation::mesh(&source, stored, options)
        } else {
            Err(match &decoded.error {
                // Without mappings nothing is known of a package that leaves out the names of properties.
                Some(error) => Error::invalid(format!("it is not decoded: {error}")),
                None => Error::invalid("it is no animation of UE3 to UE5 that is known"),
            })
        };
        made.map_err(|error| {
            let (path, class) = (self.exports().path(row), source::class_name(self, row));
            match error.kind() {
                ErrorKind::NotFound { what: what @ noun::SKELETON, name, .. } => {
                    let hint = format!(" for {path} ({class})");
                    ErrorKind::NotFound { what: *what, name: name.clone(), hint }.into()
                }
                _ => Error::invalid(format!("{path} ({class}): {error}")),
            }
        })
    }

    fn mesh_material(&self, row: usize, options: &MeshOptions<'_>) -> Result<MeshMaterial> {
        self.decode(row)?;
        let mut mesh = Mesh::default();
        material::add(&mut mesh, self, &[PackageIndex::export(row)], options);
        Ok(mesh.materials.swap_remove(0))
    }

    fn level_scene(
        &self,
        defaults: Option<&dyn Defaults>,
        options: &MeshOptions<'_>,
    ) -> Result<LevelScene> {
        scene_reader::read(self, defaults, options)
    }
}
