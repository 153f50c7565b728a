//! `upk make`: packages from classes, alone and in a game's folder, again when classes change.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::{Folder, command, upk};

const THING: &str = "class Thing extends Object;\n\nvar int Count;\n\nfunction int Two()\n{\n\treturn 2;\n}\n\n\
                     defaultproperties\n{\n    Count=1\n}\n";

/// A folder with the classes of one package.
fn with_thing() -> Folder {
    let folder = Folder::new();
    folder.write("Mine/Classes/Thing.uc", THING);
    folder
}

#[test]
fn classes_become_a_package_or_are_only_checked() {
    let folder = with_thing();
    let (source, made) = (folder.arg("Mine"), folder.arg("Mine.u"));
    let report = upk(&["make", &source, "-o", &made, "--json"]).exits(0).object();
    assert_eq!((&report["classes"], &report["package"]), (&1.into(), &"Mine".into()));
    folder.run("verify", "Mine.u", &[]).exits(0);
    assert!(folder.run("get", "Mine.u", &["Thing"]).exits(0).out.contains("Count=1"));
    // What is there stays.
    upk(&["make", &source, "-o", &made]).exits(2);
    upk(&["make", &source]).exits(2);
    assert_eq!(upk(&["make", &source, "--check"]).exits(0).out, "Mine: 1 class, 0 errors\n");
    let wrong = THING.replace("return 2", "return Tow()");
    folder.write("Mine/Classes/Thing.uc", wrong);
    let run = upk(&["make", &source, "--check"]).exits(1);
    assert!(run.out.contains("Thing.uc:7:9: error: no function 'Tow'"), "{run:?}");
    assert!(run.out.contains("did you mean 'Two'?"), "{run:?}");
    upk(&["make", &source, "-o", &folder.arg("Other.u")]).exits(1);
    assert_eq!(folder.names(), ["Mine", "Mine.u"]);
}

/// The compiler leaves C++ and default values out of the text that it keeps, and errors count lines of the file.
#[test]
fn errors_behind_blocks_that_are_left_out_name_the_lines_of_the_file() {
    let folder = Folder::new();
    let text = "class Thing extends Object\n\tnative;\n\ncpptext\n{\n\tint A;\n\tint B;\n}\n\nfunction F()\n{\n\tWrong();\n}\n\n\
                defaultproperties\n{\n}\n\nfunction G()\n{\n\tBad();\n}\n";
    folder.write("Mine/Thing.uc", text);
    for profile in ["ut436", "ut2004", "udk"] {
        let args = ["make", &folder.arg("Mine"), "--check", "--profile", profile, "--json"];
        let run = upk(&args).exits(1).json();
        let places: Vec<_> =
            run.iter().filter(|it| it["kind"] == "error").map(|it| &it["line"]).collect();
        assert_eq!(places, [&12, &21], "{profile}: {run:?}");
    }
}

/// What a package's own `Globals.uci` and that of Core define counts in all classes of UE3; `--debug` defines one more.
#[test]
fn macros_of_ue3_come_from_the_files_of_the_package_and_of_core() {
    let folder = Folder::new();
    folder.write("Src/Core/Globals.uci", "`define two 2\n`define three 2\n");
    folder.write("Src/Mine/Globals.uci", "`define three 3\n`include(Mine/More.uci)\n");
    folder.write("Src/Mine/More.uci", "`define four 4\n");
    folder.write("Outside.uci", "`define five 5\n");
    let text = "class Thing extends Object;\nvar int A[`two], B[`three], C[`four];\n`if(`isdefined(debug))\nvar int D;\n`endif\n\
                function F()\n{\n\tA[0] = `four;\n}\n";
    folder.write("Src/Mine/Classes/Thing.uc", text);
    let (source, made) = (folder.arg("Src/Mine"), folder.arg("Mine.u"));
    let args = ["make", &source, "-o", &made, "--profile", "udk", "--overwrite"];
    upk(&args).exits(0);
    let listed = folder.run("source", "Mine.u", &["-o", "-"]).exits(0).out;
    assert!(
        listed.contains("var int A[2], B[3], C[4];") && !listed.contains("var int D"),
        "{listed}"
    );
    assert!(listed.contains("A[0] = 4;"), "{listed}");
    upk(&args.into_iter().chain(["--debug"]).collect::<Vec<_>>()).exits(0);
    let listed = folder.run("source", "Mine.u", &["-o", "-"]).exits(0).out;
    assert!(listed.contains("var int D;"), "{listed}");
    folder.run("verify", "Mine.u", &[]).exits(0);
    // Places are those of the file, and nothing is read from outside of the sources.
    let wrong = text
        .replace("= `four;", "= `four; B[0] = Wrong;")
        .replace("var int A", "`include(../Outside.uci)\nvar int A");
    folder.write("Src/Mine/Classes/Thing.uc", wrong);
    let run = upk(&["make", &source, "--check", "--profile", "udk"]).exits(1);
    assert!(
        run.out.contains("Thing.uc:2:1: error: the file '../Outside.uci' is not at hand"),
        "{run:?}"
    );
    assert!(run.out.contains("Thing.uc:9:23: error: no variable 'Wrong'"), "{run:?}");
    assert!(
        run.out.contains("\n    \tA[0] = `four; B[0] = Wrong;\n    \t                     ^^^^^\n"),
        "{run:?}"
    );
}

