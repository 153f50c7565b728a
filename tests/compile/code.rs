//! What statements and expressions become (spec: ue1-3/15).

use unreal_packages::compile::{CompilerDialect, SymbolId};

use crate::world::{World, statements, ue1, ue2, ue3, versions};

type Case = (&'static str, &'static str);

fn all_are(dialect: fn() -> CompilerDialect, cases: &[Case]) {
    for (text, code) in cases {
        assert_eq!(statements(dialect(), text), *code, "{text}");
    }
}

#[test]
fn literals_take_the_type_that_their_place_wants() {
    all_are(
        ue1,
        &[
            ("i = 0;", "0f 00 i 25"),
            ("i = 1;", "0f 00 i 26"),
            ("i = 200;", "0f 00 i 2c c8"),
            ("i = 300;", "0f 00 i 1d i300"),
            ("i = -1;", "0f 00 i 1d i-1"),
            ("i = 0x10;", "0f 00 i 2c 10"),
            ("i = 2.0;", "0f 00 i 2c 02"),
            ("i = 2.5;", "0f 00 i 44 1e f2.5"),
            ("g = 2;", "0f 00 g 1e f2"),
            ("b = 3;", "0f 00 b 24 03"),
            ("b = 255;", "0f 00 b 3d 2c ff"),
            ("b = MODE_Slow;", "0f 00 b 24 02"),
            ("i = MODE_Slow;", "0f 00 i 3a 24 02"),
            ("i = Limit;", "0f 00 i 2c 07"),
            ("g = Limit;", "0f 00 g 1e f7"),
            ("t = true;", "14 2d 00 t 27"),
            ("n = 'Begin';", "0f 00 n 21 'Begin'"),
            ("n = '';", "0f 00 n 21 'None'"),
            ("A = None;", "0f 00 A 2a"),
            ("C = class'Engine.Actor';", "0f 00 C 20 Actor"),
            ("V = vect(1, -2, 3.5);", "0f 00 V 23 f1 f-2 f3.5"),
            (r#"s = "a\"b\\n";"#, r#"0f 00 s 1f "a\"b\\n""#),
        ],
    );
    all_are(
        ue2,
        &[("b = 255;", "0f 00 b 39 3d 2c ff"), (r#"s = "a\nb";"#, r#"0f 00 s 1f "a\nb""#)],
    );
    all_are(
        ue3,
        &[
            ("b = 255;", "0f 00 b 24 ff"),
            ("i = MODE_Slow;", "0f 00 i 2c 02"),
            ("t = Kind == 0;", "14 2d 00 t 9a 38 3a 01 Kind 38 3a 24 00 16"),
        ],
    );
}

#[test]
fn members_of_objects_and_structs_stand_in_contexts() {
    all_are(
        ue1,
        &[
            ("Owner.Count = 3;", "0f 19 01 Owner s5 04 01 Count 2c 03"),
            ("t = Owner.bHidden;", "14 2d 00 t 19 01 Owner s6 04 2d 01 bHidden"),
            ("g = Owner.Location.X;", "0f 00 g 36 X 19 01 Owner s5 0c 01 Location"),
            ("i = Owner.Slots[j];", "0f 00 i 1a 00 j 19 01 Owner s5 10 01 Slots"),
            ("i = Owner.Region.Leaf;", "0f 00 i 36 Leaf 19 01 Owner s5 0c 01 Region"),
            ("i = default.Count;", "0f 00 i 02 Count"),
            ("i = class'Actor'.default.Count;", "0f 00 i 12 20 Actor s5 04 02 Count"),
            ("i = self.Count;", "0f 00 i 19 17 s5 04 01 Count"),
        ],
    );
    all_are(
        ue3,
        &[
            ("Owner.Count = 3;", "0f 19 01 Owner s9 Count 00 01 Count 2c 03"),
            ("g = Location.X;", "0f 00 g 35 X Vector 00 00 01 Location"),
            ("Location.X = 1;", "0f 35 X Vector 00 01 01 Location 1e f1"),
        ],
    );
}

#[test]
fn dynamic_arrays_have_operations() {
    all_are(
        ue2,
        &[
            ("i = List[0];", "0f 00 i 10 25 01 List"),
            ("List.Length = 2;", "0f 37 01 List 2c 02"),
            ("List.Insert(0, 1);", "40 01 List 25 26"),
            ("List.Remove(0, 1);", "41 01 List 25 26"),
        ],
    );
    all_are(
        ue3,
        &[
            ("List.Length = 2;", "0f 36 01 List 2c 02"),
            ("List.Insert(0, 1);", "39 01 List 25 26 16"),
            ("List.Remove(0, 1);", "40 01 List 25 26 16"),
            ("List.AddItem(2);", "55 01 List s3 2c 02 16"),
            ("i = List.Find(2);", "0f 00 i 46 01 List s3 2c 02 16"),
            ("foreach List(i, j) { }", "58 01 List 00 i 01 00 j l32 31 30"),
        ],
    );
}

#[test]
fn operators_are_chosen_by_their_operands_and_bind_by_their_numbers() {
    all_are(
        ue1,
        &[
            ("i = i + 1 - j;", "0f 00 i 93 92 00 i 26 16 00 j 16"),
            ("i = i + j * 2;", "0f 00 i 92 00 i 90 00 j 2c 02 16 16"),
            ("i = j-1;", "0f 00 i 93 00 j 26 16"),
            ("i = -j;", "0f 00 i 8f 00 j 16"),
            ("g = g + i;", "0f 00 g ae 00 g 3f 00 i 16"),
            ("i = (g - 1.0) / 2;", "0f 00 i 91 44 af 00 g 1e f1 16 2c 02 16"),
            ("t = i < 2 && t;", "14 2d 00 t 82 96 00 i 2c 02 16 18 s7 2d 00 t 16"),
            ("i++;", "a5 00 i 16"),
            ("i += 2;", "a1 00 i 2c 02 16"),
            ("V = V Shift 1.0;", "0f 00 V 1c Shift_VectorFloat 00 V 1e f1 16"),
            (r#"s = "a" $ i;"#, r#"0f 00 s 70 1f "a" 53 00 i 16"#),
            ("t = V == V;", "14 2d 00 t 32 Vector 00 V 00 V"),
            ("t = A == None;", "14 2d 00 t 72 00 A 2a 16"),
            ("t = g > 250;", "14 2d 00 t b1 00 g 3f 2c fa 16"),
        ],
    );
    all_are(
        ue3,
        &[
            ("i = (g - 1.0) / 2;", "0f 00 i 38 44 ac af 00 g 1e f1 16 38 3f 2c 02 16"),
            ("i = t ? 1 : j;", "0f 00 i 45 2d 00 t s1 26 s9 00 j"),
        ],
    );
    let patched = || CompilerDialect::patch_469(&versions(69, 0));
    all_are(
        patched,
        &[
            ("t = g > 250;", "14 2d 00 t b1 00 g 1e f250 16"),
            ("b = 255;", "0f 00 b 24 ff"),
            ("i = (g - 1.0) / 2;", "0f 00 i 44 ac af 00 g 1e f1 16 1e f2 16"),
        ],
    );
}

#[test]
fn calls_say_what_is_left_out() {
    all_are(
        ue1,
        &[
            ("Touch(A);", "1b 'Touch' 00 A 16"),
            ("Poke(1,,2);", "1c Poke 26 0b 2c 02 16"),
            ("Poke(1);", "1c Poke 26 16"),
            ("Super.Touch(A);", "1c Touch 00 A 16"),
            ("Global.Touch(A);", "38 'Touch' 00 A 16"),
            ("i = class'Actor'.static.Total(1);", "0f 00 i 12 20 Actor s7 04 1b 'Total' 26 16"),
            ("Describe(i);", "0e 1b 'Describe' 00 i 16"),
            ("A = Spawn(C);", "0f 00 A 61 16 00 C 16"),
            ("Other = Spawn(class'Thing');", "0f 00 Other 61 16 20 Thing 16"),
            ("Hide();", "1b 'Hide' 16"),
            ("Log(i);", "1c Log 53 00 i 16"),
        ],
    );
    all_are(
        ue3,
        &[
            ("Poke(1);", "1c Poke 26 4a 4a 16"),
            ("Global.Touch(A);", "37 'Touch' 00 A 16"),
            ("Describe(i);", "0e ReturnValue 1b 'Describe' 00 i 16"),
            ("Hide();", "1c Hide 16"),
        ],
    );
}

#[test]
fn conversions_to_what_a_value_is_already_are_nothing() {
    all_are(
        ue1,
        &[
            ("A = Actor(Other);", "0f 00 A 00 Other"),
            ("Other = Thing(A);", "0f 00 Other 2e Thing 00 A"),
            ("C = class<Actor>(C);", "0f 00 C 00 C"),
            ("C = class<Thing>(Made);", "0f 00 C 13 Thing 01 Made"),
            ("i = int(g);", "0f 00 i 44 00 g"),
            ("i = int(j);", "0f 00 i 00 j"),
            ("A = new(self) class'Thing';", "0f 00 A 11 17 0b 0b 20 Thing"),
        ],
    );
    all_are(ue2, &[("s = string(i);", "0f 00 s 39 53 00 i")]);
    all_are(ue3, &[("A = new(self) class'Thing';", "0f 00 A 11 17 0b 0b 20 Thing 0b")]);
}

#[test]
fn jumps_go_straight_to_their_targets() {
    all_are(
        ue1,
        &[
            ("if (t) i = 1; else i = 2;", "07 l19 2d 00 t 0f 00 i 26 06 l27 0f 00 i 2c 02"),
            (
                "while (t) { if (t) continue; break; }",
                "07 l27 2d 00 t 07 l21 2d 00 t 06 l24 06 l27 06 l0",
            ),
            ("do i++; until (t);", "a5 00 i 16 07 l0 2d 00 t"),
            (
                "for (i=0; i<2; i++) if (t) continue;",
                "0f 00 i 25 07 l41 96 00 i 2c 02 16 07 l31 2d 00 t 06 l31 a5 00 i 16 06 l7",
            ),
            (
                "switch (i) { case 1: j = 1; break; default: j = 0; }",
                "05 04 00 i 0a l21 26 0f 00 j 26 06 l31 0a lffff 0f 00 j 25",
            ),
            ("switch i { case 1: j = 1; }", "05 04 00 i 0a l18 26 0f 00 j 26 0a lffff"),
            (
                "foreach AllActors(class'Actor', A) { if (t) continue; if (t) break; return; }",
                "2f 61 30 20 Actor 00 A 16 l45 07 l29 2d 00 t 31 06 l45 07 l41 2d 00 t 06 l45 30 04 0b 31 30",
            ),
            ("assert(t);", "09 w6 2d 00 t"),
            ("goto L; L: i = 1;", "06 l3 0f 00 i 26"),
        ],
    );
    all_are(ue3, &[("assert(t);", "09 w6 00 2d 00 t")]);
}

#[test]
fn functions_begin_and_end_by_engine() {
    let text = "class Thing extends Actor;\nnative function N(int A, optional int B);\n\
                function int R() { return 1; }\nfunction D(optional int A = 3);\nfunction E() { }";
    let lines = |dialect: CompilerDialect, names: &[&str]| -> Vec<String> {
        let world = World::new(dialect, "", text);
        names.iter().map(|name| world.line(&world.function(name))).collect()
    };
    assert_eq!(lines(ue1(), &["N", "R"]), ["29 A 29 B 0b", "04 26 04 0b"]);
    assert_eq!(lines(CompilerDialect::unreal_227(&versions(69, 0)), &["N"]), ["29 A 29 B"]);
    assert_eq!(lines(ue2(), &["N", "R"]), ["29 A 29 B 0b 47", "04 26 04 0b 47"]);
    assert_eq!(
        lines(ue3(), &["N", "R", "D"]),
        ["0b 29 A 29 B 0b 53", "04 26 04 3a ReturnValue 53", "49 s3 2c 03 15 04 0b 53"]
    );
    let place = |dialect: CompilerDialect, name: &str| {
        let world = World::new(dialect, "", text);
        let code = world.function(name);
        (code.line, text[..code.text_pos as usize].lines().last().unwrap().to_owned())
    };
    assert_eq!(place(ue1(), "R"), (3, "function int R() { ".to_owned()));
    assert_eq!(place(ue1(), "D"), (4, "function D(optional int A = 3)".to_owned()));
    assert_eq!(place(ue1(), "E"), (5, "function E() { ".to_owned()));
    assert_eq!(place(ue3(), "E"), (5, "function E() { }".to_owned()));
}

#[test]
fn states_end_with_their_labels_last_one_first() {
    let text =
        "class Thing extends Actor;\nstate S { Begin: Sleep(1.0); goto 'Begin'; }\nstate T { }";
    let world = World::new(ue1(), "", text);
    let code = world.state("S");
    assert_eq!(world.line(&code), "61 00 1e f1 16 0d 21 'Begin' 08 0c 'Begin' p0 'None' p65535");
    assert_eq!(code.label_table, Some(16));
    assert_eq!(world.line(&world.state("T")), "08");
}

#[test]
fn replication_is_one_condition_after_another() {
    let text = "class Thing extends Actor;\nreplication { reliable if (Count < 2) Slots;\n\
                unreliable if (bHidden) Kind; }";
    let world = World::new(ue1(), "", text);
    let code = world.compiler().replication(world.class()).unwrap();
    assert_eq!(world.line(&code), "96 01 Count 2c 02 16 2d 01 bHidden");
    assert_eq!(code.conditions, [0, 9]);
}

#[test]
fn functions_of_states_call_their_state_and_their_class() {
    let text = "class Thing extends Actor;\nfunction Touch(Actor O) { }\n\
                state Idle { function Touch(Actor O) { Super.Touch(O); Global.Touch(O); } }\n\
                state Other { ignores Touch; }";
    let world = World::new(ue1(), "", text);
    let symbols = world.symbols();
    let state = symbols.class(world.class()).state_named("idle").unwrap();
    let state = SymbolId { class: world.class(), row: state };
    let row = symbols.state(state).unwrap().function("touch").unwrap();
    let code = world.compiler().function(SymbolId { class: world.class(), row }).unwrap();
    assert_eq!(world.line(&code), "1c Touch 00 O 16 38 'Touch' 00 O 16 04 0b");
}

#[test]
fn marks_for_the_debugger_say_line_and_place() {
    let text = "class Thing extends Actor;\nfunction F() { Count = 1; }";
    let world = World::new(ue3().with_debug_marks(true), "", text);
    let at = |word: &str| text.find(word).unwrap();
    let mark = |place: usize, kind: &str| format!("41 i100 i2 i{place} {kind}");
    let expected = [
        mark(at("Count"), "20"),
        mark(at("; }"), "00"),
        "0f 01 Count 26".to_owned(),
        mark(text.len(), "11"),
        "04 0b".to_owned(),
        mark(text.len(), "30"),
        "53".to_owned(),
    ];
    assert_eq!(world.line(&world.function("F")), expected.join(" "));
}
