//! The fields of structs that are stored without tags: their names and types.

use std::sync::Arc;

use super::codec::is_early;
use super::format::Surroundings;
use super::{Type, Value};
use crate::version::Engine;

/// A field of a struct: `X`, or `Min.X` where a struct within is stored flat.
pub(super) type NamedField = (Arc<str>, Type);

/// Names in stored order (spec: ue1-3/01 §1.10, ue4-5/04 §6).
const NAMES: &[(&str, &str)] = &[
    ("Vector", "X Y Z"),
    ("Vector3f", "X Y Z"),
    ("Vector3d", "X Y Z"),
    ("Vector_NetQuantize", "X Y Z"),
    ("Vector_NetQuantize10", "X Y Z"),
    ("Vector_NetQuantize100", "X Y Z"),
    ("Vector_NetQuantizeNormal", "X Y Z"),
    ("Vector2D", "X Y"),
    ("Vector2f", "X Y"),
    ("DeprecateSlateVector2D", "X Y"),
    ("Vector4", "X Y Z W"),
    ("Vector4f", "X Y Z W"),
    ("Vector4d", "X Y Z W"),
    ("Quat", "X Y Z W"),
    ("Quat4f", "X Y Z W"),
    ("Quat4d", "X Y Z W"),
    ("Plane", "X Y Z W"),
    ("Plane4f", "X Y Z W"),
    ("Plane4d", "X Y Z W"),
    ("Rotator", "Pitch Yaw Roll"),
    ("Rotation", "Pitch Yaw Roll"),
    ("Rotator3f", "Pitch Yaw Roll"),
    ("Rotator3d", "Pitch Yaw Roll"),
    ("Sphere", "Center.X Center.Y Center.Z W"),
    ("Sphere3f", "Center.X Center.Y Center.Z W"),
    ("Sphere3d", "Center.X Center.Y Center.Z W"),
    ("TwoVectors", "V1.X V1.Y V1.Z V2.X V2.Y V2.Z"),
    ("LinearColor", "R G B A"),
    ("Guid", "A B C D"),
    ("PointRegion", "Zone iLeaf ZoneNumber"),
    ("Region", "Zone iLeaf ZoneNumber"),
    ("Scale", "Scale.X Scale.Y Scale.Z SheerRate SheerAxis"),
    (
        "Coords",
        "Origin.X Origin.Y Origin.Z XAxis.X XAxis.Y XAxis.Z YAxis.X YAxis.Y YAxis.Z ZAxis.X \
         ZAxis.Y ZAxis.Z",
    ),
    ("SimpleCurveKey", "Time Value"),
    ("StringCurveKey", "Time Value"),
    ("NameCurveKey", "Time Value"),
    (
        "RichCurveKey",
        "InterpMode TangentMode TangentWeightMode Time Value ArriveTangent ArriveTangentWeight \
         LeaveTangent LeaveTangentWeight",
    ),
    ("Box", "Min.X Min.Y Min.Z Max.X Max.Y Max.Z IsValid"),
    ("Box3f", "Min.X Min.Y Min.Z Max.X Max.Y Max.Z IsValid"),
    ("Box3d", "Min.X Min.Y Min.Z Max.X Max.Y Max.Z IsValid"),
    ("Box2D", "Min.X Min.Y Max.X Max.Y IsValid"),
    ("Box2f", "Min.X Min.Y Max.X Max.Y IsValid"),
    (
        "Matrix",
        "XPlane.X XPlane.Y XPlane.Z XPlane.W YPlane.X YPlane.Y YPlane.Z YPlane.W ZPlane.X \
         ZPlane.Y ZPlane.Z ZPlane.W WPlane.X WPlane.Y WPlane.Z WPlane.W",
    ),
    ("PerPlatformFloat", "Cooked Default PerPlatform"),
    ("PerPlatformInt", "Cooked Default PerPlatform"),
    ("PerPlatformBool", "Cooked Default PerPlatform"),
    ("PerPlatformFrameRate", "Cooked Default PerPlatform"),
    ("PerQualityLevelInt", "Cooked Default PerQuality"),
    ("PerQualityLevelFloat", "Cooked Default PerQuality"),
    ("FontCharacter", "StartU StartV USize VSize TextureIndex VerticalOffset"),
    ("MovieSceneFrameRange", "Lower.Type Lower.Value Upper.Type Upper.Value"),
];
/// Inputs of materials, where they refer to their expression.
const INPUT: &str = "Expression OutputIndex InputName Mask MaskR MaskG MaskB MaskA UseConstant";

/// The four bytes of a colour: UE1 stores them as it names them, later engines as their memory has them.
const COLOR: &str = "B G R A";
const UE1_COLOR: &str = "R G B A";

/// The fields of a struct with these values, as declarations or the engine name them; those of unknown
/// names, or of another number than those that are known, are called by their number.
pub(super) fn named_fields(
    values: &[Value],
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> Vec<NamedField> {
    let structure = known.map_or("", Type::type_name);
    if let Some(layout) =
        around.layouts().structure(structure).filter(|_| is_early(around.versions()))
    {
        let count: u64 = layout.fields.iter().map(|field| u64::from(field.dimension)).sum();
        if count == values.len() as u64 {
            let each = layout.fields.iter().flat_map(|field| {
                (0..field.dimension).map(|index| {
                    let name = match index {
                        0 => field.name.clone(),
                        index => format!("{}[{index}]", field.name).into(),
                    };
                    (name, field.property.clone())
                })
            });
            return each.collect();
        }
    }
    let color = match around.versions().engine() {
        Engine::Ue1 => UE1_COLOR,
        _ => COLOR,
    };
    let names = names_of(structure, values.len(), color);
    names.into_iter().map(Arc::from).zip(values.iter().map(Type::of_value)).collect()
}

/// The names of `count` fields of a struct; numbers where they are not known.
fn names_of(structure: &str, count: usize, color: &'static str) -> Vec<String> {
    let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(structure));
    let input = structure.ends_with("Input") && count >= 8;
    // Vectors and points of whole numbers.
    let points = ["Int", "Uint"].iter().any(|start| structure.starts_with(start)) && count <= 4;
    let listed = match known {
        Some((_, names)) => names,
        None if structure.eq_ignore_ascii_case("Color") => color,
        None if input => INPUT,
        None if points => "X Y Z W",
        None => "",
    };
    let names: Vec<&str> = listed.split_whitespace().collect();
    let fits = match () {
        () if input || points => true,
        // Values by platform are not always there.
        () => names.len() == count || structure.starts_with("Per") && names.len() > count,
    };
    let name = |at: usize| match names.get(at) {
        Some(name) if fits => (*name).to_owned(),
        _ => at.to_string(),
    };
    (0..count).map(name).collect()
}
