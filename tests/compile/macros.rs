//! Macros of UE3's sources, and the places that messages about them name.

use unreal_packages::compile::{Diagnostic, Macros, SourceText};

fn expanded(text: &str) -> String {
    let (source, diagnostics) = Macros::default().expand(SourceText::new("Thing.uc", text));
    assert!(diagnostics.is_empty(), "{text}: {}", diagnostics[0]);
    source.text().to_owned()
}

fn refused(text: &str) -> Vec<Diagnostic> {
    let found = Macros::default().expand(SourceText::new("Thing.uc", text)).1;
    assert!(found.iter().all(Diagnostic::is_error));
    found
}

#[test]
fn names_behind_backquotes_are_replaced_by_what_they_stand_for() {
    assert_eq!(expanded("`define hello \"Hello\"\nA = `hello;"), "\nA = \"Hello\";");
    assert_eq!(expanded("`define Name po\nhip`{name}potamus"), "\nhippopotamus");
    assert_eq!(expanded("`define twice(x) (`x * 2)\n`twice(3 + 4)"), "\n(3 + 4 * 2)");
    let nested = "`define one 1\n`define add(a,b) `a+`b\n`add(`one, `add((2,3), \"a,b\"))";
    assert_eq!(expanded(nested), "\n\n1+(2,3)+\"a,b\"");
    // What a macro makes is read again, with what is defined by then.
    assert_eq!(expanded("`define b `c\n`define c 3\n`b"), "\n\n3");
    assert_eq!(expanded("`define a 1\n`undefine(a)`{a}"), "\n`{a}");
    // Parameters that are not given are empty; texts hold macros as well, comments do not.
    assert_eq!(expanded("`define show(v,l) \"`v\"$`v`l\n`show(A.B)"), "\n\"A.B\"$A.B");
    assert_eq!(
        expanded("`define a 1\n// `a\n/* `a /* `b */ */ `a"),
        "\n// `a\n/* `a /* `b */ */ 1"
    );
    // A comment behind a definition is none of it, and lines go on.
    let lines = "`define long(a) First(`a) \\\n\tSecond(`a) // both\n`long(1)\nB";
    assert_eq!(expanded(lines), "\n\nFirst(1) \tSecond(1)\nB");
}

#[test]
fn conditions_keep_what_holds_and_lines_stay_lines() {
    let text = "`if(`isdefined(debug))\nA\n`else\nB\n`endif\nC";
    assert_eq!(expanded(text), "\n\n\nB\n\nC");
    assert_eq!(expanded(&format!("`define debug\r\n{text}")), "\r\n\nA\n\n\n\nC");
    assert_eq!(expanded("`if (`notdefined(X)) 1 `if(0)2`endif`endif"), " 1 2");
    assert_eq!(expanded("`if()a `if(1)b`else c`endif d`else e`endif f"), " e f");
    // What is left out defines nothing, and nothing is wrong with it.
    assert_eq!(expanded("`if()`define a 1\n`nothing(`endif`{a}"), "\n`{a}");
    assert_eq!(
        expanded("`define cond(a,b) `if(`b)if(`b) `{endif}`a\n`cond(x) `cond(x, y)"),
        "\nx if(y) x"
    );
}

/// The sources of two games that were made with UDK are public beside their packages: `` `Log("The custom hud is alive !"); ``
/// and `` `Log(PlayerID$" took Damage - "$DamagePerTracer); `` stand in these as below.
#[test]
fn messages_to_the_log_are_what_packages_hold_of_them() {
    let is = |written: &str, kept: &str| assert_eq!(expanded(written), kept);
    is(
        "    `Log(\"The custom hud is alive !\");",
        "    LogInternal(\"The custom hud is alive !\");",
    );
    is(
        "\t`Log(PlayerID$\" took Damage - \"$DamagePerTracer);",
        "\tLogInternal(PlayerID$\" took Damage - \"$DamagePerTracer);",
    );
    is("`log(\"x\", bOn && F(1,2), 'Mine')", "if(bOn && F(1,2)) LogInternal(\"x\",'Mine')");
    is("`warn(\"x\",,)", "WarnInternal(\"x\")");
    is("`logd(\"x\")", "");
    is("`assert(A != None);", "assert(A != None);");
}

