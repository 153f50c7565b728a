//! Any text as the classes of a package: a package is made of it that is saved as it is and whose classes can be
//! written as text again, or there are errors that say where; in memory that grows as the text does.

use unreal_packages::decompile::Decompiler;
use unreal_packages::generate::Profile;
use unreal_packages::make::{MadePackage, Maker, with_line_ends};

use super::is_readable;
use crate::memory;

/// What the classes build on.
const OBJECT: &str = "class Object native;\nvar const Object Outer;\nvar name Name;\nstruct Vector { var float X, Y, Z; };\n\
struct Rotator { var int Pitch, Yaw, Roll; };\nenum EKind { K_One, K_Two, K_Three };\n\
native(146) static final operator(20) int +(int A, int B);\nnative(174) static final operator(20) float +(float A, float B);\n\
native(150) static final operator(24) bool <(int A, int B);\nnative(154) static final operator(24) bool ==(int A, int B);\n\
native(112) static final operator(40) string $(coerce string A, coerce string B);\n\
native(130) static final operator(30) bool &&(bool A, skip bool B);\nnative(129) static final preoperator bool !(bool A);\n\
native(143) static final preoperator int -(int A);\nnative(165) static final postoperator int ++(out int A);\n\
native(231) static final function Log(coerce string S, optional name Tag);\n";
const ACTOR: &str = "class Actor extends Object native;\nvar Actor Owner, All[4];\nvar int Count;\nvar bool bOn, bOff;\n\
var float Time;\nvar string Title;\nvar vector Location;\nvar EKind Kind;\nvar class<Actor> Class0;\n\
native(278) final function Actor Spawn(class<Actor> C, optional Actor O);\n\
native(304) final iterator function AllActors(class<Actor> C, out Actor A);\nnative(256) final latent function Sleep(float S);\n\
event Touch(Actor Other) {}\nfunction int Sum(int A, optional int B) { return A + B; }\nstate Idle { function Touch(Actor Other) {} }\n";

/// A number of a game's profile; with its high bit a text is written after the bytes that follow, else they are one.
pub fn run(data: &[u8]) {
    let Some((&number, rest)) = data.split_first() else { return };
    let text = match number & 0x80 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ => Grammar { bytes: rest, out: String::new(), depth: 0 }.class(),
    };
    let profile = [Profile::UT99, Profile::UT2004, Profile::UDK, Profile::UNREAL];
    let profile = &profile[usize::from(number & 3)];
    let (made, peak) = memory::peak(|| make(profile, &text));
    let most = (64 << 20) + 8192 * text.len();
    assert!(peak <= most, "{peak} bytes of memory for a text of {}", text.len());
    let MadePackage { package, diagnostics, .. } = match made {
        Ok(made) => made,
        Err(error) => return is_readable(&error),
    };
    let lines = with_line_ends(&text).lines().count() + 1;
    for found in &diagnostics {
        assert!(!found.message.is_empty() && found.message.lines().count() == 1, "{found}");
        assert!(found.line as usize <= lines, "{found}");
    }
    let Some(package) = package else { return };
    assert_eq!(package.to_bytes().expect("what was made is saved"), package.source());
    let decompiler = Decompiler::new(&package);
    for row in 0..package.exports().len() {
        if let Err(error) = decompiler.class(row) {
            is_readable(&error);
        }
    }
}

fn make(profile: &Profile, text: &str) -> unreal_packages::Result<MadePackage> {
    let mut maker = Maker::new("Any", profile.clone());
    maker.environment_text("Core", "Object.uc", OBJECT);
    maker.environment_text("Engine", "Actor.uc", ACTOR);
    maker.source("Any.uc", text);
    maker.make()
}

/// Levels of statements and expressions that are written.
const DEEPEST: u32 = 5;
/// Bytes of text that are written.
const LONGEST: usize = 4096;

/// A text after the rules of the language: each byte chooses.
struct Grammar<'a> {
    bytes: &'a [u8],
    out: String,
    depth: u32,
}

