//! Files of edits: variables, groups, conditions, folders and runs.

use serde_json::{Value, json};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;

use crate::common::{Folder, Run, upk};

/// A package with lights of these radii; each stores it as a byte.
fn lights(radii: &[u8]) -> Vec<u8> {
    let mut builder = Builder::new(69).name("None").name("LightRadius");
    for (at, radius) in radii.iter().enumerate() {
        // The name, a byte of one byte, the value; the end of the list.
        let body = vec![1, 0x01, *radius, 0];
        builder = builder.export(format!("Light{at}"), "Engine.Light", body);
    }
    builder.build().unwrap()
}

fn radii(folder: &Folder, file: &str) -> Vec<String> {
    let package = folder.open(file);
    let radius = |row: usize| {
        package
            .values()
            .property(&format!("#{row}"), "LightRadius")
            .map_or_else(|_| "none".to_owned(), |value| value.text)
    };
    (0..package.exports().len()).map(radius).collect()
}

fn edit(folder: &Folder, script: &str, rest: &[&str]) -> Run {
    folder.write("edits.txt", script);
    let script = folder.arg("edits.txt");
    let args: Vec<&str> = ["edit", &script].into_iter().chain(rest.iter().copied()).collect();
    upk(&args)
}

#[test]
fn variables_have_the_values_of_the_file_or_of_the_command_line() {
    let folder = Folder::new();
    folder.write("Map.unr", lights(&[1, 2]));
    let map = folder.arg("Map.unr");
    let script = "let R = 8\nlet LAMP = Light\nset ${LAMP}1.LightRadius=$R\n";
    edit(&folder, script, &[&map, "--in-place"]).exits(0);
    assert_eq!(radii(&folder, "Map.unr"), ["1", "8"]);
    edit(&folder, script, &[&map, "--in-place", "--let", "R=9"]).exits(0);
    assert_eq!(radii(&folder, "Map.unr"), ["1", "9"]);
    for (script, more, said) in [
        ("set Light1.LightRadius=$R", None, "line 1: '$R' has no value"),
        ("set Light1.LightRadius=4", Some("R=5"), "has no $R"),
        ("let 5 = 4", None, "can't be called '5'"),
        ("set $OBJECT.LightRadius=4", None, "only within 'for"),
    ] {
        let more: Vec<&str> = more.map_or(vec![], |it| vec!["--let", it]);
        let run = edit(&folder, script, &[&[map.as_str(), "--in-place"], &more[..]].concat());
        assert!(run.code == 2 && run.err.contains(said), "{script}: {run:?}");
    }
    assert_eq!(radii(&folder, "Map.unr"), ["1", "9"]);
}

#[test]
fn a_group_is_done_with_each_object_that_fits() {
    let folder = Folder::new();
    folder.write("Map.unr", lights(&[1, 20, 30]));
    let map = folder.arg("Map.unr");
    let script = "for 'Light*' --where 'class==Light && LightRadius>10' {\n\
                  set $OBJECT.LightRadius=7\n  duplicate $OBJECT ${NAME}Copy\n}\n";
    let report = edit(&folder, script, &[&map, "--in-place", "--json"]).exits(0).object();
    assert_eq!(report["change"]["edits"].as_array().unwrap().len(), 4);
    // What the group adds is none of its objects: they are chosen before.
    assert_eq!(radii(&folder, "Map.unr"), ["1", "7", "7", "7", "7"]);
    assert!(folder.open("Map.unr").find_export("Light2Copy").is_ok());
    for (script, said) in [
        ("for 'Light*' {\nprune", "line 1: the group does not end"),
        ("}", "ends no group"),
        ("for 'Light*'\nprune\n}", "does not end in '{'"),
        ("for {\nprune\n}", "line 1"),
        ("for Light1 --where 'a<<b' {\nprune\n}", "line 1"),
        ("for Light1 {\nverify $OBJECT\n}", "line 2"),
    ] {
        let run = edit(&folder, script, &[&map, "--in-place"]);
        assert!(run.code == 2 && run.err.contains(said), "{script}: {run:?}");
    }
    // A line that fails says for which object.
    let run = edit(&folder, "for 'Light*' {\nremove ${NAME}No\n}", &[&map, "--in-place"]).exits(1);
    assert!(run.err.contains("line 2, Light0"), "{run:?}");
}

