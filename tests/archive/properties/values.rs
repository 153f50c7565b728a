//! A value of every type as bytes, written from the specification (ue4-5/01, 04 §5, §6).

use std::cell::RefCell;
use std::rc::Rc;

use unreal_packages::Versions;
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::custom::{
    ANIM_PHYS, CORE, EDITOR, FORTNITE_MAIN, FRAMEWORK, NIAGARA, PROPERTY_BAG, RELEASE, UE5_RELEASE,
    core, fortnite_main, framework, niagara, property_bag, release,
};

use super::list::{List, Names, Ty};

pub type Shared = Rc<RefCell<Names>>;
/// Writes a value; names are added to the table.
pub type Make = Box<dyn Fn(&mut Shared) -> Vec<u8>>;

pub fn string(text: &str) -> Vec<u8> {
    match text {
        "" => vec![0; 4],
        text => [&(text.len() as i32 + 1).to_le_bytes(), text.as_bytes(), &[0]].concat(),
    }
}

pub fn counted(count: i32, elements: &[u8]) -> Vec<u8> {
    [&count.to_le_bytes(), elements].concat()
}

fn fixed(bytes: Vec<u8>) -> Make {
    Box::new(move |_| bytes.clone())
}

fn numbers(count: usize, wide: bool) -> Vec<u8> {
    let numbers = (1..=count).map(|number| number as f64 / 4.0);
    match wide {
        true => numbers.flat_map(f64::to_le_bytes).collect(),
        false => numbers.flat_map(|number| (number as f32).to_le_bytes()).collect(),
    }
}

