//! Code that the engine could not run is refused, unless it is forced.

use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::{Edit, MergeOptions, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Versions};

use super::checks::doubted;
use super::code::blueprint;
use crate::common::code::{Code, Member, property};

/// A class with a function that takes an int and perhaps a name, one that calls it and has a variable, and another
/// with a variable; a class that has nothing to do with it.
fn package() -> Package {
    let mut code = Code::new(Versions::ue1_to_3(69, 0), Guid::new(1, 2, 3, 4));
    let parameter =
        |name, class, flags: u64| Member::Property(name, class, Vec::new(), 0x80 | flags);
    let parameters =
        vec![parameter("Count", "IntProperty", 0), parameter("Kind", "NameProperty", 0x10)];
    let local = |name, class| vec![Member::Property(name, class, Vec::new(), 0)];
    let members = [
        property("Shots", "IntProperty"),
        property("Label", "StrProperty"),
        property("Heat", "FloatProperty"),
        property("bLoud", "BoolProperty"),
        Member::Function("Fire", 0, 0, parameters),
        Member::Function("Go", 0, 0, local("Left", "IntProperty")),
        Member::Function("Rest", 0, 0, local("Time", "IntProperty")),
        Member::Function("Cool", 0, 0, vec![parameter("Heat", "FloatProperty", 0x100)]),
    ];
    code.class("Gun", "Core.Object", false, &members, &[]);
    let others = [property("Glow", "IntProperty"), Member::Function("Shine", 0, 0, Vec::new())];
    code.class("Lamp", "Core.Object", false, &others, &[]);
    Package::from_bytes(code.build()).unwrap()
}

fn assemble(lines: &str, is_forced: bool) -> unreal_packages::Result<()> {
    let text = format!("code Gun.Go\n{lines}\nend\n");
    let done = |edit: &mut Edit| {
        edit.set_checks(!is_forced);
        edit.assemble(&text).map(drop)
    };
    package().edit(done)
}

/// Lines that can run.
const GOOD: [&str; 13] = [
    "LetBool(BoolVariable(InstanceVariable(Gun.bLoud)), True)\nReturn(Nothing)",
    "Let(LocalVariable(Gun.Go.Left), IntOne)\nReturn(Nothing)",
    "Let(Context(DynamicCast(Lamp, Self), _, 0, InstanceVariable(Lamp.Glow)), IntOne)\nReturn(Nothing)",
    "Context(DynamicCast(Lamp, Self), _, 0, FinalFunction(Lamp.Shine, EndFunctionParms))\nReturn(Nothing)",
    "Native_b9(InstanceVariable(Gun.Heat), Conversion_3f(IntOne), EndFunctionParms)\nReturn(Nothing)",
    "FinalFunction(Gun.Cool, InstanceVariable(Gun.Heat), EndFunctionParms)\nReturn(Nothing)",
    "Return(Nothing)",
    "VirtualFunction('Fire', IntOne, EndFunctionParms)\nReturn(Nothing)",
    "VirtualFunction('Fire', IntOne, Nothing, EndFunctionParms)\nReturn(Nothing)",
    "FinalFunction(Gun.Fire, InstanceVariable(Gun.Shots), NameConst('x'), EndFunctionParms)\nReturn(Nothing)",
    "Let(InstanceVariable(Gun.Label), StringConst(\"a\"))\nReturn(Nothing)",
    "L0: JumpIfNot(L1, True)\nJump(L0)\nL1: Return(Nothing)",
    "Switch(4, InstanceVariable(Gun.Shots))\nCase(L1, IntOne)\nJump(L2)\nL1: Case(none)\nL2: Return(Nothing)",
];

