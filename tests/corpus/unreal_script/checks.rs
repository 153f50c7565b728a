//! Checks of tricky cases: statements and their normal text in one or both grades, and texts that must be refused.

use super::skeleton::skeleton;
use super::{Names, Statement, normal, parse};

/// Statements, and their normal text with lines joined by spaces. `L`, `S`, `B`: lenient, strict, both.
const EQUAL: &[(char, &str, &str)] = &[
    ('B', "x = a - (b - c);", "x = (a - (b - c));"),
    ('B', "x = a - b - c;", "x = ((a - b) - c);"),
    ('B', "x = (a - b) - c;", "x = ((a - b) - c);"),
    ('B', "b = !a && b || c;", "b = (((! a) && b) || c);"),
    ('B', "f = -x.y;", "f = (- x.y);"),
    ('B', "f = -5;", "f = -5;"),
    ('B', "f = a - -5;", "f = (a - -5);"),
    ('B', "f = a -5;", "f = (a - 5);"),
    ('B', "i++;", "(i ++);"),
    ('B', "--a.b[2];", "(-- a.b[2]);"),
    ('B', "a += b + c * d;", "(a += (b + (c * d)));"),
    ('B', "s = \"a\" $ b + 1 @ c;", "s = ((\"a\" $ (b + 1)) @ c);"),
    ('B', "s $= a $ b;", "(s $= (a $ b));"),
    ('B', "f = V dot W * 2;", "f = ((v dot w) * 2);"),
    ('B', "b = a < b == c != d;", "b = (((a < b) == c) != d);"),
    ('B', "if (a) if (b) F(); else G();", "if (a) { if (b) { f(); } else { g(); } }"),
    (
        'B',
        "if (a) F(); else if (b) G(); else H();",
        "if (a) { f(); } else { if (b) { g(); } else { h(); } }",
    ),
    ('B', "if (a) {;} else {}", "if (a) { }"),
    ('L', "for (i=0; i<3; i++) F(i);", "i = 0; while ((i < 3)) { f(i); (i ++); }"),
    ('S', "for (i=0; i<3; i++) F(i);", "for (i = 0; (i < 3); (i ++)) { f(i); }"),
    (
        'L',
        "for (i=0; i<3; i++) { if (a) continue; F(); while (b) continue; }",
        "i = 0; while ((i < 3)) { if (a) { (i ++); continue; } f(); while (b) { continue; } (i ++); }",
    ),
    ('B', "do { i++; } until (i > 3);", "do { (i ++); } until ((i > 3));"),
    (
        'L',
        "switch (a) { case 1: switch (b) { case 2: F(); break; } break; case 3: G(); break; default: break; }",
        "switch (a) { case 1: switch (b) { case 2: f(); } break; case 3: g(); }",
    ),
    ('S', "switch (a) { case 1: F(); break; default: }", "switch (a) { case 1: f(); break; }"),
    ('B', "switch (a) { default: F(); case 1: }", "switch (a) { default: f(); case 1: }"),
    ('B', "a(); return;", "a();"),
    ('B', "if (a) return; F();", "if (a) { return; } f();"),
    ('B', "goto 'X';", "goto 'x';"),
    ('B', "goto L; F(); L: M: G();", "goto label0; f(); label0: g();"),
    ('B', "i = class'A'.default.B;", "i = class'a'.default.b;"),
    ('B', "class'P.A'.static.F(1);", "class'a'.static.f(1);"),
    ('B', "Global.F(); Static.G(); Super.H();", "global.f(); static.g(); super.h();"),
    ('L', "Super(Pawn).Foo(a,,b,);", "super.foo(a, , b);"),
    ('S', "Super(Pawn).Foo(a,,b);", "super(pawn).foo(a, , b);"),
    ('B', "x = y ? a : b ? c : d;", "x = (y ? a : (b ? c : d));"),
    ('B', "o = new(self) class'X';", "o = new(self) class'x';"),
    ('B', "o = new class'X' (t);", "o = new() class'x'(t);"),
    ('B', "o = new(None, \"n\") Spec[i].Kind;", "o = new(none, \"n\") spec[i].kind;"),
    (
        'B',
        "foreach AllActors(class'Pawn', P) P.Die();",
        "foreach (allactors(class'pawn', p)) { p.die(); }",
    ),
    ('B', "foreach arr(x, i) { F(x); }", "foreach (arr(x, i)) { f(x); }"),
    (
        'B',
        "c = class<Pawn>(DynamicLoadObject(s, class'Class'));",
        "c = class<pawn>(dynamicloadobject(s, class'class'));",
    ),
    ('B', "if (Class == c && i < j) F();", "if (((class == c) && (i < j))) { f(); }"),
    ('L', "i = int(f) + Self.j; n = 'None'; m = '';", "i = (f + j); n = ''; m = '';"),
    ('S', "i = int(f) + Self.j;", "i = (int(f) + self.j);"),
    ('L', "f = 1.0; g = 1; h = 0.10; i = .5f;", "f = 1; g = 1; h = 0.1; i = 0.5;"),
    ('S', "f = 1.0; g = 1; h = 1e3;", "f = 1.0; g = 1; h = 1000.0;"),
    (
        'B',
        "i = 0xFF; j = 0xFFFFFFFF; k = FIVE; l = -FIVE; m = E_Two; n = E.E_Two;",
        "i = 255; j = -1; k = 5; l = -5; m = 1; n = 1;",
    ),
    ('B', "FIVE.X = FIVE[0];", "five.x = five[0];"),
    ('B', "v = vect(1, -2.5, FIVE); r = rot(0x10, 1.0, 0);", "?"),
    ('B', "t = Texture'Pack.Group.Icon';", "t = texture'icon';"),
    (
        'B',
        "s = \"a\\\"b\\\\c // no comment\"; /* a /* b */ c */ F();",
        "s = \"a\\\"b\\\\c // no comment\"; f();",
    ),
    ('B', "a = b >>> c >> d;", "a = ((b >>> c) >> d);"),
    ('B', "x = a rating b + c;", "x = ((a rating b) + c);"),
    ('B', "x = a +++ b;", "x = ((a ++) + b);"),
    ('B', "return (a.b)[i].c(d)(e);", "!"),
    ('B', "const SIX = 6; i = SIX;", "i = 6;"),
];

