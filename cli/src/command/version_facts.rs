//! What a package says of its versions, as `upk info` and `upk report` give it to scripts.

use serde_json::{Map, Value, json};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

/// Engine, versions, byte order, game, release and flags: nothing of its content.
pub fn version_facts(package: &Package) -> Map<String, Value> {
    let (versions, summary) = (package.versions(), package.summary());
    let engine = versions.engine();
    let facts = [
        ("engine", json!(engine.to_string())),
        ("file_version", json!(versions.file())),
        ("licensee_version", json!(versions.licensee())),
        ("ue4", json!(versions.ue4())),
        ("ue5", json!(versions.ue5())),
        ("byte_order", json!(if versions.byte_order.is_big() { "big" } else { "little" })),
        ("game", json!(versions.game().slug())),
        ("release", json!(versions.release())),
        ("unversioned", json!(summary.versions.unversioned())),
        (
            "flags",
            json!({ "value": summary.package_flags.0, "names": summary.package_flags.names(engine) }),
        ),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
