//! `upk classes` and `upk check-layout` on real packages.

use std::path::Path;

use crate::common::upk;
use crate::folders::corpus;

pub fn classes_of_real_packages_are_shown_and_compared() {
    let path = |name: &str| corpus().join(name).to_str().unwrap().to_owned();
    let core = path("classic/868_0_Core.u");
    let run = upk(&["classes", &core, "Object"]).exits(0);
    assert!(run.out.contains("native, 60 bytes"), "{run:?}");
    assert!(run.out.contains("Native | NoExport (0x193)"), "{run:?}");
    let (old, new) = (path("conform/UWindow_gen15.u"), path("conform/UWindow_gen24.u"));
    let run = upk(&["check-layout", &old, &new]).exits(0);
    assert!(run.out.contains("added History: string[32]"), "{run:?}");
    upk(&["check-layout", &old, &old]).exits(0);
    upk(&["classes", &core, "NoSuchClass"]).exits(1);
    let run = upk(&["classes", &core, "Objekt"]).exits(1);
    assert!(run.err.contains("did you mean 868_0_Core.Object?"), "{run:?}");
    // A byte with an enum says which, and the enum is found by the path that lists show.
    let engine = path("classic/69_0_TestUC1.u");
    let run = upk(&["classes", &engine, "DefaultProperties"]).exits(0);
    let typed = |name: &str| {
        let mut lines = run.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines.find(|words| words.get(2) == Some(&name)).map(|words| words[3].to_owned())
    };
    assert_eq!(typed("Enum").as_deref(), Some("69_0_TestUC1.DefaultProperties.EEnum"));
    assert_eq!(typed("Byte").as_deref(), Some("byte"));
    let list = upk(&["list", &engine, "--json"]).exits(0).json();
    let listed = list.iter().find(|row| row["class"] == "Core.Enum").unwrap();
    let run = upk(&["classes", &engine, listed["path"].as_str().unwrap()]).exits(0);
    assert!(run.out.starts_with("enum 69_0_TestUC1.DefaultProperties.EEnum\n"), "{run:?}");
    assert!(Path::new(&core).exists());
}
