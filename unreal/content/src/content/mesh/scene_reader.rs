//! From the levels of a package to a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::inherited_object::{InheritedObjects, LinkedObject};
use super::material::{self, MeshLods, MeshOptions};
use super::object_at::ObjectAt;
use super::reading;
use super::scene::{LevelScene, SceneContent, SceneMesh, SceneNode, TurnedScale};
use super::shape::{MeshMaterial, MeshPlacement};
use super::source::class_name;
use super::surface::MaterialSurface;
use super::surface_picture::SurfacePictures;
use crate::error::Result;
use crate::inspect::{
    ActorPlaces, ActorTransform, Answer, Defaults, EffectiveValues, ObjectSubject, PackageValues,
    Subject, each_level, level_model,
};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

/// Slots for materials of a mesh; the engines stop long before.
const MOST_SLOTS: usize = 1 << 10;
/// Numbers of places: twice as many digits fit into 32 bits.
const LARGEST: f64 = 1e18;

/// Where nothing is moved.
pub(super) const ORIGIN: ActorTransform =
    ActorTransform { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], place: [0.0; 3] };

/// The scene of the levels of a package, and of the packages of one actor each that belong to it.
pub(super) fn read(
    package: &Package,
    defaults: Option<&dyn Defaults>,
    options: &MeshOptions<'_>,
) -> Result<LevelScene> {
    // What stands in a level is seen from afar and by many: the finest level of detail, nothing beside the mesh.
    let options = &MeshOptions { lods: MeshLods::Finest, collision: false, ..*options };
    let mut parts = SceneParts::default();
    let effective = package.values().with_defaults(defaults).effective();
    let mut reader = LevelSceneReader::new(package, options, &effective, &mut parts);
    let mut all = HashSet::new();
    each_level(package, |row, body, actors| {
        let path = package.path(PackageIndex::export(row));
        if reader.parts.scene.name.is_empty() {
            reader.parts.scene.name.clone_from(&path);
        }
        for actor in actors {
            match reader.row(actor) {
                Some(actor) => drop(all.insert(actor)),
                None if actor.is_null() => {}
                None => reader.leave_out("that lie in other packages"),
            }
        }
        if let Some(model) = level_model(body).and_then(|model| reader.row(model)) {
            reader.geometry(model, path, ORIGIN);
        }
    })?;
    reader.actors(&all);
    if let Some(objects) = options.objects {
        objects.each_actor_package(package, &mut |package| {
            let effective = package.values().with_defaults(defaults).effective();
            let mut reader = LevelSceneReader::new(package, options, &effective, &mut parts);
            // The level around its actor is imported.
            let is_actor = |row: &usize| {
                matches!(package.outer(PackageIndex::export(*row)).target(), ObjectRef::Import(_))
            };
            reader.actors(&(0..package.export_count()).filter(is_actor).collect());
        });
    }
    Ok(parts.end())
}

/// Reads what the actors of a package show.
pub(super) struct LevelSceneReader<'a> {
    pub package: &'a Package,
    options: &'a MeshOptions<'a>,
    pub effective: &'a EffectiveValues<'a>,
    pub places: ActorPlaces<'a, 'a>,
    pub objects: InheritedObjects<'a>,
    pub parts: &'a mut SceneParts,
}

/// The scene so far, and what is known of its meshes and materials.
#[derive(Default)]
pub(super) struct SceneParts {
    scene: LevelScene,
    /// Meshes that were asked for. Their packages stay open: places of bytes tell them apart.
    meshes: HashMap<(usize, usize), (ObjectAt, KnownMesh)>,
    /// Numbers of materials, likewise.
    materials: HashMap<(usize, usize), (ObjectAt, usize)>,
    /// Numbers of materials that are not at hand, by their names.
    plain: HashMap<String, usize>,
    pictures: SurfacePictures,
    /// Paths of what pictures of materials would be found through.
    pictures_away: BTreeSet<String>,
    /// What is not shown, by its reason, and how often.
    left_out: BTreeMap<String, usize>,
    /// Instances of all components so far.
    pub instances: usize,
}

/// What became of a mesh.
#[derive(Debug, Clone, Copy)]
enum KnownMesh {
    /// It has this number.
    Shown(usize),
    /// It has no triangles: a level without geometry has an empty model.
    Empty,
    /// It does not come out, which is said.
    Refused,
}

