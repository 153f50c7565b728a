//! Packages from UnrealScript: small ones against a small engine of our own.

use unreal_packages::decompile::Decompiler;
use unreal_packages::generate::Profile;
use unreal_packages::inspect::PackageValues;
use unreal_packages::make::order::{Pivot, sorted};
use unreal_packages::make::{MadePackage, Maker, text_crc, with_line_ends};
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::text::{MetaData, TextBuffer};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{FString, ObjectRef};
use unreal_packages::version::Game;

const OBJECT: &str = "class Object native;\nstruct Vector { var() float X, Y, Z; };\n\
native(146) static final operator(20) int +(int A, int B);\n\
static native(150) final operator(24) bool <(int A, int B);\n";
const ACTOR: &str = "class Actor extends Object native;\nvar Actor Owner;\nvar vector Location;\n\
var name Tag;\nevent Touch(Actor Other) {}\nfunction Fire(optional float Value) {}\n";

fn maker(profile: Profile) -> Maker {
    let mut maker = Maker::new("Mine", profile);
    maker.environment_text("Core", "Object.uc", OBJECT);
    maker.environment_text("Engine", "Actor.uc", ACTOR);
    maker
}

fn made(profile: Profile, source: &str) -> MadePackage {
    let mut maker = maker(profile);
    maker.source("Thing.uc", source);
    maker.make().unwrap()
}

fn package(profile: Profile, source: &str) -> Package {
    let made = made(profile, source);
    made.package.unwrap_or_else(|| panic!("{}", made.diagnostics[0]))
}

const THING: &str = "class Thing extends Actor config(User);\n\nconst MOST = 3;\nvar() config int Speed;\n\
var int Steps[MOST];\nvar string Title;\nvar private bool bOn;\n\nfunction int Add(int A, optional int B)\n{\n\
local int Sum;\n\n\tSum = A + B;\n\treturn Sum;\n}\n\nevent Touch(Actor Other)\n{\n\tif (Speed < 7)\n\t\tSpeed = Add(Speed, 1);\n}\n\n\
auto state Idle\n{\n\tignores Fire;\n\nBegin:\n\tSpeed = 0;\n}\n\ndefaultproperties\n{\n    Speed=12\n    Steps(1)=4\n    Title=\"A \\\"thing\\\"\"\n    Tag=Mine\n}\n";

#[test]
fn a_class_becomes_objects_with_code_and_values() {
    for profile in [Profile::UT99, Profile::UT2004] {
        let package = package(profile, THING);
        assert_eq!(package.to_bytes().unwrap(), package.source());
        for path in [
            "Thing",
            "Thing.ScriptText",
            "Thing.Add.Sum",
            "Thing.Add.ReturnValue",
            "Thing.Idle.Fire.Value",
        ] {
            assert!(package.find_export(path).is_ok(), "{path}");
        }
        let value = |name: &str| {
            package
                .values()
                .stored_property(package.find_export("Thing").unwrap(), name)
                .map(|it| it.text)
        };
        assert_eq!(value("Speed").unwrap(), "12");
        assert_eq!(value("Steps[1]").unwrap(), "4");
        assert_eq!(value("Title").unwrap(), "\"A \\\"thing\\\"\"");
        // Zeros are not stored.
        assert!(value("bOn").is_err());
        let row = package.find_export("Thing").unwrap();
        let body = &package.decode(row).unwrap().body;
        let Native::Script(object) = &body.native else { panic!("no class") };
        let ScriptObject::Class(class) = &**object else { panic!("no class") };
        // Compiled, parsed, with a variable for ini files.
        assert_eq!(class.class_flags, 0x16);
        assert_eq!(class.base.probe_mask_64, 1 << 13);
        assert_eq!(package.name_text(class.config_name.get().unwrap()), "User");
        assert_eq!(class.dependencies[0].deep, 1);
        let rows = 0..package.exports().len();
        Decompiler::new(&package).check_code(rows).unwrap();
    }
}

#[test]
fn lists_have_variables_in_order_and_all_else_newest_first() {
    let package = package(
        Profile::UT99,
        "class Thing extends Actor;\nconst A = 1;\nvar int B;\nfunction C() {}\nvar int D;\nenum E { E_One };\n",
    );
    let row = package.find_export("Thing").unwrap();
    let Native::Script(object) = package.decode(row).unwrap().body.native.clone() else { panic!() };
    let (mut names, mut at) = (Vec::new(), object.structure().unwrap().children);
    while let ObjectRef::Export(row) = at.target() {
        names.push(package.object_name(at));
        let Native::Script(object) = package.decode(row).unwrap().body.native.clone() else {
            panic!()
        };
        at = object.field().next;
    }
    assert_eq!(names, ["E", "C", "B", "D", "A"]);
}

