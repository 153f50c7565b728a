//! Code as source: what is put in as bytecode comes out as statements.

use unreal_packages::compare::{Difference, canonical, diff};
use unreal_packages::decompile::{DeclaredScripts, Decompiler};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::CodeTexts;
use unreal_packages::object::Native;
use unreal_packages::object::script_object::ScriptObject;
use unreal_packages::package::Package;
use unreal_packages::script::disassemble;
use unreal_packages::table::{Export, FileVersions, Import};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Versions};

use super::code::package;
use super::common::parts::Parts;

/// A package with this code in a function that has a body.
fn with_code(file: u32, code: &str) -> Package {
    let mut package = package(file);
    let section = format!("code Lamp.Lit.Sub\n{code}\nend\n");
    let done = package.edit(|edit| {
        let row = edit.find_export("Lamp.Lit.Sub")?;
        edit.change_body(row, |body| {
            let Native::Script(object) = &mut body.native else { panic!() };
            let ScriptObject::Function(function) = &mut **object else { panic!() };
            function.function_flags = 0x42;
            Ok(())
        })?;
        // Lines of all kinds, which need no end.
        edit.set_checks(false);
        edit.assemble(&section)
    });
    done.unwrap_or_else(|error| panic!("{error}\n{code}"));
    package
}

/// Two packages whose code differs in this alone: the lines that comparing shows.
fn compared(one: &str, other: &str) -> (Vec<String>, Vec<String>) {
    let (one, other) = (with_code(69, one), with_code(69, other));
    let text = |package: &Package| {
        let mut text = String::new();
        canonical(package, |part| {
            text.push_str(part);
            Ok::<_, unreal_packages::Error>(())
        })
        .unwrap();
        text
    };
    assert_ne!(text(&one), text(&other));
    let found = diff(&one, &other);
    let changes = found.changed.into_iter().flat_map(|object| object.changes);
    let mut code = changes.filter_map(|change| match change {
        Difference::Code { old, new, .. } => Some((old, new)),
        _ => None,
    });
    code.next().expect("code that differs")
}

#[test]
fn changed_operators_numbers_and_jumps_are_differences() {
    let and = "Return(Native_82(True, Skip(_, False), EndFunctionParms))";
    let (old, new) = compared(and, &and.replace("82", "84"));
    assert_eq!(
        (old, new),
        (
            vec!["    return true && false;".to_owned()],
            vec!["    return true || false;".to_owned()]
        )
    );
    for (one, other) in [
        ("Native_97(IntOne, IntConst(2), EndFunctionParms)", "97", "99"),
        ("ExtendedNative_6f(255, IntOne, EndFunctionParms)", "6f", "6e"),
        ("ExtendedNative_6f(255, IntOne, EndFunctionParms)", "255", "254"),
        ("Let(InstanceVariable(Lamp.Count), IntConst(3))", "IntConst(3)", "IntConst(4)"),
        (
            "Let(InstanceVariable(Lamp.Count), Conversion_53(InstanceVariable(Lamp.Count)))",
            "53",
            "54",
        ),
        ("L0: JumpIfNot(L1, True) Jump(L0) L1: Nothing", "Jump(L0)", "Jump(L1)"),
        ("Native_70(StringConst(\"a\"), StringConst(\"b\"), EndFunctionParms)", "\"b\"", "\"c\""),
    ]
    .map(|(code, from, to)| (code.to_owned(), code.replace(from, to)))
    {
        compared(&one, &other);
    }
}

/// What stands in front of a label does not change the lines behind it, and each place that differs is told by itself.
#[test]
fn changed_code_is_told_in_hunks_of_source() {
    let call = |name: &str| format!("VirtualFunction('{name}', EndFunctionParms)\n");
    let (a, b, c) = (call("Alpha"), call("Beta"), call("Lit"));
    let code = |first: &str, last: &str| {
        with_code(
            69,
            &format!("{first} JumpIfNot(L1, True) Jump(L2) {b} L1: {c} L2: {b} {b} {last}"),
        )
    };
    let found = diff(&code("", &a), &code(&a, &c));
    let changes: Vec<_> = found.changed.into_iter().flat_map(|object| object.changes).collect();
    let [one, other] = &changes[..] else { panic!("{changes:?}") };
    let Difference::Code { line: 2, old, new } = one else { panic!("{one:?}") };
    assert_eq!((old.len(), &new[..]), (0, &["    Alpha();".to_owned()][..]));
    let Difference::Code { old, new, .. } = other else { panic!("{other:?}") };
    assert_eq!((old[0].trim(), new[0].trim()), ("Alpha();", "Lit();"));
}

