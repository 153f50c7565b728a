//! Groups of actors that are mirrored, turned and moved.

use super::kinship::Kinship;
use super::motion::{ActorMotion, angle, numbers};
use super::offset::FURTHER_PLACES;
use super::turning::{Rotator, Turning, Vector};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{Answer, Defaults, PackageValues, Subject};
use crate::property::Value;
use crate::version::{Engine, UnrealVersions};

/// The rotators that belong to the further places of an actor.
const FURTHER_ROTATORS: &[&str] = &["BaseRot", "OldRot"];
/// The keys of a mover: what is added to its first place and rotator. UE2 has the most, 24.
const KEYS: usize = 24;
/// The axis that UnrealEd stores of a scale that does not sheer (C++: `SHEER_ZX`).
const SHEER_ZX: f64 = 5.0;
const XYZ: [&str; 3] = ["X", "Y", "Z"];
const ANGLES: [&str; 3] = ["Pitch", "Yaw", "Roll"];
/// Properties of components whose place does not count from the one that they hang on.
const ABSOLUTE: [&str; 3] = ["bAbsoluteLocation", "bAbsoluteRotation", "bAbsoluteScale"];

/// The motion that actors were given.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PlacedActors {
    /// The place about which they were turned and mirrored.
    pub pivot: Option<[f64; 3]>,
    /// Pitch, yaw and roll in degrees.
    pub degrees: Option<[f64; 3]>,
}

/// An actor that is placed by itself.
struct Placed {
    /// The actor.
    row: usize,
    /// The object that says where it stands: from UE4 on its first component.
    at: usize,
    has_component: bool,
}

impl Placed {
    fn location(&self) -> &'static str {
        if self.has_component { "RelativeLocation" } else { "Location" }
    }

    fn rotation(&self) -> &'static str {
        if self.has_component { "RelativeRotation" } else { "Rotation" }
    }

    fn scale(&self) -> &'static str {
        if self.has_component { "RelativeScale3D" } else { "DrawScale3D" }
    }
}

impl Edit {
    /// Mirrors, turns and moves a group of actors. Places, rotators, the keys of movers and the scales that mirror a
    /// shape follow; what hangs on one of them (attached actors, components) keeps its place beside it. The pivot is the
    /// middle of the box around their places, unless one is given.
    ///
    /// Turning by a yaw alone and mirroring are exact; rotators of UE1 to UE3 are rounded to their units otherwise.
    /// Brushes of UE1 are mirrored by their `PostScale`, as UnrealEd does; others and all later ones by the scale of the
    /// actor along its own Y (Z for a mirror along Z), so that what points forward still does.
    ///
    /// # Errors
    /// `Invalid` for texts that are no vectors or rotators, and for objects that are no actors; `Refused` for actors that
    /// hang on one that stays, brushes whose `PostScale` would no longer lie along the axes, brushes of UE2 that would be
    /// mirrored, and movers whose keys turn about several axes.
    pub fn place_actors(
        &mut self,
        rows: &[usize],
        motion: &ActorMotion,
        defaults: Option<&dyn Defaults>,
    ) -> Result<PlacedActors> {
        let mut others = Vec::new();
        for &row in rows {
            if self.level_of(row)?.is_none() && !self.is_kin_of_actors(row) {
                others.push(self.exports().path(row));
            }
        }
        if !others.is_empty() {
            return Err(Error::refused("only actors have a place in the world", others));
        }
        self.transact(|edit| {
            let done = edit.turn_actors(rows, motion, defaults)?;
            if let Some(offset) = &motion.offset {
                edit.move_actors(rows, offset)?;
            }
            let is_brush = |row: &&usize| edit.class_name_of(**row).eq_ignore_ascii_case("Brush");
            let brushes = rows.iter().filter(is_brush).count();
            if brushes > 0 && (done != PlacedActors::default() || motion.offset.is_some()) {
                let what = if brushes == 1 { "1 brush" } else { &format!("{brushes} brushes") };
                edit.note(format!("the level shows {what} where it was until geometry is rebuilt"));
            }
            Ok(done)
        })
    }