#[test]
fn the_decompilers_text_of_what_was_made_of_it_is_itself() {
    let text = |package: &Package| {
        let row = package.find_export("Thing").unwrap();
        Decompiler::new(package).class(row).unwrap().unwrap()
    };
    let first = text(&package(Profile::UT99, THING));
    let again = text(&package(Profile::UT99, &first));
    assert_eq!(first, again);
}

#[test]
fn an_older_package_gives_rows_and_guid() {
    let old = package(Profile::UT99, THING);
    let mut maker = maker(Profile::UT99);
    maker.source("Thing.uc", THING);
    maker.like(old.clone());
    assert_eq!(maker.make().unwrap().package.unwrap().source(), old.source());
}

#[test]
fn errors_say_where_and_values_that_are_unknown_are_passed_over() {
    let made =
        made(Profile::UT99, "class Thing extends Actor;\nfunction F()\n{\n\tNobody = 1;\n}\n");
    assert!(made.package.is_none());
    assert_eq!((made.diagnostics[0].file.as_str(), made.diagnostics[0].line), ("Thing.uc", 4));
    let source =
        "class Thing extends Actor;\ndefaultproperties\n{\n    Nobody=1\n    Tag=Here\n}\n";
    let made = self::made(Profile::UT99, source);
    assert_eq!(made.diagnostics.len(), 1);
    assert_eq!(made.diagnostics[0].line, 4);
    assert!(!made.diagnostics[0].is_error());
    assert_eq!(made.package.unwrap().values().properties("Thing").unwrap()[0].text, "Here");
}

#[test]
fn zeros_are_stored_where_the_compiler_does() {
    let mut maker = maker(Profile::UT99);
    maker.stores_zeros(true);
    maker
        .source("Thing.uc", "class Thing extends Actor;\nvar int A, B[2];\nvar transient int C;\n");
    let package = maker.make().unwrap().package.unwrap();
    let all = package.values().properties("Thing").unwrap();
    let paths: Vec<_> = all.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["A", "B", "B[1]"]);
}

#[test]
fn the_text_is_kept_without_its_values() {
    let package = package(Profile::UT99, THING);
    let text = THING.split("defaultproperties").next().unwrap();
    let row = package.find_export("Thing.ScriptText").unwrap();
    let kept = with_line_ends(text);
    let body = package.body(row).unwrap();
    assert!(body.windows(kept.len()).any(|it| it == kept.as_bytes()));
    let class = package.find_export("Thing").unwrap();
    let Native::Script(object) = package.decode(class).unwrap().body.native.clone() else {
        panic!()
    };
    let ScriptObject::Class(class) = *object else { panic!() };
    assert_eq!(class.dependencies[0].script_text_crc, text_crc(&kept));
}

#[test]
fn equal_rows_fall_as_the_swaps_of_the_library_leave_them() {
    let small = sorted(vec!["a", "b", "c"], Pivot::Median, |_| 1);
    assert_eq!(small, ["b", "c", "a"]);
    for pivot in [Pivot::Middle, Pivot::Median] {
        let many: Vec<u64> = (0..200).map(|at| at * 7919 % 101).collect();
        let order = sorted(many.clone(), pivot, |weight| *weight);
        let mut expected = many;
        expected.sort_by_key(|weight| std::cmp::Reverse(*weight));
        assert_eq!(order, expected);
    }
    let ties = |pivot| sorted((0..20).collect(), pivot, |_| 1);
    assert_ne!(ties(Pivot::Middle), ties(Pivot::Median));
}

/// A package that lacks what its engine needs is not written.
#[test]
fn packages_that_would_lack_something_are_refused() {
    let mut swat = Profile::UT2004;
    (swat.file_version, swat.game) = ((129, 27), Game::Swat4);
    let maker = |profile| {
        let mut maker = maker(profile);
        maker.source("Thing.uc", "class Thing extends Actor;\n");
        maker
    };
    let error = maker(swat.clone()).make().unwrap_err();
    assert!(error.to_string().contains("headers of objects"), "{error}");
    assert!(maker(swat).check().unwrap().is_empty());
    assert!(maker(Profile::UT99).make().unwrap().package.is_some());
    assert!(maker(Profile::UDK).make().unwrap().package.is_some());
}