/// The lines between the braces of the function, without what every line is indented by.
fn source(package: &Package) -> String {
    let row = package.find_export("Lamp.Lit.Sub").unwrap();
    let text = Decompiler::new(package).function(row).unwrap();
    let body = text.strip_prefix("function Sub()\n{\n").and_then(|rest| rest.strip_suffix("}\n"));
    let body = body.unwrap_or_else(|| panic!("{text}"));
    body.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect()
}

fn becomes(code: &str, expected: &str) {
    let found = source(&with_code(69, code));
    assert_eq!(found.trim_end(), expected.trim_end(), "{code}");
}

#[test]
fn blocks_are_found_by_their_jumps() {
    let call = |name: &str| format!("VirtualFunction('{name}', EndFunctionParms)\n");
    let (a, b, c) = (call("Alpha"), call("Beta"), call("Lit"));
    becomes(&format!("JumpIfNot(L1, True) {a} L1: {b}"), "if (true)\n{\n    Alpha();\n}\nBeta();");
    becomes(
        &format!("JumpIfNot(L1, True) {a} Jump(L2) L1: {b} L2: {c}"),
        "if (true)\n{\n    Alpha();\n}\nelse\n{\n    Beta();\n}\nLit();",
    );
    becomes(
        &format!(
            "JumpIfNot(L1, True) {a} Jump(L2) L1: JumpIfNot(L2, False) {b} L2: Return(Nothing)"
        ),
        "if (true)\n{\n    Alpha();\n}\nelse if (false)\n{\n    Beta();\n}",
    );
    becomes(
        &format!(
            "L0: JumpIfNot(L1, True) {a} JumpIfNot(L2, False) Jump(L1) L2: {b} Jump(L0) L1: {c}"
        ),
        "while (true)\n{\n    Alpha();\n    if (false)\n    {\n        break;\n    }\n    Beta();\n}\nLit();",
    );
    becomes(
        &format!("L0: {a} JumpIfNot(L0, True) {b}"),
        "do\n{\n    Alpha();\n} until (true);\nBeta();",
    );
    becomes(&format!("L0: {a} Jump(L0)"), "do\n{\n    Alpha();\n}");
    becomes(
        &format!(
            "Let(InstanceVariable(Lamp.Count), IntZero)
             L0: JumpIfNot(L1, Native_96(InstanceVariable(Lamp.Count), IntConst(3), EndFunctionParms))
             JumpIfNot(L3, True) Jump(L2) L3: {a}
             L2: Native_a5(InstanceVariable(Lamp.Count), EndFunctionParms) Jump(L0) L1: {b}"
        ),
        "for (Count = 0; Count < 3; Count++)\n{\n    if (true)\n    {\n        continue;\n    }\n    Alpha();\n}\nBeta();",
    );
    becomes(
        &format!(
            "Switch(4, InstanceVariable(Lamp.Count)) Case(L1, IntZero) {a} Jump(L3)
             L1: Case(L2, IntOne) {b} L2: Case(none) {c} L3: Return(Nothing)"
        ),
        "switch (Count)\n{\n    case 0:\n        Alpha();\n        break;\n    case 1:\n        Beta();\n    default:\n        Lit();\n}",
    );
    becomes(
        &format!(
            "Iterator(VirtualFunction('Alpha', EndFunctionParms), L1)
             JumpIfNot(L2, True) IteratorNext Jump(L1) L2: JumpIfNot(L3, False) IteratorPop Return(Nothing)
             L3: {b} Jump(L1) IteratorNext L1: IteratorPop {c}"
        ),
        "foreach Alpha()\n{\n    if (true)\n    {\n        continue;\n    }\n    if (false)\n    {\n        return;\n    }\n    Beta();\n    break;\n}\nLit();",
    );
}

