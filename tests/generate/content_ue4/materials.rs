//! Materials: what their graphs lead to.

use unreal_packages::content::Image;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::mesh::{MeshMaterial, MeshOptions, PackageMeshes};
use unreal_packages::object::ue4::asset::material::{Material, MaterialEditorOnlyData};
use unreal_packages::object::ue4::asset::texture::{ImageTexture, Texture};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Type, Value};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Result};

use super::{inline, named, property};
use crate::common::ue4;

fn set(edit: &mut Edit, object: &str, property: &str, kind: &str, value: &str) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

/// A texture of one texel: red, green, blue, alpha.
fn add_texture(package: &mut Package, name: &str, [r, g, b, a]: [u8; 4], settings: &str) {
    let source = vec![
        property(package, "SizeX", "int", |_| Value::Int(1)),
        property(package, "SizeY", "int", |_| Value::Int(1)),
        property(package, "Format", "byte-enum:ETextureSourceFormat", |package| {
            Value::Name(named(package, "TSF_BGRA8"))
        }),
    ];
    let none = named(package, "None");
    let list = PropertyList::new(source, none);
    let known = "byte-enum:TextureCompressionSettings";
    let properties = vec![
        property(package, "Source", "struct:TextureSource", |_| Value::List(list.clone())),
        property(package, "CompressionSettings", known, |package| {
            Value::Name(named(package, settings))
        }),
        property(package, "SRGB", "bool", |_| Value::Bool(settings == "TC_Default")),
    ];
    let base = Texture { source: inline(&[b, g, r, a]), ..Texture::default() };
    let native = ImageTexture { base, ..ImageTexture::default() };
    let list = PropertyList::new(properties, none);
    package.edit(|edit| edit.add_object(name, "/Script/Engine.Texture2D", list, native)).unwrap();
}

/// Where the inputs of a material stand, and its expressions: from 5.1 on in an object of their own.
fn holder(edit: &Edit) -> &'static str {
    if edit.versions().ue5() > 0 { "M.MEditorOnlyData" } else { "M" }
}

fn expression(edit: &mut Edit, name: &str, class: &str) -> Result<String> {
    let object = format!("{}.{name}", holder(edit));
    let class = format!("/Script/Engine.MaterialExpression{class}");
    edit.add_plain_object(&object, &class, PropertyList::default())?;
    Ok(object)
}

/// What leads into an input: an expression and the number of its output.
fn link(edit: &mut Edit, object: &str, input: &str, kind: &str, from: (&str, i32)) -> Result<()> {
    let (name, output) = from;
    let constant = match kind {
        "ColorMaterialInput" => ",UseConstant=0,Constant=(R=0,G=0,B=0,A=0)",
        "VectorMaterialInput" => ",UseConstant=0,Constant.X=0,Constant.Y=0,Constant.Z=0",
        "ScalarMaterialInput" => ",UseConstant=0,Constant=0",
        _ => "",
    };
    let value = format!(
        "(Expression={}.{name},OutputIndex={output},InputName=None,Mask=0,MaskR=0,MaskG=0,MaskB=0,MaskA=0{constant})",
        holder(edit)
    );
    set(edit, object, input, &format!("struct:{kind}"), &value)
}

/// What leads into an input of the material.
fn lead(edit: &mut Edit, input: &str, kind: &str, from: &str) -> Result<()> {
    link(edit, holder(edit), input, kind, (from, 0))
}

fn material(
    release: EngineRelease,
    textures: &[(&str, [u8; 4], &str)],
    change: impl FnOnce(&mut Edit) -> Result<()>,
) -> Package {
    let versions = release.versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    for (name, texel, settings) in textures {
        add_texture(&mut package, name, *texel, settings);
    }
    let made = package.edit(|edit| -> Result<()> {
        let list = PropertyList::default;
        edit.add_object("M", "/Script/Engine.Material", list(), Material::default())?;
        if edit.versions().ue5() > 0 {
            let class = "/Script/Engine.MaterialEditorOnlyData";
            let only = MaterialEditorOnlyData::default();
            edit.add_object("M.MEditorOnlyData", class, list(), only)?;
            set(edit, "M", "EditorOnlyData", "object", "M.MEditorOnlyData")?;
        }
        change(edit)
    });
    made.unwrap();
    package
}

