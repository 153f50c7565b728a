//! Actors as the text of UnrealEd 3: components and brushes come in with them, references lead to what is meant.

use unreal_packages::content::{MapText, MapTextEdits, PackageContents};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{PackageValues, ReferenceTexts};
use unreal_packages::object::ue3;
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::{PropertyList, Value};
use unreal_packages::{PackageIndex, Result};

use super::common::GUID;
use super::map_text::Engine;

/// A light and a brush in the form that the editor copies them. The second component is called by its template's name,
/// a lamp of the map by its own.
pub const UNREAL_ED: &str = "\
Begin Map
   Begin Level
      Begin Actor Class=WorldInfo Name=WorldInfo_9 Archetype=WorldInfo'Engine.Default__WorldInfo'
         Title=\"Other\"
         Name=\"WorldInfo_9\"
      End Actor
      Begin Actor Class=PointLight Name=PointLight_0 Archetype=PointLight'Engine.Default__PointLight'
         Begin Object Class=DrawLightRadiusComponent Name=DrawLightRadius0 ObjName=DrawLightRadiusComponent_4 \
Archetype=DrawLightRadiusComponent'Engine.Default__PointLight:DrawLightRadius0'
            SphereRadius=512.000000
            Name=\"DrawLightRadiusComponent_4\"
            ObjectArchetype=DrawLightRadiusComponent'Engine.Default__PointLight:DrawLightRadius0'
         End Object
         Begin Object Class=PointLightComponent Name=PointLightComponent0 ObjName=PointLightComponent_7 \
Archetype=PointLightComponent'Engine.Default__PointLight:PointLightComponent0'
            PreviewLightRadius=DrawLightRadiusComponent'DrawLightRadiusComponent_4'
            Radius=512.000000
            LightingChannels=(bInitialized=True,Dynamic=True)
            Name=\"PointLightComponent_7\"
            ObjectArchetype=PointLightComponent'Engine.Default__PointLight:PointLightComponent0'
         End Object
         LightComponent=PointLightComponent'PointLightComponent0'
         Components(0)=DrawLightRadiusComponent'DrawLightRadiusComponent_4'
         Components(1)=PointLightComponent'PointLightComponent_7'
         Location=(X=464.000000,Y=768.000000,Z=704.000000)
         Tag=\"Lamp\"
         Base=Light'Lamp_3'
         Owner=Pawn'Lamp_3'
         Name=\"PointLight_0\"
         ObjectArchetype=PointLight'Engine.Default__PointLight'
      End Actor
      Begin Actor Class=Brush Name=Brush_1 Archetype=Brush'Engine.Default__Brush'
         Begin Brush Name=Model_3
            Begin PolyList
               Begin Polygon Item=Side Texture=EngineMaterials.DefaultMaterial Flags=3584 Link=2
                  Origin   -00128.000000,-00128.000000,-00128.000000
                  Normal   -00001.000000,+00000.000000,+00000.000000
                  TextureU +00000.000000,+00001.000000,+00000.000000
                  TextureV +00000.000000,+00000.000000,-00001.000000
                  Vertex   -00128.000000,-00128.000000,-00128.000000
                  Vertex   -00128.000000,-00128.000000,+00128.000000
                  Vertex   -00128.000000,+00128.000000,+00128.000000
               End Polygon
            End PolyList
         End Brush
         Begin Object Class=BrushComponent Name=BrushComponent0 ObjName=BrushComponent_2 \
Archetype=BrushComponent'Engine.Default__Brush:BrushComponent0'
            Brush=Model'Model_3'
            Name=\"BrushComponent_2\"
         End Object
         CsgOper=CSG_Add
         Brush=Model'Model_3'
         BrushComponent=BrushComponent'BrushComponent_2'
         Name=\"Brush_1\"
      End Actor
   End Level
Begin Surface
End Surface
End Map
";

/// A level with its settings, a lamp, and a light of the name that the text has.
pub fn map(file: u32) -> Package {
    let builder = Builder::new(file).guid(GUID);
    let builder = builder.import("EngineMaterials.DefaultMaterial", "Engine.Material");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let list = || PropertyList::default();
        edit.add_group("TheWorld")?;
        let level = ue3::world::level::Level::default();
        edit.add_object("TheWorld.PersistentLevel", "Engine.Level", list(), level)?;
        for (name, class) in
            [("WorldInfo_0", "WorldInfo"), ("PointLight_0", "PointLight"), ("Lamp_3", "Light")]
        {
            let path = format!("TheWorld.PersistentLevel.{name}");
            edit.add_blank_object(&path, &format!("Engine.{class}"))?;
        }
        Ok(())
    });
    made.unwrap();
    package
}

