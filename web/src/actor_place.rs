//! Where an actor's place is stored.

use serde_json::{Value, json};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::failure::{Failure, Result};

/// The object and the property that say where an actor stands in the world: from UE4 on that of its root component,
/// as long as it hangs on no other one.
pub(crate) fn of(package: &Package, row: usize) -> Result<Value> {
    let values = package.values();
    if !package.versions().has_soft_references() {
        return Ok(json!({ "object": package.exports().path(row), "property": "Location" }));
    }
    let Some(root) = values.object_at(row, "RootComponent") else {
        let path = package.exports().path(row);
        let next = "Its class has the place.";
        return Err(Failure::new(format!("{path} has no root component here"), next));
    };
    let path = package.exports().path(root);
    if values.object_at(root, "AttachParent").is_some() {
        let next = "Change the RelativeLocation in its properties.";
        let text = format!("{path} hangs on another component: its place is relative to that");
        return Err(Failure::new(text, next));
    }
    Ok(json!({ "object": path, "property": "RelativeLocation" }))
}