    fn turn_actors(
        &mut self,
        rows: &[usize],
        motion: &ActorMotion,
        defaults: Option<&dyn Defaults>,
    ) -> Result<PlacedActors> {
        let full = if self.versions_have_scenes() { 360.0 } else { 65536.0 };
        let rotation = match &motion.rotation {
            Some(text) => numbers(text, ANGLES, |text| angle(text, full))?,
            None => [None; 3],
        };
        let turning = Turning::new(motion.mirror, rotation.map(Option::unwrap_or_default), full);
        if !turning.is_turned() && turning.mirror().is_none() {
            return Ok(PlacedActors::default());
        }
        let mut placed = Vec::new();
        for &row in rows {
            placed.extend(self.placed(row, rows)?);
        }
        let place = |at: &Placed| self.place_of(at, defaults);
        let places: Vec<Vector> = placed.iter().map(place).collect();
        let mut pivot = middle(&places);
        if let Some(text) = &motion.pivot {
            let given = numbers(text, XYZ, |text| text.parse().ok())?;
            pivot = [0, 1, 2].map(|axis| given[axis].unwrap_or(pivot[axis]));
        }
        for (placed, place) in placed.iter().zip(places) {
            self.set_vector(placed.at, placed.location(), turning.place(place, pivot))?;
            self.turn_further(placed.row, &turning, pivot)?;
            self.turn_shape(placed, &turning, defaults)?;
        }
        let degrees = turning
            .is_turned()
            .then(|| rotation.map(|angle| angle.unwrap_or_default() / full * 360.0));
        Ok(PlacedActors { pivot: Some(pivot), degrees })
    }

    /// How an actor is placed; `None` where it hangs on another one of the group and follows that.
    fn placed(&mut self, row: usize, all: &[usize]) -> Result<Option<Placed>> {
        let root = match self.versions_have_scenes() {
            true => self.object_at(row, "RootComponent"),
            false => None,
        };
        let Some(root) = root else {
            if self.versions_have_scenes() {
                let reason = "an actor without a stored RootComponent has no place that is known";
                return Err(Error::refused(reason, vec![self.exports().path(row)]));
            }
            return Ok(Some(Placed { row, at: row, has_component: false }));
        };
        if let Some(parent) = self.object_at(root, "AttachParent") {
            if self.lies_in_one(parent, all) {
                return Ok(None);
            }
            let reason = "its place counts from what it hangs on, which is not in the group: name that as well";
            return Err(Error::refused(reason, vec![self.exports().path(row)]));
        }
        for inner in self.with_inner(&[row]) {
            let object = format!("#{inner}");
            let is_set = |name: &&str| {
                let value = self.values().property(&object, name).ok().and_then(|it| it.value);
                matches!(value, Some(Value::Bool(true)))
            };
            if inner != root
                && let Some(name) = ABSOLUTE.iter().find(|name| is_set(name))
            {
                let path = self.exports().path(inner);
                self.note(format!("{path} stays as it is in the world: it has {name}"));
            }
        }
        Ok(Some(Placed { row, at: root, has_component: true }))
    }

    fn place_of(&self, placed: &Placed, defaults: Option<&dyn Defaults>) -> Vector {
        self.three(placed.at, placed.location(), XYZ, defaults).unwrap_or_default()
    }

    /// The rotator of an actor, and what mirrors and scales its shape.
    fn turn_shape(
        &mut self,
        placed: &Placed,
        turning: &Turning,
        defaults: Option<&dyn Defaults>,
    ) -> Result<()> {
        let rotator =
            self.three(placed.at, placed.rotation(), ANGLES, defaults).unwrap_or_default();
        let is_brush = self.is_brush(placed.row);
        if is_brush && self.actors_stand_beside() {
            self.turn_brush(placed.row, turning, defaults)?;
            return self.set_rotator(placed.at, placed.rotation(), turning.turn(rotator));
        }
        self.set_rotator(placed.at, placed.rotation(), turning.rotator(rotator))?;
        let Some(axis) = turning.mirrored_axis() else { return Ok(()) };
        if !self.has_axis_scales() {
            let path = self.exports().path(placed.row);
            if self.has_mesh(placed.row, defaults) {
                self.note(format!(
                    "{path} stands and points as in a mirror, but no scale of this version mirrors its mesh"
                ));
            }
            return Ok(());
        }
        let scale = self.three(placed.at, placed.scale(), XYZ, defaults);
        let mut scale = scale.unwrap_or([1.0; 3]);
        scale[axis] *= -1.0;
        self.set_vector(placed.at, placed.scale(), scale)
    }