#[test]
fn lines_that_import_nothing_are_said() {
    let text =
        "class Thing extends Actor;\n#exec TEXTURE IMPORT NAME=Skin FILE=Skin.pcx\nvar int A;\n";
    let made = made(Profile::UT99, text);
    let [warning] = &made.diagnostics[..] else { panic!("{:?}", made.diagnostics) };
    assert!(!warning.is_error() && warning.line == 2, "{warning}");
    assert!(warning.message.contains("imports nothing"), "{warning}");
    assert!(made.package.is_some());
}

const COMPONENT: &str = "class Component extends Object native;\n";
const PAWN: &str = "class Pawn extends Actor native implements(Seen);\n/** How fast it is. */\nvar() float Speed;\n\
var() int Weight; // In tons.\nvar bool bOne;\nvar int Between;\nvar bool bTwo;\n\
struct Pair\n{\n\tvar int One;\n\tvar LinearColor Tint;\n\tstructdefaultproperties\n\t{\n\t\tOne=3\n\t}\n};\n\
delegate Notify(int What);\nevent Tick(float Delta) { Weight = 2; }\nevent Nothing() {}\n\
cpptext\n{\n\tvoid Native();\n}\n\
defaultproperties\n{\n    Begin Object Class=Component Name=Light\n    End Object\n    Speed=2.5\n}\n";
const RIDER: &str = "class Rider extends Pawn;\n";

fn udk() -> Package {
    let mut maker = Maker::new("Mine", Profile::UDK);
    maker.environment_text(
        "Core",
        "Object.uc",
        "class Object native;\nstruct pointer { var native const int Dummy; };\n\
         struct immutable LinearColor { var() float R, G, B, A; };\n",
    );
    maker.environment_text("Core", "Component.uc", COMPONENT);
    maker.environment_text("Engine", "Actor.uc", "class Actor extends Object native;\n");
    maker.source("Pawn.uc", PAWN);
    maker.source("Rider.uc", RIDER);
    maker.source("Seen.uc", "interface Seen native;\n");
    let made = maker.make().unwrap();
    made.package.unwrap_or_else(|| panic!("{}", made.diagnostics[0]))
}

fn script(package: &Package, path: &str) -> ScriptObject {
    let row = package.find_export(path).unwrap();
    match package.decode(row).unwrap().body.native.clone() {
        Native::Script(object) => *object,
        _ => panic!("{path}"),
    }
}

#[test]
fn components_of_the_class_above_are_there_again() {
    let package = udk();
    let row = package.find_export("Default__Rider.Light").unwrap();
    let archetype = package.tables().exports[row].archetype_index;
    assert_eq!(package.path(archetype), "Default__Pawn.Light");
    let ScriptObject::Class(class) = script(&package, "Rider") else { panic!() };
    assert_eq!(class.component_default_objects.0.len(), 1);
    assert_eq!(package.to_bytes().unwrap(), package.source());
}

#[test]
fn truths_lie_together_and_tables_of_interfaces_come_first() {
    let package = udk();
    let (mut names, mut at) = (Vec::new(), script(&package, "Pawn").structure().unwrap().children);
    while let ObjectRef::Export(_) = at.target() {
        let path = package.path(at);
        names.push(package.object_name(at));
        at = script(&package, &path).field().next;
    }
    let variables: Vec<&str> = names.iter().map(String::as_str).skip(4).collect();
    assert_eq!(
        variables,
        ["VfTable_ISeen", "Speed", "Weight", "bOne", "bTwo", "Between", "__Notify__Delegate"]
    );
    let ScriptObject::Class(class) = script(&package, "Pawn") else { panic!() };
    assert_eq!(package.path(class.interfaces[0].property), "Pawn.VfTable_ISeen");
    // Tick alone does something.
    assert_eq!(class.base.probe_mask, 1 << 17);
}

#[test]
fn members_of_structs_start_as_they_say() {
    let package = udk();
    let ScriptObject::Struct(pair) = script(&package, "Pawn.Pair") else { panic!() };
    let values = package.values();
    let row = package.find_export("Pawn.Pair").unwrap();
    let listed = values.listed(row, &pair.defaults, &package.decoding_context());
    let texts: Vec<_> = listed.iter().map(|it| (it.path.as_str(), it.text.as_str())).collect();
    assert_eq!(texts, [("One", "3"), ("Tint", "(R=0.0,G=0.0,B=0.0,A=1.0)")]);
}