#[test]
fn files_bring_definitions_and_what_they_define_counts_first() {
    let mut macros = Macros::default().with_files(|path| match path {
        "Mine/Shared.uci" => Some("`define speed 600\r\n".to_owned()),
        "Mine/Code.uci" => Some("var int A;\r\nvar int B;".to_owned()),
        "Mine/Self.uci" => Some("`include(Mine/Self.uci)".to_owned()),
        _ => None,
    });
    macros.add("`define log(msg) Say(`msg)\n`define here 1");
    let read = |text: &str| {
        let (source, found) = macros.expand(SourceText::new("Thing.uc", text));
        (source.text().to_owned(), found)
    };
    assert_eq!(
        read("`include(Mine/Shared.uci)\n`speed `here `log(\"x\",A)").0,
        "\n600 1 Say(\"x\")"
    );
    let (text, found) = read("A\nB\n`include(\"Mine/Code.uci\") C");
    assert_eq!(text, "A\nB\nvar int A;\r\nvar int B;\r\n#linenumber 2\r\n C");
    assert!(found.is_empty());
    let found = read("A\n`include(Other.uci)").1;
    assert_eq!(
        (found[0].line, found[0].message.as_str()),
        (2, "the file 'Other.uci' is not at hand")
    );
    assert_eq!(read("`include(Mine/Self.uci)").1.len(), 1);
}

#[test]
fn what_is_wrong_names_the_place_in_the_file() {
    let all = refused(
        "`define a(x) `x\nvar int A;\n\t`logg(\"x\");\n`a(`lgo(2))\n`else\n`if(1)\n`endif\n`if(\n",
    );
    let short: Vec<_> =
        all.iter().map(|it| (it.line, it.column, it.length, it.message.as_str())).collect();
    assert_eq!(
        short,
        [
            (3, 2, 5, "no macro 'logg' is defined"),
            (4, 1, 1, "no macro 'lgo' is defined"),
            (5, 1, 1, "`else without `if"),
            (8, 1, 1, "this needs something in parentheses"),
        ]
    );
    assert_eq!(all[0].hint.as_deref(), Some("did you mean '`log'?"));
    let open = refused("A\n`if(1)\nB");
    assert_eq!((open[0].line, open[0].message.as_str()), (2, "`if without `endif"));
}

#[test]
fn macros_that_make_ever_more_are_refused() {
    let doubling: String =
        (1..60).map(|at| format!("`define m{at} `m{}`m{}\n", at - 1, at - 1)).collect();
    let found = refused(&format!("`define m0 xxxxxxxx\n{doubling}`m59"));
    assert!(found[0].message.starts_with("these macros make too much text"), "{}", found[0]);
    let found = refused("`define a `b\n`define b `a\n`a");
    assert!(found[0].message.starts_with("these macros make too much text"));
    // Any text gives a text.
    for text in [
        "`",
        "``",
        "`{",
        "`{a",
        "`if",
        "`define",
        "`define a(",
        "`a(",
        "`log(",
        "`log(\"",
        "`if(`if(`if(",
        "`include(",
    ] {
        let (source, _) = Macros::default().expand(SourceText::new("Thing.uc", text));
        assert!(source.text().len() <= text.len() + 64);
    }
}

/// Texts put together at random: each gives a text whose places are places of the file, and what was copied stands there
/// as it stood.
#[test]
fn any_text_gives_a_text_with_places() {
    const PARTS: &[&str] = &[
        "`if(",
        "`if()",
        "`define a(x) ",
        "`define b ",
        "`a(",
        ")",
        "`endif",
        "`else",
        "\n",
        "\r\n",
        "\"",
        "//",
        "/*",
        "*/",
        "`{a}",
        "`b",
        "\u{e9}\u{1f600}",
        "\\",
        "`include(x)",
        ",",
        "`isdefined(a)",
        "`notdefined(b)",
        "`undefine(a)",
        "`",
        "{",
        "}",
        "`log(",
        "word ",
        "`x",
    ];
    let macros = Macros::default().with_files(|_| Some("`define c 1\nvar int D;".to_owned()));
    let mut state = 7_u64;
    let mut next = |count: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    for _ in 0..20_000 {
        let count = 1 + next(24);
        let text: String = (0..count).map(|_| PARTS[next(PARTS.len())]).collect();
        let (made, diagnostics) = macros.expand(SourceText::new("Thing.uc", text.clone()));
        for (at, character) in made.text().char_indices() {
            let (file, start, end) = made.in_file(at, at + character.len_utf8());
            assert!(start <= end && end <= file.text().len(), "{text:?}");
            assert_eq!(file.text(), text);
        }
        let lines = text.matches('\n').count();
        let kept = made.text().matches('\n').count();
        // Only files that are included bring lines.
        assert!(kept == lines || text.contains("`include"), "{text:?} {:?}", made.text());
        assert!(diagnostics.iter().all(|it| it.line as usize <= lines + 1), "{text:?}");
    }
}
