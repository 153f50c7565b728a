//! `upk report`: that nothing of a package is in it.

use unreal_packages::generate::Builder;

use crate::common::{Folder, upk};

/// A package whose every name and text begins with `Secret`, but for classes.
fn secret(folder: &Folder) {
    let builder = Builder::new(69).name("SecretName").name("secretword");
    let builder = builder.export("SecretGroup", "Core.Package", []);
    let builder =
        builder.export("SecretGroup.SecretText", "Core.TextBuffer", *b"\0secret lines of text");
    let builder = builder.export("SecretLight", "SecretMod.Oddity", *b"\x7f\x7f\x7fsecret bytes");
    folder.write("SecretFile.u", builder.build().unwrap());
    let file = folder.arg("SecretFile.u");
    let values = ["SecretLamp", "Engine.Light", "SecretTitle:string=secret value"];
    upk(&[&["add", &file][..], &values, &["--in-place", "--no-backup"]].concat()).exits(0);
}

#[track_caller]
fn report(folder: &Folder, name: &str) -> (serde_json::Value, String) {
    let out = folder.arg("report.json");
    folder.run("report", name, &["-o", &out, "--overwrite"]).exits(0);
    let text = String::from_utf8(folder.read("report.json")).unwrap();
    assert!(!text.to_lowercase().contains("secret"), "{text}");
    let folder = folder.path("").display().to_string();
    assert!(!text.contains(folder.trim_end_matches('/')), "{text}");
    (serde_json::from_str(&text).unwrap(), text)
}

#[test]
fn it_has_counts_and_classes_alone() {
    let folder = Folder::new();
    secret(&folder);
    let (found, _) = report(&folder, "SecretFile.u");
    assert_eq!(found["header"]["file_version"], 69);
    assert_eq!(found["header"]["exports"], 4);
    assert_eq!(found["file"]["extension"], "u");
    assert_eq!(found["verify"]["status"], "identical");
    assert_eq!(found["classes"]["TextBuffer"]["exports"], 1);
    let opaque = &found["not_decoded"][0];
    assert_eq!(opaque["class"], "Oddity", "{found}");
    assert!(opaque["bytes"].as_u64().unwrap() > 0 && opaque["reason"].is_string(), "{found}");
}

#[test]
fn damaged_packages_say_no_more() {
    let folder = Folder::new();
    secret(&folder);
    let whole = folder.read("SecretFile.u");
    for end in (0..whole.len()).step_by(13) {
        folder.write("SecretCut.u", &whole[..end]);
        report(&folder, "SecretCut.u");
    }
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        folder.write("SecretBent.u", bytes);
        let out = folder.arg("report.json");
        folder.run("report", "SecretBent.u", &["-o", &out, "--overwrite"]).exits(0);
        let text = String::from_utf8(folder.read("report.json")).unwrap().to_lowercase();
        // A changed name of a class may begin with the letters of another name.
        let classes = serde_json::from_str::<serde_json::Value>(&text).unwrap();
        let classes =
            classes["classes"].as_object().map(|it| it.keys().cloned().collect::<Vec<_>>());
        let named = classes.unwrap_or_default().join(" ").contains("secret");
        assert!(named || !text.contains("secret"), "{at}: {text}");
    }
    folder.write("SecretFile.txt", "secret words, no package");
    let (found, _) = report(&folder, "SecretFile.txt");
    assert_eq!(found["error"]["kind"], "NotAPackage", "{found}");
    assert_eq!(found["file"]["extension"], serde_json::Value::Null);
}

#[test]
fn containers_name_nothing_that_is_in_them() {
    let folder = Folder::new();
    folder.write("in/secretclient/boss_room/secret_plan.ini", "secret words ".repeat(40));
    let out = folder.arg("Game_P.pak");
    folder.run("pack", "in", &["-o", &out]).exits(0);
    let whole = folder.read("Game_P.pak");
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        folder.write("Bent.pak", bytes);
        let (found, text) = report(&folder, "Bent.pak");
        assert!(!text.contains("boss") && !text.contains("plan"), "{text}");
        assert!(found["verify"]["status"].is_string(), "{text}");
    }
}

#[test]
fn what_is_not_there_is_wrong_usage() {
    let folder = Folder::new();
    let out = folder.arg("report.json");
    folder.run("report", "Missing.u", &["-o", &out]).exits(2);
    assert!(folder.names().is_empty());
}
