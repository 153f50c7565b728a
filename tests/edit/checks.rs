//! What looks wrong is refused, unless it is wanted all the same: values of another class, characters of names,
//! names that others have declared.

use unreal_packages::ErrorKind;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::{ClassLayout, Declared, Layouts};
use unreal_packages::version::{EngineRelease, UnrealVersions};

use crate::common::code::{Code, Member, array, property, referring};
use crate::common::level::open_level;
use crate::common::{save_twice, versions_at_thresholds};
use crate::ue4::{RELEASES, empty_body};

/// Refused, with this in the message, and the package stays; done where that is wanted, and read back.
pub fn doubted<T>(
    package: &Package,
    part: &str,
    change: impl Fn(&mut Edit) -> unreal_packages::Result<T>,
) {
    let mut changed = package.clone();
    let before = changed.to_bytes().unwrap();
    let error = match changed.edit(&change) {
        Ok(_) => panic!("done, although {part}"),
        Err(error) => error,
    };
    assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error:?}");
    assert!(error.to_string().contains(part), "{error} does not say {part}");
    assert!(changed.to_bytes().unwrap() == before, "{part}: something was changed");
    let forced = changed.edit(|edit| {
        edit.set_checks(false);
        change(edit)
    });
    forced.unwrap_or_else(|error| panic!("{part}: {error}"));
    save_twice(&changed);
}

fn set(
    object: &str,
    property: &str,
    text: &str,
) -> impl Fn(&mut Edit) -> unreal_packages::Result<()> + use<> {
    let [object, property, text] = [object, property, text].map(str::to_owned);
    move |edit| edit.set_property(&object, &property, &text).map(drop)
}

/// Two objects of one class, which the package does not declare.
fn lights(file: u32) -> Package {
    let none = match file {
        ..178 => vec![0],
        _ => vec![0; 12],
    };
    let builder = Builder::new(file).name("None").export("A", "Mine.Lamp", none.clone()).export(
        "B",
        "Mine.Lamp",
        none,
    );
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.edit(set("A", "Look:object", "Engine.Texture'Pack.Blue'")).unwrap();
    package
}

/// What others of its kind refer to shows what a property wants.
#[test]
fn an_object_of_another_kind_than_others_have_is_refused() {
    for file in [61, 69, 128, 868] {
        let mut package = lights(file);
        let sound = if file == 868 { "Engine.SoundCue" } else { "Engine.Sound" };
        let wrong = format!("{sound}'Pack.Boom'");
        doubted(&package, "B: 'Look' refers to", set("B", "Look", &wrong));
        doubted(&package, "'Pack.Boom' is none", set("A", "Look", &wrong));
        doubted(&package, "Class'Engine.Actor'", set("B", "Look", "Core.Class'Engine.Actor'"));
        // Of one that derives from nobody knows what it may be all the same.
        for fine in ["Engine.Texture'Pack.Red'", "Mine.Thing'Pack.Thing'", "None"] {
            package.edit(set("B", "Look", fine)).unwrap_or_else(|e| panic!("{file} {fine}: {e}"));
        }
        // Nothing else says what this one wants.
        package.edit(set("B", "Other:object", &wrong)).unwrap();
    }
    let mut package = lights(69);
    for kin in ["Engine.ScriptedTexture'Pack.Sign'", "Fire.FireTexture'Pack.Flame'"] {
        package.edit(set("B", "Look", kin)).unwrap();
    }
    // A property that refers to objects of any class takes one of any class.
    package
        .edit(set("A", "All:array:object", "(Engine.Texture'Pack.Blue',Engine.Sound'Pack.Boom')"))
        .unwrap();
    package.edit(set("B", "All:array:object", "(Engine.Music'Pack.Tune')")).unwrap();
}