/// Errors are shown line by line, with a mark below the place, where one function is replaced as well.
#[test]
fn code_that_is_wrong_is_shown_with_its_line() {
    let folder = with_thing();
    let made = folder.arg("Mine.u");
    upk(&["make", &folder.arg("Mine"), "-o", &made]).exits(0);
    folder.write("Two.uc", "function int Two()\n{\n\treturn Wrong;\n}\n");
    let args = ["set-code", &made, "Thing.Two", &folder.arg("Two.uc"), "--in-place"];
    let run = upk(&args).exits(1);
    assert!(run.err.contains("Two.uc has 1 error\n"), "{run:?}");
    assert!(run.err.contains("\n      \treturn Wrong;\n      \t       ^^^^^\n"), "{run:?}");
    assert!(run.err.contains("next: correct the text"), "{run:?}");
}

/// A game whose packages build on each other: `[EditPackages]` gives their order.
fn game() -> Folder {
    let folder = Folder::new();
    let ini = "[Core.System]\r\nPaths=..\\System\\*.u\r\n[Editor.EditorEngine]\r\nEditPackages=Root\r\nEditPackages=Leaf\r\n";
    folder.write("System/UnrealTournament.ini", ini);
    let root = "class RootThing extends Object;\n\nfunction int Two()\n{\n\treturn 2;\n}\n";
    folder.write("Root/Classes/RootThing.uc", root);
    let leaf = "class LeafThing extends RootThing;\n\nfunction int Four()\n{\n\treturn Two() + Two();\n}\n";
    folder.write("Leaf/Classes/LeafThing.uc", leaf.replace("Two() + Two()", "Two()"));
    folder
}

#[test]
fn packages_of_a_game_are_made_in_its_order_where_they_are_missing_or_older() {
    let folder = game();
    let source = folder.arg(".");
    let made = |args: &[&str]| {
        let all: Vec<&str> =
            ["make", &source, "--json"].into_iter().chain(args.iter().copied()).collect();
        let reports = upk(&all).exits(0).json();
        reports.iter().map(|it| it["package"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(made(&[]), ["Root", "Leaf"]);
    for name in ["System/Root.u", "System/Leaf.u"] {
        folder.run("verify", name, &[]).exits(0);
    }
    let leaf = folder.open("System/Leaf.u");
    assert!(
        (0..leaf.imports().len()).any(|row| {
            leaf.path(unreal_packages::PackageIndex::import(row)) == "Root.RootThing"
        })
    );
    // All is newer than its classes.
    assert_eq!(made(&["--overwrite"]), Vec::<String>::new());
    let later = std::time::SystemTime::now() + Duration::from_secs(60);
    let class = std::fs::File::options().write(true).open(folder.path("Leaf/Classes/LeafThing.uc"));
    class.unwrap().set_modified(later).unwrap();
    // What is there is replaced only where that was asked for.
    upk(&["make", &source]).exits(2);
    assert_eq!(made(&["--overwrite"]), ["Leaf"]);
}

#[test]
fn a_release_is_conformed_as_it_is_made() {
    let folder = with_thing();
    let (source, old, new) =
        (folder.arg("Mine"), folder.arg("Old/Mine.u"), folder.arg("New/Mine.u"));
    std::fs::create_dir_all(folder.path("Old")).unwrap();
    std::fs::create_dir_all(folder.path("New")).unwrap();
    upk(&["make", &source, "-o", &old]).exits(0);
    folder.write("Mine/Classes/Other.uc", "class Other extends Thing;\n\nvar int More;\n");
    upk(&["make", &source, "-o", &new]).exits(0);
    upk(&["check", &new, "--against", &old]).exits(1);
    upk(&["make", &source, "-o", &new, "--conform-to", &old, "--overwrite"]).exits(0);
    let run = upk(&["check", &new, "--against", &old]).exits(0);
    assert!(run.out.contains("conforms: 2 generations"), "{run:?}");
    upk(&["verify", &new]).exits(0);
    upk(&["make", &source, "-o", &new, "--conform-to", &old, "--like", &old]).exits(2);
}

/// A run that does not end of itself, and the lines that it says.
struct Running(Child, Receiver<String>);

impl Running {
    fn new(args: &[&str]) -> Self {
        let mut child =
            command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self(child, lines)
    }

    /// The lines up to the one that says that it waits.
    fn round(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.1.recv_timeout(Duration::from_secs(60)).unwrap();
            if line.starts_with("waiting for changes") {
                return lines;
            }
            lines.push(line);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_is_made_again_when_a_class_is_saved() {
    let folder = with_thing();
    let (source, made) = (folder.arg("Mine"), folder.arg("Mine.u"));
    let running = Running::new(&["make", &source, "-o", &made, "--watch"]);
    let first = running.round();
    assert!(first[0].starts_with("Mine: 1 class, "), "{first:?}");
    let before = folder.read("Mine.u");
    // An error is said, and what was made stays.
    folder.write("Mine/Classes/Thing.uc", THING.replace("return 2", "return Wrong()"));
    let second = running.round();
    assert!(second[0].contains("Thing.uc:7:9: error"), "{second:?}");
    assert_eq!(folder.read("Mine.u"), before);
    // Mended, with a class more.
    folder.write("Mine/Classes/Other.uc", "class Other extends Thing;\n");
    folder.write("Mine/Classes/Thing.uc", THING);
    let mut last = running.round();
    if !last[0].starts_with("Mine: 2 classes") {
        // The two files were not seen at once.
        last = running.round();
    }
    assert!(last[0].starts_with("Mine: 2 classes"), "{last:?}");
    drop(running);
    folder.run("verify", "Mine.u", &[]).exits(0);
}
