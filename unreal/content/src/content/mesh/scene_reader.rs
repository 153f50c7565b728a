//! From the levels of a package to a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::inherited_object::{InheritedObjects, NamedObject};
use super::material::{self, MeshLods, MeshOptions};
use super::object_at::ObjectAt;
use super::reading;
use super::scene::{LevelScene, SceneContent, SceneMesh, SceneNode};
use super::shape::MeshMaterial;
use super::source::class_name;
use super::surface::MaterialSurface;
use super::surface_picture::SurfacePictures;
use crate::error::{ErrorKind, Result, noun};
use crate::inspect::{
    ActorPlaces, ActorTransform, Answer, Defaults, EffectiveValues, ObjectSubject, PackageValues,
    Subject, level_actors, level_model,
};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::EngineFacts;

/// Where nothing is moved.
pub(super) const ORIGIN: ActorTransform =
    ActorTransform { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], place: [0.0; 3] };

/// The scene of the levels of a package.
pub(super) fn read(
    package: &Package,
    defaults: Option<&dyn Defaults>,
    options: &MeshOptions<'_>,
) -> Result<LevelScene> {
    // What stands in a level is seen from afar and by many: the finest level of detail, nothing beside the mesh.
    let options = &MeshOptions { lods: MeshLods::Finest, collision: false, ..*options };
    let effective = package.values().with_defaults(defaults).effective();
    let mut reader = SceneReader {
        package,
        options,
        effective: &effective,
        places: ActorPlaces::new(package, &effective),
        objects: InheritedObjects::new(options),
        scene: LevelScene::default(),
        meshes: HashMap::new(),
        materials: HashMap::new(),
        plain: HashMap::new(),
        pictures: SurfacePictures::default(),
        pictures_away: BTreeSet::new(),
        left_out: BTreeMap::new(),
    };
    let mut found = false;
    for row in 0..package.exports().len() {
        if !package.object_name(package.tables().exports[row].class_index).ends_with("Level") {
            continue;
        }
        let decoded = package.decode(row)?;
        let Some(actors) = level_actors(&decoded.body) else { continue };
        if !found {
            reader.scene.name = package.path(PackageIndex::export(row));
        }
        found = true;
        let actors: HashSet<usize> = actors.iter().filter_map(|actor| reader.row(*actor)).collect();
        if let Some(model) = level_model(&decoded.body).and_then(|model| reader.row(model)) {
            reader.geometry(model, package.path(PackageIndex::export(row)), ORIGIN);
        }
        reader.actors(&actors);
    }
    if !found {
        let name = "Level".to_owned();
        let hint = ": the package is no map, or its level is not decoded".to_owned();
        return Err(ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into());
    }
    Ok(reader.end())
}

/// Reads the levels of a package.
pub(super) struct SceneReader<'a> {
    pub package: &'a Package,
    options: &'a MeshOptions<'a>,
    pub effective: &'a EffectiveValues<'a>,
    pub places: ActorPlaces<'a, 'a>,
    pub objects: InheritedObjects<'a>,
    scene: LevelScene,
    /// Numbers of meshes; `None` for those that do not come out. Their packages stay open: places of bytes tell them
    /// apart.
    meshes: HashMap<(usize, usize), (ObjectAt, Option<usize>)>,
    /// Numbers of materials, likewise.
    materials: HashMap<(usize, usize), (ObjectAt, usize)>,
    /// Numbers of materials that are not at hand, by their names.
    plain: HashMap<String, usize>,
    pictures: SurfacePictures,
    /// Paths of what pictures of materials would be found through.
    pictures_away: BTreeSet<String>,
    /// What is not shown, by its reason, and how often.
    left_out: BTreeMap<String, usize>,
}