    /// A brush of UE1 has scales outside of its rotation, along the axes of the world.
    fn turn_brush(
        &mut self,
        row: usize,
        turning: &Turning,
        defaults: Option<&dyn Defaults>,
    ) -> Result<()> {
        let path = vec![self.exports().path(row)];
        if turning.mirror().is_some() && self.has_axis_scales() {
            let reason = "no scale mirrors a brush of this version: mirror it in the editor";
            return Err(Error::refused(reason, path));
        }
        let scale = self.three(row, "PostScale.Scale", XYZ, defaults).unwrap_or([1.0; 3]);
        let sheer = self.number(row, "PostScale.SheerRate", defaults).unwrap_or_default();
        let new = turning.outer_scale(scale).filter(|_| sheer == 0.0);
        let Some(new) = new else {
            let reason = "its PostScale lies along the axes of the world and can't be turned so: apply it in the \
                          editor (Transform Permanently) first";
            return Err(Error::refused(reason, path));
        };
        if close(new, scale) {
            return Ok(());
        }
        let [x, y, z] = new.map(rounded);
        let axis = self.number(row, "PostScale.SheerAxis", None).unwrap_or(SHEER_ZX);
        let text = format!("(Scale=(X={x},Y={y},Z={z}),SheerRate=0,SheerAxis={axis})");
        self.set_three(row, "PostScale", "struct:Scale", &text)
    }

    /// What an actor stores of other places: those of a mover, of an actor that rides on another one.
    fn turn_further(&mut self, row: usize, turning: &Turning, pivot: Vector) -> Result<()> {
        if self.versions_have_scenes() {
            return Ok(());
        }
        let scales_as_the_world = !self.has_axis_scales() && self.is_brush(row);
        let turned = |rotator: Rotator| match scales_as_the_world {
            true => turning.turn(rotator),
            false => turning.rotator(rotator),
        };
        for name in FURTHER_PLACES {
            if let Some(place) = self.stored(row, name, XYZ) {
                self.set_vector(row, name, turning.place(place, pivot))?;
            }
        }
        for name in FURTHER_ROTATORS {
            if let Some(rotator) = self.stored(row, name, ANGLES) {
                self.set_rotator(row, name, turned(rotator))?;
            }
        }
        for key in 0..KEYS {
            let (place, rotator) = (format!("KeyPos[{key}]"), format!("KeyRot[{key}]"));
            if let Some(known) = self.stored(row, &place, XYZ) {
                self.set_vector(row, &place, turning.direction(known))?;
            }
            let Some(known) = self.stored(row, &rotator, ANGLES) else { continue };
            if known != [0.0; 3] && !turning.is_level() {
                let reason =
                    "its keys turn it by angles that are added, which only a turn about Z keeps";
                return Err(Error::refused(reason, vec![self.exports().path(row)]));
            }
            if !scales_as_the_world {
                self.set_rotator(row, &rotator, turning.difference(known))?;
            }
        }
        // Before UE2 a mesh is shifted along the axes of the world, a brush along its own.
        if !self.has_axis_scales()
            && !scales_as_the_world
            && let Some(shift) = self.stored(row, "PrePivot", XYZ)
        {
            self.set_vector(row, "PrePivot", turning.direction(shift))?;
        }
        self.turn_ride(row, turning)
    }

    /// The place of an actor beside the one that it is based on (UE2, UE3): along the axes of the world, or where it is
    /// attached firmly of the other one.
    fn turn_ride(&mut self, row: usize, turning: &Turning) -> Result<()> {
        let Some(place) = self.stored(row, "RelativeLocation", XYZ) else { return Ok(()) };
        let hard = self.values().property(&format!("#{row}"), "bHardAttach");
        let is_hard = hard.is_ok_and(|hard| matches!(hard.value, Some(Value::Bool(true))));
        if !is_hard {
            return self.set_vector(row, "RelativeLocation", turning.direction(place));
        }
        let Some(axis) = turning.mirrored_axis() else { return Ok(()) };
        let mut place = place;
        place[axis] *= -1.0;
        self.set_vector(row, "RelativeLocation", place)?;
        match self.stored(row, "RelativeRotation", ANGLES) {
            Some([pitch, yaw, roll]) => {
                let turned = if axis == 2 { [-pitch, yaw, -roll] } else { [pitch, -yaw, -roll] };
                self.set_rotator(row, "RelativeRotation", turned)
            }
            None => Ok(()),
        }
    }

