//! A function of materials: nodes, with a curve and a table of curves beside them.

use unreal_packages::Result;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::NewAsset;
use unreal_packages::object::ue4::table::curve_table::CurveTable;
use unreal_packages::object::ue4::value::StructValue;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Type};

/// Name, class, place in the editor.
const NODES: [(&str, &str, [i32; 2]); 9] = [
    ("Pattern", "TextureSample", [-900, -160]),
    ("Tint", "VectorParameter", [-900, 120]),
    ("Times", "Multiply", [-560, -40]),
    ("Strength", "ScalarParameter", [-560, 260]),
    ("Glow", "Multiply", [-280, 80]),
    ("Rough", "Constant", [-280, 300]),
    ("BaseColor", "FunctionOutput", [40, -40]),
    ("Emissive", "FunctionOutput", [40, 80]),
    ("Roughness", "FunctionOutput", [40, 300]),
];
/// The input of a node, and the node that it takes its value from.
const WIRES: [(&str, &str, &str); 7] = [
    ("Times", "A", "Pattern"),
    ("Times", "B", "Tint"),
    ("Glow", "A", "Times"),
    ("Glow", "B", "Strength"),
    ("BaseColor", "A", "Times"),
    ("Emissive", "A", "Glow"),
    ("Roughness", "A", "Rough"),
];

pub(super) fn make() -> Result<Package> {
    let function = NewAsset::object("/Game/Courtyard/MF_Lamp", "/Script/Engine.MaterialFunction");
    let mut package = function.build("4.27".parse()?)?;
    package.edit(fill)?;
    package.edit(levels)?;
    Ok(package)
}

fn set(edit: &mut Edit, object: &str, property: &str, kind: &str, value: &str) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

fn add(edit: &mut Edit, object: &str, class: &str) -> Result<()> {
    edit.add_plain_object(object, &format!("/Script/Engine.{class}"), PropertyList::default())
        .map(drop)
}

fn place(edit: &mut Edit, object: &str, place: [i32; 2]) -> Result<()> {
    for (axis, number) in ["X", "Y"].into_iter().zip(place) {
        let name = format!("MaterialExpressionEditor{axis}");
        set(edit, object, &name, "int", &number.to_string())?;
    }
    Ok(())
}

fn fill(edit: &mut Edit) -> Result<()> {
    for (name, class, at) in NODES {
        let object = format!("MF_Lamp.{name}");
        add(edit, &object, &format!("MaterialExpression{class}"))?;
        place(edit, &object, at)?;
    }
    for (name, text) in [("Tint", "Tint"), ("Strength", "Strength")] {
        set(edit, &format!("MF_Lamp.{name}"), "ParameterName", "name", text)?;
    }
    for (node, input, from) in WIRES {
        let value = format!("(Expression=MF_Lamp.{from},OutputIndex=0)");
        set(edit, &format!("MF_Lamp.{node}"), input, "struct:ExpressionInput", &value)?;
    }
    let note = "MF_Lamp.Note";
    add(edit, note, "MaterialExpressionComment")?;
    place(edit, note, [-940, -220])?;
    set(edit, note, "SizeX", "int", "560")?;
    set(edit, note, "SizeY", "int", "520")?;
    set(edit, note, "Text", "string", "\"The colour of the lamp\"")?;
    // Cubic keys, and linear ones.
    curve(edit, "Flicker", 2, &[("0", "1"), ("0.4", "0.2"), ("0.6", "0.9"), ("1", "1")])?;
    curve(edit, "Fade", 0, &[("0", "1"), ("10", "2.5")])
}

/// A table of both curves.
fn levels(edit: &mut Edit) -> Result<()> {
    let mut curves = Vec::new();
    for (name, from) in [("Dusk", "Flicker"), ("Dawn", "Fade")] {
        let properties = curve_of(edit, from)?;
        curves.push((edit.add_name(name)?, StructValue { properties }));
    }
    let (list, table) = (PropertyList::default(), CurveTable { mode: 0, curves });
    edit.add_object("MF_Lamp.Levels", "/Script/Engine.CurveTable", list, table).map(drop)
}

fn curve(edit: &mut Edit, name: &str, mode: u8, keys: &[(&str, &str)]) -> Result<()> {
    let curve = format!("MF_Lamp.{name}");
    add(edit, &curve, "CurveFloat")?;
    let key = |(time, value): &(&str, &str)| {
        format!(
            "(InterpMode={mode},TangentMode=0,TangentWeightMode=0,Time={time},Value={value},ArriveTangent=0,\
             ArriveTangentWeight=0,LeaveTangent=0,LeaveTangentWeight=0)"
        )
    };
    let keys: Vec<_> = keys.iter().map(key).collect();
    set(edit, &curve, "FloatCurve", "struct:RichCurve", &format!("(Keys=({}))", keys.join(",")))
}

/// The keys of a curve, as a row of a table has them.
fn curve_of(edit: &Edit, name: &str) -> Result<PropertyList> {
    let row = edit.find_export(&format!("MF_Lamp.{name}"))?;
    let decoded = edit.decode(row)?;
    let values = decoded.body.lists().flat_map(|list| &list.properties);
    let lists = values.filter_map(|property| property.value().as_list());
    Ok(lists.last().cloned().unwrap_or_default())
}