/// Description, type, value.
pub fn all(versions: &Versions) -> Vec<(String, Ty, Make)> {
    let mut all: Vec<(String, Ty, Make)> = Vec::new();
    let mut add = |what: &str, ty: Ty, make: Make| all.push((what.to_owned(), ty, make));
    let (ue4, ue5) = (versions.ue4(), versions.ue5());
    for (class, width) in [
        ("Int8Property", 1),
        ("Int16Property", 2),
        ("IntProperty", 4),
        ("Int64Property", 8),
        ("UInt16Property", 2),
        ("UInt32Property", 4),
        ("UInt64Property", 8),
        ("FloatProperty", 4),
        ("DoubleProperty", 8),
        ("ObjectProperty", 4),
        ("ClassProperty", 4),
        ("WeakObjectProperty", 4),
        ("InterfaceProperty", 4),
        ("LazyObjectProperty", 16),
    ] {
        let one: Vec<u8> = (1..=width).collect();
        add(class, Ty::plain(class), fixed(one.clone()));
        if ue4 >= 282 {
            let elements = counted(2, &one.repeat(2));
            add(class, Ty::Array(Box::new(Ty::plain(class))), fixed(elements));
        }
        if ue4 >= 509 {
            let set = [counted(1, &one), counted(2, &one.repeat(2))].concat();
            add(class, Ty::Set(Box::new(Ty::plain(class))), fixed(set));
            let map = [counted(0, &[]), counted(2, &one.repeat(4))].concat();
            let ty = || Box::new(Ty::plain(class));
            add(class, Ty::Map(ty(), ty()), fixed(map));
        }
        if ue5 >= 1009 {
            let set = [vec![1, 0, 0, 0], one.clone()].concat();
            add("set optional", Ty::Optional(Box::new(Ty::plain(class))), fixed(set));
        }
    }
    add("false", Ty::Bool(false), fixed(Vec::new()));
    if ue4 >= 282 {
        let bools = Ty::Array(Box::new(Ty::plain("BoolProperty")));
        add("bools", bools, fixed(counted(3, &[1, 0, 1])));
        let bytes = Ty::Array(Box::new(Ty::plain("ByteProperty")));
        add("bytes", bytes, fixed(counted(3, &[1, 200, 1])));
    }
    if ue5 >= 1009 {
        let optional = Ty::Optional(Box::new(Ty::plain("IntProperty")));
        add("unset optional", optional, fixed(vec![0; 4]));
    }
    add("plain byte", Ty::plain("ByteProperty"), fixed(vec![5]));
    let of_enum = |names: &mut Shared| names.borrow_mut().stored("EKind::One");
    add("enum byte", Ty::Enum("ByteProperty", "EKind"), Box::new(of_enum));
    add("enum", Ty::Enum("EnumProperty", "EKind"), Box::new(of_enum));
    if ue4 >= 282 {
        let two = move |names: &mut Shared| counted(2, &of_enum(names).repeat(2));
        let array = Ty::Array(Box::new(Ty::Enum("ByteProperty", "EKind")));
        add("enum bytes", array, Box::new(two));
        let array = Ty::Array(Box::new(Ty::Enum("EnumProperty", "EKind")));
        add("enums", array, Box::new(two));
        let array = Ty::Array(Box::new(Ty::plain("NameProperty")));
        add("names", array, Box::new(two));
    }
    let name = |names: &mut Shared| {
        [&names.borrow_mut().row("Light").to_le_bytes()[..], &[3, 0, 0, 0]].concat()
    };
    add("name", Ty::plain("NameProperty"), Box::new(name));
    add("string", Ty::plain("StrProperty"), fixed(string("text")));
    add("empty string", Ty::plain("StrProperty"), fixed(string("")));
    add("wide string", Ty::plain("StrProperty"), fixed(vec![254, 255, 255, 255, 65, 0, 0, 0]));
    add("ansi", Ty::plain("AnsiStrProperty"), fixed(counted(4, b"text")));
    add("asset", Ty::plain("AssetObjectProperty"), fixed(string("/Game/A.A")));
    add("utf-8", Ty::plain("Utf8StrProperty"), fixed(counted(3, "aß".as_bytes())));
    if ue4 >= 282 {
        let strings = counted(2, &[string("a"), string("")].concat());
        add("strings", Ty::Array(Box::new(Ty::plain("StrProperty"))), fixed(strings));
    }
    let path = {
        let versions = versions.clone();
        move |names: &mut Shared| soft_path(names, &versions)
    };
    add("soft object", Ty::plain("SoftObjectProperty"), Box::new(path.clone()));
    add("soft path", Ty::Struct("SoftObjectPath", true), Box::new(path));
    let delegate = |names: &mut Shared| {
        [(-1_i32).to_le_bytes().to_vec(), names.borrow_mut().stored("Call")].concat()
    };
    add("delegate", Ty::plain("DelegateProperty"), Box::new(delegate));
    for class in ["MulticastDelegateProperty", "MulticastInlineDelegateProperty"] {
        let two = move |names: &mut Shared| counted(2, &delegate(names).repeat(2));
        add(class, Ty::plain(class), Box::new(two));
    }
    let has_owner = versions.custom(&FORTNITE_MAIN)
        >= fortnite_main::FIELD_PATH_OWNER_SERIALIZATION
        || versions.custom(&RELEASE) >= release::FIELD_PATH_OWNER_SERIALIZATION;
    let field_path = move |names: &mut Shared| {
        let owner = if has_owner { vec![254, 255, 255, 255] } else { Vec::new() };
        [counted(1, &names.borrow_mut().stored("Field")), owner].concat()
    };
    add("field path", Ty::plain("FieldPathProperty"), Box::new(field_path));
    texts(versions, &mut add);
    structs(versions, &mut add);
    all
}

fn soft_path(names: &mut Shared, versions: &Versions) -> Vec<u8> {
    let mut names = names.borrow_mut();
    let sub = match versions.custom(&FORTNITE_MAIN) {
        192.. => counted(3, b"Sub"),
        _ => string("Sub"),
    };
    match (versions.ue4(), versions.ue5()) {
        (..514, _) => string("/Game/A.A:Sub"),
        (_, ..1007) => [names.stored("/Game/A.A"), sub].concat(),
        _ => [names.stored("/Game/A"), names.stored("A"), sub].concat(),
    }
}

