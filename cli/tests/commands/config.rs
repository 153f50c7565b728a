//! `upk config`.

use crate::common::{Folder, upk};

#[test]
fn it_says_what_counts_and_from_where() {
    let folder = Folder::new();
    folder.write("Game/My.uproject", "{}");
    folder.write("Game/Content/Inner/A.txt", "");
    folder.write("Game/Base/A.txt", "");
    let key = "0123456789abcdef0123456789abcdef";
    folder.write(
        "Game/upk.toml",
        format!(
            "engine = \"5.4\"\nmappings = \"Game.usmap\"\nenv = [\"Base\"]\nkeys = [\"{key}\"]\n"
        ),
    );
    let inner = folder.arg("Game/Content/Inner");
    // What it names is not there.
    let run = upk(&["config", &inner]).exits(1);
    assert!(run.out.contains("Game.usmap (not there)"), "{run:?}");
    assert!(
        run.out.contains("  engine    5.4\n") && run.out.contains("  keys      1 key\n"),
        "{run:?}"
    );
    assert!(!run.out.contains(key), "{run:?}");
    folder.write("Game/Game.usmap", "");
    let found = upk(&["config", &inner, "--json"]).exits(0).object();
    assert!(found["file"].as_str().unwrap().ends_with("upk.toml"), "{found}");
    assert_eq!(found["searched"].as_array().unwrap().len(), 3);
    assert_eq!(found["takes_effect"]["engine"], "5.4");
    assert_eq!(found["takes_effect"]["keys"], 1);
    assert_eq!(found["trusts_all"], false);
    let trusting = upk(&["config", &inner, "--json", "--trust-config"]).exits(0).object();
    assert_eq!(trusting["trusts_all"], true);
    let run = upk(&["config", &folder.arg("Game/Base")]).exits(0);
    assert!(run.out.contains("the nearest file counts"), "{run:?}");
}

#[test]
fn a_file_that_is_wrong_is_said() {
    let folder = Folder::new();
    folder.write("A/My.uproject", "{}");
    let run = upk(&["config", &folder.arg("A")]).exits(0);
    assert!(run.out.starts_with("no upk.toml counts here\n"), "{run:?}");
    assert!(run.out.contains(".uproject"), "{run:?}");
    for (text, says) in [("engin = 1", "engin"), ("env = [\"/\"]", "leads out of its folder")] {
        folder.write("A/upk.toml", text);
        let run = upk(&["config", &folder.arg("A")]).exits(1);
        assert!(run.out.starts_with("wrong: ") && run.out.contains(says), "{run:?}");
        let found = upk(&["config", &folder.arg("A"), "--json"]).exits(1).object();
        assert!(found["error"].as_str().unwrap().contains(says), "{found}");
    }
    upk(&["config", &folder.arg("missing")]).exits(2);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_not_trusted_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let file = folder.write("A/upk.toml", "engine = \"5.4\"");
    std::fs::set_permissions(file, PermissionsExt::from_mode(0o666)).unwrap();
    let found = upk(&["config", &folder.arg("A"), "--json"]).exits(1).object();
    assert_eq!(found["file"], serde_json::Value::Null);
    assert_eq!(found["not_used"][0]["reason"], "anybody may write to it (chmod o-w)");
}