impl<'a> LevelSceneReader<'a> {
    fn new(
        package: &'a Package,
        options: &'a MeshOptions<'a>,
        effective: &'a EffectiveValues<'a>,
        parts: &'a mut SceneParts,
    ) -> Self {
        let places = ActorPlaces::new(package, effective);
        Self { package, options, effective, places, objects: InheritedObjects::new(options), parts }
    }

    fn row(&self, index: PackageIndex) -> Option<usize> {
        match index.target() {
            ObjectRef::Export(row) => Some(row).filter(|row| *row < self.package.export_count()),
            _ => None,
        }
    }

    fn actors(&mut self, actors: &HashSet<usize>) {
        let has_components = self.package.versions().has_default_objects();
        let mut rows: Vec<usize> = actors.iter().copied().collect();
        rows.sort_unstable();
        for row in rows {
            let class = class_name(self.package, row);
            match class.as_str() {
                "TerrainInfo" => self.geometry(row, self.path(row), ORIGIN),
                "Terrain" => {
                    // How large it is, is said by its mesh.
                    let place = self.places.of_actor(&mut self.effective.subject(row));
                    self.geometry(row, self.path(row), place.unwrap_or(ORIGIN));
                }
                "Landscape" | "LandscapeStreamingProxy" => self.landscape(row),
                _ if !has_components => self.classic_actor(row),
                _ => {}
            }
        }
        if has_components {
            self.components(actors);
        }
    }

    /// A landscape: its mesh says how large it is where its root component does not.
    fn landscape(&mut self, row: usize) {
        let place = self.places.of_actor(&mut self.effective.subject(row)).unwrap_or(ORIGIN);
        let at = ObjectAt { package: self.package.clone(), row };
        let Some(mesh) = self.mesh(&at) else { return };
        let root = self.package.values().object_at(row, "RootComponent");
        if root.is_some_and(|root| self.effective.subject(root).stores("RelativeScale3D")) {
            self.parts.scene.meshes[mesh].mesh.placement = MeshPlacement::default();
        }
        self.show(self.path(row), place, SceneContent::Mesh { mesh, slots: None });
    }

    pub fn path(&self, row: usize) -> String {
        self.package.path(PackageIndex::export(row))
    }

    /// What an object of this package shows by itself: models, terrains.
    pub fn geometry(&mut self, row: usize, name: String, place: ActorTransform) {
        let at = ObjectAt { package: self.package.clone(), row };
        if let Some(mesh) = self.mesh(&at) {
            self.show(name, place, SceneContent::Mesh { mesh, slots: None });
        }
    }

    pub fn show(&mut self, name: String, place: ActorTransform, shown: SceneContent) {
        let is_light = matches!(shown, SceneContent::Light(_));
        match () {
            () if !is_written(&place) => self.leave_out("whose places are no numbers of 32 bits"),
            () if !is_light && TurnedScale::of(place.axes).is_none() => {
                self.leave_out("that have no size in one direction");
            }
            () => self.parts.scene.nodes.push(SceneNode { name, place, shown }),
        }
    }

    /// Counts what is not shown.
    pub fn leave_out(&mut self, reason: &str) {
        *self.parts.left_out.entry(reason.to_owned()).or_default() += 1;
    }

    /// The number of a mesh that a property of an object names; `None` where there is none, or it does not come out.
    pub fn named_mesh(&mut self, at: &ObjectAt, property: &'static str) -> Option<usize> {
        match self.objects.find(at, property, 0) {
            LinkedObject::Nothing => None,
            LinkedObject::Here(mesh) => self.mesh(&mesh),
            LinkedObject::Away(path) => {
                self.leave_out(&format!("that show {path}, which is not at hand"));
                None
            }
        }
    }

    /// The number of a mesh in the scene.
    fn mesh(&mut self, at: &ObjectAt) -> Option<usize> {
        let known = self.parts.meshes.get(&at.key()).map(|(_, known)| *known);
        let known = known.unwrap_or_else(|| {
            let made = self.new_mesh(at);
            self.parts.meshes.insert(at.key(), (at.clone(), made));
            made
        });
        match known {
            KnownMesh::Shown(number) => Some(number),
            KnownMesh::Empty => None,
            KnownMesh::Refused => {
                self.leave_out(&format!("that show {}", at.path()));
                None
            }
        }
    }