fn texts(versions: &Versions, add: &mut dyn FnMut(&str, Ty, Make)) {
    let ty = || Ty::plain("TextProperty");
    let (ue4, editor) = (versions.ue4(), versions.custom(&EDITOR));
    let flags = [1, 0, 0, 0];
    if ue4 < 368 {
        let mut bytes = string("Source");
        if ue4 >= 226 {
            bytes.extend([string("Space"), string("Key")].concat());
        }
        bytes.extend(flags);
        return add("text without history", ty(), fixed(bytes));
    }
    let text = |history: i8, body: Vec<u8>| [&flags[..], &[history as u8], &body].concat();
    let notes = versions.custom(&FORTNITE_MAIN) >= fortnite_main::ADD_DEV_NOTES_TO_FTEXT
        && !versions.filter_editor_only();
    let notes = if notes { string("Notes") } else { Vec::new() };
    let base = text(0, [string("Space"), string("Key"), string("Source"), notes].concat());
    let nothing = text(-1, if editor >= 32 { vec![0; 4] } else { Vec::new() });
    add("empty text", ty(), fixed(nothing));
    if editor >= 32 {
        add("invariant", ty(), fixed(text(-1, [vec![1, 0, 0, 0], string("Same")].concat())));
    }
    add("base", ty(), fixed(base.clone()));
    let arguments: Vec<Vec<u8>> = vec![
        [vec![0], 5_i64.to_le_bytes().to_vec()].concat(),
        [vec![1], 5_u64.to_le_bytes().to_vec()].concat(),
        [vec![2], 0.5_f32.to_le_bytes().to_vec()].concat(),
        [vec![3], 0.5_f64.to_le_bytes().to_vec()].concat(),
        [vec![4], base.clone()].concat(),
        vec![5, 1],
    ];
    let named = arguments.iter().flat_map(|value| [string("Name"), value.clone()].concat());
    let named = counted(arguments.len() as i32, &named.collect::<Vec<_>>());
    add("named format", ty(), fixed(text(1, [base.clone(), named].concat())));
    let ordered = counted(arguments.len() as i32, &arguments.concat());
    add("ordered format", ty(), fixed(text(2, [base.clone(), ordered].concat())));
    let place = if ue4 >= 488 { string("Place") } else { base.clone() };
    let int = match versions.custom(&UE5_RELEASE) {
        12.. => [vec![0], 5_i64.to_le_bytes().to_vec()].concat(),
        _ => [vec![0], 5_i32.to_le_bytes().to_vec()].concat(),
    };
    let data = match editor {
        5.. => counted(2, &[place.clone(), int, place.clone(), arguments[4].clone()].concat()),
        _ => counted(1, &[place, base.clone()].concat()),
    };
    add("argument format", ty(), fixed(text(3, [base.clone(), data].concat())));
    let sign = if editor >= 21 { vec![1, 0, 0, 0] } else { Vec::new() };
    let options = [vec![1, 0, 0, 0], sign, vec![1, 0, 0, 0, 2], [3, 0, 0, 0].repeat(4)];
    let number = [arguments[0].clone(), options.concat(), string("en")].concat();
    let plain = [arguments[3].clone(), vec![0; 4], string("")].concat();
    add("number", ty(), fixed(text(4, number.clone())));
    add("percent", ty(), fixed(text(5, plain)));
    let currency = if ue4 >= 389 { string("EUR") } else { Vec::new() };
    add("currency", ty(), fixed(text(6, [currency, number].concat())));
    let ticks = 5_i64.to_le_bytes().to_vec();
    let zone = if ue4 >= 422 { string("UTC") } else { Vec::new() };
    add("date", ty(), fixed(text(7, [ticks.clone(), vec![1], zone, string("en")].concat())));
    let time = [ticks.clone(), vec![1], string("UTC"), string("en")].concat();
    add("time", ty(), fixed(text(8, time)));
    let both = [ticks, vec![1, 2], string("UTC"), string("en")].concat();
    add("date and time", ty(), fixed(text(9, both)));
    add("transformed", ty(), fixed(text(10, [base, vec![1]].concat())));
    let table = move |names: &mut Shared| {
        let name = names.borrow_mut().stored("Table");
        [&[1, 0, 0, 0, 11], &name[..], &string("Key")].concat()
    };
    add("string table", ty(), Box::new(table));
    let generator = move |names: &mut Shared| {
        [&[1, 0, 0, 0, 12], &names.borrow_mut().stored("None")[..]].concat()
    };
    add("no generator", ty(), Box::new(generator));
}