#[test]
fn the_editor_is_told_what_comments_say() {
    let package = udk();
    let row = package.find_export("MetaData").unwrap();
    let body = package.decode(row).unwrap();
    let data = native_as::<MetaData>(&body.body).unwrap();
    let said: Vec<(String, Vec<(String, String)>)> = data
        .by_object
        .0
        .iter()
        .map(|(object, texts)| {
            let text = |text: &FString| text.text(package.source()).unwrap().into_owned();
            let texts = texts.0.iter().map(|(key, it)| (package.name_text(*key), text(it)));
            (package.object_name(*object), texts.collect())
        })
        .collect();
    let text = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    };
    // Object, Actor and Pawn: the third class.
    let first = (0xff - 3) << 16;
    assert_eq!(said[0].0, "Speed");
    assert_eq!(
        said[0].1,
        text(&[("ToolTip", "How fast it is."), ("OrderIndex", &first.to_string())])
    );
    assert_eq!(said[1].0, "Weight");
    let second = (first + 1).to_string();
    assert_eq!(said[1].1, text(&[("OrderIndex", &second), ("ToolTip", "In tons.")]));
}

#[test]
fn marks_stand_in_place_of_cpp() {
    let package = udk();
    let text = |path: &str| {
        let row = package.find_export(path).unwrap();
        let body = package.decode(row).unwrap();
        let buffer = native_as::<TextBuffer>(&body.body).unwrap();
        buffer.text.text(package.source()).unwrap().into_owned()
    };
    assert_eq!(text("Pawn.CppText"), "\tvoid Native();");
    let kept = text("Pawn.ScriptText");
    assert!(kept.ends_with(&"// (cpptext)\r\n".repeat(4)) && !kept.contains("Native();"), "{kept}");
}

#[test]
fn each_object_says_what_it_needs() {
    let package = udk();
    let needs = |path: &str| -> Vec<String> {
        let row = package.find_export(path).unwrap();
        package.tables().depends[row].objects.iter().map(|index| package.path(*index)).collect()
    };
    // Of a native class its defaults alone are named.
    assert_eq!(needs("Pawn"), ["Default__Pawn.Light", "Default__Pawn"]);
    assert!(needs("Rider").contains(&"Rider.ScriptText".to_owned()));
    assert!(needs("Default__Rider").contains(&"Rider".to_owned()));
}

const LAMP: &str = "class Lamp extends Actor native;\nvar array<int> Sizes;\nvar array<string> Names;\n\
var array<Component> Components;\ndefaultproperties\n{\n    Begin Object Class=Component Name=Bulb\n    End Object\n    \
Components.Add(Bulb)\n    Sizes(0)=1\n    Sizes(1)=2\n    Sizes(2)=2\n    Names.Add(\"a,b\")\n}\n";
const TORCH: &str = "class Torch extends Lamp;\ndefaultproperties\n{\n    Begin Object Class=Component Name=Flame\n    End Object\n    \
Components.Add(Flame)\n    Sizes.Add(3)\n    Sizes.Remove(2)\n    Sizes.Replace(1, 7)\n    Names.Empty\n    Names.Add(\"c\")\n}\n";
const CANDLE: &str = "class Candle extends Torch;\ndefaultproperties\n{\n    Components.Remove(Bulb)\n    Sizes.RemoveIndex(0)\n}\n";

fn arrays_of(package: &Package, class: &str) -> Vec<(String, String)> {
    let found = package.values().properties(&format!("Default__{class}")).unwrap();
    found.into_iter().map(|it| (it.path, it.text)).collect()
}

fn udk_maker() -> Maker {
    let mut maker = Maker::new("Mine", Profile::UDK);
    maker.environment_text("Core", "Object.uc", "class Object native;\n");
    maker.environment_text("Core", "Component.uc", COMPONENT);
    maker.environment_text("Engine", "Actor.uc", "class Actor extends Object native;\n");
    maker
}

