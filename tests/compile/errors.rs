//! What the compiler says of texts that are wrong.

use unreal_packages::compile::{Diagnostic, DiagnosticKind, DiagnosticSeverity};

use crate::world::{World, ue1};

fn messages(text: &str) -> Vec<Diagnostic> {
    let world = World::new(ue1(), "", text);
    let mut all = world.diagnostics.clone();
    if all.is_empty() {
        all = world.function("F").diagnostics;
    }
    all
}

fn in_function(statements: &str) -> Vec<Diagnostic> {
    messages(&format!("class Thing extends Actor;\nfunction F() {{ local int i;\n{statements}\n}}"))
}

#[test]
fn all_errors_of_a_function_are_reported_with_their_places() {
    let all = in_function("i = Cuont;\nTuch(None);\ni = \"x\";");
    let short: Vec<_> = all.iter().map(|it| (it.line, it.column, it.length, it.kind)).collect();
    assert_eq!(
        short,
        [
            (3, 5, 5, DiagnosticKind::UnknownName),
            (4, 1, 4, DiagnosticKind::UnknownName),
            (5, 5, 3, DiagnosticKind::Type),
        ]
    );
    assert_eq!(all[0].hint.as_deref(), Some("did you mean 'Count'?"));
    assert_eq!(all[1].hint.as_deref(), Some("did you mean 'Touch'?"));
    assert_eq!(all[2].message, "cannot convert string to int");
    assert_eq!(all[2].source_line, "i = \"x\";");
}

#[test]
fn an_error_is_shown_with_its_line_and_a_mark() {
    let all = in_function("\ti = Cuont;");
    let shown = all[0].to_string();
    assert_eq!(
        shown,
        "Thing.uc:3:6: error: no variable 'Cuont' in 'Thing'\n    \ti = Cuont;\n    \t    ^^^^^\n    \
         hint: did you mean 'Count'?"
    );
}

#[test]
fn syntax_errors_do_not_hide_others() {
    let all = messages(
        "class Thing extends Actor;\nvar int A\nvar int B;\nfuncton G() { }\nfunction F() { i = ; }",
    );
    let lines: Vec<_> = all.iter().map(|it| (it.line, it.message.as_str())).collect();
    assert_eq!(
        lines,
        [
            (2, "expected ';', found 'var'"),
            (4, "expected a declaration, found 'functon'"),
            (5, "expected a value, found ';'"),
        ]
    );
    assert_eq!(all[1].hint.as_deref(), Some("did you mean 'function'?"));
}

#[test]
fn misplaced_statements_are_errors() {
    for text in ["break;", "continue;", "case 1:", "goto Nowhere;", "return 1;", "1 = i;"] {
        let all = in_function(text);
        assert!(all.iter().any(Diagnostic::is_error), "{text}");
    }
}

#[test]
fn calls_with_other_arguments_say_what_is_declared() {
    let all = in_function("Poke();\nPoke(1, 2, 3, 4);");
    assert_eq!(all.len(), 2);
    for one in all {
        let hint = one.hint.unwrap();
        assert_eq!(hint, "it is declared as Poke(int A, optional int B, optional int C)");
    }
}

#[test]
fn a_statement_that_does_nothing_is_a_warning() {
    let all = in_function("i;");
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].severity, DiagnosticSeverity::Warning);
}