#[test]
fn what_unreal_ed_3_writes_comes_into_a_map() {
    for file in [512, 868] {
        let mut package = map(file);
        let text: MapText = UNREAL_ED.parse().unwrap();
        assert_eq!(text.to_string().parse::<MapText>().unwrap(), text);
        let added = package.edit(|edit| edit.add_map_text(&text, &Engine)).unwrap();
        assert_eq!(
            added.left_out,
            [
                "WorldInfo_9: the map has a WorldInfo of its own",
                // A lamp of the map is called so, and is no pawn.
                "PointLight_0.Owner: Lamp_3 is neither in the text nor an actor of the map",
            ]
        );
        let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        let level = "TheWorld.PersistentLevel";
        let paths: Vec<_> = added.rows.iter().map(|&row| package.exports().path(row)).collect();
        assert_eq!(paths, [format!("{level}.PointLight_1"), format!("{level}.Brush_1")]);

        let again = package.contents().level_text(&added.rows).unwrap();
        assert_eq!(again.left_out, [""; 0]);
        let again: MapText = again.text.parse().unwrap();
        let (light, brush) = (&again.actors[0], &again.actors[1]);
        let value = |name: &str| {
            let found = light.properties.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("{name}"))
        };
        assert_eq!(value("LightComponent"), "PointLightComponent'PointLightComponent_7'");
        assert_eq!(value("Components(1)"), "PointLightComponent'PointLightComponent_7'");
        assert_eq!(value("Location"), "(X=464.0,Y=768.0,Z=704.0)");
        assert_eq!(value("Base"), "Light'Lamp_3'");
        assert_eq!((value("Owner"), value("Tag")), ("None", "\"Lamp\""));
        let components = [&light.objects[0], &light.objects[1]];
        assert_eq!(
            components.map(|it| it.template.as_str()),
            ["DrawLightRadius0", "PointLightComponent0"]
        );
        assert_eq!(components[1].archetype, "Engine.Default__PointLight:PointLightComponent0");
        let wanted = &text.actors[2].brush.as_ref().unwrap().polygons;
        assert_eq!(&brush.brush.as_ref().unwrap().polygons, wanted);
        // The component draws the brush's own model.
        let component = package.find_export(&format!("{level}.Brush_1.BrushComponent_2")).unwrap();
        let own = package.values().object_at(component, "Brush").unwrap();
        assert_eq!(package.exports().path(own), format!("{level}.Brush_1.Model_3"));
        let decoded = package.decode(own).unwrap();
        let model = native_as::<ue3::world::model::Model>(&decoded.body).unwrap();
        assert_eq!(model.owner, PackageIndex::export(own));
        assert_eq!(model.bounds.box_extent.y, 128.0);

        assert_eq!(package.class_path(component), "Engine.BrushComponent");
        let actors = package.values().level_map().unwrap().actors;
        assert_eq!(actors.iter().filter(|it| it.path.ends_with("_1")).count(), 2);
    }
}