    /// Whether actors have a scale along each of their own axes: UE1 has `DrawScale` alone, and the `PostScale` of
    /// brushes along the axes of the world.
    fn has_axis_scales(&self) -> bool {
        !matches!(self.versions().engine(), Engine::Ue1)
    }

    /// Brushes, movers and volumes have a shape of polygons.
    fn is_brush(&self, row: usize) -> bool {
        let is = |class: &String| class.eq_ignore_ascii_case("Brush");
        self.class_line(row).iter().any(is) || self.object_at(row, "Brush").is_some()
    }

    fn has_mesh(&self, row: usize, defaults: Option<&dyn Defaults>) -> bool {
        let values = self.values().with_defaults(defaults).effective();
        match values.subject(row).value("DrawType") {
            Answer::Text(text) | Answer::Choice(_, text) => text.eq_ignore_ascii_case("DT_Mesh"),
            Answer::Number(number) => number.real() == 2.0,
            _ => false,
        }
    }

    fn is_kin_of_actors(&self, row: usize) -> bool {
        self.kinship(row) == Kinship::Actor
    }

    fn number(&self, row: usize, path: &str, defaults: Option<&dyn Defaults>) -> Option<f64> {
        let values = self.values().with_defaults(defaults).effective();
        let answer = values.subject(row).value(path);
        Some(answer.number()?.real())
    }

    /// Three fields of a property, stored or not; `None` where nothing says one.
    fn three(
        &self,
        row: usize,
        property: &str,
        fields: [&str; 3],
        defaults: Option<&dyn Defaults>,
    ) -> Option<[f64; 3]> {
        let [a, b, c] =
            fields.map(|field| self.number(row, &format!("{property}.{field}"), defaults));
        Some([a?, b?, c?])
    }

    fn stored(&self, row: usize, property: &str, fields: [&str; 3]) -> Option<[f64; 3]> {
        self.values().property(&format!("#{row}"), property).ok()?;
        self.three(row, property, fields, None)
    }

    fn set_vector(&mut self, row: usize, property: &str, vector: Vector) -> Result<()> {
        let [x, y, z] = vector.map(rounded);
        let text = format!("(X={x},Y={y},Z={z})");
        self.set_three(row, property, "struct:Vector", &text)
    }

    fn set_rotator(&mut self, row: usize, property: &str, rotator: Rotator) -> Result<()> {
        let whole =
            |angle: f64| if self.versions_have_scenes() { rounded(angle) } else { angle.round() };
        let [pitch, yaw, roll] = rotator.map(whole).map(|angle| angle + 0.0);
        let is_stored = self.values().property(&format!("#{row}"), property).is_ok();
        if !is_stored && [pitch, yaw, roll] == [0.0; 3] {
            return Ok(());
        }
        let text = format!("(Pitch={pitch},Yaw={yaw},Roll={roll})");
        self.set_three(row, property, "struct:Rotator", &text)
    }

    fn set_three(&mut self, row: usize, property: &str, known: &str, text: &str) -> Result<()> {
        let object = format!("#{row}");
        self.add_property_or(&object, property, &known.parse()?, text).map(drop)
    }
}

/// The middle of the box around places.
fn middle(places: &[Vector]) -> Vector {
    [0, 1, 2].map(|axis| {
        let numbers = || places.iter().map(|place| place[axis]);
        let [low, high] = [numbers().reduce(f64::min), numbers().reduce(f64::max)];
        low.zip(high).map_or(0.0, |(low, high)| (low + high) / 2.0)
    })
}

/// A number without the noise of sines.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9 + 0.0
}

fn close(a: Vector, b: Vector) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= b.abs() * 1e-9)
}