#[test]
fn jumps_without_a_block_keep_their_labels() {
    let call = |name: &str| format!("VirtualFunction('{name}', EndFunctionParms)\n");
    let (a, b) = (call("Alpha"), call("Beta"));
    // Into a block from behind it.
    becomes(
        &format!("JumpIfNot(L1, True) {a} L2: {b} L1: Jump(L2)"),
        "if (true)\n{\n    Alpha();\nL000a:\n    Beta();\n}\ngoto L000a;",
    );
    // To the end of a block, where a jump stands that no statement says.
    becomes(
        &format!(
            "JumpIfNot(L1, True) JumpIfNot(L2, False) {a} Jump(L3) L2: {b} L3: Jump(L4) L1: Jump(L3) L4: {a}"
        ),
        "if (true)\n{\n    if (false)\n    {\n        Alpha();\n    }\n    else\n    {\n        Beta();\n    }\nL0017:\n}\nelse\n{\n    goto L0017;\n}\nAlpha();",
    );
}

#[test]
fn numbers_that_other_packages_declare_have_their_names() {
    let used = with_code(69, "Native_c5(IntOne, EndFunctionParms)");
    assert_eq!(source(&used), "__native(197, 1);\n");
    let mut declaring = package(69);
    let done = declaring.edit(|edit| {
        let row = edit.find_export("Lamp.Lit.Sub")?;
        edit.change_body(row, |body| {
            let Native::Script(object) = &mut body.native else { panic!() };
            let ScriptObject::Function(function) = &mut **object else { panic!() };
            function.native = 197;
            Ok(())
        })
    });
    done.unwrap();
    let mut declared = DeclaredScripts::default();
    declared.add(&declaring);
    let decompiler = Decompiler::with(&used, declared);
    let text = decompiler.function(used.find_export("Lamp.Lit.Sub").unwrap()).unwrap();
    assert!(text.contains("    Sub(1);\n"), "{text}");
}

#[test]
fn constants_behind_an_object_stand_alone() {
    becomes(
        "Let(InstanceVariable(Lamp.Count), Context(InstanceVariable(Lamp.Count), _, 4, IntConst(37)))",
        "Count = 37;",
    );
}

#[test]
fn expressions_have_the_parentheses_that_they_need() {
    let count = "InstanceVariable(Lamp.Count)";
    for (code, expected) in [
        (
            "Native_93(IntOne, Native_93(IntConst(2), IntConst(3), EndFunctionParms), EndFunctionParms)",
            "1 - (2 - 3);",
        ),
        (
            "Native_93(Native_93(IntOne, IntConst(2), EndFunctionParms), IntConst(3), EndFunctionParms)",
            "1 - 2 - 3;",
        ),
        (
            "Native_90(Native_92(IntOne, IntConst(2), EndFunctionParms), IntConst(-3), EndFunctionParms)",
            "(1 + 2) * -3;",
        ),
        (
            "Native_81(Native_82(True, Skip(_, False), EndFunctionParms), EndFunctionParms)",
            "!(true && false);",
        ),
        ("Native_8f(IntConst(-3), EndFunctionParms)", "-(-3);"),
        (
            "Native_70(Conversion_53(COUNT), StringConst(\"a\\\"\\\\\"), EndFunctionParms)",
            "Count $ \"a\\\"\\\\\";",
        ),
        (
            "VirtualFunction('Alpha', Conversion_53(COUNT), Nothing, FloatConst(1.0), Nothing, EndFunctionParms)",
            "Alpha(string(Count),, 1.0);",
        ),
        ("Let(COUNT, Conversion_44(FloatConst(0.1)))", "Count = int(0.1);"),
        ("Context(Self, _, 4, DefaultVariable(Lamp.Count))", "self.default.Count;"),
        (
            "ClassContext(ObjectConst(Lamp), _, 0, VirtualFunction('Alpha', EndFunctionParms))",
            "class'Lamp'.static.Alpha();",
        ),
        ("ArrayElement(IntOne, COUNT)", "Count[1];"),
        ("DynamicCast(Lamp, Self)", "Lamp(self);"),
        ("New(Self, Nothing, Nothing, ObjectConst(Lamp))", "new(self) class'Lamp';"),
        (
            "GlobalFunction('Alpha', VectorConst(1.0, 2.0, -3.5), EndFunctionParms)",
            "Global.Alpha(vect(1.0, 2.0, -3.5));",
        ),
        ("NameConst('None')", "'';"),
        ("GotoLabel(NameConst('Alpha'))", "goto 'Alpha';"),
        ("Assert(7, True)", "assert(true);"),
        ("ExtendedNative_6f(255, IntOne, EndFunctionParms)", "__native(4095, 1);"),
    ] {
        becomes(&code.replace("COUNT", count), expected);
    }
}

