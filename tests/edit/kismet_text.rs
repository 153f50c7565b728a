//! Kismet as pseudo-code: what is put in as bytecode comes out as statements.

use unreal_packages::decompile::Decompiler;
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::Package;

use super::code::{RELEASES, blueprint};

/// A function that nothing refers to.
const FUNCTION: &str = "Begin";

/// A call of a function.
fn call(name: &str) -> String {
    format!("VirtualFunction('{name}', EndFunctionParms)\n")
}

/// A package with this code in a function.
fn with_code(release: (u8, u8), code: &str) -> Package {
    let mut package = blueprint(release);
    let section = format!("code {FUNCTION}\n{code}\nend\n");
    let done = package.edit(|edit| {
        // Lines of all kinds, which need no end.
        edit.set_checks(false);
        edit.assemble(&section)
    });
    done.unwrap_or_else(|error| panic!("{error}\n{code}"));
    package
}

/// The lines between the braces of the function, without what every line is indented by.
fn source(package: &Package) -> String {
    let row = package.find_export(FUNCTION).unwrap();
    let text = Decompiler::new(package).function(row).unwrap();
    let head = format!("function void {FUNCTION}()\n{{\n");
    let body = text.strip_prefix(&head).and_then(|rest| rest.strip_suffix("}\n"));
    let body = body.unwrap_or_else(|| panic!("{text}"));
    body.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect()
}

fn becomes(code: &str, expected: &str) {
    for release in RELEASES {
        let found = source(&with_code(release, &format!("{code} Return(Nothing) EndOfScript")));
        assert_eq!(found.trim_end(), expected.trim_end(), "{code}");
    }
}

#[test]
fn conditions_meet_where_both_sides_lead() {
    let (a, b, c) = (call("Alpha"), call("Beta"), call("Gamma"));
    becomes(
        &format!("JumpIfNot(L1, True) {a} Jump(L2) L1: {b} L2: {c}"),
        "if (true)\n{\n    Alpha();\n}\nelse\n{\n    Beta();\n}\nGamma();",
    );
    becomes(
        &format!("JumpIfNot(L1, False) {a} L1: {b}"),
        "if (false)\n{\n    Alpha();\n}\nBeta();",
    );
}

#[test]
fn what_pops_goes_on_where_was_pushed() {
    let (a, b, c) = (call("Alpha"), call("Beta"), call("Gamma"));
    becomes(&format!("PushExecutionFlow(L1) {a} PopExecutionFlow L1: {b}"), "Alpha();\nBeta();");
    becomes(
        &format!("PushExecutionFlow(L1) PopExecutionFlowIfNot(True) {a} PopExecutionFlow L1: {b}"),
        "if (true)\n{\n    Alpha();\n}\nBeta();",
    );
    // The body of a loop pops to what counts.
    becomes(
        &format!(
            "L1: PopExecutionFlowIfNot(True) PushExecutionFlow(L2) {a} PopExecutionFlow L2: {b} Jump(L1) {c}"
        ),
        "while (true)\n{\n    Alpha();\n    Beta();\n}\nreturn;\nGamma();",
    );
}

#[test]
fn latent_calls_are_followed_by_what_they_resume() {
    let (a, b) = (call("Alpha"), call("Beta"));
    becomes(
        &format!(
            "VirtualFunction('Wait', SkipOffsetConst(L1), EndFunctionParms) PopExecutionFlow L1: {a} {b}"
        ),
        "Wait(resume);\nresume\n{\n    Alpha();\n    Beta();\n}",
    );
}

#[test]
fn statements_stand_in_one_place() {
    for (count, depth) in [(3000, 1), (300, 300)] {
        // Conditions within conditions, sequences within sequences, each leading to the same end.
        let mut code = String::new();
        for at in 0..count {
            let target = if depth == 1 { count } else { count - at };
            code.push_str(&format!("JumpIfNot(L{target}, True) PushExecutionFlow(L{target}) "));
            code.push_str(&call("Alpha"));
        }
        for at in (1..=count).rev() {
            code.push_str(&format!("L{at}: PopExecutionFlowIfNot(False) {}", call("Beta")));
        }
        let text = source(&with_code((4, 27), &format!("{code} Return(Nothing) EndOfScript")));
        assert_eq!(text.matches("Alpha();").count(), count);
        assert_eq!(text.matches("Beta();").count(), count);
        assert!(text.len() < count * 1500, "{} bytes", text.len());
    }
}

/// Code that no listing has is compared as pseudo-code too: a line for what differs, and not each item behind it.
#[test]
fn changed_code_of_blueprints_is_told_by_lines() {
    use unreal_packages::compare::{Difference, diff};
    for release in RELEASES {
        let code = |first: &str| {
            let (first, last) = (call(first), call("Alpha"));
            with_code(release, &format!("{first} {last} Return(Nothing) EndOfScript"))
        };
        let found = diff(&code("Alpha"), &code("Beta"));
        let changes: Vec<_> = found.changed.into_iter().flat_map(|object| object.changes).collect();
        let [Difference::Code { old, new, .. }] = &changes[..] else {
            panic!("{release:?}: {changes:?}")
        };
        let lines =
            |lines: &[String]| lines.iter().map(|it| it.trim().to_owned()).collect::<Vec<_>>();
        assert_eq!(
            (lines(old), lines(new)),
            (vec!["Alpha();".to_owned()], vec!["Beta();".to_owned()])
        );
    }
}
