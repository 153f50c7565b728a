//! Hostile texts: refused with an error, in a time that grows as they do.

use unreal_packages::compile::{Diagnostic, DiagnosticKind, parse};

use crate::world::{World, ue1, ue3};

fn compiled(text: &str) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for dialect in [ue1(), ue3()] {
        let world = World::new(dialect, "", text);
        all.extend(world.diagnostics.clone());
        if world.diagnostics.is_empty() {
            all.extend(world.function("F").diagnostics);
        }
    }
    all
}

fn has_limit(text: &str) -> bool {
    compiled(text).iter().any(|it| it.kind == DiagnosticKind::Limit)
}

#[test]
fn deep_nesting_is_refused() {
    let many = 20_000;
    let wrapped = |inner: String| format!("class Thing extends Actor;\nfunction F() {{ {inner} }}");
    assert!(has_limit(&wrapped("{".repeat(many) + &"}".repeat(many))));
    assert!(has_limit(&wrapped(format!("Count = {}1{};", "(".repeat(many), ")".repeat(many)))));
    assert!(has_limit(&wrapped(format!("Count = {}1;", "- ".repeat(many)))));
    assert!(has_limit(&wrapped(format!("Count = 1{};", " + 1".repeat(many)))));
    assert!(has_limit(&wrapped(format!("Count = Owner{}.Count;", ".Owner".repeat(many)))));
    assert!(has_limit(&wrapped(format!("{}Count = 1;", "if (bHidden) ".repeat(many)))));
    let arrays = format!("var {}int{} A;", "array<".repeat(many), ">".repeat(many));
    assert!(parse("", format!("class T;\n{arrays}")).diagnostics.iter().any(Diagnostic::is_error));
    assert!(has_limit(
        "class Thing extends Actor;\nconst A = B;\nconst B = A;\nfunction F() { Count = A; }"
    ));
}

#[test]
fn long_code_is_refused() {
    let statements = "Count = 1;".repeat(10_000);
    assert!(has_limit(&format!("class Thing extends Actor;\nfunction F() {{ {statements} }}")));
}

#[test]
fn long_chains_of_branches_are_no_nesting() {
    let branches = "if (bHidden) Count = 1; else ".repeat(1_000);
    let text = format!("class Thing extends Actor;\nfunction F() {{ {branches} Count = 2; }}");
    assert_eq!(compiled(&text), []);
}

#[test]
fn any_part_of_a_text_is_read_without_a_panic() {
    let text = "class Thing extends Actor config(User);\nvar(Cat) config array<class<Actor> > L[4], M;\n\
                enum E { A, B };\nstruct S { var int X; };\nreplication { reliable if (Count < 1) L; }\n\
                native(12) static final operator(20) int + (int A, out optional int B);\n\
                auto state X extends Y { ignores F; function F() { } Begin: goto 'Begin'; }\n\
                function F() { local int i; for (i = 0; i < 3; i++) { switch (i) { case 1: break; default: } }\n\
                Count = vect(1,2,3).X * -1.5e3f; A = new(None) class'X'; s = \"a\\\"\"; /* c */ } // d\n\
                defaultproperties { L(0)=1 }\n";
    for end in 0..text.len() {
        if let Some(part) = text.get(..end) {
            let _ = parse("", part);
        }
        for sign in ["{", "}", "(", "'", "\"", ";", "é", "/*", "#"] {
            if let (Some(before), Some(behind)) = (text.get(..end), text.get(end..)) {
                let _ = parse("", format!("{before}{sign}{behind}"));
            }
        }
    }
}

#[test]
fn constants_of_constants_take_no_longer_than_they_are() {
    let values = ["Max(C, C)", "(C + C)", "List[C]", "vect(C, C, C)", "arraycount(List[C])"];
    for value in values {
        let mut text =
            "class Thing extends Actor;\nvar array<int> List;\nconst C60 = 1;\n".to_owned();
        for at in 0..60 {
            let value = value.replace('C', &format!("C{}", at + 1));
            text.push_str(&format!("const C{at} = {value};\n"));
        }
        text.push_str("function F() { Count = C0; }");
        assert!(compiled(&text).iter().any(Diagnostic::is_error), "{value}");
    }
}

#[test]
fn interfaces_of_interfaces_are_looked_at_in_bounds() {
    let all: Vec<String> = (0..200).map(|at| format!("I{at}")).collect();
    let mut world =
        World::new(ue3(), "", "class Thing extends Actor;\nfunction F() { Touch(I0(self)); }");
    let list = all.join(", ");
    for name in &all {
        world.add(&format!("interface {name} implements({list});"));
    }
    let _ = world.function("F");
}

#[test]
fn structs_in_structs_are_measured_once() {
    let mut text = "class Thing extends Actor;\n".to_owned();
    for at in 0..60 {
        let members = if at == 59 { "int".to_owned() } else { format!("S{}", at + 1) };
        text.push_str(&format!("struct S{at} {{ var {members} A, B, C; }};\n"));
    }
    text.push_str("struct Me { var Me A, B; };\nvar S0 All; var Me Mine; var Thing Next;\n");
    text.push_str("function S0 G(); function F() { G(); All = Next.All; Mine = Next.Mine; }");
    compiled(&text);
}