/// What classes above have counts, whether they are made with it or stand in another package, and each class has objects of
/// its own.
#[test]
fn arrays_are_changed_from_what_the_class_above_has() {
    let mut maker = udk_maker();
    for (file, text) in [("Lamp.uc", LAMP), ("Torch.uc", TORCH), ("Candle.uc", CANDLE)] {
        maker.source(file, text);
    }
    let made = maker.make().unwrap();
    assert!(made.diagnostics.is_empty(), "{:?}", made.diagnostics);
    let whole = made.package.unwrap();
    let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let torch = [
        text("Sizes", "(7,3)"),
        text("Names", "(\"c\")"),
        text("Components", "(Component'Default__Torch.Bulb',Component'Default__Torch.Flame')"),
    ];
    let candle = [text("Sizes", "(3)"), text("Components", "(Component'Default__Candle.Flame')")];
    let lamp = [
        text("Sizes", "(1,2,2)"),
        text("Names", "(\"a,b\")"),
        text("Components", "(Component'Default__Lamp.Bulb')"),
    ];
    assert_eq!(arrays_of(&whole, "Lamp"), lamp);
    assert_eq!(arrays_of(&whole, "Torch"), torch);
    assert_eq!(arrays_of(&whole, "Candle"), candle);

    let mut maker = udk_maker();
    maker.source("Lamp.uc", LAMP);
    let base = maker.make().unwrap().package.unwrap();
    let mut maker = Maker::new("Other", Profile::UDK);
    maker.environment_text("Core", "Object.uc", "class Object native;\n");
    maker.environment_text("Core", "Component.uc", COMPONENT);
    maker.environment_text("Engine", "Actor.uc", "class Actor extends Object native;\n");
    maker.environment("Mine", &base).unwrap();
    maker.source("Torch.uc", TORCH);
    maker.source("Candle.uc", CANDLE);
    let made = maker.make().unwrap();
    assert!(made.diagnostics.is_empty(), "{:?}", made.diagnostics);
    let apart = made.package.unwrap();
    let mut apart = apart;
    apart.add_class_layouts(&base.layouts());
    assert_eq!(arrays_of(&apart, "Torch"), torch);
    assert_eq!(arrays_of(&apart, "Candle"), candle);
}

#[test]
fn changes_of_arrays_that_can_not_be_made_are_said() {
    // Of the class above the text is known, not what it holds.
    let mut maker = udk_maker();
    maker.environment_text("Mine", "Lamp.uc", LAMP);
    let text = "class Torch extends Lamp;\nvar int One;\ndefaultproperties\n{\n    Sizes.Add(3)\n    Names.Empty\n    \
                One.Add(1)\n    Names.Grow(1)\n    Names.RemoveIndex(4)\n    Names.Remove(\"x\")\n    Names.Add()\n}\n";
    maker.source("Torch.uc", text);
    let made = maker.make().unwrap();
    let said: Vec<_> = made.diagnostics.iter().map(|it| (it.line, it.message.as_str())).collect();
    let what = "write Add(value), Remove(value), RemoveIndex(number), Replace(old,new) or Empty";
    let unknown = format!("'Names.Grow(1)' is no change of an array: {what}");
    let without = format!("'Names.Add()' is no change of an array: {what}");
    assert_eq!(
        said,
        [
            (8, unknown.as_str()),
            (11, without.as_str()),
            (5, "what 'Sizes' holds in 'Lamp' is not at hand: the line is passed over"),
            (7, "no array 'One' in 'Torch': the line is passed over"),
            (9, "'Names' has 0 elements"),
            (10, "'Names' holds no such element: the line is passed over"),
        ]
    );
}

/// A picture of four by four pixels of colour 1, in runs.
fn pcx() -> Vec<u8> {
    let mut file = vec![0x0a, 5, 1, 8, 0, 0, 0, 0, 3, 0, 3, 0];
    file.resize(128, 0);
    (file[65], file[66]) = (1, 4);
    file.extend([0xc4, 1].repeat(4));
    file.push(12);
    file.extend((0..=255_u8).flat_map(|level| [level, 2, 3]));
    file
}

const SKIN: &str = "class Skin extends Actor;\n#exec TEXTURE IMPORT FILE=Textures\\Blue.pcx NAME=Blue GROUP=Skins\n\
#exec AUDIO IMPORT FILE=\"Sounds\\None.wav\" NAME=Gone\n#exec MESH IMPORT MESH=Box ANIVFILE=x DATAFILE=y\n\
var Object Own;\nfunction Object F() { return Texture'Skins.Blue'; }\ndefaultproperties\n{\n    Own=Texture'Mine.Skins.Blue'\n}\n";