/// What a class of the package declares.
#[test]
fn an_object_of_another_class_than_declared_is_refused() {
    let mut code = Code::new(
        unreal_packages::Versions::ue1_to_3(69, 0),
        unreal_packages::Guid::new(1, 2, 3, 4),
    );
    let members = [
        referring("Look", "ObjectProperty", &["Engine.Texture"]),
        referring("Kind", "ClassProperty", &["Core.Class", "Engine.Pawn"]),
        array("Looks", "ObjectProperty", &["Engine.Texture"]),
        referring("Any", "ObjectProperty", &["Core.Object"]),
        referring("Kin", "ObjectProperty", &["Lamp"]),
    ];
    code.class("Lamp", "Core.Object", false, &members, &[]);
    code.class("Lantern", "Lamp", false, &[], &[]);
    code.instance("A", "Lamp", &[0]);
    code.instance("B", "Lantern", &[0]);
    let package = Package::from_bytes(code.build()).unwrap();
    let sound = "Engine.Sound'Pack.Boom'";
    doubted(
        &package,
        "A: 'Look' wants a Texture, and Sound'Pack.Boom' is none",
        set("A", "Look", sound),
    );
    doubted(&package, "'Look' wants a Texture", set("B", "Look", "Core.Class'Engine.Texture'"));
    doubted(&package, "'Look' wants a Texture", set("A", "Look", "Lantern'B'"));
    doubted(&package, "'Looks' wants a Texture", set("A", "Looks", &format!("({sound})")));
    doubted(&package, "'Kind' wants a class", set("A", "Kind", sound));
    let other = set("A", "Kind", "Core.Class'Engine.Light'");
    doubted(&package, "a class that derives from Pawn", other);
    doubted(&package, "'Kin' wants a Lamp", set("A", "Kin", sound));
    let mut package = package;
    for (property, fine) in [
        ("Look", "Engine.Texture'Pack.Blue'"),
        ("Look", "Engine.ScriptedTexture'Pack.Sign'"),
        ("Look", "Mine.Thing'Pack.Thing'"),
        ("Looks", "(Engine.Texture'Pack.Blue',None)"),
        ("Looks[+]", "Engine.Texture'Pack.Red'"),
        ("Kind", "Core.Class'Botpack.Bot'"),
        ("Kind", "Core.Class'Engine.PlayerPawn'"),
        ("Any", sound),
        ("Any", "Core.Class'Engine.Light'"),
        ("Kin", "Lantern'B'"),
        ("Kin", "None"),
    ] {
        let done = package.edit(set("A", property, fine));
        done.unwrap_or_else(|error| panic!("{property}={fine}: {error}"));
    }
    doubted(&package, "'Looks' wants a Texture", set("A", "Looks[+]", sound));
    doubted(&package, "'Looks' wants a Texture", set("A", "Looks[0]", sound));
}

/// What a struct of the package declares, whose values have no tags.
#[test]
fn fields_of_structs_without_tags_are_checked() {
    for file in [68, 69, 128] {
        let versions = unreal_packages::Versions::ue1_to_3(file, 0);
        let mut code = Code::new(versions, unreal_packages::Guid::new(1, 2, 3, 4));
        let fields = [
            referring("Look", "ObjectProperty", &["Engine.Texture"]),
            referring("Kind", "ClassProperty", &["Core.Class", "Engine.Pawn"]),
            property("Size", "IntProperty"),
        ];
        let members = [
            Member::Struct("Held", "", fields.to_vec()),
            referring("One", "StructProperty", &["Lamp.Held"]),
            array("Many", "StructProperty", &["Lamp.Held"]),
        ];
        code.class("Lamp", "Core.Object", false, &members, &[]);
        code.instance("A", "Lamp", &[0]);
        let mut package = Package::from_bytes(code.build()).unwrap();
        let (sound, blue) = ("Engine.Sound'Pack.Boom'", "Engine.Texture'Pack.Blue'");
        let whole = format!("(Look={sound},Kind=None,Size=3)");
        doubted(&package, "A: 'Look' wants a Texture", set("A", "One", &whole));
        doubted(&package, "'Look' wants a Texture", set("A", "Many", &format!("({whole})")));
        package.edit(set("A", "One", &format!("(Look={blue},Kind=None,Size=3)"))).unwrap();
        doubted(&package, "'Look' wants a Texture", set("A", "One.Look", sound));
        doubted(&package, "'Kind' wants a class", set("A", "One.Kind", blue));
        let other = set("A", "One.Kind", "Core.Class'Engine.Light'");
        doubted(&package, "a class that derives from Pawn", other);
        package
            .edit(set(
                "A",
                "Many",
                &format!("((Look={blue},Kind=None,Size=3),(Look=None,Kind=None,Size=4))"),
            ))
            .unwrap();
        doubted(&package, "'Look' wants a Texture", set("A", "Many[1].Look", sound));
        for (path, text) in [
            ("One.Look", "Engine.ScriptedTexture'Pack.Sign'"),
            ("One.Kind", "Core.Class'Engine.PlayerPawn'"),
            ("One.Size", "5"),
            ("Many[1].Look", blue),
            ("One.Look", "None"),
        ] {
            package.edit(set("A", path, text)).unwrap_or_else(|e| panic!("{file} {path}: {e}"));
        }
        // What is there already stays, whatever it is.
        package
            .edit(|edit| {
                edit.set_checks(false);
                edit.set_property("A", "One.Look", sound)
            })
            .unwrap();
        package.edit(set("A", "One.Size", "6")).unwrap();
    }
}