#[test]
fn listings_know_what_numbers_mean() {
    let package = with_code(
        69,
        "Let(InstanceVariable(Lamp.Count), Conversion_3a(ByteConst(2)))
         ExtendedNative_61(47, NameConst('Lit'), EndFunctionParms)
         ExtendedNative_6f(255, IntOne, EndFunctionParms)
         Native_96(InstanceVariable(Lamp.Count), IntConst(3), EndFunctionParms)",
    );
    let row = package.find_export("Lamp.Lit.Sub").unwrap();
    let (decompiler, decoded) = (Decompiler::new(&package), package.decode(row).unwrap());
    assert_eq!(decompiler.signature(row).unwrap().as_deref(), Some("function Sub()"));
    assert_eq!(decompiler.signature(package.find_export("Lamp").unwrap()).unwrap(), None);
    let items = &decoded.body.native.code().unwrap().items;
    let lines = disassemble(items, package.versions(), |_| false).unwrap();
    let meanings: Vec<_> = lines.iter().filter_map(|it| decompiler.meaning(row, it)).collect();
    assert_eq!(meanings, ["byte to int", "303 IsA", "4095", "150 <"]);
    // Another object has no code of its language.
    let import = package.exports().len();
    assert_eq!(lines.iter().find_map(|line| decompiler.meaning(import, line)), None);
}

#[test]
fn classes_have_a_header_and_defaults() {
    let package = package(69);
    let decompiler = Decompiler::new(&package);
    let class = decompiler.class(package.find_export("Lamp").unwrap()).unwrap().unwrap();
    assert!(class.starts_with("class Lamp;\n"), "{class}");
    assert!(class.ends_with("\ndefaultproperties\n{\n}\n"), "{class}");
    assert_eq!(decompiler.class(package.find_export("Lamp.Lit").unwrap()).unwrap(), None);
    assert!(decompiler.function(package.find_export("Lamp.Lit").unwrap()).is_err());
}

#[test]
fn texts_that_would_be_many_times_the_package_are_refused() {
    let calls = 400_u32;
    let mut body = vec![0; 14];
    body.extend((6 * calls).to_le_bytes());
    (0..calls).for_each(|_| body.extend([0x1b, 1, 0x16]));
    body.extend([0, 0, 0, 2, 0, 0, 0]);
    let mut parts = Parts { versions: Versions::ue1_to_3(69, 0), ..Parts::default() };
    let texts = ["None", &"x".repeat(200_000), "Core", "Class", "Function"];
    let [_, _, core, class, function] = texts.map(|text| parts.name(text));
    let import = |class_name, object_name, outer_index| Import {
        class_package: core,
        class_name,
        outer_index,
        object_name,
        ..Import::default()
    };
    parts.imports = vec![
        import(function, core, PackageIndex::NULL),
        import(class, function, PackageIndex::import(0)),
    ];
    let export =
        Export { class_index: PackageIndex::import(1), object_name: function, ..Export::default() };
    parts.export(export, body);
    parts.summary.versions = FileVersions::of_file(69, 0);
    let mut package = Package::from_bytes(parts.assemble()).unwrap();
    package.decode_all();
    let decoded = package.decoded(0).unwrap();
    assert!(decoded.opaque == 0, "{:?}", decoded.error);
    let error = Decompiler::new(&package).function(0).unwrap_err().to_string();
    assert!(error.contains("its names are too long"), "{error}");
    let error = CodeTexts::new(&package).section(0).unwrap_err().to_string();
    assert!(error.contains("its names are too long"), "{error}");
}