#[cfg(feature = "content")]
#[test]
fn lines_of_classes_import_content_and_what_is_not_there_is_said() {
    use unreal_packages::content::PackageContents;
    let mut maker = maker(Profile::UT99);
    maker.source("Skin.uc", SKIN);
    let mut asked = Vec::new();
    let imported = maker.import(|file| {
        asked.push(file.to_owned());
        file.ends_with(".pcx").then(pcx)
    });
    assert_eq!(imported.unwrap(), ["Skins.Blue"]);
    assert_eq!(asked, ["Textures\\Blue.pcx", "Sounds\\None.wav", "y"]);
    let MadePackage { package, diagnostics } = maker.make().unwrap();
    let messages: Vec<_> = diagnostics.iter().map(|it| (it.line, it.message.as_str())).collect();
    let missing = "there is no file 'Sounds\\None.wav'";
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].0 == 3 && messages[0].1.contains(missing), "{messages:?}");
    assert!(messages[1].0 == 4 && messages[1].1.contains("no file 'y'"), "{messages:?}");
    let package = package.unwrap();
    assert_eq!(package.to_bytes().unwrap(), package.source());
    let row = package.find_export("Skins.Blue").unwrap();
    let image = package.contents().texture_image(row).unwrap();
    assert_eq!((image.width(), image.height(), image.to_rgba()[0]), (4, 4, [1, 2, 3, 255]));
    let class = package.find_export("Skin").unwrap();
    let own = package.values().stored_property(class, "Own").unwrap().text;
    assert!(own.contains("Skins.Blue"), "{own}");
    assert!(!(0..package.imports().len()).any(|row| {
        package.path(unreal_packages::PackageIndex::import(row)).starts_with("Mine")
    }));
}

/// Polygons and frames of a tetrahedron, as files of the compiler hold them; the kind and the texture of the last polygon.
#[cfg(feature = "content")]
fn unreal_3d(kind: u8, texture: u8) -> (Vec<u8>, Vec<u8>) {
    let mut data = [4_u16, 4].map(u16::to_le_bytes).concat();
    data.resize(48, 0);
    for (corners, kind, texture) in
        [([0, 1, 2], 0, 0), ([0, 2, 3], 0, 0), ([0, 3, 1], 1, 0), ([1_u16, 3, 2], kind, texture)]
    {
        data.extend(corners.iter().flat_map(|corner| corner.to_le_bytes()));
        data.extend([kind, 0, 0, 0, 255, 0, 0, 255, texture, 0]);
    }
    let mut frames = [2_u16, 16].map(u16::to_le_bytes).concat();
    for far in [100_u32, 200] {
        frames
            .extend([0, far, far << 11, far << 22].iter().flat_map(|vertex| vertex.to_le_bytes()));
    }
    (data, frames)
}

#[cfg(feature = "content")]
const ROCK: &str = "class Rock extends Actor;\n#exec TEXTURE IMPORT FILE=Blue.pcx NAME=Blue\n\
#exec MESH IMPORT MESH=Rock ANIVFILE=Rock_a.3d DATAFILE=Rock_d.3d X=0 Y=0 Z=0\n#exec MESH ORIGIN MESH=Rock X=1 Y=2 Z=3 YAW=-64\n\
#exec MESH SEQUENCE MESH=Rock SEQ=All STARTFRAME=0 NUMFRAMES=2\n#exec MESH SEQUENCE MESH=Rock SEQ=Grow STARTFRAME=1 NUMFRAMES=1 RATE=15 GROUP=Big\n\
#exec MESH NOTIFY MESH=Rock SEQ=Grow TIME=0.5 FUNCTION=Grown\n#exec MESH LODPARAMS MESH=Rock STRENGTH=0.5 MINVERTS=4\n\
#exec MESHMAP NEW MESHMAP=RockMap MESH=Rock\n#exec MESHMAP SCALE MESHMAP=RockMap X=0.1 Y=0.1 Z=0.2\n\
#exec MESHMAP SETTEXTURE MESHMAP=RockMap NUM=1 TEXTURE=Blue\nvar Object Own;\ndefaultproperties\n{\n    Own=LodMesh'Rock'\n}\n";