#[test]
fn elements_before_the_first_one_of_the_text_must_be_known() {
    let mut package = map(868);
    let before = package.to_bytes().unwrap();
    let text = UNREAL_ED.replace(
        "         Components(0)=DrawLightRadiusComponent'DrawLightRadiusComponent_4'\n",
        "",
    );
    let text: MapText = text.parse().unwrap();
    let refused = package.edit(|edit| edit.add_map_text(&text, &Engine)).unwrap_err();
    assert!(
        refused.to_string().contains("PointLight_0.Components(1): elements before it"),
        "{refused}"
    );
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn objects_deeper_than_any_editor_puts_them_are_refused() {
    let open = "Begin Object Class=A Name=B\n".repeat(80);
    let text = format!("Begin Actor Class=A Name=B\n{open}");
    let refused = text.parse::<MapText>().unwrap_err().to_string();
    assert!(refused.contains("deeper in each other than 64"), "{refused}");
}

/// From 491 on values of enums are names of eight bytes, though their tags name no enum before 633 (ten packages of the
/// corpora); 391 stores numbers.
#[test]
fn values_of_enums_are_stored_as_the_version_stores_them() {
    let stored = |file: u32, value: &str| -> Result<(String, bool)> {
        let builder = Builder::new(file).guid(GUID);
        let mut package = Package::from_bytes(builder.build()?)?;
        package.edit(|edit| -> Result<()> {
            edit.add_blank_object("Box", "Mod.Box")?;
            edit.add_property("Box", "CsgOper", &"byte-enum:ECsgOper".parse()?, value)?;
            Ok(())
        })?;
        let package = Package::from_bytes(package.to_bytes()?)?;
        let property = package.values().property("Box", "CsgOper")?;
        Ok((property.text, matches!(property.value, Some(Value::Name(_)))))
    };
    for file in [491, 512, 576, 868] {
        assert_eq!(stored(file, "CSG_Add").unwrap(), ("CSG_Add".to_owned(), true), "{file}");
    }
    assert!(stored(391, "CSG_Add").is_err());
    assert_eq!(stored(391, "1").unwrap(), ("1".to_owned(), false));
}

fn added(text: &str) -> Result<(Package, Vec<String>)> {
    let mut package = map(868);
    let added = package.edit(|edit| edit.add_map_text(&text.parse()?, &Engine))?;
    Ok((Package::from_bytes(package.to_bytes()?)?, added.left_out))
}

fn component(name: &str, own: &str, lines: &str) -> String {
    format!("Begin Object Class=PointLightComponent Name={name} ObjName={own}\n{lines}End Object\n")
}

#[test]
fn names_mean_the_nearest_object_and_never_that_of_another_actor() {
    // Its own name counts before that which another one has in its class.
    let inner = component("C13", "C14", "") + &component("C12", "C13", "");
    let text = format!(
        "Begin Actor Class=PointLight Name=L\n{inner}LightComponent=PointLightComponent'C13'\nEnd Actor\n"
    );
    let (package, _) = added(&text).unwrap();
    let light = package.find_export("TheWorld.PersistentLevel.L").unwrap();
    let held = package.values().object_at(light, "LightComponent").unwrap();
    assert_eq!(package.exports().path(held), "TheWorld.PersistentLevel.L.C13");
    // The text's own light has another name here, and no such component: the map's is not meant.
    let text = "Begin Actor Class=PointLight Name=PointLight_0\n\
                LightComponent=PointLightComponent'PointLight_0.Gone'\nEnd Actor\n";
    let (_, left_out) = added(text).unwrap();
    assert_eq!(
        left_out,
        [
            "PointLight_0.LightComponent: PointLight_0.Gone is neither in the text nor an actor of the map"
        ]
    );
}

#[test]
fn what_cannot_be_is_refused_and_what_is_left_out_is_said() {
    let actor = |head: &str, lines: &str| {
        format!("Begin Actor Class=PointLight Name=L{head}\n{lines}End Actor\n")
    };
    let archetype = |path: &str| format!(" Archetype=PointLight'{path}'");
    for (text, reason) in [
        (actor(&archetype("TheWorld.PersistentLevel.L"), ""), "can't start from itself"),
        (actor(&archetype("Foo"), ""), "it has no package"),
        (actor(&archetype("TheWorld.PersistentLevel.Later"), ""), "Later"),
        (actor(&archetype("EngineMaterials.DefaultMaterial"), ""), "of the class Engine.Material"),
        (actor("", "Name=M\n"), "the name M of what has begun as L"),
        (actor("", "Components(x)=None\n"), "no number of an element"),
        (
            actor(&archetype("P.A"), "ObjectArchetype=PointLight'P.B'\n"),
            "what has begun with another one",
        ),
        ("Begin Actor Class=PointLight Name=A.B\nEnd Actor\n".to_owned(), "the name of no object"),
        ("Begin Actor Class=StaticMesh Name=S\nEnd Actor\n".to_owned(), "not known as a class"),
    ] {
        let refused = added(&text).unwrap_err().to_string();
        assert!(refused.contains(reason), "{text}: {refused}");
    }
    let lines =
        "LightComponent=PointLightComponent'Engine.Default__PointLight:PointLightComponent0'\n";
    let (_, left_out) = added(&actor("", lines)).unwrap();
    assert!(left_out[0].contains("lies in the default of a class"), "{left_out:?}");
    // The archetype may stand in a line of its own.
    let (package, _) = added(&actor("", "ObjectArchetype=PointLight'P.Lamp'\n")).unwrap();
    let light = package.find_export("TheWorld.PersistentLevel.L").unwrap();
    assert_eq!(package.path(package.tables().exports[light].archetype_index), "P.Lamp");
}

/// Models of movers and volumes are needed in the game: the editor alone has those of brushes.
#[test]
fn models_of_volumes_are_loaded_in_the_game() {
    let brush = "Begin Brush Name=M\nBegin PolyList\nEnd PolyList\nEnd Brush\nCsgOper=CSG_Add\n";
    let flags = |class: &str| {
        let text = format!("Begin Actor Class={class} Name=B\n{brush}End Actor\n");
        let (package, _) = added(&text).unwrap();
        let model = package.find_export("TheWorld.PersistentLevel.B.M").unwrap();
        package.tables().exports[model].object_flags.0 >> 32
    };
    assert_eq!((flags("Brush"), flags("BlockingVolume")), (0x0034_0001, 0x0007_0001));
}
