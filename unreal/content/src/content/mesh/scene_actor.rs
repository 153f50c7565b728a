//! Actors of UE1 and UE2 in a scene.

use super::inherited_object::LinkedObject;
use super::object_at::ObjectAt;
use super::scene::SceneContent;
use super::scene_light::SceneLight;
use super::scene_reader::{LevelSceneReader, says};
use crate::inspect::{Answer, ObjectSubject, Subject};

/// How an actor is drawn. C++: `EDrawType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrawType {
    Mesh,
    Brush,
    StaticMesh,
    Other,
    /// The class would say it, and is not at hand.
    Unknown,
}

impl DrawType {
    fn of(actor: &mut ObjectSubject<'_, '_>) -> Self {
        let (number, name) = match actor.value("DrawType") {
            Answer::Choice(number, name) => (number, name),
            Answer::Number(number) => (number.real() as i128, String::new()),
            Answer::Text(name) => (-1, name),
            _ => return Self::Unknown,
        };
        match (number, name.as_str()) {
            (2, _) | (_, "DT_Mesh") => Self::Mesh,
            (3, _) | (_, "DT_Brush") => Self::Brush,
            (8, _) | (_, "DT_StaticMesh") => Self::StaticMesh,
            _ => Self::Other,
        }
    }
}

impl LevelSceneReader<'_> {
    /// An actor that is drawn by itself, without components.
    pub fn classic_actor(&mut self, row: usize) {
        let effective = self.effective;
        let mut actor = effective.subject(row);
        if actor.is("class", "Light") == Some(true) {
            let Some(light) = SceneLight::of_actor(&mut actor) else {
                return self.leave_out("that are dark lights");
            };
            return match self.places.of_actor(&mut actor) {
                Some(place) => self.show(self.path(row), place, SceneContent::Light(light)),
                None => self.leave_out("without a place"),
            };
        }
        let at = ObjectAt { package: self.package.clone(), row };
        let drawn = match DrawType::of(&mut actor) {
            // What it stores is what it draws: classes of static meshes, movers and decorations differ in that.
            DrawType::Unknown if actor.stores("StaticMesh") => DrawType::StaticMesh,
            DrawType::Unknown if actor.stores("Mesh") => DrawType::Mesh,
            DrawType::Unknown if actor.stores("Brush") => DrawType::Brush,
            known => known,
        };
        let mesh = match drawn {
            DrawType::Mesh => self.named_mesh(&at, "Mesh"),
            DrawType::StaticMesh => self.named_mesh(&at, "StaticMesh"),
            // What brushes add and take away is the level's own model: those that move have theirs.
            DrawType::Brush if actor.is("class", "Mover") == Some(true) => {
                self.named_mesh(&at, "Brush")
            }
            DrawType::Unknown => {
                self.leave_out("whose classes are not at hand, and which store no mesh");
                None
            }
            _ => None,
        };
        let Some(mesh) = mesh else { return };
        if says(&mut actor, "bHidden") {
            return self.leave_out("that a game hides");
        }
        let Some(mut place) = self.places.of_drawn(&mut actor) else {
            return self.leave_out("without a place");
        };
        if drawn == DrawType::Mesh {
            // A mesh is moved by its pivot and not turned around it.
            let pivot = actor.numbers("PrePivot", ["X", "Y", "Z"], 0.0);
            let stands = self.places.of_actor(&mut actor).map_or(place.place, |it| it.place);
            place.place = [0, 1, 2].map(|axis| stands[axis] + pivot[axis]);
        }
        let lists = ["MultiSkins", "Skins"];
        let count = lists.iter().map(|list| self.objects.length(&at, list)).max().unwrap_or(0);
        // The one of UE1 is that of the first slot.
        let count = if drawn == DrawType::Brush { 0 } else { count.max(1) };
        let slots = self.slots_with(mesh, count, |reader, slot| reader.skin(&at, slot));
        self.show(self.path(row), place, SceneContent::Mesh { mesh, slots });
    }

    /// The material that an actor has in a slot of its mesh.
    fn skin(&mut self, at: &ObjectAt, slot: usize) -> Option<usize> {
        let element = i32::try_from(slot).ok()?;
        // Of UE1, of UE2, and the one of UE1 for the first slot.
        let ways = [("MultiSkins", element), ("Skins", element), ("Skin", 0)];
        let ways = if slot == 0 { &ways[..] } else { &ways[..2] };
        ways.iter().find_map(|(property, element)| {
            match self.objects.find(at, property, *element) {
                LinkedObject::Here(material) => Some(self.material_at(&material)),
                _ => None,
            }
        })
    }
}