/// Keys and values of maps are of the classes that they are declared with.
#[test]
fn keys_and_values_of_maps_are_checked() {
    for (major, minor) in [(4, 18), (4, 27), (5, 4)] {
        let release = EngineRelease::new(major, minor);
        let body = empty_body(release, 0);
        let builder =
            Builder::for_release(release).name("None").export("A", "/Script/Mine.Lamp", body);
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        package.decode_all();
        let mut layouts = Layouts::default();
        let looks = Declared {
            key_class: Some("Texture".into()),
            object_class: Some("SoundBase".into()),
            ..Declared::of_type("Looks", "map:object:object".parse().unwrap())
        };
        let kinds = Declared {
            object_class: Some("Pawn".into()),
            ..Declared::of_type("Kinds", "map:int:class".parse().unwrap())
        };
        layouts.declare_class(ClassLayout {
            name: "Lamp".into(),
            parent: "Object".into(),
            properties: vec![looks, kinds],
        });
        package.add_class_layouts(&layouts);
        let texture = "/Script/Engine.Texture2D'/Game/Blue.Blue'";
        let cue = "/Script/Engine.SoundCue'/Game/Boom.Boom'";
        let class = "/Script/CoreUObject.Class'/Script/Engine.Light'";
        let looks = |key: &str, value: &str| {
            set("A", "Looks:map:object:object", &format!("(({key},{value}))"))
        };
        package.edit(looks(texture, cue)).unwrap();
        let key = "A: a key of 'Looks' wants a Texture, and SoundCue'/Game/Boom.Boom' is none";
        doubted(&package, key, looks(cue, cue));
        doubted(&package, "a value of 'Looks' wants a SoundBase", looks(texture, texture));
        let place = "Looks[Texture2D'/Game/Blue.Blue']";
        doubted(&package, "a value of 'Looks' wants a SoundBase", set("A", place, texture));
        package.edit(set("A", place, "None")).unwrap();
        let kinds = |text: &str| set("A", "Kinds:map:int:class", text);
        doubted(&package, "a value of 'Kinds' wants a class", kinds(&format!("((1,{cue}))")));
        doubted(&package, "derives from Pawn", kinds(&format!("((1,{class}))")));
    }
}

#[test]
fn objects_of_other_kinds_are_refused_in_ue4_and_ue5() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let builder = Builder::for_release(release)
            .name("None")
            .export("A", "/Script/Mine.Lamp", empty_body(release, 0))
            .export("B", "/Script/Mine.Lamp", empty_body(release, 0));
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        package.decode_all();
        let blue = "/Script/Engine.Texture2D'/Game/Blue.Blue'";
        package.edit(set("A", "Look:object", blue)).unwrap();
        let sound = "/Script/Engine.SoundCue'/Game/Boom.Boom'";
        doubted(&package, "'Look' refers to", set("B", "Look", sound));
        let class = "/Script/CoreUObject.Class'/Script/Engine.Actor'";
        doubted(&package, "'Look' refers to", set("B", "Look", class));
        doubted(&package, "wants a class", set("B", "Kind:class", blue));
        package.edit(set("B", "Look", "/Script/Engine.TextureCube'/Game/Sky.Sky'")).unwrap();
        package.edit(set("B", "Look", "/Script/Mine.Thing'/Game/Thing.Thing'")).unwrap();
        package.edit(set("B", "Kind:class", class)).unwrap();
    }
}

#[test]
fn a_value_that_its_enum_lacks_is_refused() {
    for file in [61, 69, 128] {
        let package = open_level(file);
        let error = package.clone().edit(set("Lamp0", "Kind", "KZ")).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error:?}");
        assert!(error.to_string().contains("KA, KB"), "{error}");
        // A byte can't hold a name, whoever wants it; a number it can.
        let forced = package.clone().edit(|edit| {
            edit.set_checks(false);
            edit.set_property("Lamp0", "Kind", "KZ")
        });
        assert!(forced.is_err());
        package.clone().edit(set("Lamp0", "Kind", "9")).unwrap();
    }
    let place = "Kind:byte-enum:EConformType";
    doubted(&lights(868), "no value of the enum EConformType", set("A", place, "Blub"));
    for release in RELEASES.map(|(major, minor)| EngineRelease::new(major, minor)) {
        let builder = Builder::for_release(release).name("None").export(
            "A",
            "/Script/Engine.PointLight",
            empty_body(release, 0),
        );
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        package.decode_all();
        let place = "AutoReceiveInput:byte-enum:EAutoReceiveInput";
        doubted(&package, "no value of the enum EAutoReceiveInput", set("A", place, "Blub"));
    }
}