impl Grammar<'_> {
    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    fn pick(&mut self, words: &[&str]) {
        let at = usize::from(self.byte()) % words.len();
        self.out.push_str(words[at]);
    }

    fn class(mut self) -> String {
        self.out.push_str("class Any extends Actor");
        self.pick(&["", " config(User)", " native", " abstract", " within Actor", " placeable"]);
        self.out.push_str(";\n");
        while !self.bytes.is_empty() && self.out.len() < LONGEST {
            self.item();
        }
        self.pick(&[
            "",
            "defaultproperties { Count=3\nTitle=\"A\"\nLocation=(X=1,Z=-2.5)\nKind=K_Two }\n",
        ]);
        self.out
    }

    fn item(&mut self) {
        match self.byte() % 8 {
            0 | 1 => {
                self.pick(&["var ", "var() ", "var config ", "var private ", "var(Cat) const "]);
                self.type_name();
                self.name();
                self.pick(&["", "[3]", "[MOST]", "[0]"]);
                self.out.push_str(";\n");
            }
            2 => self.pick(&[
                "const MOST = 4;\n",
                "enum EOwn { O_A, O_B };\n",
                "struct Pair { var int A; var string B; };\n",
                "const TEXT = \"t\";\n",
            ]),
            3 => {
                self.pick(&["", "auto ", "simulated "]);
                self.out.push_str("state ");
                self.pick(&["Idle", "Other", "A", "Other extends Idle"]);
                self.out.push_str(" {\n");
                self.pick(&["", "ignores Touch;\n", "ignores Sum, Touch;\n"]);
                if self.byte() & 1 == 0 {
                    self.function();
                }
                self.out.push_str("Begin:\n");
                self.statements();
                self.pick(&["", "End:\nstop;\n", "goto 'Begin';\n", "Sleep(1);\n"]);
                self.out.push_str("}\n");
            }
            4 => self.pick(&[
                "replication { reliable if (bOn) Count, A; }\n",
                "#exec OBJ LOAD FILE=x\n",
                "// c\n",
            ]),
            _ => self.function(),
        }
    }

    fn function(&mut self) {
        self.pick(&[
            "",
            "final ",
            "static ",
            "simulated ",
            "private ",
            "exec ",
            "native ",
            "singular ",
        ]);
        self.pick(&["function ", "event ", "delegate ", "function "]);
        self.type_name();
        self.name();
        self.out.push('(');
        for at in 0..self.byte() % 4 {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.pick(&["", "optional ", "out ", "coerce ", "skip "]);
            self.type_name();
            self.name();
        }
        self.out.push_str(")\n{\n");
        for _ in 0..self.byte() % 3 {
            self.out.push_str("local ");
            self.type_name();
            self.name();
            self.out.push_str(";\n");
        }
        self.statements();
        self.out.push_str("}\n");
    }

    fn type_name(&mut self) {
        self.pick(&[
            "int ",
            "float ",
            "bool ",
            "string ",
            "name ",
            "vector ",
            "Actor ",
            "class<Actor> ",
            "EKind ",
            "array<int> ",
            "byte ",
            "rotator ",
            "Object ",
            "array<Actor> ",
            "Pair ",
        ]);
    }

    fn name(&mut self) {
        self.pick(&["A", "B", "C", "Count", "Title", "Owner", "I", "Touch", "Sum", "Location"]);
    }

    fn statements(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.byte() % 3 {
            if self.depth > DEEPEST || self.out.len() > LONGEST {
                break;
            }
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        match self.byte() % 12 {
            0 => {
                self.around("if (", ")\n{\n");
                self.statements();
                self.out.push_str("}\n");
                if self.byte() & 1 == 0 {
                    self.out.push_str("else\n{\n");
                    self.statements();
                    self.out.push_str("}\n");
                }
            }
            1 => {
                self.around("while (", ")\n{\n");
                self.statements();
                self.pick(&["", "break;\n", "continue;\n"]);
                self.out.push_str("}\n");
            }
            2 => {
                self.around("for (Count = 0; ", "; Count++)\n{\n");
                self.statements();
                self.out.push_str("}\n");
            }
            3 => {
                self.around("switch (", ")\n{\n");
                self.around("case ", ":\n");
                self.statements();
                self.pick(&["break;\n", "", "default:\n"]);
                self.statements();
                self.out.push_str("}\n");
            }
            4 => {
                self.out.push_str("foreach AllActors(class'Actor', Owner)\n{\n");
                self.statements();
                self.out.push_str("}\n");
            }
            5 => self.around("return ", ";\n"),
            6 => self.around("assert(", ");\n"),
            7 => {
                self.out.push_str("do\n{\n");
                self.statements();
                self.around("} until (", ");\n");
            }
            8 => {
                self.expression();
                self.out.push_str(";\n");
            }
            _ => {
                self.operand();
                self.pick(&[" = ", " = ", " += ", " "]);
                self.expression();
                self.out.push_str(";\n");
            }
        }
    }

    fn around(&mut self, before: &str, behind: &str) {
        self.out.push_str(before);
        self.expression();
        self.out.push_str(behind);
    }

    fn expression(&mut self) {
        self.depth += 1;
        self.operand();
        for _ in 0..self.byte() % 3 {
            if self.depth > DEEPEST || self.out.len() > LONGEST {
                break;
            }
            self.pick(&[" + ", " < ", " == ", " && ", " $ ", " ? 1 : ", " != ", " - ", " % "]);
            self.operand();
        }
        self.depth -= 1;
    }

    fn operand(&mut self) {
        self.depth += 1;
        let choice = if self.depth > DEEPEST { 9 } else { self.byte() % 16 };
        match choice {
            0 => self.around("(", ")"),
            1 => self.around("!", ""),
            2 => self.around("-", ""),
            3 => {
                self.name();
                self.around("(", ")");
            }
            4 => {
                self.name();
                self.around("[", "]");
            }
            5 => {
                self.operand();
                self.out.push('.');
                self.name();
            }
            6 => {
                self.pick(&[
                    "Actor",
                    "int",
                    "string",
                    "class<Actor>",
                    "float",
                    "vect",
                    "Sum",
                    "Super.Sum",
                ]);
                self.around("(", ")");
            }
            7 => self.pick(&[
                "class'Actor'.default.Count",
                "default.Title",
                "static.Sum(1)",
                "Global.Touch(self)",
                "new class'Any'",
            ]),
            8 => {
                self.name();
                self.pick(&["++", ".Length", ".X", ".Owner", ".default.Count"]);
            }
            9..12 => self.name(),
            _ => self.pick(&[
                "1",
                "0",
                "255",
                "-7",
                "2.5",
                "1e3",
                "0xff",
                "\"s\"",
                "'N'",
                "true",
                "None",
                "self",
                "vect(1,2,3)",
                "Texture'A.B'",
                "K_Two",
                "MOST",
                "99999999999",
                "\"\\\"",
                "class'Any'",
            ]),
        }
        self.depth -= 1;
    }
}