/// Lines that can't, and what is said of them.
const BAD: [(&str, &str); 35] = [
    ("FinalFunction(null, EndFunctionParms)\nReturn(Nothing)", "FinalFunction refers to nothing"),
    (
        "FinalFunction(Gun.Shots, EndFunctionParms)\nReturn(Nothing)",
        "FinalFunction refers to Shots, a IntProperty and no Function",
    ),
    ("Let(LocalVariable(null), IntOne)\nReturn(Nothing)", "LocalVariable refers to nothing"),
    ("Let(LocalVariable(Gun), IntOne)\nReturn(Nothing)", "refers to Gun, a Class and no Property"),
    ("DynamicCast(Gun.Fire, Self)\nReturn(Nothing)", "refers to Fire, a Function and no Class"),
    (
        "Let(LocalVariable(Gun.Rest.Time), IntOne)\nReturn(Nothing)",
        "LocalVariable refers to Time of Rest, which Go does not have",
    ),
    (
        "Let(InstanceVariable(Lamp.Glow), IntOne)\nReturn(Nothing)",
        "InstanceVariable refers to Glow of Lamp, which Go does not have",
    ),
    (
        "FinalFunction(Lamp.Shine, EndFunctionParms)\nReturn(Nothing)",
        "FinalFunction refers to Shine of Lamp, which Go does not have",
    ),
    (
        "LetBool(InstanceVariable(Gun.bLoud), True)\nReturn(Nothing)",
        "LetBool assigns to no BoolVariable",
    ),
    (
        "LetBool(BoolVariable(InstanceVariable(Gun.Heat)), True)\nReturn(Nothing)",
        "a bool variable is a float, not a bool",
    ),
    (
        "Let(InstanceVariable(Gun.Shots), Nothing)\nReturn(Nothing)",
        "Nothing is no value that could be assigned",
    ),
    ("Let(Return(Nothing), IntOne)\nReturn(Nothing)", "Return is nothing that can be assigned to"),
    ("Let(InstanceVariable(Gun.Shots), Stop)\nReturn(Nothing)", "Stop stands within Let"),
    ("Return(IntOne)", "IntOne is returned, and Go has no result"),
    (
        "Let(InstanceVariable(Gun.Heat), Conversion_3f(StringConst(\"1\")))\nReturn(Nothing)",
        "what is converted is a string, not an int",
    ),
    (
        "Native_b9(FloatConst(1.0), FloatConst(1.0), EndFunctionParms)\nReturn(Nothing)",
        "'A' of -= is written to, which FloatConst is not",
    ),
    (
        "Native_b9(InstanceVariable(Gun.Heat), StringConst(\"1\"), EndFunctionParms)\nReturn(Nothing)",
        "'B' of -= is a string, not a float",
    ),
    (
        "Let(InstanceVariable(Gun.Label), Native_ae(FloatConst(1.0), FloatConst(1.0), EndFunctionParms))\n\
         Return(Nothing)",
        "what is assigned is a float, not a string",
    ),
    (
        "FinalFunction(Gun.Cool, FloatConst(1.0), EndFunctionParms)\nReturn(Nothing)",
        "'Heat' of Cool is written to, which FloatConst is not",
    ),
    ("EndFunctionParms\nReturn(Nothing)", "EndFunctionParms is no statement"),
    ("Let(InstanceVariable(Gun.Shots), IntOne)", "does not end in Return"),
    (
        "VirtualFunction('Fire', StringConst(\"1\"), EndFunctionParms)\nReturn(Nothing)",
        "'Count' of Fire is a string, not an int",
    ),
    (
        "FinalFunction(Gun.Fire, NameConst('1'), EndFunctionParms)\nReturn(Nothing)",
        "'Count' of Fire is a name, not an int",
    ),
    ("VirtualFunction('Fire', EndFunctionParms)\nReturn(Nothing)", "'Count' of Fire is missing"),
    (
        "VirtualFunction('Fire', Nothing, EndFunctionParms)\nReturn(Nothing)",
        "'Count' of Fire is left out",
    ),
    (
        "VirtualFunction('Fire', IntOne, NameConst('a'), IntOne, EndFunctionParms)\nReturn(Nothing)",
        "Fire takes 2, not 3",
    ),
    (
        "Let(InstanceVariable(Gun.Shots), StringConst(\"1\"))\nReturn(Nothing)",
        "is a string, not an int",
    ),
    ("Let(IntOne, IntOne)\nReturn(Nothing)", "nothing that can be assigned to"),
    ("JumpIfNot(1, True)\nReturn(Nothing)", "amid a statement"),
    ("Jump(0x900)\nReturn(Nothing)", "out of the code"),
    ("IteratorNext\nReturn(Nothing)", "stands in no loop"),
    ("Case(none)\nReturn(Nothing)", "belongs to no Switch"),
    ("IntOne\nReturn(Nothing)", "is no statement"),
    ("Context(IntOne, _, 0, InstanceVariable(Gun.Shots))\nReturn(Nothing)", "a context is an int"),
    ("JumpIfNot(L1, IntOne)\nL1: Return(Nothing)", "the condition is an int, not a bool"),
];

