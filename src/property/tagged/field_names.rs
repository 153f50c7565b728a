//! The fields of structs that are stored without tags.

/// Names in stored order (spec: ue4-5/04 §6).
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
    ("Rotator3f", "Pitch Yaw Roll"),
    ("Rotator3d", "Pitch Yaw Roll"),
    ("Sphere", "Center.X Center.Y Center.Z W"),
    ("Sphere3f", "Center.X Center.Y Center.Z W"),
    ("Sphere3d", "Center.X Center.Y Center.Z W"),
    ("TwoVectors", "V1.X V1.Y V1.Z V2.X V2.Y V2.Z"),
    ("LinearColor", "R G B A"),
    ("Color", "B G R A"),
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

/// The names of `count` fields of a struct; numbers where they are not known.
pub(super) fn names_of(structure: &str, count: usize) -> Vec<String> {
    let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(structure));
    let input = structure.ends_with("Input") && count >= 8;
    // Vectors and points of whole numbers.
    let points = ["Int", "Uint"].iter().any(|start| structure.starts_with(start)) && count <= 4;
    let listed = match known {
        Some((_, names)) => names,
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