/// Statements that are not well-formed.
const REFUSED: &[&str] = &[
    "x = ;",
    "x = a b;",
    "x = (a;",
    "if a F();",
    "F()",
    "x;",
    "5;",
    "1 = x;",
    "F() = x;",
    "x = --5;",
    "x = a--5;",
    "if (a = b) F();",
    "else F();",
    "F(a b);",
    "while (a) }",
    "do F();",
    "switch (a) { F(); }",
    "foreach a F();",
    "x = super;",
    "x = a.default;",
    "x = \"a",
    "x = 'a",
    "x = 5a;",
    "x = a ? b;",
    "x = a # b;",
    "/* a",
    "break a;",
    "} {",
    "F(); local int i;",
    "x = &&(a, b);",
    "x = 0x;",
    "x = 99999999999;",
];

const HEAD: &str = "class X extends Y;\nconst FIVE = 5;\nenum E { E_One, E_Two, };\n\
    static final operator(19) int Rating(int a, int b);\nfunction F() {\n";

fn body(statements: &str) -> Result<(Vec<Statement>, Names), String> {
    let mut text = parse(&format!("{HEAD}{statements}\n}}\n"))?;
    let names = Names::of(&text);
    let function = text.functions.pop().ok_or("no function")?;
    Ok((function.body.unwrap_or_default(), names))
}

