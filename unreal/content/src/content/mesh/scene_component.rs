//! Components of UE3 to UE5 in a scene.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::inherited_object::LinkedObject;
use super::object_at::ObjectAt;
use super::scene::SceneContent;
use super::scene_light::SceneLight;
use super::scene_reader::{LevelSceneReader, says};
use super::source::{MeshSource, class_name};
use crate::inspect::{ActorPlaces, ActorTransform, Answer, Subject};
use crate::object::Body;
use crate::object::geometry::Plane;
use crate::object::ue3::world::collection_actor::CollectionActor;
use crate::object::ue4::component::instanced::{
    HierarchicalInstancedStaticMeshComponent, InstancedStaticMeshComponent,
};
use crate::package::native_as;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Elements, Value};
use crate::version::UnrealVersions;

/// Objects between a component and its actor.
const DEEPEST: usize = 8;
/// Instances of all components: what bytes of a file could ask for.
const MOST_INSTANCES: usize = 1 << 22;

/// What components need of their actor.
#[derive(Default)]
struct ActorFacts {
    is_hidden: bool,
    /// Before UE4, where components stand in it.
    drawn: Option<ActorTransform>,
    /// Those that the actor places itself, by their rows.
    collected: HashMap<usize, ActorTransform>,
}

impl LevelSceneReader<'_> {
    /// What the components of these actors show.
    pub fn components(&mut self, actors: &HashSet<usize>) {
        let mut known = HashMap::new();
        for row in 0..self.package.export_count() {
            let class = class_name(self.package, row);
            let is_light = class.contains("LightComponent");
            let is_static = class.contains("StaticMeshComponent");
            if !is_light && !is_static && !class.contains("SkeletalMeshComponent") {
                continue;
            }
            let Some(actor) = self.actor_of(row, actors) else { continue };
            let effective = self.effective;
            let mut component = effective.subject(row);
            let is_late = self.package.versions().has_soft_references();
            let shown = if is_late { "bVisible" } else { "bEnabled" };
            if component.value(shown) == Answer::Truth(false) {
                self.leave_out("that are switched off");
                continue;
            }
            let facts = known.entry(actor).or_insert_with(|| self.facts_of(actor));
            if is_light {
                let light = SceneLight::of_component(&mut component, &class, is_late);
                let Some(light) = light else {
                    self.leave_out("that are lights of other kinds or units");
                    continue;
                };
                match self.place_of(row, facts) {
                    Some(place) => self.show(self.path(row), place, SceneContent::Light(light)),
                    None => self.leave_out("without a place"),
                }
                continue;
            }
            let at = ObjectAt { package: self.package.clone(), row };
            let mesh = match is_static {
                true => self.named_mesh(&at, "StaticMesh"),
                false => ["SkeletalMesh", "SkeletalMeshAsset", "SkinnedAsset"]
                    .into_iter()
                    .find_map(|property| self.named_mesh(&at, property)),
            };
            let Some(mesh) = mesh else { continue };
            let hidden = ["bHiddenInGame", "HiddenGame"];
            if facts.is_hidden || hidden.iter().any(|property| says(&mut component, property)) {
                self.leave_out("that a game hides");
                continue;
            }
            let Some(place) = self.place_of(row, facts) else {
                self.leave_out("without a place");
                continue;
            };
            let list = if is_late { "OverrideMaterials" } else { "Materials" };
            let count = self.objects.length(&at, list);
            let slots = self.slots_with(mesh, count, |reader, slot| {
                match reader.objects.find(&at, list, i32::try_from(slot).ok()?) {
                    LinkedObject::Here(material) => Some(reader.material_at(&material)),
                    _ => None,
                }
            });
            for place in self.instances(row, place) {
                let slots = slots.clone();
                self.show(self.path(row), place, SceneContent::Mesh { mesh, slots });
            }
        }
    }

    /// The actor of a level that a component is in.
    fn actor_of(&self, row: usize, actors: &HashSet<usize>) -> Option<usize> {
        let mut at = PackageIndex::export(row);
        for _ in 0..DEEPEST {
            at = self.package.outer(at);
            match at.target() {
                ObjectRef::Export(outer) if actors.contains(&outer) => {
                    return Some(outer);
                }
                ObjectRef::Export(_) => {}
                _ => return None,
            }
        }
        None
    }

    /// What components of an actor need of it.
    fn facts_of(&mut self, actor: usize) -> ActorFacts {
        let effective = self.effective;
        let mut subject = effective.subject(actor);
        let is_hidden = says(&mut subject, "bHidden");
        if self.package.versions().has_soft_references() {
            return ActorFacts { is_hidden, ..ActorFacts::default() };
        }
        let (drawn, collected) = (self.places.of_drawn(&mut subject), self.collected(actor));
        ActorFacts { is_hidden, drawn, collected: collected.unwrap_or_default() }
    }

    fn place_of(&mut self, row: usize, actor: &ActorFacts) -> Option<ActorTransform> {
        if self.package.versions().has_soft_references() {
            return self.places.of_row(row);
        }
        if let Some(collected) = actor.collected.get(&row) {
            return Some(*collected);
        }
        Some(ActorPlaces::of_part(&mut self.effective.subject(row), &actor.drawn?))
    }

    /// Where the components of an actor that stands for many are; Mass Effect 3.
    fn collected(&self, actor: usize) -> Option<HashMap<usize, ActorTransform>> {
        let decoded = self.package.decode(actor).ok()?;
        let stored = native_as::<CollectionActor>(&decoded.body)?;
        let source = MeshSource::of(self.package, actor, &decoded.body);
        let lists = ["StaticMeshComponents", "LightComponents"];
        let all = lists.iter().find_map(|name| match source.value(name) {
            Some(Value::Array(Elements::Object(all))) => Some(Cow::Borrowed(all)),
            // The class is not at hand, but its transforms say how many objects these are.
            Some(Value::Opaque(opaque)) => {
                let all = source.elements(&opaque.span, 4).ok()?;
                let is_list = all.get(0)?.u32(0) as usize == stored.transforms.len()
                    && all.len() == stored.transforms.len() + 1;
                let index = |at: super::numbers::Element<'_>| PackageIndex::new(at.i32(0));
                is_list.then(|| Cow::Owned(all.iter().skip(1).map(index).collect::<Vec<_>>()))
            }
            _ => None,
        })?;
        let row = |it: Plane| [it.x, it.y, it.z].map(f64::from);
        let placed = all.iter().zip(&stored.transforms).filter_map(|(index, matrix)| {
            let ObjectRef::Export(component) = index.target() else { return None };
            let [x, y, z, place] = matrix.rows.map(row);
            Some((component, ActorTransform { axes: [x, y, z], place }))
        });
        Some(placed.collect())
    }

    /// The places of a component's instances; its own where it has none.
    fn instances(&mut self, row: usize, place: ActorTransform) -> Vec<ActorTransform> {
        let Ok(decoded) = self.package.decode(row) else { return vec![place] };
        let Some(stored) = instanced(&decoded.body) else { return vec![place] };
        let source = MeshSource::of(self.package, row, &decoded.body);
        let all = &stored.instances;
        let Ok(elements) = source.elements(&all.data, all.element_size.max(1) as usize) else {
            self.leave_out("whose instances do not fit their number");
            return Vec::new();
        };
        // A matrix of floats, behind which light maps may stand, or of doubles.
        let is_wide = all.element_size >= 128;
        self.parts.instances = self.parts.instances.saturating_add(elements.len());
        if all.element_size < 64 || self.parts.instances > MOST_INSTANCES {
            self.leave_out("whose instances are too many, or in another form");
            return Vec::new();
        }
        let number = |at: super::numbers::Element<'_>, axis: usize, part: usize| match is_wide {
            true => at.f64(axis * 32 + part * 8),
            false => f64::from(at.f32(axis * 16 + part * 4)),
        };
        let instance = |at: super::numbers::Element<'_>| {
            let axis = |axis: usize| [0, 1, 2].map(|part| number(at, axis, part));
            place.then(&ActorTransform { axes: [axis(0), axis(1), axis(2)], place: axis(3) })
        };
        elements.iter().map(instance).collect()
    }
}

fn instanced(body: &Body) -> Option<&InstancedStaticMeshComponent> {
    let tree = native_as::<HierarchicalInstancedStaticMeshComponent>(body).map(|it| &it.base);
    tree.or_else(|| native_as(body))
}
