//! Where objects stand in the world.

use std::collections::HashMap;

use crate::inspect::effective::{EffectiveValues, ObjectSubject};
use crate::inspect::formula::{Answer, Subject};
use crate::package::Package;
use crate::version::UnrealVersions;

/// Components hang on each other at most this deep.
const DEEPEST: usize = 64;
/// Units of a full turn before UE4, where angles are whole numbers.
const TURN: f64 = 65536.0;

/// A place in the world, with what turns and stretches what hangs on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActorTransform {
    /// The images of the three axes.
    pub axes: [[f64; 3]; 3],
    /// The origin.
    pub place: [f64; 3],
}

impl ActorTransform {
    /// The image of a point.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.turn(point);
        std::array::from_fn(|at| turned[at] + self.place[at])
    }

    fn turn(&self, point: [f64; 3]) -> [f64; 3] {
        let along = |at: usize| (0..3).map(|axis| point[axis] * self.axes[axis][at]).sum();
        std::array::from_fn(along)
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.axes.as_flattened().iter().chain(&self.place).all(|part| part.is_finite())
    }

    /// What hangs on this one at `child`, in the world.
    pub fn then(&self, child: &Self) -> Self {
        Self { axes: child.axes.map(|axis| self.turn(axis)), place: self.apply(child.place) }
    }

    /// Of a place, angles in turns (up and down, around, sideways) and factors.
    pub fn new(place: [f64; 3], [pitch, yaw, roll]: [f64; 3], scale: [f64; 3]) -> Self {
        let [(sp, cp), (sy, cy), (sr, cr)] =
            [pitch, yaw, roll].map(|turns| (turns * std::f64::consts::TAU).sin_cos());
        let axes = [
            [cp * cy, cp * sy, sp],
            [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp],
            [-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp],
        ];
        let axes = std::array::from_fn(|axis| axes[axis].map(|part: f64| part * scale[axis]));
        Self { axes, place }
    }
}

/// The places of a package's objects.
#[derive(Debug)]
pub struct ActorPlaces<'v, 'a> {
    effective: &'v EffectiveValues<'a>,
    /// From UE4 on components have places, before that actors.
    has_components: bool,
    components: HashMap<usize, ActorTransform>,
}

impl<'v, 'a> ActorPlaces<'v, 'a> {
    /// Of the objects of a package with these values.
    pub fn new(package: &Package, effective: &'v EffectiveValues<'a>) -> Self {
        let has_components = package.versions().has_soft_references();
        Self { effective, has_components, components: HashMap::new() }
    }

    /// Where an actor stands; `None` for one that is not decoded, and from UE4 on for one without a root
    /// component.
    pub fn of_actor(&mut self, actor: &mut ObjectSubject<'_, '_>) -> Option<ActorTransform> {
        let found = match self.has_components {
            true => self.of_component(actor.stored_export("RootComponent")?, 0)?,
            false => Self::of_placed(actor)?,
        };
        found.place.iter().all(|part| part.is_finite()).then_some(found)
    }

    /// Where what an actor draws stands, with all that stretches and moves it: of brushes too. As [`ActorPlaces::of_actor`],
    /// but that before UE4 an actor is drawn with factors and a pivot of its own.
    pub fn of_drawn(&mut self, actor: &mut ObjectSubject<'_, '_>) -> Option<ActorTransform> {
        let parts = ["X", "Y", "Z"];
        let stands = self.of_actor(actor)?;
        let (pivot, before, after) = match self.has_components {
            true => (actor.numbers("PivotOffset", parts, 0.0), [1.0; 3], [1.0; 3]),
            false => {
                let main = factors(actor, "MainScale.Scale");
                let all = factor(actor, "DrawScale");
                let each = factors(actor, "DrawScale3D");
                let before = std::array::from_fn(|at| main[at] * each[at] * all);
                (actor.numbers("PrePivot", parts, 0.0), before, factors(actor, "PostScale.Scale"))
            }
        };
        let axes = std::array::from_fn(|axis| {
            std::array::from_fn(|at| stands.axes[axis][at] * before[axis] * after[at])
        });
        let mut drawn = ActorTransform { axes, place: stands.place };
        drawn.place = drawn.apply(pivot.map(|part| -part));
        Some(drawn)
    }

    /// Where a component of UE3 stands whose actor is drawn at `actor`.
    pub fn of_part(
        component: &mut ObjectSubject<'_, '_>,
        actor: &ActorTransform,
    ) -> ActorTransform {
        let place = component.numbers("Translation", ["X", "Y", "Z"], 0.0);
        let angles = component.numbers("Rotation", ["Pitch", "Yaw", "Roll"], 0.0);
        let all = factor(component, "Scale");
        let scale = factors(component, "Scale3D").map(|part| part * all);
        let own = ActorTransform::new(place, angles.map(|part| part / TURN), scale);
        let mut whole = actor.then(&own);
        let mut is = |name: &str| component.value(name) == Answer::Truth(true);
        if is("AbsoluteTranslation") {
            whole.place = own.place;
        }
        if is("AbsoluteRotation") && is("AbsoluteScale") {
            whole.axes = own.axes;
        }
        whole
    }

    /// Where a component of UE4 or UE5 stands.
    pub fn of_row(&mut self, component: usize) -> Option<ActorTransform> {
        let found = self.of_component(component, 0)?;
        found.place.iter().all(|part| part.is_finite()).then_some(found)
    }

    /// Of an actor before UE4: its place is that in the world, whatever it hangs on.
    fn of_placed(actor: &mut ObjectSubject<'_, '_>) -> Option<ActorTransform> {
        if !actor.is_decoded() {
            return None;
        }
        let place = actor.numbers("Location", ["X", "Y", "Z"], 0.0);
        let angles = actor.numbers("Rotation", ["Pitch", "Yaw", "Roll"], 0.0);
        Some(ActorTransform::new(place, angles.map(|part| part / TURN), [1.0; 3]))
    }

    fn of_component(&mut self, row: usize, depth: usize) -> Option<ActorTransform> {
        if let Some(known) = self.components.get(&row) {
            return Some(*known);
        }
        let mut subject = self.effective.subject(row);
        if !subject.is_decoded() {
            return None;
        }
        let place = subject.numbers("RelativeLocation", ["X", "Y", "Z"], 0.0);
        let angles = subject.numbers("RelativeRotation", ["Pitch", "Yaw", "Roll"], 0.0);
        let scale = factors(&mut subject, "RelativeScale3D");
        let is_free = subject.value("bAbsoluteLocation") == Answer::Truth(true);
        let own = ActorTransform::new(place, angles.map(|part| part / 360.0), scale);
        let parent = subject.stored_export("AttachParent").filter(|_| !is_free);
        let whole = match parent.filter(|&parent| depth < DEEPEST && parent != row) {
            Some(parent) => self.of_component(parent, depth + 1)?.then(&own),
            None => own,
        };
        self.components.insert(row, whole);
        Some(whole)
    }
}

/// A factor of all axes before UE4; nothing is stretched to nothing.
fn factor(subject: &mut ObjectSubject<'_, '_>, path: &str) -> f64 {
    match subject.value(path) {
        Answer::Number(number) if number.real() != 0.0 => number.real(),
        _ => 1.0,
    }
}

/// Factors of the axes; nothing is stretched to nothing, that is how a class looks that does not say them.
fn factors(subject: &mut ObjectSubject<'_, '_>, path: &str) -> [f64; 3] {
    match subject.numbers(path, ["X", "Y", "Z"], 1.0) {
        [0.0, 0.0, 0.0] => [1.0; 3],
        factors => factors,
    }
}