/// The same mesh from a glTF file, which says all of it.
#[cfg(feature = "content")]
fn gltf_files_are_imported_by_lines(package: &Package, row: usize) {
    use unreal_packages::mesh::{MeshOptions, PackageMeshes};
    use unreal_packages::object::ue1::LodMesh;
    use unreal_packages::package::native_as;
    let file = package.mesh(row, &MeshOptions::default()).unwrap().to_glb().unwrap();
    let made = |more: &str| {
        let mut maker = maker(Profile::UT99);
        let line = r"#exec MESH IMPORT MESH=Stone FILE=Models\Stone.glb";
        maker.source("Stone.uc", &format!("class Stone extends Actor;\n{line}\n{more}"));
        let read = |name: &str| (name == r"Models\Stone.glb").then(|| file.clone());
        (maker.import(read).unwrap(), maker.make().unwrap())
    };
    let (imported, made_of) = made("");
    assert_eq!(imported, ["Stone"]);
    assert!(made_of.diagnostics.is_empty(), "{:?}", made_of.diagnostics);
    let other = made_of.package.unwrap();
    let stone = (0..other.exports().len())
        .find(|row| other.exports().get(*row).unwrap().class() == "Engine.LodMesh")
        .unwrap();
    let counts = |package: &Package, row: usize| {
        let decoded = package.decode(row).unwrap();
        let mesh = native_as::<LodMesh>(&decoded.body).unwrap();
        (mesh.faces.count(), mesh.mesh.frame_count, mesh.mesh.sequences.len())
    };
    assert_eq!(counts(&other, stone), counts(package, row));
    let (imported, made_of) = made("#exec MESH SEQUENCE MESH=Stone SEQ=All NUMFRAMES=2\n");
    assert!(imported.is_empty());
    let said = made_of.diagnostics.iter().any(|it| it.message.contains("MESH SEQUENCE"));
    assert!(said, "{:?}", made_of.diagnostics);
}

