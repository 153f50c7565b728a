//! Code as text that is put back: the same bytes, and after edits code that fits.

use unreal_packages::edit::{AssembledCode, PackageEdit};
use unreal_packages::inspect::CodeTexts;
use unreal_packages::object::Native;
#[cfg(feature = "json")]
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::object::ue4::structure::function::Function;
use unreal_packages::package::Package;
use unreal_packages::script::{CodePlaces, ScriptItem};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Error, Name};

use super::code::{FILES, RELEASES, blueprint, code_of, package, reopened};
use super::counting;

const GRAPH: &str = "ExecuteUbergraph_BP_Door";

fn text(package: &Package, object: &str) -> String {
    let row = package.find_export(object).unwrap();
    CodeTexts::new(package).section(row).unwrap().unwrap()
}

fn all(package: &Package) -> String {
    let texts = CodeTexts::new(package);
    (0..package.exports().len()).filter_map(|row| texts.section(row).unwrap()).collect()
}

fn assemble(package: &mut Package, text: &str) -> Result<Vec<AssembledCode>, Error> {
    // The code of these packages has tokens of all kinds, and could not run.
    package.edit(|edit| {
        edit.set_checks(false);
        edit.assemble(text)
    })
}

/// The text with one thing in the place of another that must be there.
fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "no {old} in\n{text}");
    text.replacen(old, new, 1)
}

fn each(check: impl Fn(Package)) {
    FILES.into_iter().for_each(|file| check(package(file)));
    RELEASES.into_iter().for_each(|release| check(blueprint(release)));
}

#[test]
fn what_was_not_edited_is_the_same_code() {
    each(|mut package| {
        let before = package.to_bytes().unwrap();
        let text = all(&package);
        let done = assemble(&mut package, &text).unwrap();
        assert!(!done.is_empty() && done.iter().all(|code| !code.is_changed), "{done:?}\n{text}");
        assert!(package.to_bytes().unwrap() == before);
        // Line breaks, commas, comments and names of labels mean nothing.
        let loose = text.replace(", ", " ; why\n ").replace("L00", "label_");
        assert!(assemble(&mut package, &loose).unwrap().iter().all(|code| !code.is_changed));
    });
}