#[test]
fn a_package_that_is_not_as_expected_is_left_alone() {
    let folder = Folder::new();
    folder.write("Map.unr", lights(&[1, 20, 30]));
    let (map, before) = (folder.arg("Map.unr"), folder.read("Map.unr"));
    let script = |condition: &str| format!("set Light0.LightRadius=3\nexpect {condition}\n");
    for (condition, found) in [
        ("count(Light*) == 4", "line 2 expects count(Light*) == 4, but count(Light*) is 3"),
        ("count('Light*', LightRadius>10) < 2", "is 2"),
        ("count(LightRadius>25) != 1", "count(LightRadius>25) is 1"),
        ("Light1.LightRadius == 21", "Light1.LightRadius is 20"),
        // The line before has changed it.
        ("Light0.LightRadius == 1", "Light0.LightRadius is 3"),
        ("Light7.LightRadius == 1", "Light7"),
        ("Light1.class == Mover", "Light1.class is not Mover"),
        ("stored(Light1.Tag)", "not stored"),
        ("'count(Light*) > 9'", "is 3"),
    ] {
        let condition = condition.replace("'Light*'", "Light*");
        let run = edit(&folder, &script(&condition), &[&map, "--in-place"]).exits(1);
        assert!(run.out.contains("left alone") && run.out.contains(found), "{condition}: {run:?}");
        assert_eq!(folder.read("Map.unr"), before);
    }
    let args = [map.as_str(), "--in-place", "--json"];
    let report = edit(&folder, &script("count(Light*)==1"), &args).exits(1).object();
    assert_eq!(report["line"], 2);
    for condition in ["count(Light*", "count()", "1 +"] {
        let run = edit(&folder, &script(condition), &[&map, "--in-place"]);
        assert!(run.code == 2 && run.err.contains("line 2"), "{condition}: {run:?}");
    }
    let all =
        "count(Light*, class==Light && LightRadius<25) == 2 && Light1.LightRadius >= 20 # both";
    let report = edit(&folder, &script(all), &args).exits(0).object();
    assert_eq!(report["change"]["expectations_met"], 1);
    assert_eq!(radii(&folder, "Map.unr"), ["3", "20", "30"]);
}

/// Three maps in a folder and one below it, one of which has no lights, and a file that is no package.
fn maps() -> Folder {
    let folder = Folder::new();
    folder.write("Maps/One.unr", lights(&[1]));
    folder.write("Maps/Two.unr", lights(&[2, 2]));
    folder.write("Maps/More/Three.unr", lights(&[3]));
    folder.write("Maps/Dark.unr", lights(&[]));
    folder.write("Maps/readme.txt", "no package");
    folder
}

#[test]
fn folders_are_edited_and_come_back_as_a_whole() {
    let script = "expect count(Light*) > 0\nset 'Light*.LightRadius=9'\n";
    for jobs in ["1", "4"] {
        let folder = maps();
        let names = ["Maps/One.unr", "Maps/Two.unr", "Maps/More/Three.unr", "Maps/Dark.unr"];
        let before = names.map(|name| folder.read(name));
        let maps = folder.arg("Maps");
        let args = [maps.as_str(), "--in-place", "--json", "--jobs", jobs];
        let reports = edit(&folder, script, &args).exits(1).json();
        assert_eq!(reports.len(), 5, "{reports:?}");
        let summary = &reports[4]["summary"];
        let expected = json!({ "edited": 3, "same": 0, "left_alone": 1, "failed": 0, "partly": 0,
                               "dry_run": false, "run": "edits" });
        assert_eq!(*summary, expected);
        assert_eq!(radii(&folder, "Maps/Two.unr"), ["9", "9"]);
        assert_eq!(folder.read(names[3]), before[3]);
        // A later run has a name of its own, and the first one's packages are others then.
        let run = edit(&folder, "set 'Light*.LightRadius=5'", &[&maps, "--in-place"]).exits(1);
        assert!(run.out.contains("3 packages edited, 1 failed"), "{run:?}");
        assert!(run.out.contains("--run edits-2` brings them back"), "{run:?}");
        let listed = upk(&["restore", &maps, "--list"]).exits(0);
        assert_eq!(listed.out, "edits: 3 packages\nedits-2: 3 packages\n2 runs\n");
        let run = upk(&["restore", &maps, "--run", "edits"]).exits(1);
        assert_eq!(run.out.matches("left alone: it was changed since").count(), 3, "{run:?}");
        upk(&["restore", &maps, "--run", "edits-2", "--dry-run"]).exits(0);
        assert_eq!(radii(&folder, "Maps/One.unr"), ["5"]);
        upk(&["restore", &maps, "--run", "edits-2"]).exits(0);
        assert_eq!(radii(&folder, "Maps/One.unr"), ["9"]);
        let reports = upk(&["restore", &maps, "--run", "edits", "--json"]).exits(0).json();
        assert_eq!(reports.last().unwrap()["summary"]["brought_back"], 3);
        assert_eq!(names.map(|name| folder.read(name)), before);
        let run = upk(&["restore", &maps, "--run", "edits"]).exits(0);
        assert!(run.out.contains("0 packages brought back, 3 already"), "{run:?}");
        let run = upk(&["restore", &maps, "--run", "other"]).exits(1);
        assert!(run.err.contains("no run 'other'"), "{run:?}");
        upk(&["restore", &folder.arg("Maps/One.unr"), "--run", "edits"]).exits(2);
    }
}