#[test]
fn code_that_can_not_run_is_refused() {
    for lines in GOOD {
        assemble(lines, false).unwrap_or_else(|error| panic!("{error}\n{lines}"));
    }
    for (lines, reason) in BAD {
        let Err(error) = assemble(lines, false) else { panic!("{lines}\nis taken") };
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error}");
        let said = error.to_string();
        assert!(said.contains(reason) && said.contains("Gun.Go"), "{said}\n{lines}");
        assemble(lines, true).unwrap_or_else(|error| panic!("{error}\n{lines}"));
    }
}

/// Lines of Kismet that can run, and others that can't with what is said of them.
const KISMET_GOOD: [&str; 2] = [
    "PushExecutionFlow(L1)\nPopExecutionFlow\nL1:",
    "PushExecutionFlow(L1)\nPushExecutionFlow(L2)\nPopExecutionFlow\nL2: PopExecutionFlowIfNot(True)\n\
     PopExecutionFlow\nL1:",
];
const KISMET_BAD: [(&str, &str); 4] = [
    ("LocalFinalFunction(null, EndFunctionParms)", "LocalFinalFunction refers to nothing"),
    ("LetBool(LocalVariable(null), True)", "LocalVariable refers to nothing"),
    ("PushExecutionFlow(L1)\nPopExecutionFlow\nL1: PopExecutionFlow", "nothing is pushed"),
    ("PopExecutionFlowIfNot(True)", "nothing is pushed"),
];

#[test]
fn kismet_that_can_not_run_is_refused() {
    for release in super::code::RELEASES {
        let assemble = |lines: &str, is_forced: bool| {
            let mut package = blueprint(release);
            let text = format!("code Begin\n{lines}\nReturn(Nothing)\nEndOfScript\nend\n");
            package.edit(|edit| {
                edit.set_checks(!is_forced);
                edit.assemble(&text).map(drop)
            })
        };
        for lines in KISMET_GOOD {
            assemble(lines, false).unwrap_or_else(|error| panic!("{error}\n{lines}"));
        }
        for (lines, reason) in KISMET_BAD {
            let Err(error) = assemble(lines, false) else { panic!("{lines}\nis taken") };
            assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error}");
            let said = error.to_string();
            assert!(said.contains(reason) && said.contains("Begin"), "{said}\n{lines}");
            assemble(lines, true).unwrap_or_else(|error| panic!("{error}\n{lines}"));
        }
    }
}

/// The function of an event graph is called with the place of an event.
#[test]
fn event_graphs_are_entered_where_statements_start() {
    for release in super::code::RELEASES {
        for (at, is_start) in [(0, true), (5, true), (1, false), (9999, false), (-1, false)] {
            let mut package = blueprint(release);
            let call = format!("ExecuteUbergraph_BP_Door, IntConst({at}), EndFunctionParms");
            let text = format!(
                "code Begin\nLocalFinalFunction({call})\nReturn(Nothing)\nEndOfScript\nend\n"
            );
            let done = package.edit(|edit| {
                // The graph of this package declares no parameter.
                edit.set_checks(false);
                edit.assemble(&text).map(drop)
            });
            done.unwrap();
            let row = package.find_export("Begin").unwrap();
            let faults = Decompiler::new(&package).code_faults(row).unwrap();
            let said = format!("has no statement at {at}, where it is entered");
            let is_said = faults.iter().any(|fault| fault.reason.contains(&said));
            assert_eq!(is_said, !is_start, "{at}: {faults:?}");
        }
    }
}