fn shown(package: &Package, object: &str) -> MeshMaterial {
    let row = package.find_export(object).unwrap();
    package.mesh_material(row, &MeshOptions::default()).unwrap()
}

#[track_caller]
fn texel(png: Option<&[u8]>) -> [u8; 4] {
    Image::read(png.unwrap()).unwrap().to_rgba()[0]
}

const UE4: EngineRelease = EngineRelease::new(4, 27);
const UE5: EngineRelease = EngineRelease::new(5, 3);

fn textured() -> Package {
    let textures = [
        ("Stone", [200, 100, 50, 255], "TC_Default"),
        ("Moss", [10, 20, 30, 255], "TC_Default"),
        ("Bumps", [128, 100, 255, 255], "TC_Normalmap"),
        ("Levels", [10, 60, 200, 255], "TC_Masks"),
    ];
    material(UE4, &textures, |edit| {
        let base = expression(edit, "Base", "TextureSampleParameter2D")?;
        set(edit, &base, "ParameterName", "name", "Ground")?;
        set(edit, &base, "Texture", "object", "Stone")?;
        let bumps = expression(edit, "Normal", "TextureSample")?;
        set(edit, &bumps, "Texture", "object", "Bumps")?;
        let levels = expression(edit, "Levels", "TextureSample")?;
        set(edit, &levels, "Texture", "object", "Levels")?;
        let smooth = expression(edit, "Smooth", "OneMinus")?;
        // Outputs of a texture: all, red, green, blue, alpha.
        link(edit, &smooth, "Input", "ExpressionInput", ("Levels", 2))?;
        let half = expression(edit, "Half", "Multiply")?;
        link(edit, &half, "A", "ExpressionInput", ("Levels", 3))?;
        set(edit, &half, "ConstB", "float", "0.5")?;
        lead(edit, "BaseColor", "ColorMaterialInput", "Base")?;
        lead(edit, "Normal", "VectorMaterialInput", "Normal")?;
        lead(edit, "Roughness", "ScalarMaterialInput", "Smooth")?;
        lead(edit, "Metallic", "ScalarMaterialInput", "Half")
    })
}

#[test]
fn graphs_lead_to_pictures_of_colour_normals_and_levels() {
    let package = textured();
    let made = shown(&package, "M");
    assert_eq!(made.name, "M");
    assert_eq!(texel(made.picture.as_deref()), [200, 100, 50, 255]);
    // Green points the other way in files.
    assert_eq!(texel(made.normals.as_deref()), [128, 155, 255, 255]);
    // Roughness in green, metal in blue.
    assert_eq!(texel(made.levels.as_deref()), [255, 255 - 60, 100, 255]);
}

#[test]
fn instances_set_parameters_of_their_material() {
    let mut package = textured();
    let made = package.edit(|edit| -> Result<()> {
        // A game's own: the engine's has data behind its properties.
        let class = "/Script/MyGame.WetInstance";
        edit.add_plain_object("Wet", class, PropertyList::default())?;
        set(edit, "Wet", "Parent", "object", "M")?;
        let values = "array:struct:TextureParameterValue";
        let value = "((ParameterInfo=(Name=Ground),ParameterValue=Moss))";
        set(edit, "Wet", "TextureParameterValues", values, value)
    });
    made.unwrap();
    let wet = shown(&package, "Wet");
    assert_eq!(texel(wet.picture.as_deref()), [10, 20, 30, 255]);
    assert_eq!(wet.levels, shown(&package, "M").levels);
}

