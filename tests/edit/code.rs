//! Strings in code: longer and shorter ones, and everything that refers to what stands behind them.

use std::collections::HashMap;

use unreal_packages::archive::{Archived, Saver};
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::generate::Builder;
use unreal_packages::object::script_object::{
    Class, Function, ScriptObject, State, Struct, UProperty,
};
use unreal_packages::object::ue4::structure;
use unreal_packages::object::{Native, StateFrame};
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectFlags, Real};
use unreal_packages::property::PropertyList;
use unreal_packages::script::{CodePlaces, Script, ScriptItem, disassemble};
use unreal_packages::table::{Export, FileVersions, Generation, Import};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, ErrorKind, Guid, Index, Name, PackageIndex, Span, Versions};

use super::common::parts::Parts;

/// One version with each width of references and each form of context.
pub(super) const FILES: [u32; 5] = [61, 69, 128, 400, 868];
/// Names of one width and the other, blueprints with call offsets, large world coordinates.
pub(super) const RELEASES: [(u8, u8); 5] = [(4, 2), (4, 12), (4, 27), (5, 0), (5, 6)];

/// Code under construction: places by name.
#[derive(Default)]
struct Code {
    items: Vec<ScriptItem>,
    marks: HashMap<&'static str, usize>,
    targets: Vec<(usize, &'static str)>,
}

impl Code {
    fn mark(&mut self, name: &'static str) -> &mut Self {
        self.marks.insert(name, self.items.len());
        self
    }

    fn token(&mut self, token: u8) -> &mut Self {
        self.item(ScriptItem::Token(token))
    }

    fn item(&mut self, item: ScriptItem) -> &mut Self {
        self.items.push(item);
        self
    }

    /// A label, skip or entry of a table that leads to a mark.
    fn to(&mut self, item: ScriptItem, name: &'static str) -> &mut Self {
        self.targets.push((self.items.len(), name));
        self.item(item)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.token(0x1f).item(ScriptItem::Text(Box::new(Span::owned(text.as_bytes()))))
    }

    fn wide(&mut self, text: &str) -> &mut Self {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        self.token(0x34).item(ScriptItem::Wide(Box::new(Span::owned(bytes))))
    }

    fn object(&mut self, index: i32) -> &mut Self {
        self.item(ScriptItem::Object(PackageIndex::new(index)))
    }

    fn place(&self, name: &str, versions: &Versions) -> u64 {
        CodePlaces::of(&self.items, versions).of_item(self.marks[name]).unwrap()
    }

    fn script(mut self, versions: &Versions) -> Script {
        for (index, name) in std::mem::take(&mut self.targets) {
            let place = self.place(name, versions) as u32;
            let next = self.items[index..].iter().position(|item| item.token().is_some());
            let places = CodePlaces::of(&self.items, versions);
            let base = next.map(|next| places.of_item(index + next).unwrap()).unwrap_or_default();
            match &mut self.items[index] {
                ScriptItem::Label(to) | ScriptItem::Place(to) => *to = place,
                ScriptItem::Skip(to) => *to = place - base as u32,
                other => panic!("{other:?} refers to nothing"),
            }
        }
        Script { items: self.items }
    }
}

/// Jumps both ways over strings, skips, cases, a table of labels.
fn unreal_script(versions: &Versions) -> Code {
    let (file, mut code) = (versions.file(), Code::default());
    code.mark("start").token(0x07).to(ScriptItem::Label(0), "end").token(0x27);
    code.token(0x0f).token(0x00).object(0).text("hello");
    code.token(0x18).to(ScriptItem::Skip(0), "skipped").text("skipped over").mark("skipped");
    code.token(0x19).token(0x17).to(ScriptItem::Skip(0), "context");
    if file >= 588 {
        code.object(0);
    }
    code.item(ScriptItem::Byte(0)).text("in a context").mark("context");
    code.mark("case").token(0x0a).to(ScriptItem::Label(0), "other case").wide("日本 words");
    code.mark("other case").token(0x0a).item(ScriptItem::Label(0xffff));
    code.token(0x2f).token(0x17).to(ScriptItem::Label(0), "after").text("each");
    code.mark("after").token(0x31).token(0x30).token(0x06).to(ScriptItem::Label(0), "start");
    code.mark("end").token(0x04);
    if file >= 62 {
        code.token(0x0b);
    }
    let entry = |code: &mut Code, name: i32, to: Option<&'static str>| {
        code.item(ScriptItem::Name(Name::new(name)));
        match to {
            Some(mark) => code.to(ScriptItem::Place(0), mark),
            None => code.item(ScriptItem::Place(0xffff)),
        };
    };
    code.mark("labels").token(0x0c);
    entry(&mut code, 1, Some("case"));
    entry(&mut code, 2, Some("end"));
    entry(&mut code, 0, None);
    code
}

