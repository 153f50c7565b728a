//! A small world of classes to compile against, and code as a line of text.

use std::sync::Arc;

use unreal_packages::Versions;
use unreal_packages::compile::{
    ClassDeclarations, ClassId, CodeItem, CompiledCode, Compiler, CompilerDialect, Diagnostic,
    SymbolId, Symbols, parse,
};

/// The root of all classes, with the operators that the tests use.
const OBJECT: &str = "class Object;
var name Name; var Object Outer;
struct Vector { var float X, Y, Z; };
struct Rotator { var int Pitch, Yaw, Roll; };
struct Range { var float Min, Max; };
struct Point { var byte Zone; var bool bOne, bTwo; var int Leaf; };
native(129) static final preoperator bool ! (bool A);
native(143) static final preoperator int - (int A);
native(169) static final preoperator float - (float A);
native(165) static final postoperator int ++ (out int A);
native(144) static final operator(16) int * (int A, int B);
native(145) static final operator(16) int / (int A, int B);
native(146) static final operator(20) int + (int A, int B);
native(147) static final operator(20) int - (int A, int B);
native(150) static final operator(24) bool < (int A, int B);
native(151) static final operator(24) bool > (int A, int B);
native(154) static final operator(24) bool == (int A, int B);
native(161) static final operator(34) int += (out int A, int B);
native(171) static final operator(16) float * (float A, float B);
native(172) static final operator(16) float / (float A, float B);
native(174) static final operator(20) float + (float A, float B);
native(175) static final operator(20) float - (float A, float B);
native(176) static final operator(24) bool < (float A, float B);
native(177) static final operator(24) bool > (float A, float B);
native(180) static final operator(24) bool == (float A, float B);
native(130) static final operator(30) bool && (bool A, skip bool B);
native(132) static final operator(32) bool || (bool A, skip bool B);
native(242) static final operator(24) bool == (bool A, bool B);
native(114) static final operator(24) bool == (Object A, Object B);
native(119) static final operator(26) bool != (Object A, Object B);
native(112) static final operator(40) string $ (coerce string A, coerce string B);
static final operator(22) vector Shift (vector A, float B);
native(256) final latent function Sleep(float Seconds);
native static final function Log(coerce string S, optional name Tag);
native static final function int Max(int A, int B);
";

const ACTOR: &str = "class Actor extends Object;
const Limit = 7;
enum EMode { MODE_None, MODE_Fast, MODE_Slow };
var bool bHidden;
var byte Kind;
var EMode Mode;
var int Count, Slots[4];
var float Speed;
var string Title;
var name Tag;
var vector Location;
var Point Region;
var Actor Owner;
var class<Actor> Made;
native(278) final function coerce Actor Spawn(class<Actor> C, optional Actor O, optional name T);
native(304) final iterator function AllActors(class<Actor> C, out Actor A, optional name T);
function Touch(Actor Other);
final function Poke(int A, optional int B, optional int C);
static function int Total(int A);
function string Describe(out int A);
private function Hide();
event Tick(float Delta);
state Idle { function Touch(Actor Other) { } }
";

/// A package in the making: the class `Thing` of a text.
pub struct World {
    symbols: Symbols,
    dialect: CompilerDialect,
    class: Option<ClassId>,
    pub diagnostics: Vec<Diagnostic>,
}

impl World {
    pub fn new(dialect: CompilerDialect, extra: &str, text: &str) -> Self {
        let mut symbols = Symbols::new(dialect.closes_enums());
        for base in [OBJECT.to_owned(), format!("{ACTOR}{extra}")] {
            let parsed = parse("Base.uc", base);
            assert_eq!(parsed.diagnostics, []);
            let class = ClassDeclarations::of(Arc::new(parsed.syntax)).unwrap();
            symbols.add("Engine", Arc::new(class));
        }
        let parsed = parse("Thing.uc", text);
        let diagnostics = parsed.diagnostics;
        let class = ClassDeclarations::of(Arc::new(parsed.syntax));
        let class = class.map(|class| symbols.add_own("Mine", Arc::new(class)));
        Self { symbols, dialect, class, diagnostics }
    }

    /// Adds a class to those at hand.
    pub fn add(&mut self, text: &str) {
        let parsed = parse("Added.uc", text);
        let class = ClassDeclarations::of(Arc::new(parsed.syntax)).unwrap();
        self.symbols.add("Engine", Arc::new(class));
    }

    pub fn compiler(&self) -> Compiler<'_> {
        Compiler::new(&self.symbols, &self.dialect)
    }

    pub fn class(&self) -> ClassId {
        self.class.unwrap()
    }

    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    pub fn function(&self, name: &str) -> CompiledCode {
        let row =
            self.symbols.class(self.class()).function_named(&name.to_ascii_lowercase()).unwrap();
        self.compiler().function(SymbolId { class: self.class(), row }).unwrap()
    }

    pub fn state(&self, name: &str) -> CompiledCode {
        let row = self.symbols.class(self.class()).state_named(&name.to_ascii_lowercase()).unwrap();
        self.compiler().state(SymbolId { class: self.class(), row }).unwrap()
    }

    /// Items as a line: tokens and bytes in hex, names and objects by their last names.
    pub fn line(&self, code: &CompiledCode) -> String {
        assert!(code.is_valid(), "{}", code.diagnostics.first().unwrap());
        let words = code.items.iter().map(|item| match item {
            CodeItem::Token(value) | CodeItem::Byte(value) => format!("{value:02x}"),
            CodeItem::Word(value) => format!("w{value}"),
            CodeItem::Skip(value) => format!("s{value}"),
            CodeItem::Label(value) => format!("l{value}"),
            CodeItem::NoLabel => "lffff".to_owned(),
            CodeItem::Place(value) => format!("p{value}"),
            CodeItem::Int(value) => format!("i{value}"),
            CodeItem::Float(value) => format!("f{value}"),
            CodeItem::Name(name) => format!("'{name}'"),
            CodeItem::Text(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            CodeItem::Wide(units) => format!("u{:?}", String::from_utf16_lossy(units)),
            CodeItem::Object(reference) => match reference.path(&self.symbols) {
                None => "null".to_owned(),
                Some(path) => path.path.rsplit('.').next().unwrap_or_default().to_owned(),
            },
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

pub fn versions(file: u32, licensee: u32) -> Versions {
    Versions { file, licensee, ..Versions::default() }
}

pub fn ue1() -> CompilerDialect {
    CompilerDialect::of(&versions(69, 0))
}

pub fn ue2() -> CompilerDialect {
    CompilerDialect::of(&versions(128, 29))
}

pub fn ue3() -> CompilerDialect {
    CompilerDialect::of(&versions(867, 0))
}

/// The code of the statements of a function without what ends it.
pub fn statements(dialect: CompilerDialect, text: &str) -> String {
    let end = if dialect.closes_enums() {
        " 04 0b 53"
    } else if dialect.versions.file >= 127 {
        " 04 0b 47"
    } else {
        " 04 0b"
    };
    let class = format!(
        "class Thing extends Actor;\nvar array<int> List; var array<Actor> Crew;\nvar Thing Next;\nfunction F(int P) {{ \
         local int i, j; local float g; local byte b; local bool t; local string s; local name n;\n\
         local Actor A; local Thing Other; local vector V; local class<Actor> C;\n{text}\n}}"
    );
    let world = World::new(dialect, "", &class);
    assert_eq!(world.diagnostics, [], "{text}");
    let line = world.line(&world.function("F"));
    line.strip_suffix(end.trim_start()).unwrap_or(&line).trim_end().to_owned()
}
