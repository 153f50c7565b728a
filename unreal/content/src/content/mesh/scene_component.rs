//! Components of UE3 to UE5 in a scene.

use std::collections::HashSet;

use super::inherited_object::NamedObject;
use super::object_at::ObjectAt;
use super::scene::SceneContent;
use super::scene_light::SceneLight;
use super::scene_reader::{SceneReader, says};
use super::source::{MeshSource, class_name};
use crate::inspect::{ActorTransform, Answer, ObjectSubject, Subject};
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
const AXES: [&str; 3] = ["X", "Y", "Z"];
/// Units of a full turn in UE3.
const TURN: f64 = 65536.0;
/// Instances of all components: what bytes of a file could ask for.
const MOST_INSTANCES: usize = 1 << 22;

impl SceneReader<'_> {
    /// What the components of these actors show.
    pub fn components(&mut self, actors: &HashSet<usize>) {
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
            if is_light {
                let light = SceneLight::of_component(&mut component, &class, is_late);
                if let Some((light, place)) = light.zip(self.place_of(row, actor)) {
                    self.show(self.path(row), place, SceneContent::Light(light));
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
            if hidden.iter().any(|property| says(&mut component, property))
                || says(&mut effective.subject(actor), "bHidden")
            {
                self.leave_out("that a game hides");
                continue;
            }
            let Some(place) = self.place_of(row, actor) else { continue };
            let list = if is_late { "OverrideMaterials" } else { "Materials" };
            let slots = self.slots_with(mesh, |reader, slot| {
                match reader.objects.find(&at, list, i32::try_from(slot).ok()?) {
                    NamedObject::Here(material) => Some(reader.material_at(&material)),
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

    fn place_of(&mut self, row: usize, actor: usize) -> Option<ActorTransform> {
        let effective = self.effective;
        if self.package.versions().has_soft_references() {
            return self.places.of_row(row);
        }
        if let Some(collected) = self.collected(row, actor) {
            return Some(collected);
        }
        let stands = self.places.of_drawn(&mut effective.subject(actor))?;
        Some(stands.then(&local(&mut effective.subject(row))))
    }

    /// Where a component of an actor that stands for many is; Mass Effect 3.
    fn collected(&self, row: usize, actor: usize) -> Option<ActorTransform> {
        let decoded = self.package.decode(actor).ok()?;
        let stored = native_as::<CollectionActor>(&decoded.body)?;
        let source = MeshSource::of(self.package, actor, &decoded.body);
        let lists = ["StaticMeshComponents", "LightComponents"];
        let all = lists.iter().find_map(|name| match source.value(name) {
            Some(Value::Array(Elements::Object(all))) => Some(all),
            _ => None,
        })?;
        let at = all.iter().position(|index| *index == PackageIndex::export(row))?;
        let row = |it: Plane| [it.x, it.y, it.z].map(f64::from);
        let [x, y, z, place] = stored.transforms.get(at)?.rows.map(row);
        Some(ActorTransform { axes: [x, y, z], place })
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
        if all.element_size < 64 || elements.len() > MOST_INSTANCES {
            self.leave_out("whose instances are not known");
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

/// Where a component of UE3 is within its actor.
fn local(component: &mut ObjectSubject<'_, '_>) -> ActorTransform {
    let place = component.numbers("Translation", AXES, 0.0);
    let angles =
        component.numbers("Rotation", ["Pitch", "Yaw", "Roll"], 0.0).map(|part| part / TURN);
    let all = match component.value("Scale") {
        Answer::Number(number) => number.real(),
        _ => 1.0,
    };
    let scale = component.numbers("Scale3D", AXES, 1.0).map(|part| part * all);
    ActorTransform::new(place, angles, scale)
}