fn body(object: ScriptObject, stack: Option<StateFrame>, versions: &Versions) -> Vec<u8> {
    let mut saver = Saver::new(versions.clone());
    if let Some(mut frame) = stack {
        frame.serialize(&mut saver).unwrap();
    }
    if versions.file() >= 322 {
        0_i32.serialize(&mut saver).unwrap();
    }
    let is_class = matches!(object, ScriptObject::Class(_));
    if !is_class {
        PropertyList::default().serialize(&mut saver).unwrap();
        // Zeros that old versions have behind the properties.
        if versions.file() < 58 {
            0_u8.serialize(&mut saver).unwrap();
        }
    }
    let mut object = object;
    object.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// Rows: a class with a condition, a state, a function that the condition is of, one that overrides it, a
/// property, an object that stands in the state.
pub(super) fn package(file: u32) -> Package {
    let versions = Versions::ue1_to_3(file, 0);
    let mut parts = Parts { versions: versions.clone(), ..Parts::default() };
    let texts = ["None", "Alpha", "Beta", "Core", "Class", "Package", "State", "Function"];
    let mut names: HashMap<&str, Name> = texts.map(|text| (text, parts.name(text))).into();
    for text in ["IntProperty", "Lamp", "Lit", "Shine", "Count", "Lamp0", "Sub"] {
        names.insert(text, parts.name(text));
    }
    let core = |class: &str, object: &str, outer: i32| Import {
        class_package: names["Core"],
        class_name: names[class],
        outer_index: PackageIndex::new(outer),
        object_name: names[object],
        ..Import::default()
    };
    parts.imports = vec![core("Package", "Core", 0)];
    for class in ["State", "Function", "IntProperty"] {
        parts.imports.push(core("Class", class, -1));
    }
    let wide = if file < 195 { 0 } else { 32 };
    let export = |class: i32, above: i32, outer: i32, name: &str, flags: u64| Export {
        class_index: PackageIndex::new(class),
        super_index: PackageIndex::new(above),
        outer_index: PackageIndex::new(outer),
        object_name: names[name],
        object_flags: ObjectFlags((0x7_0004 | flags) << wide),
        ..Export::default()
    };
    let mut condition = Code::default();
    condition.text("a condition").mark("second").text("another").mark("third").token(0x17);
    let second = condition.place("second", &versions) as u16;
    let base = |script: Script| Struct { script, ..Struct::default() };
    let state = State { base: base(condition.script(&versions)), ..State::default() };
    let class = Class { base: state, ..Class::default() };
    let code = unreal_script(&versions);
    let (labels, after) = (code.place("labels", &versions), code.place("after", &versions));
    let lit = State {
        base: base(code.script(&versions)),
        label_table_offset: labels as u16,
        ..State::default()
    };
    let shine = |script| Function {
        base: base(script),
        function_flags: 0x40,
        rep_offset: second,
        ..Function::default()
    };
    let count = UProperty {
        array_dim: 1,
        property_flags: 0x20,
        rep_offset: second,
        ..UProperty::new(
            unreal_packages::object::script_object::PropertyClass::blank("IntProperty").unwrap(),
        )
    };
    let frame = StateFrame {
        node: PackageIndex::new(2),
        state_node: PackageIndex::new(2),
        offset: Some(Index::new(after as i32)),
        ..StateFrame::default()
    };
    let function = |script| ScriptObject::Function(shine(script));
    let rows = [
        (export(0, 0, 0, "Lamp", 0), ScriptObject::Class(Box::new(class)), None),
        (export(-2, 0, 1, "Lit", 0), ScriptObject::State(lit), None),
        (export(-3, 0, 1, "Shine", 0), function(unreal_script(&versions).script(&versions)), None),
        (export(-3, 3, 2, "Sub", 0), function(Script::default()), None),
        (export(-4, 0, 1, "Count", 0), ScriptObject::Property(count.clone()), None),
        // Its own class does not matter: a property shows the frame as well.
        (export(-4, 0, 0, "Lamp0", 0x0200_0000), ScriptObject::Property(count), Some(frame)),
    ];
    for (row, object, stack) in rows {
        parts.export(row, body(object, stack, &versions));
    }
    let summary = &mut parts.summary;
    summary.versions = FileVersions::of_file(file as u16, 0);
    if file < 68 {
        parts.heritage = vec![Guid::new(1, 2, 3, 4)];
        parts.summary.heritage_count = 1;
    } else {
        summary.guid = Guid::new(1, 2, 3, 4);
        let counts = Generation {
            export_count: parts.exports.len() as i32,
            name_count: parts.names.len() as i32,
            ..Generation::default()
        };
        summary.generations = vec![counts];
    }
    if file >= 269 {
        parts.summary.folder_name = unreal_packages::FString::new("None");
    }
    if file >= 415 {
        parts.depends = vec![Default::default(); parts.exports.len()];
    }
    let mut package = Package::from_bytes(parts.assemble()).unwrap();
    package.decode_all();
    package
}

pub(super) fn code_of(package: &Package, object: &str) -> Script {
    let row = package.find_export(object).unwrap();
    let decoded = package.decode(row).unwrap();
    assert_eq!(decoded.opaque, 0, "{object}: {:?}", decoded.error);
    decoded.body.native.code().unwrap().clone()
}

/// Every operand that refers to a place refers to the same instruction as before.
fn assert_follows(old: &Script, new: &Script, versions: &Versions) {
    let (was, is) = (CodePlaces::of(&old.items, versions), CodePlaces::of(&new.items, versions));
    assert_eq!(old.items.len(), new.items.len());
    let mut seen = 0;
    for (at, (a, b)) in old.items.iter().zip(&new.items).enumerate() {
        let Some(target) = was.target(at, a) else {
            assert_eq!(is.target(at, b), None);
            continue;
        };
        let item = was.item_at(target);
        assert!(item.is_some(), "item {at}");
        assert_eq!(is.item_at(is.target(at, b).unwrap()), item, "item {at}: {a:?} {b:?}");
        seen += 1;
    }
    assert!(seen > 0);
    let none = |name: &Name| name.index.value() == 0;
    let names = |script: &Script| {
        let lines = disassemble(&script.items, versions, none).unwrap();
        lines.into_iter().map(|line| (line.depth, line.token)).collect::<Vec<_>>()
    };
    let strings = |lines: Vec<(u32, u8)>| {
        lines.into_iter().map(|(depth, token)| (depth, if token == 0x34 { 0x1f } else { token }))
    };
    assert!(strings(names(old)).eq(strings(names(new))));
}

pub(super) fn reopened(package: &Package) -> Package {
    let bytes = package.to_bytes().unwrap();
    let mut again = Package::from_bytes(bytes.clone()).unwrap();
    again.decode_all();
    assert!(again.to_bytes().unwrap() == bytes);
    again
}

/// Longer, shorter, empty, in other letters.
fn others(old: &str) -> [String; 4] {
    let shorter: String = old.chars().take(old.chars().count().saturating_sub(7)).collect();
    [format!("{old} longer"), shorter, String::new(), format!("{old}日本")]
}

#[test]
fn strings_of_unreal_script_take_any_length_and_jumps_follow() {
    for file in FILES {
        let package = package(file);
        let versions = package.versions().clone();
        for object in ["Lamp.Lit", "Lamp.Shine"] {
            let old = code_of(&package, object);
            for change in 0..4 {
                let mut changed = package.clone();
                let done = changed.edit(|edit| {
                    edit.change_script_texts(object, |_, text| Some(others(text)[change].clone()))
                });
                assert_eq!(done.unwrap().len(), 5, "{file} {object}");
                let again = reopened(&changed);
                let new = code_of(&again, object);
                assert_follows(&old, &new, &versions);
                // And back.
                let mut back = again.clone();
                let mut texts =
                    ["hello", "skipped over", "in a context", "日本 words", "each"].iter();
                let restore = |_, _: &str| texts.next().map(|text| (*text).to_owned());
                back.edit(|edit| edit.change_script_texts(object, restore)).unwrap();
                assert!(back.to_bytes().unwrap() == package.to_bytes().unwrap(), "{file} {object}");
            }
        }
    }
}

#[test]
fn what_stands_in_the_code_goes_with_it() {
    for file in FILES {
        let mut package = package(file);
        let versions = package.versions().clone();
        let old = CodePlaces::of(&code_of(&package, "Lamp.Lit").items, &versions);
        let frame = |package: &Package| {
            let decoded = package.decode(package.find_export("Lamp0").unwrap()).unwrap();
            decoded.body.state_frame.clone().unwrap().offset.unwrap().value() as u64
        };
        let table = |package: &Package| {
            let decoded = package.decode(package.find_export("Lamp.Lit").unwrap()).unwrap();
            let Native::Script(mut object) = decoded.body.native.clone() else { panic!() };
            u64::from(object.state_mut().unwrap().label_table_offset)
        };
        let (stood, labels) = (frame(&package), table(&package));
        let change = package.edit(|edit| edit.set_script_text("Lamp.Lit", 2, "no string here"));
        assert!(matches!(change.unwrap_err().kind(), ErrorKind::NotFound { .. }));
        let at = disassemble(&code_of(&package, "Lamp.Lit").items, &versions, |name| {
            *name == Name::default()
        });
        let at = at.unwrap().into_iter().find(|line| line.token == 0x1f).unwrap().offset;
        let change = package.edit(|edit| edit.set_script_text("Lamp.Lit", at, "hello, world"));
        assert_eq!(change.unwrap().old, "hello");
        let again = reopened(&package);
        let new = CodePlaces::of(&code_of(&again, "Lamp.Lit").items, &versions);
        assert_eq!(new.item_at(frame(&again)), old.item_at(stood), "{file}");
        assert_eq!(new.item_at(table(&again)), old.item_at(labels), "{file}");
        assert_eq!(frame(&again), stood + 7);
    }
}

#[test]
fn replication_conditions_stay_those_of_their_fields() {
    for file in FILES {
        let mut package = package(file);
        let offset = |package: &Package, object: &str| {
            let row = package.find_export(object).unwrap();
            match package.decode(row).unwrap().body.native.clone() {
                Native::Script(object) => match *object {
                    ScriptObject::Function(function) => function.rep_offset,
                    ScriptObject::Property(property) => property.rep_offset,
                    _ => panic!(),
                },
                _ => panic!(),
            }
        };
        let fields = ["Lamp.Shine", "Lamp.Lit.Sub", "Lamp.Count", "Lamp0"];
        let before = fields.map(|field| offset(&package, field));
        assert_eq!(before, [13; 4]);
        package.edit(|edit| edit.set_script_text("Lamp", 0, "a longer condition")).unwrap();
        let again = reopened(&package);
        // The last one is no field of the class.
        assert_eq!(fields.map(|field| offset(&again, field)), [20, 20, 20, 13], "{file}");
    }
}

#[test]
fn code_never_grows_beyond_its_jumps() {
    for file in FILES {
        let mut package = package(file);
        let before = package.to_bytes().unwrap();
        let error = package
            .edit(|edit| edit.change_script_texts("Lamp.Lit", |_, _| Some("x".repeat(40_000))));
        assert!(error.unwrap_err().to_string().contains("can't say"), "{file}");
        let error =
            package.edit(|edit| edit.change_script_texts("Lamp.Lit", |_, _| Some("a\0".into())));
        assert!(matches!(error.unwrap_err().kind(), ErrorKind::BadText { .. }));
        let error = package.edit(|edit| edit.change_script_texts("Lamp.Count", |_, _| None));
        assert!(error.unwrap_err().to_string().contains("has no code"), "{file}");
        assert!(package.to_bytes().unwrap() == before);
    }
}

const PATH: &str = "/Game/Doors/BP_Door";

/// An event graph with everything that refers to places, and a soft reference to the package itself.
fn event_graph(versions: &Versions) -> Code {
    let mut code = Code::default();
    let property = || ScriptItem::Property(Box::default());
    code.token(0x4c).to(ScriptItem::Label(0), "end").token(0x4e).token(0x00).item(property());
    code.mark("begin").token(0x07).to(ScriptItem::Label(0), "end").token(0x27);
    code.token(0x19).token(0x17).to(ScriptItem::Skip(0), "context").item(property());
    if versions.ue4() < 452 {
        code.item(ScriptItem::Byte(0));
    }
    code.text("in a context").mark("context");
    code.token(0x67).text(&format!("{PATH}.BP_Door_C"));
    code.mark("tick").token(0x69).item(ScriptItem::Word(2)).to(ScriptItem::Label(0), "switched");
    code.token(0x25).text("first").to(ScriptItem::Label(0), "next").text("value").mark("next");
    code.wide("zweite Größe").to(ScriptItem::Label(0), "default").token(0x26).mark("default");
    code.text("default").mark("switched");
    code.token(0x2f).object(0).item(ScriptItem::Int(8)).token(0x5b);
    code.to(ScriptItem::Label(0), "resume").token(0x23);
    code.item(ScriptItem::Real(Real::new(1.0))).item(ScriptItem::Real(Real::new(2.0)));
    code.item(ScriptItem::Real(Real::new(3.0))).token(0x30);
    code.token(0x1f).item(ScriptItem::Text(Box::new(Span::owned(*b"said before it goes on"))));
    code.mark("resume").token(0x06).to(ScriptItem::Label(0), "begin");
    code.mark("end").token(0x04).token(0x0b).token(0x53);
    code
}

/// The event graph, an event that calls it, one that only knows where it enters, one that calls by name.
pub(super) fn blueprint(release: (u8, u8)) -> Package {
    let release = EngineRelease::new(release.0, release.1);
    let versions = release.versions();
    let graph = event_graph(&versions);
    let tick = graph.place("tick", &versions) as i32;
    let body = |script: Script, event_graph: i32, offset: i32| {
        let mut function = structure::function::Function::default();
        function.base.script = script;
        if versions.ue4() >= 451 {
            function.event_graph_function = PackageIndex::new(event_graph);
            function.event_graph_call_offset = offset;
        }
        let mut saver = Saver::new(versions.clone());
        function.serialize(&mut saver).unwrap();
        [super::ue4::empty_body(release, 0), saver.into_bytes()].concat()
    };
    let call = |by_name: bool| {
        let mut code = Code::default();
        match by_name {
            true => code.token(0x45).item(ScriptItem::Name(Name::new(1))),
            false => code.token(0x46).object(1),
        };
        code.token(0x1d).item(ScriptItem::Int(tick)).token(0x16);
        code.token(0x46).object(2).token(0x1d).item(ScriptItem::Int(tick)).token(0x16);
        code.token(0x04).token(0x0b).token(0x53);
        code.script(&versions)
    };
    let class = "/Script/CoreUObject.Function";
    let builder = Builder::for_release(release)
        .guid(Guid::new(1, 2, 3, 4))
        .name("ExecuteUbergraph_BP_Door")
        .name(PATH)
        .export("ExecuteUbergraph_BP_Door", class, body(graph.script(&versions), 0, 0))
        .export("Tick", class, body(call(false), 1, tick))
        .export("Begin", class, body(call(true), 0, 7));
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

#[test]
fn events_enter_their_graph_where_they_did() {
    for release in RELEASES {
        let package = blueprint(release);
        let versions = package.versions().clone();
        let graph = "ExecuteUbergraph_BP_Door";
        let old = code_of(&package, graph);
        let tick = event_graph(&versions).place("tick", &versions);
        for change in 0..4 {
            let mut changed = package.clone();
            let texts = |_, text: &str| Some(others(text)[change].clone());
            changed.edit(|edit| edit.change_script_texts(graph, texts)).unwrap();
            let again = reopened(&changed);
            let new = code_of(&again, graph);
            assert_follows(&old, &new, &versions);
            let moved = CodePlaces::of(&new.items, &versions);
            let moved = moved.of_item(CodePlaces::of(&old.items, &versions).item_at(tick).unwrap());
            let moved = moved.unwrap() as i32;
            assert_ne!(moved, tick as i32);
            for (event, own_offset) in [("Tick", moved), ("Begin", 7)] {
                let row = again.find_export(event).unwrap();
                let native = again.decode(row).unwrap().body.native.clone();
                let calls = &native.code().unwrap().items;
                // The first call enters the graph, the second calls something else with the same number.
                assert_eq!(calls[3], ScriptItem::Int(moved), "{release:?} {event}");
                assert_eq!(calls[8], ScriptItem::Int(tick as i32), "{release:?} {event}");
                let Native::Object(object) = &native else { panic!() };
                let function: &structure::function::Function = object.downcast_ref().unwrap();
                if versions.ue4() >= 451 {
                    assert_eq!(function.event_graph_call_offset, own_offset);
                }
            }
        }
    }
}

#[test]
fn a_package_of_another_length_takes_its_paths_in_code_along() {
    for release in RELEASES {
        for new in ["/Game/Doors/BP_Door_longer", "/Game/D", "/Game/Größe/BP_Door"] {
            let mut package = blueprint(release);
            let versions = package.versions().clone();
            let graph = "ExecuteUbergraph_BP_Door";
            let old = code_of(&package, graph);
            let options = RenamePackage::new().from(PATH);
            let renamed = package.edit(|edit| edit.rename_package(new, &options)).unwrap();
            assert!(renamed.changes.iter().any(|change| change.field == "path in code"));
            let again = reopened(&package);
            let code = code_of(&again, graph);
            assert_follows(&old, &code, &versions);
            let strings = unreal_packages::script::ScriptString::all(&code.items, &versions);
            let paths = strings.iter().filter(|string| string.is_path).map(|string| {
                string.text(&code.items, again.source(), versions.byte_order).unwrap()
            });
            let short = new.rsplit('/').next().unwrap();
            assert_eq!(paths.collect::<Vec<_>>(), [format!("{new}.{short}_C")], "{release:?}");
        }
    }
}

#[test]
fn an_entry_that_is_no_constant_blocks_other_lengths() {
    let mut package = blueprint((5, 0));
    let row = package.find_export("Tick").unwrap();
    package
        .edit(|edit| {
            edit.change_body(row, |body| {
                body.native.code_mut().unwrap().items[2] = ScriptItem::Token(0x4a);
                body.native.code_mut().unwrap().items.remove(3);
                Ok(())
            })
        })
        .unwrap();
    let before = package.to_bytes().unwrap();
    let graph = "ExecuteUbergraph_BP_Door";
    let longer = |_, text: &str| Some(format!("{text}!"));
    let error = package.edit(|edit| edit.change_script_texts(graph, longer)).unwrap_err();
    assert!(error.to_string().contains("no constant"), "{error}");
    assert!(package.to_bytes().unwrap() == before);
    // The same length moves nothing.
    let same = |_, text: &str| Some(text.replace('i', "o"));
    assert!(!package.edit(|edit| edit.change_script_texts(graph, same)).unwrap().is_empty());
}
