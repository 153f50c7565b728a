//! The fields of structs that are stored without tags: their names and types.

use std::sync::Arc;

use super::codec::is_early;
use super::format::Surroundings;
use super::{Type, Value};
use crate::version::EngineFacts;

/// A field of a struct: `X`, or `Min.X` where a struct within is stored flat.
pub(super) type NamedField = (Arc<str>, Type);

/// Structs, and the names of their fields in stored order (spec: ue1-3/01 §1.10, ue4-5/04 §6).
const NAMES: &[(&str, &str)] = &[
    (
        "Vector Vector3f Vector3d Vector_NetQuantize Vector_NetQuantize10 \
         Vector_NetQuantize100 Vector_NetQuantizeNormal",
        "X Y Z",
    ),
    ("Vector2D Vector2f DeprecateSlateVector2D", "X Y"),
    ("Vector4 Vector4f Vector4d Quat Quat4f Quat4d Plane Plane4f Plane4d", "X Y Z W"),
    ("Rotator Rotation Rotator3f Rotator3d", "Pitch Yaw Roll"),
    ("Sphere Sphere3f Sphere3d", "Center.X Center.Y Center.Z W"),
    ("TwoVectors", "V1.X V1.Y V1.Z V2.X V2.Y V2.Z"),
    ("LinearColor", "R G B A"),
    ("Guid", "A B C D"),
    ("PointRegion Region", "Zone iLeaf ZoneNumber"),
    ("Scale", "Scale.X Scale.Y Scale.Z SheerRate SheerAxis"),
    (
        "Coords",
        "Origin.X Origin.Y Origin.Z XAxis.X XAxis.Y XAxis.Z YAxis.X YAxis.Y YAxis.Z ZAxis.X \
         ZAxis.Y ZAxis.Z",
    ),
    ("SimpleCurveKey StringCurveKey NameCurveKey", "Time Value"),
    (
        "RichCurveKey",
        "InterpMode TangentMode TangentWeightMode Time Value ArriveTangent \
         ArriveTangentWeight LeaveTangent LeaveTangentWeight",
    ),
    ("Box Box3f Box3d", "Min.X Min.Y Min.Z Max.X Max.Y Max.Z IsValid"),
    ("Box2D Box2f", "Min.X Min.Y Max.X Max.Y IsValid"),
    (
        "Matrix",
        "XPlane.X XPlane.Y XPlane.Z XPlane.W YPlane.X YPlane.Y YPlane.Z YPlane.W ZPlane.X \
         ZPlane.Y ZPlane.Z ZPlane.W WPlane.X WPlane.Y WPlane.Z WPlane.W",
    ),
    (
        "PerPlatformFloat PerPlatformInt PerPlatformBool PerPlatformFrameRate",
        "Cooked Default PerPlatform",
    ),
    ("PerQualityLevelInt PerQualityLevelFloat", "Cooked Default PerQuality"),
    ("FontCharacter", "StartU StartV USize VSize TextureIndex VerticalOffset"),
    ("MovieSceneFrameRange", "Lower.Type Lower.Value Upper.Type Upper.Value"),
];
/// Inputs of materials, where they refer to their expression.
const INPUT: &str = "Expression OutputIndex InputName Mask MaskR MaskG MaskB MaskA UseConstant";

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
    let names = names_of(structure, values.len(), around.versions().color_fields());
    names.into_iter().map(Arc::from).zip(values.iter().map(Type::of_value)).collect()
}

/// The names of `count` fields of a struct; numbers where they are not known.
fn names_of(structure: &str, count: usize, color: &'static str) -> Vec<String> {
    let is = |known: &str| known.eq_ignore_ascii_case(structure);
    let known = NAMES.iter().find(|(structs, _)| structs.split_whitespace().any(is));
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