impl SceneReader<'_> {
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
                "Terrain" | "Landscape" | "LandscapeStreamingProxy" => {
                    let mut actor = self.effective.subject(row);
                    let place = self.places.of_actor(&mut actor).unwrap_or(ORIGIN);
                    // How large it is, is said by its mesh.
                    self.geometry(row, self.path(row), place.without_size());
                }
                _ if !has_components => self.classic_actor(row),
                _ => {}
            }
        }
        if has_components {
            self.components(actors);
        }
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
        if place.is_finite() {
            self.scene.nodes.push(SceneNode { name, place, shown });
        } else {
            self.leave_out("whose places are no numbers");
        }
    }

    /// Counts what is not shown.
    pub fn leave_out(&mut self, reason: &str) {
        *self.left_out.entry(reason.to_owned()).or_default() += 1;
    }

    /// The number of a mesh that a property of an object names; `None` where there is none, or it does not come out.
    pub fn named_mesh(&mut self, at: &ObjectAt, property: &'static str) -> Option<usize> {
        match self.objects.find(at, property, 0) {
            NamedObject::Nothing => None,
            NamedObject::Here(mesh) => self.mesh(&mesh),
            NamedObject::Away(path) => {
                self.leave_out(&format!("that show {path}, which is not at hand"));
                None
            }
        }
    }

    /// The number of a mesh in the scene.
    fn mesh(&mut self, at: &ObjectAt) -> Option<usize> {
        if let Some((_, known)) = self.meshes.get(&at.key()) {
            let known = *known;
            if known.is_none() {
                self.leave_out(&format!("that show {}, as said", at.path()));
            }
            return known;
        }
        let mut slots = Vec::new();
        let read =
            reading::read(&at.package, at.row, self.options, |mesh, package, materials, _| {
                for (number, material) in materials.iter().enumerate() {
                    let name = material::name_of(package, number, *material);
                    mesh.materials.push(MeshMaterial { name, ..MeshMaterial::default() });
                }
                slots = materials.to_vec();
            });
        let made = match read {
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
                self.scene.meshes.push(SceneMesh { mesh, slots });
                Some(self.scene.meshes.len() - 1)
            }
            // A level without geometry of its own has an empty model.
            Ok(_) => None,
            Err(error) => {
                self.leave_out(&format!("that show {}: {error}", at.path()));
                None
            }
        };
        self.meshes.insert(at.key(), (at.clone(), made));
        made
    }

    /// The number of a material; `None` where it is not at hand.
    pub fn material(&mut self, package: &Package, material: PackageIndex) -> Option<usize> {
        let at = ObjectAt::of(package, material, self.options)?;
        Some(self.material_at(&at))
    }

    pub fn material_at(&mut self, at: &ObjectAt) -> usize {
        if let Some((_, known)) = self.materials.get(&at.key()) {
            return *known;
        }
        let surface = MaterialSurface::of(&at.package, PackageIndex::export(at.row), self.options);
        let mut made = MeshMaterial { name: at.path(), ..MeshMaterial::default() };
        self.pictures.add(&mut made, &surface, self.options);
        if let Some(path) = &surface.away {
            self.pictures_away.insert(path.clone());
        }
        self.scene.materials.push(made);
        let number = self.scene.materials.len() - 1;
        self.materials.insert(at.key(), (at.clone(), number));
        number
    }

    /// A material of which the name alone is known.
    fn plain(&mut self, name: String) -> usize {
        if let Some(known) = self.plain.get(&name) {
            return *known;
        }
        self.scene.materials.push(MeshMaterial { name: name.clone(), ..MeshMaterial::default() });
        let number = self.scene.materials.len() - 1;
        self.plain.insert(name, number);
        number
    }

    /// The slots of a mesh with the materials that an actor or component sets.
    pub fn slots_with(
        &mut self,
        mesh: usize,
        mut set: impl FnMut(&mut Self, usize) -> Option<usize>,
    ) -> Option<Vec<usize>> {
        let own = self.scene.meshes[mesh].slots.clone();
        let slots: Vec<usize> =
            (0..own.len()).map(|slot| set(self, slot).unwrap_or(own[slot])).collect();
        (slots != own).then_some(slots)
    }

    fn end(mut self) -> LevelScene {
        for (reason, count) in std::mem::take(&mut self.left_out) {
            let what = if count == 1 { "object is" } else { "objects are" };
            self.scene.notes.push(format!("{count} {what} left out {reason}"));
        }
        for path in std::mem::take(&mut self.pictures_away) {
            self.scene.notes.push(format!("a material has no picture: {path} is not at hand"));
        }
        self.scene
    }
}

/// Whether a property says so; not where nothing says it.
pub(super) fn says(subject: &mut ObjectSubject<'_, '_>, property: &str) -> bool {
    subject.value(property) == Answer::Truth(true)
}