#[test]
fn texts_are_as_they_were_agreed() {
    assert_eq!(
        text(&package(61), "Lamp"),
        "code Lamp\n    StringConst(\"a condition\")\n    StringConst(\"another\")\n    Self\nend\n"
    );
    let lit = text(&package(868), "Lamp.Lit");
    let expected = "code Lamp.Lit
L0000:
    JumpIfNot(L0069, True)
    Let(LocalVariable(null), StringConst(\"hello\"))
    Skip(_, StringConst(\"skipped over\"))
    Context(Self, _, null, 0, StringConst(\"in a context\"))
L0041:
    Case(L0057, UnicodeStringConst(\"日本 words\"))
L0057:
    Case(none)
    Iterator(Self, L0064)
    StringConst(\"each\")
L0064:
    IteratorNext
    IteratorPop
    Jump(L0000)
L0069:
    Return(Nothing)
    LabelTable('Alpha', L0041, 'Beta', L0069, 'None', none)
end
";
    assert_eq!(lit, expected);
    let graph = text(&blueprint((4, 27)), GRAPH);
    assert!(graph.contains("    SwitchValue(2, "), "{graph}");
    let nested = "IntZero, StringConst(\"first\"), ";
    assert!(graph.contains(nested), "{graph}");
}

#[test]
fn what_is_skipped_has_the_size_of_the_next_expression() {
    for file in FILES {
        let mut package = package(file);
        let size = |package: &Package| {
            let items = code_of(package, "Lamp.Lit.Sub").items;
            items.iter().find_map(|item| match item {
                ScriptItem::Skip(size) => Some(*size),
                _ => None,
            })
        };
        let mut put = |operands: &str| {
            let section = format!("code Lamp.Lit.Sub\n    Skip({operands})\n    Self\nend\n");
            let done = assemble(&mut package, &section);
            done.map(|_| (size(&package).unwrap(), text(&package, "Lamp.Lit.Sub")))
        };
        let (size, text) = put("_, StringConst(\"four\")").unwrap();
        assert_eq!(size, 6, "{file}");
        assert!(text.contains("Skip(_, StringConst(\"four\"))"), "{text}");
        // What a token within the next one skips counts as part of it; nothing behind it does.
        let (size, _) = put("_, Skip(_, Skip(_, StringConst(\"fours\")))").unwrap();
        assert_eq!(size, 2 * 3 + 7, "{file}");
        let (size, text) = put("3, StringConst(\"four\")").unwrap();
        assert!(size == 3 && text.contains("Skip(3, StringConst("), "{text}");
        let long = format!("_, StringConst(\"{}\")", "x".repeat(0xfffe));
        let error = put(&long).unwrap_err().to_string();
        assert!(error.contains("more than can be skipped"), "{error}");
    }
}

#[test]
fn jumps_follow_strings_of_any_length() {
    for file in FILES {
        let mut package = package(file);
        let versions = package.versions().clone();
        let old = CodePlaces::of(&code_of(&package, "Lamp.Lit").items, &versions);
        let stands = |package: &Package| {
            let decoded = package.decode(package.find_export("Lamp0").unwrap()).unwrap();
            decoded.body.state_frame.clone().unwrap().offset.unwrap().value() as u64
        };
        let before = stands(&package);
        let longer = with(&text(&package, "Lamp.Lit"), "\"in a context\"", "\"in no context\"");
        let done = assemble(&mut package, &longer).unwrap();
        assert!(done[0].is_changed && done[0].sizes[1] == done[0].sizes[0] + 1, "{done:?}");
        let again = reopened(&package);
        let code = code_of(&again, "Lamp.Lit");
        let new = CodePlaces::of(&code.items, &versions);
        // What stood behind the string stands there still, and so does every target.
        assert_eq!(new.item_at(stands(&again)), old.item_at(before), "{file}");
        assert_eq!(stands(&again), before + 1);
        for (at, item) in code.items.iter().enumerate() {
            let target = new.target(at, item);
            assert!(target.is_none_or(|place| new.item_at(place).is_some()), "{file}: item {at}");
        }
    }
}

#[test]
fn statements_come_and_go() {
    for file in FILES {
        let mut package = package(file);
        let versions = package.versions().clone();
        let before = code_of(&package, "Lamp.Shine");
        let shine = text(&package, "Lamp.Shine");
        // A name and a call that were not there, around a jump.
        let call = "    VirtualFunction('Brandnew', StringConst(\"more\"), EndFunctionParms)\n";
        let first = "    IteratorPop\n";
        let call = if (178..242).contains(&file) {
            call.replace("('B", "(0, 'B")
        } else {
            call.to_owned()
        };
        let more = with(&shine, first, &format!("{call}{first}"));
        assert!(assemble(&mut package, &more).unwrap()[0].is_changed);
        let again = reopened(&package);
        let code = code_of(&again, "Lamp.Shine");
        assert!(code.memory_size(&versions) > before.memory_size(&versions));
        let name = |item: &ScriptItem| matches!(item, ScriptItem::Name(name) if again.name_text(*name) == "Brandnew");
        assert!(code.items.iter().any(name), "{file}");
        assert_eq!(text(&again, "Lamp.Shine").matches("Brandnew").count(), 1);
        // It goes again, and all is as before: the name as well.
        assert!(assemble(&mut package, &shine).unwrap()[0].is_changed);
        assert!(package.names().find("Brandnew").is_none(), "{file}");
        assert!(package.to_bytes().unwrap() == self::package(file).to_bytes().unwrap(), "{file}");
    }
}

#[test]
fn events_enter_their_graph_at_the_same_statement() {
    for release in RELEASES {
        let mut package = blueprint(release);
        let versions = package.versions().clone();
        let old = code_of(&package, GRAPH);
        let tick = match &code_of(&package, "Tick").items[3] {
            ScriptItem::Int(place) => *place,
            other => panic!("{other:?}"),
        };
        let item = CodePlaces::of(&old.items, &versions).item_at(tick as u64).unwrap();
        // A statement more before the one that is entered, and every text put back, as it was before.
        let everything = all(&package);
        let more = with(&everything, "    SoftObjectConst(", "    Nothing\n    SoftObjectConst(");
        let done = assemble(&mut package, &more).unwrap();
        let changed: Vec<&str> =
            done.iter().filter(|it| it.is_changed).map(|it| it.object.as_str()).collect();
        assert_eq!(changed, [GRAPH]);
        let again = reopened(&package);
        let places = CodePlaces::of(&code_of(&again, GRAPH).items, &versions);
        let moved = places.of_item(item + 1).unwrap() as i32;
        assert_eq!(moved, tick + 1);
        for event in ["Tick", "Begin"] {
            let calls = code_of(&again, event).items;
            assert_eq!(calls[3], ScriptItem::Int(moved), "{release:?} {event}");
        }
        let native = again.decode(again.find_export("Tick").unwrap()).unwrap().body.native.clone();
        let Native::Object(object) = &native else { panic!() };
        let function: &Function = object.downcast_ref().unwrap();
        if versions.ue4() >= 451 {
            assert_eq!(function.event_graph_call_offset, moved);
        }
    }
}

#[test]
fn what_others_refer_to_can_not_go() {
    let mut package = blueprint((4, 27));
    let before = package.to_bytes().unwrap();
    // The statement that the events enter, another one now.
    let other = with(&text(&package, GRAPH), "SwitchValue(2, ", "Let(null, Self, SwitchValue(2, ");
    let other = with(&other, "\"default\"))", "\"default\")))");
    let error = assemble(&mut package, &other).unwrap_err().to_string();
    assert!(error.contains("another one or has gone"), "{error}");
    assert!(package.to_bytes().unwrap() == before);
}

#[test]
fn an_object_that_stands_twice_is_refused() {
    let mut package = blueprint((4, 27));
    let before = package.to_bytes().unwrap();
    let section = text(&package, GRAPH);
    let twice = format!("{section}\n{section}");
    let error = assemble(&mut package, &twice).unwrap_err().to_string();
    assert!(error.contains("a second time") && error.contains(GRAPH), "{error}");
    // Paths are the same in any case.
    let head = section.lines().next().unwrap();
    let other = format!(
        "{section}\n{}",
        section.replacen(head, &head.to_uppercase().replace("CODE", "code"), 1)
    );
    assert!(assemble(&mut package, &other).is_err());
    assert!(package.to_bytes().unwrap() == before);
}

#[test]
fn odd_texts_and_numbers_come_back() {
    for (release, wide) in [((4, 27), false), ((5, 6), true)] {
        let mut package = blueprint(release);
        let strings = [
            "StringConst(\"a \\\"b\\\"\\\\\\n\\t\\x81ÿ é\")",
            "UnicodeStringConst(\"日本\\u{d800}\\u{7}x\")",
            "StringConst(\"\")",
            "FloatConst(nan:0x7fc00001)",
            "FloatConst(-0.0)",
            "FloatConst(inf)",
            "Int64Const(-9223372036854775808)",
            "NameConst('it\\'s')",
            "NameConst('Door_3')",
            "JumpIfNot(0x3, True)",
        ];
        let mut lines = strings.map(|line| format!("    {line}\n")).concat();
        if wide {
            lines.push_str(
                "    DoubleConst(nan:0x7ff8000000000001)\n    VectorConst(0.1, 1e300, -5.0)\n",
            );
        }
        let section = format!("code Begin\n{lines}end\n");
        assert!(assemble(&mut package, &section).unwrap()[0].is_changed);
        let again = reopened(&package);
        assert_eq!(text(&again, "Begin"), section);
        let code = code_of(&again, "Begin");
        let ScriptItem::Text(span) = &code.items[1] else { panic!("{code:?}") };
        assert_eq!(span.bytes(again.source()).unwrap(), b"a \"b\"\\\n\t\x81\xff \xe9");
        let ScriptItem::Wide(span) = &code.items[3] else { panic!("{code:?}") };
        let units = [0x65e5_u16, 0x672c, 0xd800, 7, 0x78];
        assert_eq!(span.bytes(again.source()).unwrap(), units.map(u16::to_le_bytes).concat());
        assert!(
            matches!(code.items[7], ScriptItem::Float(value) if value.to_bits() == 0x7fc0_0001)
        );
        let door = |item: &ScriptItem| matches!(item, ScriptItem::Name(Name { number: 4, .. }));
        assert!(code.items.iter().any(door));
    }
}

#[test]
fn rows_tell_apart_what_has_one_text() {
    let mut package = package(69);
    package
        .edit(|edit| {
            edit.set_checks(false);
            edit.duplicate_object("Lamp0", "Twin").map(drop)
        })
        .unwrap();
    let section = "code Lamp.Lit.Sub\n    ObjectConst(Lamp0#5)\n    NameConst('Alpha'#1)\n    Return(Nothing)\nend\n";
    assemble(&mut package, section).unwrap();
    let shown = text(&reopened(&package), "Lamp.Lit.Sub");
    // The texts alone lead there.
    assert!(
        shown.contains("ObjectConst(Lamp0)") && shown.contains("NameConst('Alpha')"),
        "{shown}"
    );
    for (line, part) in [
        ("ObjectConst(Lamp0#99)", "there is no object #99"),
        ("ObjectConst(Lamp0#i99)", "there is no object #99"),
        ("NameConst('Alpha'#99)", "there is no name #99"),
    ] {
        let section = format!("code Lamp.Lit.Sub\n    {line}\nend\n");
        let error = assemble(&mut package, &section).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    // One that is not there is imported, with its class.
    let import = "code Lamp.Lit.Sub\n    ObjectConst(Core.Class'Engine.Light')\nend\n";
    assemble(&mut package, import).unwrap();
    assert!(text(&reopened(&package), "Lamp.Lit.Sub").contains("ObjectConst(Engine.Light)"));
}

#[test]
fn errors_say_the_line_and_leave_the_package_alone() {
    let mut package = package(69);
    let before = package.to_bytes().unwrap();
    let lines = [
        ("Retrun(Nothing)", "line 2: these versions have no token 'Retrun'"),
        ("Jump(L0001)", "line 2: there is no label L0001"),
        ("Jump(", "line 2: a label is missing at its end"),
        ("L1:\nL1:\n    Nothing", "line 3: the label L1 stands twice"),
        ("Let(Self)", "line 2: a token belongs before ')'"),
        ("Nothing)", "line 2: a token belongs before ')'"),
        ("ByteConst(256)", "line 2: a byte, 0 to 255, belongs before '256)'"),
        ("FloatConst(1.0, 2)", "line 2: ')' belongs before '2)'"),
        ("StringConst(\"open)", "line 2: a text has no end"),
        ("StringConst(\"日\")", "line 2: '日' is no character of 8 bits: write UnicodeStringConst"),
        ("StringConst(\"\\q\")", "line 2: a backslash begins"),
        ("StringConst(\"a\\x00\")", "line 2: a string in code can't contain a zero"),
        ("ObjectConst(Nobody)", "line 2: object 'Nobody' not found"),
        ("NameConst(Fire)", "line 2: a name, as in 'Fire', belongs before"),
        ("Skip(L2, Self)\n    Nothing\nL2:", ""),
        ("Skip(3, Self)", ""),
        ("Jump(_)", "line 2: there is no label _"),
        ("L3: Skip(L3, Self)", "line 2: L3 stands before what is skipped"),
    ];
    for (line, part) in lines {
        let section = format!("code Lamp.Lit.Sub\n    {line}\nend\n");
        let done = assemble(&mut package.clone(), &section);
        match part {
            "" => assert!(done.is_ok(), "{line}: {done:?}"),
            part => {
                let error = done.unwrap_err().to_string();
                assert!(error.contains(part), "{line}: {error}");
                assert!(error.contains("code of Lamp.Lit.Sub"), "{line}: {error}");
            }
        }
    }
    for (text, part) in [
        ("code Lamp.Lit.Sub\n", "line 1: the code of Lamp.Lit.Sub has no 'end'"),
        ("Nothing\n", "line 1: 'code' and the path of an object belong before this"),
        ("code Lamp.Lit.Sub\ncode Lamp\nend\n", "line 2: 'end' is missing before this"),
        ("code Lamp.Nothing\nend\n", "not found"),
        ("code Lamp0\nend\n", "has no code"),
    ] {
        let error = assemble(&mut package, text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    // One of two that is wrong leaves the other one alone.
    let two = "code Lamp.Lit.Sub\n    Nothing\nend\ncode Lamp.Shine\n    Nonsense\nend\n";
    assert!(assemble(&mut package, two).is_err());
    assert!(package.to_bytes().unwrap() == before);
}

#[test]
fn deep_and_damaged_texts_end_in_an_error() {
    let mut package = package(69);
    let deep = format!("code Lamp.Lit.Sub\n    {}\nend\n", "BoolVariable(".repeat(100_000));
    assert!(assemble(&mut package, &deep).is_err());
    let text = text(&package, "Lamp.Lit");
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let cut = format!("{}\nend\n", &text[..end]);
        // Any text gives code that is saved, or an error.
        let _ = assemble(&mut package.clone(), &cut);
    }
}

/// A document of the package, with other lines in the code of an object.
#[cfg(feature = "json")]
fn by_hand(
    package: &Package,
    object: &str,
    change: impl Fn(&mut Vec<serde_json::Value>),
) -> unreal_packages::Result<Package> {
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    let mut document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let exports = document["exports"].as_array_mut().unwrap();
    let export = exports.iter_mut().find(|export| export["object_name"] == object).unwrap();
    let mut at = &mut export["value"];
    while at.get("script").is_none() {
        at = &mut at["base"];
    }
    change(at["script"].as_array_mut().unwrap());
    let package = Package::from_json(document.to_string().as_bytes())?;
    Ok(reopened(&package))
}

#[cfg(feature = "json")]
fn insert_before(lines: &mut Vec<serde_json::Value>, start: &str, line: &str) {
    let is = |it: &serde_json::Value| it.as_str().unwrap().starts_with(start);
    let at = lines.iter().position(is).unwrap_or_else(|| panic!("no {start} in {lines:?}"));
    lines.insert(at, line.into());
}

#[test]
#[cfg(feature = "json")]
fn events_enter_their_graph_where_lines_of_a_document_moved_to() {
    for release in RELEASES {
        let package = blueprint(release);
        let entry = |package: &Package, event: &str| match code_of(package, event).items[3] {
            ScriptItem::Int(place) => place,
            ref other => panic!("{other:?}"),
        };
        let tick = entry(&package, "Tick");
        let more = |lines: &mut Vec<_>| insert_before(lines, "SoftObjectConst(", "Nothing");
        let again = by_hand(&package, GRAPH, more).unwrap();
        let other = code_of(&again, "Tick").items[8].clone();
        assert_eq!(other, ScriptItem::Int(tick), "another function has the number as well");
        assert_eq!([entry(&again, "Tick"), entry(&again, "Begin")], [tick + 1; 2], "{release:?}");
        let native = again.decode(again.find_export("Tick").unwrap()).unwrap().body.native.clone();
        let Native::Object(object) = &native else { panic!() };
        let function: &Function = object.downcast_ref().unwrap();
        if again.versions().ue4() >= 451 {
            assert_eq!(function.event_graph_call_offset, tick + 1);
        }
        // Without its label the place means nothing any more.
        let label = format!("L{tick:04x}:");
        let error = by_hand(&package, GRAPH, |lines| {
            lines.retain(|line| *line != *label);
            more(lines);
        });
        let error = error.unwrap_err().to_string();
        assert!(error.contains(&format!("no label L{tick:04x}")), "{error}");
    }
}

#[test]
#[cfg(feature = "json")]
fn states_and_conditions_go_where_lines_of_a_document_moved_to() {
    for file in FILES {
        let package = package(file);
        let stands = |package: &Package| {
            let decoded = package.decode(package.find_export("Lamp0").unwrap()).unwrap();
            decoded.body.state_frame.clone().unwrap().offset.unwrap().value()
        };
        let table = |package: &Package| {
            let decoded = package.decode(package.find_export("Lamp.Lit").unwrap()).unwrap();
            let Native::Script(mut object) = decoded.body.native.clone() else { panic!() };
            object.state_mut().unwrap().label_table_offset
        };
        let longer = |lines: &mut Vec<serde_json::Value>| {
            for line in lines {
                let text = line.as_str().unwrap();
                *line = text.replace("\"in a context\"", "\"in no context\"").into();
            }
        };
        let mut text = Vec::new();
        package.to_json(&mut text, false).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let mut exports = document["exports"].as_array().unwrap().iter();
        let lamp = exports.find(|export| export["object_name"] == "Lamp0").unwrap();
        assert_eq!(lamp["value"]["state_frame"]["offset"], stands(&package), "{file}");
        let again = by_hand(&package, "Lit", longer).unwrap();
        assert_eq!(stands(&again), stands(&package) + 1, "{file}");
        assert_eq!(table(&again), table(&package) + 1, "{file}");
        let offset = |package: &Package, object: &str| {
            let row = package.find_export(object).unwrap();
            let decoded = package.decode(row).unwrap();
            let Native::Script(object) = decoded.body.native.clone() else { panic!() };
            match *object {
                ScriptObject::Function(function) => function.rep_offset,
                ScriptObject::Property(property) => property.rep_offset,
                _ => panic!(),
            }
        };
        let more = |lines: &mut Vec<serde_json::Value>| lines.insert(0, "Nothing".into());
        let again = by_hand(&package, "Lamp", more).unwrap();
        // The last one is no field of the class.
        let fields = ["Lamp.Shine", "Lamp.Lit.Sub", "Lamp.Count", "Lamp0"];
        assert_eq!(fields.map(|field| offset(&package, field)), [13; 4]);
        assert_eq!(fields.map(|field| offset(&again, field)), [14, 14, 14, 13], "{file}");
    }
}

/// How often it allocates to put back code with so many new imports.
fn allocations_for(imports: usize) -> u64 {
    let mut package = package(FILES[FILES.len() - 1]);
    let line = |row| format!("    ObjectConst(Engine.Texture'Walls.Stone{row}x')\n");
    let lines: String = (0..imports).map(line).collect();
    let text = format!("code Lamp.Lit.Sub\n{lines}end\n");
    let before = counting::allocations();
    assemble(&mut package, &text).unwrap();
    counting::allocations() - before
}

#[test]
fn new_imports_cost_the_same_each() {
    let (few, many) = (allocations_for(200), allocations_for(400));
    assert!(many < few * 5 / 2, "{few} allocations for 200, {many} for 400");
}
