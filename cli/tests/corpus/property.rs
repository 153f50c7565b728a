//! `upk get`, `upk set` and `upk diff` on a map of Unreal Tournament.

use crate::common::{Folder, upk};
use crate::folders::corpus;

pub fn real_properties_are_set() {
    let folder = Folder::new();
    let out = folder.arg("Out.unr");
    let map = corpus().join("classic/69_0_DM-DuckingZone.unr");
    let map = map.to_str().unwrap();
    let list = upk(&["list", map, "--json"]).exits(0);
    let light = list.json().into_iter().find_map(|row| {
        let class = row["class"].as_str()? == "Engine.Light";
        class.then(|| row["path"].as_str().map(str::to_owned)).flatten()
    });
    let light = light.expect("a light");
    let set = format!("{light}.LightBrightness=99");
    let run = upk(&["set", map, &set, "--type", "byte", "-o", &out]).exits(0);
    assert!(run.out.contains("LightBrightness: 99"), "{run:?}");
    let run = upk(&["get", &out, &format!("{light}.LightBrightness")]).exits(0);
    assert_eq!(run.out, "LightBrightness=99\n");
    let run = upk(&["diff", map, &out]).exits(1);
    assert!(
        run.out.contains("0 objects added, 0 removed, 0 renamed, 1 changed, 0 fields"),
        "{run:?}"
    );
}
