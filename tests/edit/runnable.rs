//! Code that the engine could not run is refused, unless it is forced.

use farchive::edit::Edit;
use farchive::package::Package;
use farchive::{ErrorKind, Guid, Versions};

use crate::common::code::{Code, Member, property};

/// A class with a function that takes an int and perhaps a name, and one that calls it.
fn package() -> Package {
    let mut code = Code::new(Versions::ue1_to_3(69, 0), Guid::new(1, 2, 3, 4));
    let parameter =
        |name, class, flags: u64| Member::Property(name, class, Vec::new(), 0x80 | flags);
    let parameters =
        vec![parameter("Count", "IntProperty", 0), parameter("Kind", "NameProperty", 0x10)];
    let members = [
        property("Shots", "IntProperty"),
        property("Label", "StrProperty"),
        Member::Function("Fire", 0, 0, parameters),
        Member::Function("Go", 0, 0, Vec::new()),
    ];
    code.class("Gun", "Core.Object", false, &members, &[]);
    Package::from_bytes(code.build()).unwrap()
}

fn assemble(lines: &str, is_forced: bool) -> farchive::Result<()> {
    let text = format!("code Gun.Go\n{lines}\nend\n");
    let done = |edit: &mut Edit| {
        edit.set_checks(!is_forced);
        edit.assemble(&text).map(drop)
    };
    package().edit(done)
}

/// Lines that can run.
const GOOD: [&str; 7] = [
    "Return(Nothing)",
    "VirtualFunction('Fire', IntOne, EndFunctionParms)\nReturn(Nothing)",
    "VirtualFunction('Fire', IntOne, Nothing, EndFunctionParms)\nReturn(Nothing)",
    "FinalFunction(Gun.Fire, InstanceVariable(Gun.Shots), NameConst('x'), EndFunctionParms)\nReturn(Nothing)",
    "Let(InstanceVariable(Gun.Label), StringConst(\"a\"))\nReturn(Nothing)",
    "L0: JumpIfNot(L1, True)\nJump(L0)\nL1: Return(Nothing)",
    "Switch(4, InstanceVariable(Gun.Shots))\nCase(L1, IntOne)\nJump(L2)\nL1: Case(none)\nL2: Return(Nothing)",
];

/// Lines that can't, and what is said of them.
const BAD: [(&str, &str); 15] = [
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
        assert!(matches!(error.kind(), ErrorKind::Doubtful { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(reason) && said.contains("Gun.Go"), "{said}\n{lines}");
        assemble(lines, true).unwrap_or_else(|error| panic!("{error}\n{lines}"));
    }
}