/// A document says code in lines, as the assembler does.
#[cfg(feature = "json")]
#[test]
fn code_of_documents_is_checked() {
    use unreal_packages::decompile::check_code;

    let mut package = package();
    let text = "code Gun.Go\nLet(LocalVariable(Gun.Go.Left), IntOne)\nReturn(Nothing)\nend\n";
    package.edit(|edit| edit.assemble(text).map(drop)).unwrap();
    let mut document = Vec::new();
    package.to_json(&mut document, false).unwrap();
    let document = String::from_utf8(document).unwrap();
    check_code(&Package::from_json(document.as_bytes()).unwrap()).unwrap();
    for (old, new, reason) in [
        (",\"Return(Nothing)\"", "", "does not end in Return"),
        ("LocalVariable(Gun.Go.Left)", "LocalVariable(Gun.Rest.Time)", "which Go does not have"),
    ] {
        assert!(document.contains(old), "{document}");
        let edited = Package::from_json(document.replace(old, new).as_bytes()).unwrap();
        let error = check_code(&edited).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{error}");
        let said = error.to_string();
        assert!(said.contains(reason) && said.contains("Gun.Go"), "{said}");
    }
}

/// The flag of parameters that a call may leave out.
const OPTIONAL: u64 = 0x10;

/// `Gun.Fire` wants both of its values.
fn make_kind_needed(edit: &mut Edit) -> unreal_packages::Result<()> {
    let row = edit.find_export("Gun.Fire.Kind")?;
    edit.change_body(row, |body| {
        let Native::Script(script) = &mut body.native else { panic!("no script object") };
        let ScriptObject::Property(property) = &mut **script else { panic!("no property") };
        assert_ne!(property.property_flags & OPTIONAL, 0);
        property.property_flags &= !OPTIONAL;
        Ok(())
    })
}

#[test]
fn a_call_and_what_it_calls_that_two_sides_have_changed_are_a_conflict() {
    let base = package();
    let call =
        "code Gun.Go\nVirtualFunction('Fire', IntOne, EndFunctionParms)\nReturn(Nothing)\nend\n";
    let both = call.replace("IntOne,", "IntOne, NameConst('x'),");
    let (mut short, mut long, mut needed) = (base.clone(), base.clone(), base.clone());
    short.edit(|edit| edit.assemble(call)).unwrap();
    long.edit(|edit| edit.assemble(&both)).unwrap();
    needed.edit(make_kind_needed).unwrap();
    for (ours, theirs) in [(&short, &needed), (&needed, &short)] {
        let mut merged = ours.clone();
        let before = merged.to_bytes().unwrap();
        let outcome = merged.edit(|edit| edit.merge(&base, theirs, &MergeOptions::new())).unwrap();
        let [conflict] = &outcome.conflicts[..] else { panic!("{outcome:?}") };
        assert_eq!((&*conflict.object, &*conflict.place), ("Gun.Go", "code"));
        assert!(conflict.reason.contains("its code can't run"), "{conflict:?}");
        assert!(merged.to_bytes().unwrap() == before);
    }
    for (ours, theirs) in [(&long, &needed), (&needed, &long)] {
        let mut merged = ours.clone();
        let outcome = merged.edit(|edit| edit.merge(&base, theirs, &MergeOptions::new())).unwrap();
        assert!(outcome.conflicts.is_empty(), "{outcome:?}");
    }
}

#[test]
fn bytes_of_a_body_with_code_that_cannot_run_are_doubted() {
    let mut bad = package();
    bad.edit(|edit| {
        edit.set_checks(false);
        edit.assemble(
            "code Gun.Go\nVirtualFunction('Fire', EndFunctionParms)\nReturn(Nothing)\nend\n",
        )
    })
    .unwrap();
    // The same names, so that the bytes mean the same there.
    let mut good = bad.clone();
    good.edit(|edit| {
        edit.assemble("code Gun.Go\nVirtualFunction('Fire', IntOne, EndFunctionParms)\nReturn(Nothing)\nend\n")
    })
    .unwrap();
    // As they are stored.
    let stored = |package: &Package| Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let (bad, mut good) = (stored(&bad), stored(&good));
    let row = good.find_export("Gun.Go").unwrap();
    let bytes = bad.body(row).unwrap().to_vec();
    doubted(&good, "the code of Gun.Go can't run", |edit| edit.replace_body(row, bytes.clone()));
    let own = good.body(row).unwrap().to_vec();
    good.edit(|edit| edit.replace_body(row, own.clone())).unwrap();
}