#[test]
fn numbers_and_colours_stand_for_themselves() {
    let package = material(UE5, &[], |edit| {
        let color = expression(edit, "Color", "Constant3Vector")?;
        set(edit, &color, "Constant", "struct:LinearColor", "(R=0.5,G=0.25,B=1,A=1)")?;
        let dark = expression(edit, "Dark", "Multiply")?;
        link(edit, &dark, "A", "ExpressionInput", ("Color", 0))?;
        set(edit, &dark, "ConstB", "float", "0.5")?;
        let rough = expression(edit, "Rough", "Constant")?;
        set(edit, &rough, "R", "float", "0.75")?;
        lead(edit, "BaseColor", "ColorMaterialInput", "Dark")?;
        lead(edit, "Roughness", "ScalarMaterialInput", "Rough")
    });
    let made = shown(&package, "M");
    assert_eq!(made.color, [0.25, 0.125, 0.5]);
    // Nothing leads into the other one: no metal.
    assert_eq!((made.roughness, made.metallic), (0.75, 0.0));
    assert!(made.picture.is_none() && made.normals.is_none() && made.levels.is_none());
}

#[test]
fn channels_stay_behind_what_hands_on() {
    let textures = [("Levels", [10, 60, 200, 255], "TC_Masks")];
    let package = material(UE4, &textures, |edit| {
        let levels = expression(edit, "Levels", "TextureSample")?;
        set(edit, &levels, "Texture", "object", "Levels")?;
        let handed = expression(edit, "Handed", "Reroute")?;
        link(edit, &handed, "Input", "ExpressionInput", ("Levels", 0))?;
        let blue = expression(edit, "Blue", "ComponentMask")?;
        link(edit, &blue, "Input", "ExpressionInput", ("Handed", 0))?;
        set(edit, &blue, "B", "bool", "True")?;
        lead(edit, "Metallic", "ScalarMaterialInput", "Blue")
    });
    assert_eq!(texel(shown(&package, "M").levels.as_deref())[2], 200);
}

#[test]
fn one_channel_of_a_colour_is_grey() {
    let package = material(UE4, &[], |edit| {
        let color = expression(edit, "Color", "VectorParameter")?;
        let value = "(R=0.5,G=0.25,B=1,A=1)";
        set(edit, &color, "DefaultValue", "struct:LinearColor", value)?;
        link(edit, "M", "BaseColor", "ColorMaterialInput", ("Color", 2))
    });
    assert_eq!(shown(&package, "M").color, [0.25; 3]);
}

/// What files can't say is as if nothing said it.
#[test]
fn levels_that_are_no_numbers_are_left_out() {
    let mut package = material(UE4, &[], |edit| {
        let rough = expression(edit, "Rough", "ScalarParameter")?;
        set(edit, &rough, "ParameterName", "name", "Rough")?;
        lead(edit, "Roughness", "ScalarMaterialInput", "Rough")
    });
    let made = package.edit(|edit| -> Result<()> {
        edit.add_plain_object("Odd", "/Script/MyGame.OddInstance", PropertyList::default())?;
        set(edit, "Odd", "Parent", "object", "M")?;
        let values = "array:struct:ScalarParameterValue";
        let value = "((ParameterInfo=(Name=Rough),ParameterValue=nan))";
        set(edit, "Odd", "ScalarParameterValues", values, value)
    });
    made.unwrap();
    assert_eq!(shown(&package, "Odd").roughness, 0.9);
}

/// Both inputs of each expression are the one before: following them all would take as long as 2 to the power of 40.
#[test]
fn graphs_that_double_are_left_soon() {
    let package = material(UE5, &[], |edit| {
        let first = expression(edit, "E0", "Constant")?;
        set(edit, &first, "R", "float", "1")?;
        for at in 1..40 {
            let (name, before) = (format!("E{at}"), format!("E{}", at - 1));
            let object = expression(edit, &name, "Multiply")?;
            link(edit, &object, "A", "ExpressionInput", (&before, 0))?;
            link(edit, &object, "B", "ExpressionInput", (&before, 0))?;
        }
        lead(edit, "Roughness", "ScalarMaterialInput", "E39")?;
        lead(edit, "BaseColor", "ColorMaterialInput", "E39")
    });
    let made = shown(&package, "M");
    assert_eq!((made.roughness, made.color), (0.9, [1.0; 3]));
}
