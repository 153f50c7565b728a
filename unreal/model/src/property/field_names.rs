//! The fields of structs that are stored without tags: their names and types.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::codec::is_early;
use super::format::Surroundings;
use super::pin_type::{self, PinTypeForm};
use super::{StructLayout, Type, Value};
use crate::Versions;
use crate::version::{EngineFacts, UnrealVersions};

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
/// The same before UE4, where `Plane` is a `Vector` with a `W` of its own: a struct stores its own fields before those that it
/// inherits (spec: ue1-3/16 §16.8). Packages of UE2 that store matrices with tags say so, and every matrix without tags
/// that changes nothing is one only if read so.
const NAMES_BEFORE_UE4: &[(&str, &str)] = &[
    ("Plane", "W X Y Z"),
    (
        "Matrix",
        "XPlane.W XPlane.X XPlane.Y XPlane.Z YPlane.W YPlane.X YPlane.Y YPlane.Z ZPlane.W \
         ZPlane.X ZPlane.Y ZPlane.Z WPlane.W WPlane.X WPlane.Y WPlane.Z",
    ),
];
/// Inputs of materials, where they refer to their expression, and where they name it (spec: ue4-5/04 §6).
const INPUT: &[&str] =
    &["Expression", "OutputIndex", "InputName", "Mask", "MaskR", "MaskG", "MaskB", "MaskA"];
const NAMED_INPUT: &[&str] =
    &["OutputIndex", "InputName", "Mask", "MaskR", "MaskG", "MaskB", "MaskA", "ExpressionName"];
/// What stands behind, by how many it is: nothing, a number, a point, a vector, a colour.
const INPUT_CONSTANTS: &[&[&str]] = &[
    &[],
    &["UseConstant"],
    &["UseConstant", "Constant"],
    &["UseConstant", "Constant.X", "Constant.Y"],
    &["UseConstant", "Constant.X", "Constant.Y", "Constant.Z"],
    &["UseConstant", "Constant.R", "Constant.G", "Constant.B", "Constant.A"],
];

/// The names of the fields by the name of the struct, in lower case.
static FIELDS: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| by_name(NAMES));

static FIELDS_BEFORE_UE4: LazyLock<HashMap<String, Vec<&'static str>>> =
    LazyLock::new(|| by_name(NAMES_BEFORE_UE4));

fn by_name(table: &[(&str, &'static str)]) -> HashMap<String, Vec<&'static str>> {
    let mut fields = HashMap::new();
    for (structs, names) in table {
        let names: Vec<_> = names.split_whitespace().collect();
        for structure in structs.split_whitespace() {
            fields.entry(structure.to_ascii_lowercase()).or_insert_with(|| names.clone());
        }
    }
    fields
}

/// The fields of a struct with these values, as declarations or the engine name them; those of unknown
/// names, or of another number than those that are known, are called by their number.
pub(super) fn named_fields(
    values: &[Value],
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> Vec<NamedField> {
    let structure = known.map_or("", Type::type_name);
    if let Some(layout) = of_declaration(structure, values.len(), around) {
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
    let names = field_names(structure, values, around.versions());
    let names = names.iter().map(|name| Arc::from(&**name));
    names.zip(values.iter().map(Type::of_value)).collect()
}

/// The declaration of a struct whose fields are so many values.
pub(super) fn of_declaration<'a>(
    structure: &str,
    count: usize,
    around: &'a dyn Surroundings,
) -> Option<&'a StructLayout> {
    if !is_early(around.versions()) {
        return None;
    }
    let layout = around.layouts().structure(structure)?;
    let values: u64 = layout.fields.iter().map(|field| u64::from(field.dimension)).sum();
    (values == count as u64).then_some(layout)
}

/// The names of the fields of a struct with these values; numbers where they are not known.
pub(super) fn field_names(
    structure: &str,
    values: &[Value],
    versions: &Versions,
) -> Vec<Cow<'static, str>> {
    let count = values.len();
    if structure.eq_ignore_ascii_case("EdGraphPinType")
        && let Some(names) = pin_type_names(values, versions)
    {
        return names;
    }
    let split = |names: &'static str| -> Cow<'static, [&'static str]> {
        Cow::Owned(names.split_whitespace().collect())
    };
    let input = structure.ends_with("Input") && count >= 8;
    // Vectors and points of whole numbers.
    let points = ["Int", "Uint"].iter().any(|start| structure.starts_with(start)) && count <= 4;
    let name = structure.to_ascii_lowercase();
    let early = || FIELDS_BEFORE_UE4.get(&name).filter(|_| versions.ue4() == 0);
    let names: Cow<'static, [&'static str]> = match early().or_else(|| FIELDS.get(&name)) {
        Some(names) => Cow::Borrowed(names),
        None if structure.eq_ignore_ascii_case("Color") => split(versions.color_fields()),
        None if input => Cow::Owned(input_names(values)),
        None if points => Cow::Borrowed(&["X", "Y", "Z", "W"]),
        None => Cow::Borrowed(&[]),
    };
    let fits = match () {
        () if input || points => true,
        // Values by platform are not always there.
        () => names.len() == count || structure.starts_with("Per") && names.len() > count,
    };
    let name = |at: usize| match names.get(at) {
        Some(name) if fits => Cow::Borrowed(*name),
        _ => Cow::Owned(at.to_string()),
    };
    (0..count).map(name).collect()
}

/// The names of the fields of a material's input.
fn input_names(values: &[Value]) -> Vec<&'static str> {
    let link = match values.first() {
        Some(Value::Object(_)) => INPUT,
        _ => NAMED_INPUT,
    };
    let constant = INPUT_CONSTANTS.get(values.len() - link.len()).copied().unwrap_or_default();
    [link, constant].concat()
}

/// The names of the fields of a pin's type, which follow from its version and its container.
fn pin_type_names(values: &[Value], versions: &Versions) -> Option<Vec<Cow<'static, str>>> {
    let mut form = PinTypeForm::of(versions);
    let (mut names, mut left) = (Vec::with_capacity(values.len()), values.iter());
    for field in pin_type::FIELDS {
        if form.letter(field).is_none() {
            continue;
        }
        match left.next()? {
            Value::Byte(number) => form.note(field, (*number).into()),
            Value::UInt32(number) => form.note(field, *number),
            _ => {}
        }
        names.push(Cow::Borrowed(field.name));
    }
    left.next().is_none().then_some(names)
}