/// Runs all checks.
pub fn run() {
    let mut failed = Vec::new();
    for &(grade, source, expected) in EQUAL {
        for strict in [false, true] {
            if grade == if strict { 'L' } else { 'S' } {
                continue;
            }
            let found = body(source).map(|(body, names)| normal(&body, &names, strict));
            let joined = found.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
            let equal = match (&joined, expected) {
                (Err(_), "!") => true,
                (Ok(text), "?") => text.starts_with("v = vect(1") && text.contains("rot(16, 1, 0)"),
                (Ok(text), expected) => text == expected,
                _ => false,
            };
            if !equal {
                failed.push(format!("{source}\n   expected {expected}\n   found    {joined:?}"));
            }
        }
    }
    for source in REFUSED {
        if body(source).is_ok() {
            failed.push(format!("{source}\n   expected an error"));
        }
    }
    if let Err(error) = class_text() {
        failed.push(error);
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A text with every kind of declaration.
fn class_text() -> Result<(), String> {
    let text = parse(WHOLE)?;
    let names = Names::of(&text);
    let check = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("class text: {what}: {text:#?}")) }
    };
    check(text.class == "Whole" && text.parent.as_deref() == Some("Pkg.Actor"), "header")?;
    check(text.constants.len() == 3 && text.enums.len() == 2, "constants and enums")?;
    check(names.enums["a"] == Some(0) && names.enums["b"].is_none(), "an enum value in two enums")?;
    check(text.functions.len() == 7 && text.states.len() == 2, "functions and states")?;
    let first = &text.functions[0];
    check(first.parameters == ["coerce optional string s", "out class<actor> c[2]"], "parameters")?;
    check(first.modifiers == ["native(123)", "static", "final", "function"], "modifiers")?;
    check(
        text.functions[2].name == "+="
            && text.functions[3].returns.as_deref() == Some("delegate<onx>"),
        "returns",
    )?;
    let state = &text.states[0];
    check(state.ignores == ["Bump", "Touch"] && state.body.len() == 5, "state code")?;
    check(
        state.modifiers == ["auto", "()"] && state.parent.as_deref() == Some("Base"),
        "state header",
    )?;
    let in_state = text.functions.iter().find(|function| function.state.is_some());
    let in_state = in_state.ok_or("no function in the state")?;
    check(
        in_state.locals.len() == 2 && in_state.locals[1] == ("b".into(), "int[4]".into()),
        "locals",
    )?;
    let macros = text.functions.iter().filter(|function| function.has_macro).count();
    check(macros == 2, "macros")?;
    let body = in_state.body.as_ref().ok_or("no body")?;
    check(skeleton(body) == "b a f b c d", "skeleton")
}

const WHOLE: &str = r#"
/** comment { */
class Whole expands Pkg.Actor within Other native(Thing) config(User) hidecategories(A, B) implements(I);
#exec TEXTURE IMPORT NAME="x
const ONE = 1; const V = vect(1,2,3);
enum EFirst { A, B<DisplayName=Don't {>, };
var() const editinline array<class<Actor>> List, More[EFirst] <ToolTip=it's 5> "comment";
var(A) enum ESecond { B, C } Second;
var private{protected} const native pointer Map{TMultiMap<FName, class F*>};
struct native immutable S extends T { var int X, Y[3]; structdefaultproperties { X=1 } };
cpptext { char c = '{'; // {
  "}" }
replication { reliable if (Role == ROLE_Authority) List, More; if (bNetDirty) Second; }
native(123) static final function bool First(optional coerce string S, out class<Actor> C[2]);
delegate OnX(int A, optional int B = 5 + 1);
static final operator(34) int += (out int A, int B) { const INNER = 2; return A; }
function delegate<OnX> GetX() { `log("x") }
event Tick(float D) { `Log("x"); }
function Plain() const;
auto state() Run extends Base
{
    ignores Bump, Touch;
    event F() { local class<Actor> a; local int b[4]; b[a.f] = int(b) + c.static.d(); }
Begin:
    Sleep(1);
    goto 'Begin';
Wait:
    stop;
}
simulated state Idle { }
defaultproperties
{
    Text="C:\"
    Value=5
}
"#;
