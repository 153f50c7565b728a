//! The fields of structs that are stored without tags: their names and types.

use std::sync::Arc;

use super::{Layouts, PropertyType};
use crate::version::{Engine, Versions};

/// A field of a struct: `X`, or `Min.X` where a struct within is stored flat.
pub(super) type NamedField = (Arc<str>, PropertyType);

/// Names for the types of [`super::value`]'s own structs, in stored order (spec: ue1-3/01 §1.10).
const NAMES: &[(&str, &str)] = &[
    ("Vector", "X Y Z"),
    ("Rotator", "Pitch Yaw Roll"),
    ("Rotation", "Pitch Yaw Roll"),
    ("Plane", "X Y Z W"),
    ("Vector2D", "X Y"),
    ("Vector4", "X Y Z W"),
    ("Quat", "X Y Z W"),
    ("LinearColor", "R G B A"),
    ("Guid", "A B C D"),
    ("Box", "Min.X Min.Y Min.Z Max.X Max.Y Max.Z IsValid"),
    ("TwoVectors", "V1.X V1.Y V1.Z V2.X V2.Y V2.Z"),
    ("IntPoint", "X Y"),
    ("PointRegion", "Zone iLeaf ZoneNumber"),
    ("Region", "Zone iLeaf ZoneNumber"),
    ("Scale", "Scale.X Scale.Y Scale.Z SheerRate SheerAxis"),
    (
        "Coords",
        "Origin.X Origin.Y Origin.Z XAxis.X XAxis.Y XAxis.Z YAxis.X YAxis.Y YAxis.Z ZAxis.X \
         ZAxis.Y ZAxis.Z",
    ),
    (
        "Matrix",
        "XPlane.X XPlane.Y XPlane.Z XPlane.W YPlane.X YPlane.Y YPlane.Z YPlane.W ZPlane.X \
         ZPlane.Y ZPlane.Z ZPlane.W WPlane.X WPlane.Y WPlane.Z WPlane.W",
    ),
];

/// The four bytes of a colour: UE2 and UE3 store them as their memory has them (spec: ue1-3/01 §1.10).
fn color(versions: &Versions) -> &'static str {
    if versions.engine() == Engine::Ue1 { "R G B A" } else { "B G R A" }
}

/// The fields of a struct, of these types, as the package's declarations or the engine name them; those of
/// unknown names, or of another number than those that are known, are called by their number.
pub(super) fn fields_of(
    name: &str,
    types: &[PropertyType],
    layouts: &Layouts,
    versions: &Versions,
) -> Vec<NamedField> {
    if let Some(layout) = layouts.structure(name) {
        let declared: Vec<NamedField> = layout
            .fields
            .iter()
            .flat_map(|field| {
                (0..field.dimension).map(|index| {
                    let name = match index {
                        0 => field.name.clone(),
                        index => format!("{}[{index}]", field.name).into(),
                    };
                    (name, field.property.clone())
                })
            })
            .collect();
        if declared.len() == types.len() {
            return declared;
        }
    }
    let known = match name.eq_ignore_ascii_case("Color") {
        true => Some(color(versions)),
        false => NAMES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, names)| *names),
    };
    let names: Vec<&str> = known.unwrap_or_default().split_whitespace().collect();
    let numbered = names.len() != types.len();
    types
        .iter()
        .enumerate()
        .map(|(at, property)| {
            let name = if numbered { at.to_string().into() } else { names[at].into() };
            (name, property.clone())
        })
        .collect()
}