/// Structs that hold a list of tags in a form of their own.
fn own_lists(
    versions: &Versions,
    list: &(impl Fn(&mut Shared) -> Vec<u8> + Clone + 'static),
    add: &mut dyn FnMut(&str, Ty, Make),
) {
    let inner = list.clone();
    let nested = versions.custom(&PROPERTY_BAG) >= property_bag::NESTED_CONTAINER_TYPES;
    let meta_class = versions.custom(&PROPERTY_BAG) >= property_bag::META_CLASS;
    let contained = versions.custom(&PROPERTY_BAG) >= property_bag::CONTAINER_TYPES;
    let bag = move |names: &mut Shared| {
        let property = |meta: &[u8], names: &mut Shared| {
            let mut bytes = [vec![0; 4], vec![7; 16]].concat();
            bytes.extend(names.borrow_mut().stored("Inner"));
            bytes.push(2);
            bytes.extend(if nested { vec![1, 1] } else { vec![1; contained.into()] });
            [&bytes[..], meta].concat()
        };
        let key = names.borrow_mut().stored("Category");
        let meta =
            [counted(1, &[key, string("Here")].concat()), vec![0; if meta_class { 4 } else { 0 }]];
        let with_meta = [&[1, 0, 0, 0], &meta.concat()[..]].concat();
        let properties = [property(&[0; 4], names), property(&with_meta, names)].concat();
        let value = inner(names);
        let size = (value.len() as i32).to_le_bytes();
        [&[1, 0, 0, 0], &counted(2, &properties)[..], &size, &value].concat()
    };
    add("property bag", Ty::Struct("InstancedPropertyBag", true), Box::new(bag));
    if versions.custom(&NIAGARA) >= niagara::VARIABLES_USE_TYPE_DEF_REGISTRY {
        for (name, rest) in [
            ("NiagaraVariableBase", Vec::new()),
            ("NiagaraVariable", counted(3, &[7; 3])),
            ("NiagaraVariableWithOffset", vec![7; 4]),
        ] {
            let inner = list.clone();
            let make = move |names: &mut Shared| {
                let variable = names.borrow_mut().stored("Variable");
                [variable, inner(names), rest.clone()].concat()
            };
            add(name, Ty::Struct(name, true), Box::new(make));
        }
    }
}

fn structs(versions: &Versions, add: &mut dyn FnMut(&str, Ty, Make)) {
    let wide = versions.ue5() >= 1004;
    let with = |mut bytes: Vec<u8>, more: &[u8]| {
        bytes.extend(more);
        bytes
    };
    let mut natives: Vec<(&'static str, Vec<u8>)> = vec![
        ("Vector", numbers(3, wide)),
        ("Vector2D", numbers(2, wide)),
        ("Vector4", numbers(4, wide)),
        ("Rotator", numbers(3, wide)),
        ("Quat", numbers(4, wide)),
        ("Plane", numbers(4, wide)),
        ("TwoVectors", numbers(6, wide)),
        ("Matrix", numbers(16, wide)),
        ("Vector3f", numbers(3, false)),
        ("Vector2f", numbers(2, false)),
        ("Vector3d", numbers(3, true)),
        ("Quat4d", numbers(4, true)),
        ("Box", with(numbers(6, wide), &[1])),
        ("Box2D", with(numbers(4, wide), &[1])),
        ("LinearColor", numbers(4, false)),
        ("Color", vec![1, 2, 3, 4]),
        ("Guid", (1..=16).collect()),
        ("DateTime", vec![7; 8]),
        ("FrameNumber", vec![7, 0, 0, 0]),
        ("IntPoint", vec![7; 8]),
        ("IntVector", vec![7; 12]),
        ("Int64Vector", vec![7; 24]),
        ("RichCurveKey", vec![7; 27]),
        ("SimpleCurveKey", vec![7; 8]),
        ("StringCurveKey", with(vec![7; 4], &string("text"))),
        ("PerQualityLevelFloat", with(vec![0, 0, 0, 0, 7, 7, 7, 7], &counted(1, &[7; 8]))),
        ("NavAgentSelector", vec![7; 4]),
        ("MovieSceneTrackIdentifier", vec![7; 4]),
        ("MovieSceneFrameRange", vec![7; 10]),
        ("UniqueNetIdRepl", vec![0; 4]),
        ("MovieSceneFloatValue", vec![7; 23]),
        ("RawAnimSequenceTrack", [4, 0, 0, 0, 1, 0, 0, 0, 7, 7, 7, 7].repeat(3)),
        ("InstancedPropertyBag", vec![0; 4]),
        ("InstancedStructContainer", with(vec![0], &counted(1, &[0; 8]))),
        ("LevelSequenceObjectReferenceMap", counted(1, &with(vec![7; 32], &string("a")))),
    ];
    if !versions.filter_editor_only() {
        let none = counted(0, &[]);
        natives.push(("PerPlatformInt", with(vec![0, 0, 0, 0, 7, 7, 7, 7], &none)));
    }
    let core = versions.custom(&CORE) >= core::MATERIAL_INPUT_NATIVE_SERIALIZE;
    if core
        && !versions.filter_editor_only()
        && versions.custom(&FRAMEWORK) < framework::PINS_STORE_FNAME
    {
        let input = [vec![0; 8], string("Input"), vec![0; 20]].concat();
        natives.push(("ExpressionInput", input.clone()));
        natives.push(("ScalarMaterialInput", with(input, &[7; 8])));
    }
    for (name, bytes) in natives {
        add(name, Ty::Struct(name, true), fixed(bytes.clone()));
        // Before, nothing names the struct of elements.
        if versions.ue4() >= 500 {
            let elements = counted(2, &bytes.repeat(2));
            add(name, Ty::Array(Box::new(Ty::Struct(name, true))), fixed(elements));
        }
        if versions.ue5() >= 1012 {
            let map = [counted(0, &[]), counted(2, &bytes.repeat(4))].concat();
            let ty = || Box::new(Ty::Struct(name, true));
            add(name, Ty::Map(ty(), ty()), fixed(map));
        }
    }
    let tags = |names: &mut Shared| counted(1, &names.borrow_mut().stored("Tag.One"));
    add("tags", Ty::Struct("GameplayTagContainer", true), Box::new(tags));
    let anim_phys = versions.custom(&ANIM_PHYS);
    let editor = !versions.filter_editor_only();
    let smart = move |names: &mut Shared| {
        let mut bytes = names.borrow_mut().stored("Curve");
        bytes.extend(vec![7; if anim_phys < 5 { 2 } else { 0 }]);
        bytes.extend(vec![7; if anim_phys < 10 && editor { 16 } else { 0 }]);
        bytes
    };
    add("smart name", Ty::Struct("SmartName", true), Box::new(smart));
    let list = {
        let versions = versions.clone();
        move |names: &mut Shared| {
            let mut list = List::from_names(&versions, names.clone());
            list.property("Inner", &Ty::plain("IntProperty"), &7_i32.to_le_bytes());
            list.property("Flag", &Ty::Bool(true), &[]);
            list.end().bytes
        }
    };
    add("struct of tags", Ty::Struct("Custom", false), Box::new(list.clone()));
    add("tags of its own", Ty::Struct("Custom", true), Box::new(list.clone()));
    own_lists(versions, &list, add);
    if versions.ue4() >= 282 {
        let list = list.clone();
        let two = move |names: &mut Shared| counted(2, &list(names).repeat(2));
        let array = Ty::Array(Box::new(Ty::Struct("Custom", false)));
        add("structs of tags", array, Box::new(two));
    }
    if versions.ue4() >= 509 {
        let pair = move |names: &mut Shared| {
            let key = names.borrow_mut().stored("Key");
            [counted(0, &[]), counted(1, &[key, list(names)].concat())].concat()
        };
        let value = Box::new(Ty::Struct("Custom", false));
        add("map to tags", Ty::Map(Box::new(Ty::plain("NameProperty")), value), Box::new(pair));
        let guids = [counted(0, &[]), counted(1, &[7; 16])].concat();
        let key = Box::new(Ty::Struct("Guid", true));
        add("set of GUIDs", Ty::Set(key), fixed(guids));
    }
}