#[test]
fn a_package_that_fails_does_not_stop_the_others() {
    let folder = maps();
    folder.write("Maps/Broken.unr", &lights(&[1])[..40]);
    let maps = folder.arg("Maps");
    let script = "set 'Light*.LightRadius=9'";
    let reports = edit(&folder, script, &[&maps, "--dry-run", "--json"]).exits(1).json();
    let summary = &reports.last().unwrap()["summary"];
    assert_eq!((&summary["edited"], &summary["failed"]), (&json!(3), &json!(2)));
    assert_eq!(summary["run"], Value::Null);
    let errors = reports.iter().filter(|report| report["error"].is_string());
    assert_eq!(errors.count(), 2, "{reports:?}");
    assert_eq!(radii(&folder, "Maps/One.unr"), ["1"]);
    // A run may be named, once.
    let one = folder.arg("Maps/One.unr");
    edit(&folder, script, &[&one, "--in-place", "--run", "night"]).exits(0);
    let run = edit(&folder, script, &[&maps, "--in-place", "--run", "night"]).exits(2);
    assert!(run.err.contains("has a run 'night' already"), "{run:?}");
    edit(&folder, script, &[&one, "--in-place", "--no-backup", "--run", "x"]).exits(2);
    // A list that names other places does nothing there.
    let list = std::fs::read_to_string(folder.path("Maps/night.upk-run")).unwrap();
    folder.write("Maps/More/night.upk-run", list.replace("One.unr", "../One.unr"));
    std::fs::remove_file(folder.path("Maps/night.upk-run")).unwrap();
    let run = upk(&["restore", &maps, "--run", "night"]).exits(0);
    assert!(run.out.starts_with("0 packages brought back"), "{run:?}");
    assert_eq!(radii(&folder, "Maps/One.unr"), ["9"]);
}

#[test]
fn commands_that_the_advice_for_folders_names_take_folders() {
    let folder = maps();
    let maps = folder.arg("Maps");
    let said = upk(&["info", &maps]).exits(2).err;
    let named = "`upk verify`, `doctor`, `grep`, `scan`, `maps` and `edit` take folders";
    assert!(said.contains(named), "{said}");
    upk(&["verify", &maps]).exits(0);
    upk(&["grep", "Light0", &maps]).exits(0);
    upk(&["scan", &maps, "-o", &folder.arg("Tables")]).exits(0);
    assert!(upk(&["doctor", &maps]).out.contains("packages"));
    assert!(upk(&["maps", &maps]).out.contains("maps,"));
    edit(&folder, "add-name Fresh", &[&maps, "--dry-run"]).exits(0);
    // A name that is taken: the advice shows those that are.
    let one = folder.arg("Maps/Two.unr");
    let said = upk(&["rename", &one, "Light0", "Light1", "--dry-run"]).exits(1).err;
    assert!(said.contains("choose another name: `upk list FILE` shows"), "{said}");
    assert!(upk(&["list", &one]).exits(0).out.contains("Light1"));
}

#[test]
fn lines_ask_classes_of_other_packages_for_their_defaults() {
    let folder = Folder::new();
    folder.write("Map.unr", lights(&[1]));
    folder.write("env/Engine.u", Builder::new(69).build().unwrap());
    let (map, env) = (folder.arg("Map.unr"), folder.arg("env"));
    for line in ["set 'Light*.LightRadius*=2'", "duplicate 'Light*' --where LightRadius==1"] {
        edit(&folder, &format!("{line} --env '{env}'"), &[&map, "--dry-run"]).exits(0);
        edit(&folder, line, &[&map, "--dry-run", "--env", &env]).exits(0);
    }
    let run = edit(&folder, "prune --env x", &[&map, "--dry-run"]).exits(2);
    assert!(run.err.contains("'--env' has no place in a line"), "{run:?}");
}
