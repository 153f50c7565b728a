//! Scripts.

use unreal_packages::primitive::Real;
use unreal_packages::script::{Script, ScriptItem, disassemble};
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, Loader, Name, PackageIndex, Versions};

use super::{context, laws_at, releases, saved, span};

/// A function that jumps, switches, and calls another with a text.
fn script(versions: &Versions) -> Script {
    let token = ScriptItem::Token;
    let path = || ScriptItem::Property(Box::default());
    let mut items = vec![token(0x06), ScriptItem::Label(9)];
    items.extend([token(0x1c), ScriptItem::Object(PackageIndex::NULL), token(0x16)]);
    items.extend([
        token(0x2f),
        ScriptItem::Object(PackageIndex::NULL),
        ScriptItem::Int(8),
        token(0x17),
    ]);
    items.extend([token(0x30), token(0x1b), ScriptItem::Name(Name::new(3)), token(0x16)]);
    items.extend([
        token(0x69),
        ScriptItem::Word(1),
        ScriptItem::Label(77),
        token(0x17),
        token(0x25),
    ]);
    items.extend([ScriptItem::Label(5), token(0x26), token(0x0b), token(0x00), path()]);
    items.extend([token(0x1f), ScriptItem::Text(Box::new(span(b"text")))]);
    items.extend([token(0x34), ScriptItem::Wide(Box::new(span(b"t\0x\0")))]);
    items.extend([token(0x23), ScriptItem::Real(Real::new(1.0))]);
    items.extend([ScriptItem::Real(Real::new(2.0)), ScriptItem::Real(Real::new(0.5))]);
    items.extend([
        token(0x6a),
        ScriptItem::Byte(4),
        ScriptItem::Name(Name::new(4)),
        token(0x35),
        ScriptItem::Long(7),
    ]);
    if versions.ue4() >= 504 {
        items.extend([
            token(0x29),
            ScriptItem::Byte(2),
            token(0x2a),
            token(0x29),
            ScriptItem::Byte(0),
        ]);
    }
    items.push(token(0x53));
    Script { items }
}

#[test]
fn kismet_holds_the_laws_and_is_listed() {
    for versions in releases() {
        let script = script(&versions);
        laws_at(&script, &Script::default(), &versions);
        let bytes = saved(&mut script.clone(), &versions, 0).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(u64::from(number(0)), script.memory_size(&versions), "size in memory");
        assert_eq!(number(4) as usize, bytes.len() - 8, "size on disk");
        let lines = disassemble(&script.items, &versions, |_| false).unwrap();
        let tokens = script.items.iter().filter(|item| matches!(item, ScriptItem::Token(_)));
        assert_eq!(lines.len(), tokens.count());
        assert_eq!((lines[0].name, lines[0].depth, lines[0].offset), ("Jump", 0, 0));
        assert_eq!((lines[1].name, lines[1].offset), ("FinalFunction", 5));
        assert_eq!((lines[2].name, lines[2].depth), ("EndFunctionParms", 1));
        assert_eq!((lines[3].name, lines[3].offset), ("StructConst", 15));
        assert!(lines.iter().all(|line| line.name != "Token"));
    }
    let old = EngineRelease::new(4, 1).versions();
    let name = ScriptItem::Name(Name::new(3));
    assert_eq!((name.memory_size(&old), name.memory_size(&releases()[30])), (8, 12));
}

#[test]
fn hostile_scripts_end_in_errors() {
    let versions = EngineRelease::new(4, 27).versions();
    let load = |memory: u32, disk: u32, code: &[u8]| {
        let bytes = [&memory.to_le_bytes()[..], &disk.to_le_bytes(), code].concat();
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        Script::default().serialize(&mut loader).map_err(|error| error.to_string())
    };
    load(1, 1, &[0x53]).unwrap();
    assert!(load(1 << 20, 1 << 20, &[0x14; 1 << 20]).unwrap_err().contains("nest deeper"));
    assert!(load(1, 1, &[0xfe]).unwrap_err().contains("no variant of bytecode token"));
    assert!(load(i32::MAX as u32, u32::MAX, &[0x0b; 64]).unwrap_err().contains("remain"));
    assert!(load(1, 2, &[0x53]).unwrap_err().contains("1 remain"));
    assert!(load(2, 5, &[0x06, 0, 0, 0, 0]).unwrap_err().contains("left over"));
    assert!(load(2, 2, &[0x29, 9]).unwrap_err().contains("text literal"));
    let misplaced = Script { items: vec![ScriptItem::Int(3)] };
    assert!(disassemble(&misplaced.items, &versions, |_| false).is_err());
    let cut = Script { items: vec![ScriptItem::Token(0x06)] };
    assert!(disassemble(&cut.items, &versions, |_| false).is_err());
}