/// Dots, spaces and quotes, and letters of no code page.
#[test]
fn odd_names_of_objects_are_refused() {
    for file in versions_at_thresholds() {
        let mut package =
            Package::from_bytes(Builder::new(file).name("None").build().unwrap()).unwrap();
        package.edit(|edit| edit.add_export("Old", "Engine.Thing", vec![])).unwrap();
        for (name, why) in [("A.B", "'.' stands between"), ("A B", "a space"), ("A'B", "'''")] {
            doubted(&package, why, |edit| edit.rename_object("#0", name));
        }
        for fine in ["A-B", "A_1", "Ä", "7"] {
            package.clone().edit(|edit| edit.rename_object("#0", fine)).unwrap();
        }
        doubted(&package, "a space", |edit| edit.add_export("A B", "Engine.Thing", vec![]));
        if file >= 64 {
            let omega = "'Ω' is a letter outside the code page";
            doubted(&package, omega, |edit| edit.rename_object("#0", "AΩ"));
        }
        doubted(&package, "'\"' ends names", |edit| edit.add_name("A\"B"));
        doubted(&package, "U+000A", |edit| edit.add_name("A\nB"));
        package.edit(|edit| edit.add_name("A. B")).unwrap();
        // The engine looks for a name with a number by both parts.
        let has_numbers = package.versions().has_name_numbers();
        let in_one_row: [fn(&mut Edit) -> unreal_packages::Result<()>; 2] = [
            |edit| edit.add_name("Parted_3").map(drop),
            |edit| edit.rename_name("Old", "Parted_3").map(drop),
        ];
        for add in in_one_row {
            match has_numbers {
                true => doubted(&package, "parts 'Parted_3' into 'Parted' and a number", add),
                false => package.clone().edit(add).unwrap(),
            }
        }
        // What is called so already may be called alike.
        package
            .edit(|edit| {
                edit.set_checks(false);
                edit.rename_object("#0", "A B")
            })
            .unwrap();
        package.edit(|edit| edit.rename_object("#0", "B C")).unwrap();
    }
}

#[test]
fn odd_names_of_assets_are_refused() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let builder = Builder::for_release(release)
            .name("None")
            .export("A", "/Script/Mine.Lamp", empty_body(release, 0))
            .export("A.Inner", "/Script/Mine.Lamp", empty_body(release, 0));
        let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
        package.decode_all();
        for (name, why) in [
            ("A.B", "'.' stands between an object"),
            ("A:B", "':' stands between an asset"),
            ("A/B", "'/' stands between folders"),
            ("A B", "a space is a character that the engine"),
            ("A#B", "'#' is a character"),
            ("A\tB", "U+0009"),
        ] {
            let error = package.clone().edit(|edit| edit.rename_object("#0", name)).unwrap_err();
            assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error:?}");
            assert!(error.to_string().contains(why), "{error}");
            assert!(package.clone().edit(|edit| edit.duplicate_object("#0", name)).is_err());
        }
        // Graphs and templates are called as people write.
        for fine in ["Smoke Trail", "IsInAir?", "Idle/Run", "日本"] {
            package.clone().edit(|edit| edit.rename_object("#1", fine)).unwrap();
        }
        doubted(&package, "'.' stands", |edit| edit.duplicate_object("#1", "A.B"));
        package.clone().edit(|edit| edit.rename_object("#0", "Lampe_groß")).unwrap();
    }
}

/// Names that others have declared, and those that say how bodies are read.
#[test]
fn names_that_others_declare_keep_their_text() {
    let mut package = lights(868);
    package.edit(set("A", "Kind:byte-enum:EKind", "KA")).unwrap();
    package.edit(set("A", "Size:struct:Vector", "(1,2,3)")).unwrap();
    for (name, what) in [
        ("Look", "'Look' is a property that is stored in A"),
        ("Vector", "'Vector' is the struct or enum of a property in A"),
        ("KA", "'KA' is a value of an enum in A"),
        ("Lamp", "'Lamp' is the class of objects"),
        ("Texture", "'Texture' is the class of imported objects"),
    ] {
        let error = package.clone().edit(|edit| edit.rename_name(name, "Zzz")).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{name}: {error:?}");
        assert!(error.to_string().contains(what), "{error}");
    }
    doubted(&package, "'KA' is a value", |edit| edit.rename_name("KA", "KB"));
    // Whoever wants it: bodies would be read as something else.
    for name in ["ObjectProperty", "StructProperty", "None"] {
        let before = package.to_bytes().unwrap();
        let error = package.edit(|edit| {
            edit.set_checks(false);
            edit.rename_name(name, "Zzz")
        });
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{name}: {error:?}");
        assert!(package.to_bytes().unwrap() == before);
    }
    // So does what is imported: nothing renames it in its package.
    let part = "'Blue' is the name of Pack.Blue, an object of another package";
    doubted(&package, part, |edit| edit.rename_name("Blue", "Green"));
    // Objects and what the package declares itself take another name.
    package.edit(|edit| edit.rename_name("A", "Green")).unwrap();
    let mut level = open_level(69);
    level.edit(set("Lamp0", "Count", "5")).unwrap();
    level.edit(|edit| edit.rename_name("Count", "Number")).unwrap();
    assert_eq!(level.values().property("Lamp0", "Number").unwrap().text, "5");
}