#[cfg(feature = "content")]
#[test]
fn lines_of_classes_import_meshes_with_all_that_is_said_of_them() {
    use unreal_packages::object::ue1::{LodMesh, Mesh, MeshMaterial};
    use unreal_packages::package::native_as;
    let made = |text: &str, (kind, texture): (u8, u8)| {
        let (data, frames) = unreal_3d(kind, texture);
        let mut maker = maker(Profile::UT99);
        maker.source("Rock.uc", text);
        let read = |file: &str| match file {
            "Blue.pcx" => Some(pcx()),
            "Rock_d.3d" => Some(data.clone()),
            "Rock_a.3d" => Some(frames.clone()),
            _ => None,
        };
        let imported = maker.import(read).unwrap();
        (imported, maker.make().unwrap())
    };
    let (imported, MadePackage { package, diagnostics }) = made(ROCK, (20, 1));
    assert_eq!(imported, ["Blue", "Rock"]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let package = package.unwrap();
    assert_eq!(package.to_bytes().unwrap(), package.source());
    let row = (0..package.exports().len())
        .find(|row| package.exports().get(*row).unwrap().class() == "Engine.LodMesh")
        .unwrap();
    let mesh = native_as::<LodMesh>(&package.decode(row).unwrap().body).unwrap().clone();
    let base = &mesh.mesh;
    assert_eq!((base.scale.x, base.scale.z, base.origin.y), (0.1, 0.2, 2.0));
    assert_eq!((base.rotation.pitch, base.rotation.yaw), (0, -16384));
    assert_eq!((base.frame_count, base.frame_vertices, mesh.faces.count()), (2, 4, 4));
    assert_eq!((mesh.lod_strength, mesh.lod_min_vertices, mesh.lod_morph), (0.5, 4, 0.3));
    let names: Vec<_> = base.textures.iter().map(|it| package.object_name(*it)).collect();
    assert_eq!((names.len(), names[1].as_str(), base.texture_lods.len()), (2, "Blue", 2));
    let flags = |poly_flags, texture_index| MeshMaterial { poly_flags, texture_index };
    assert_eq!(mesh.materials, [flags(0, 0), flags(0x100, 0), flags(0x40_0140, 1)]);
    let grow = &base.sequences[1];
    assert_eq!((package.name_text(grow.name).as_str(), grow.rate), ("Grow", 15.0));
    assert_eq!(package.name_text(grow.group.get().unwrap()), "Big");
    assert_eq!((grow.notifies.len(), grow.notifies[0].time), (1, 0.5));
    assert_eq!(package.name_text(grow.notifies[0].function), "Grown");
    assert_eq!((base.bounding_boxes[1].max.x, base.bounding_boxes[0].max.z), (200.0, 100.0));
    gltf_files_are_imported_by_lines(&package, row);
    // Without levels of detail it is a mesh of another class.
    let plain = ROCK.replace("Z=0\n", "Z=0 MLOD=0\n").replace("LodMesh'", "Mesh'");
    let package = made(&plain, (2, 0)).1.package.unwrap();
    let row = (0..package.exports().len())
        .find(|row| package.exports().get(*row).unwrap().class() == "Engine.Mesh")
        .unwrap();
    let decoded = package.decode(row).unwrap();
    let mesh = native_as::<Mesh>(&decoded.body).unwrap();
    assert_eq!((mesh.triangles.data.count(), mesh.connects.data.count()), (4, 4));
    assert_eq!(mesh.vertex_links.data.count(), 12);
    // What is not known is a warning that says so.
    for (text, kind, expected) in [
        (ROCK.to_owned(), 8, "kind 8"),
        (ROCK.replace("X=0 Y=0 Z=0", "X=4 Y=0 Z=0"), 0, "not known"),
        (ROCK.replace("NUMFRAMES=2", "NUMFRAMES=3"), 0, "sequence All"),
        (ROCK.replace("Rock_d.3d", "Gone_d.3d"), 0, "no file 'Gone_d.3d'"),
    ] {
        let diagnostics = made(&text, (kind, 0)).1.diagnostics;
        let is_said = diagnostics.iter().any(|it| it.message.contains(expected));
        assert!(is_said, "{expected}: {diagnostics:?}");
    }
}

#[cfg(feature = "content")]
#[test]
fn content_comes_from_an_older_package_as_it_is_there() {
    let mut old = maker(Profile::UT99);
    old.source("Skin.uc", SKIN);
    old.import(|file| file.ends_with(".pcx").then(pcx)).unwrap();
    let old = old.make().unwrap().package.unwrap();
    let mut again = maker(Profile::UT99);
    again.source("Skin.uc", SKIN);
    assert!(again.content(old.clone()));
    let made = again.make().unwrap();
    let package = made.package.unwrap();
    let differences = unreal_packages::compare::diff(&old, &package);
    assert!(differences.changed.is_empty() && differences.added.is_empty(), "{differences:?}");
    assert!(differences.removed.is_empty(), "{differences:?}");
}

#[test]
fn words_of_a_text_are_known_by_what_they_name() {
    let mut maker = maker(Profile::UT99);
    let text = "class Thing extends Actor;\nvar int Own;\nvar Thing Next;\nfunction int Sum(int A, Actor Other)\n{\n\
                \tlocal vector Place;\n\n\tPlace = Next.Owner.Location;\n\tOwn = A + Next.Sum(1, self);\n\
                \tNext.Owner.\n\treturn Place.X;\n}\n";
    maker.source("Thing.uc", text);
    let tools = unreal_packages::make::SourceTools::new(maker).unwrap();
    let hover = |line, column| tools.hover("Thing.uc", line, column);
    let (declaration, origin) = hover(8, 22).unwrap();
    assert_eq!(
        (declaration.as_str(), origin.path.as_str()),
        ("var vector Location", "Actor.Location")
    );
    assert_eq!(origin.package, "Engine");
    let (declaration, origin) = hover(9, 18).unwrap();
    assert_eq!(declaration, "function int Sum(int A, Actor Other)");
    let (file, place) = origin.place.unwrap();
    assert_eq!((file.as_str(), place.line, place.column), ("Thing.uc", 4, 14));
    let (_, origin) = hover(8, 3).unwrap();
    assert_eq!(origin.place.map(|it| (it.1.line, it.1.column)), Some((6, 15)));
    assert!(hover(7, 1).is_none());
    let names = |line, column| -> Vec<String> {
        tools.completions("Thing.uc", line, column).into_iter().map(|it| it.0).collect()
    };
    let members = names(10, 13);
    assert!(members.iter().any(|it| it == "Location") && !members.iter().any(|it| it == "Own"));
    assert!(
        ["Own", "Place", "Tag", "A"].iter().all(|name| names(8, 2).iter().any(|it| it == name))
    );
    assert_eq!(tools.diagnostics().iter().filter(|it| it.is_error()).count(), 1);
}
