//! Brushes from above.

use super::actor::BrushUse;
use super::transform::ActorTransform;
use crate::inspect::effective::ObjectSubject;
use crate::inspect::formula::{Answer, Subject};
use crate::inspect::meaning::ReferenceTexts;
use crate::inspect::values::Values;
use crate::object::geometry::Vector;
use crate::object::{Body, ue1, ue2, ue3, ue4};
use crate::package::decode::native_as;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Polygons that cover less than this from above stand upright.
const UPRIGHT: f64 = 1e-3;

/// The brushes of a package.
pub struct Brushes<'v, 'a> {
    values: &'v Values<'a>,
    /// From UE4 on the component of a brush says how it is stretched, before that the actor.
    has_components: bool,
}

impl<'v, 'a> Brushes<'v, 'a> {
    /// Of the actors of these values.
    pub fn new(values: &'v Values<'a>) -> Self {
        Self { values, has_components: values.package.versions().has_soft_references() }
    }

    /// How a level uses an actor as a brush; `None` for one that is none.
    pub fn usage(&self, subject: &mut ObjectSubject<'_, '_>) -> Option<BrushUse> {
        subject.stored_export("Brush")?;
        let class = self.values.package.class_path(subject.row());
        if class.contains("Volume") {
            return Some(BrushUse::Volume);
        }
        if class.contains("Mover") {
            return Some(BrushUse::Mover);
        }
        let kind = match self.has_components {
            true => subject.value("BrushType"),
            false => subject.value("CsgOper"),
        };
        // Their numbers: CSG_Active 0, CSG_Add 1, CSG_Subtract 2; Brush_Default 0, Brush_Add 1, Brush_Subtract 2.
        let text = match &kind {
            Answer::Number(number) => number.to_string(),
            other => other.text(),
        };
        let is = |name: &str, number: &str| text.ends_with(name) || text == number;
        Some(match () {
            () if is("_Add", "1") => BrushUse::Add,
            () if is("_Subtract", "2") => BrushUse::Subtract,
            () if text.is_empty() || is("_Active", "0") || is("_Default", "0") => BrushUse::Builder,
            () => BrushUse::Other,
        })
    }

    /// The polygons of an actor's brush in the world, from above; `drawn` is where they stand.
    pub fn outline(
        &self,
        subject: &mut ObjectSubject<'_, '_>,
        drawn: Option<&ActorTransform>,
    ) -> Vec<Vec<[f64; 2]>> {
        let polygons = drawn.and_then(|_| self.polygons(subject));
        let (Some(drawn), Some(polygons)) = (drawn, polygons) else { return Vec::new() };
        let world = |point: [f64; 3]| {
            let [x, y, _] = drawn.apply(point);
            [x, y]
        };
        let seen = polygons.into_iter().map(|polygon| polygon.into_iter().map(world).collect());
        let (lying, upright): (Vec<_>, Vec<_>) =
            seen.partition(|polygon: &Vec<[f64; 2]>| area(polygon) > UPRIGHT);
        // A sheet that stands is a line.
        if lying.is_empty() { upright } else { lying }
    }

    fn polygons(&self, subject: &mut ObjectSubject<'_, '_>) -> Option<Vec<Vec<[f64; 3]>>> {
        let package = self.values.package;
        let model = package.decode(subject.stored_export("Brush")?).ok()?;
        let ObjectRef::Export(polys) = polygons_of(&model.body)?.target() else { return None };
        let polys = package.decode(polys).ok()?;
        corners(&polys.body)
    }
}

/// The list of the polygons that a model was built from.
pub fn polygons_of(body: &Body) -> Option<PackageIndex> {
    if let Some(model) = native_as::<ue1::Model>(body) {
        return Some(model.polys);
    }
    if let Some(model) = native_as::<ue2::Model>(body) {
        return Some(model.polys);
    }
    if let Some(model) = native_as::<ue3::world::model::Model>(body) {
        return Some(model.polys);
    }
    native_as::<ue4::world::model::Model>(body).map(|model| model.polys)
}

/// The corners of each polygon.
fn corners(body: &Body) -> Option<Vec<Vec<[f64; 3]>>> {
    let points = |vertices: &[Vector]| {
        vertices.iter().map(|it| [it.x, it.y, it.z].map(f64::from)).collect::<Vec<_>>()
    };
    if let Some(polys) = native_as::<ue1::Polys>(body) {
        return Some(polys.polys.items.iter().map(|it| points(&it.shape.vertices)).collect());
    }
    if let Some(polys) = native_as::<ue3::world::polys::Polys>(body) {
        return Some(polys.polys.iter().map(|it| points(&it.vertices)).collect());
    }
    let polys = native_as::<ue4::world::polys::Polys>(body)?;
    Some(polys.polygons.iter().map(|it| points(&it.vertices)).collect())
}

fn area(polygon: &[[f64; 2]]) -> f64 {
    let next = polygon.iter().cycle().skip(1);
    let twice: f64 = polygon.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum();
    twice.abs() / 2.0
}