    fn new_mesh(&mut self, at: &ObjectAt) -> KnownMesh {
        let mut slots = Vec::new();
        let read =
            reading::read(&at.package, at.row, self.options, |mesh, package, materials, _| {
                for (number, material) in materials.iter().enumerate() {
                    let name = material::name_of(package, number, *material);
                    mesh.materials.push(MeshMaterial { name, ..MeshMaterial::default() });
                }
                slots = materials.to_vec();
            });
        match read {
            Ok(mesh) if mesh.materials.len() > MOST_SLOTS => {
                let (path, count) = (at.path(), mesh.materials.len());
                self.parts.scene.notes.push(format!("{path} has {count} slots for materials"));
                KnownMesh::Refused
            }
            Ok(mut mesh) if mesh.lods.first().is_some_and(|lod| lod.triangle_count() > 0) => {
                // It stands as it is at rest.
                let bare = (std::mem::take(&mut mesh.bones), std::mem::take(&mut mesh.animations));
                drop(bare);
                (mesh.sockets, mesh.collision) = (Vec::new(), Vec::new());
                for lod in &mut mesh.lods {
                    (lod.influences, lod.morphs) = (Vec::new(), Vec::new());
                }
                let names: Vec<String> = mesh.materials.drain(..).map(|it| it.name).collect();
                let slots = slots.iter().zip(names).map(|(material, name)| {
                    self.material(&at.package, *material).unwrap_or_else(|| self.plain(name))
                });
                let slots = slots.collect();
                self.parts.scene.meshes.push(SceneMesh { mesh, slots });
                KnownMesh::Shown(self.parts.scene.meshes.len() - 1)
            }
            Ok(_) => KnownMesh::Empty,
            Err(error) => {
                self.parts.scene.notes.push(format!("{}: {error}", at.path()));
                KnownMesh::Refused
            }
        }
    }

    /// The number of a material; `None` where it is not at hand.
    pub fn material(&mut self, package: &Package, material: PackageIndex) -> Option<usize> {
        let at = ObjectAt::of(package, material, self.options)?;
        Some(self.material_at(&at))
    }

    pub fn material_at(&mut self, at: &ObjectAt) -> usize {
        if let Some((_, known)) = self.parts.materials.get(&at.key()) {
            return *known;
        }
        let surface = MaterialSurface::of(&at.package, PackageIndex::export(at.row), self.options);
        let mut made = MeshMaterial { name: at.path(), ..MeshMaterial::default() };
        self.parts.pictures.add(&mut made, &surface, self.options);
        if let Some(path) = &surface.away {
            self.parts.pictures_away.insert(path.clone());
        }
        self.parts.scene.materials.push(made);
        let number = self.parts.scene.materials.len() - 1;
        self.parts.materials.insert(at.key(), (at.clone(), number));
        number
    }

    /// A material of which the name alone is known.
    fn plain(&mut self, name: String) -> usize {
        if let Some(known) = self.parts.plain.get(&name) {
            return *known;
        }
        self.parts
            .scene
            .materials
            .push(MeshMaterial { name: name.clone(), ..MeshMaterial::default() });
        let number = self.parts.scene.materials.len() - 1;
        self.parts.plain.insert(name, number);
        number
    }

    /// The slots of a mesh with the materials that an actor or component sets: at most `count` of them; `None` where it sets
    /// no other ones.
    pub fn slots_with(
        &mut self,
        mesh: usize,
        count: usize,
        mut set: impl FnMut(&mut Self, usize) -> Option<usize>,
    ) -> Option<Arc<[usize]>> {
        let mut slots = Vec::new();
        for slot in 0..count.min(self.parts.scene.meshes[mesh].slots.len()) {
            if let Some(material) = set(self, slot) {
                if slots.is_empty() {
                    slots.clone_from(&self.parts.scene.meshes[mesh].slots);
                }
                slots[slot] = material;
            }
        }
        (!slots.is_empty() && slots != self.parts.scene.meshes[mesh].slots).then(|| slots.into())
    }
}

impl SceneParts {
    fn end(mut self) -> LevelScene {
        for (reason, count) in self.left_out {
            let what = if count == 1 { "object is" } else { "objects are" };
            self.scene.notes.push(format!("{count} {what} left out {reason}"));
        }
        for path in self.pictures_away {
            self.scene.notes.push(format!("a material has no picture: {path} is not at hand"));
        }
        self.scene
    }
}

/// Whether a file of glTF has numbers for a place, also within others.
fn is_written(place: &ActorTransform) -> bool {
    let parts = place.axes.as_flattened().iter().chain(&place.place);
    place.is_finite() && parts.into_iter().all(|part| part.abs() < LARGEST)
}

/// Whether a property says so; not where nothing says it.
pub(super) fn says(subject: &mut ObjectSubject<'_, '_>, property: &str) -> bool {
    subject.value(property) == Answer::Truth(true)
}
