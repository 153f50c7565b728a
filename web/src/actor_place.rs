//! The property that stores an actor's location.

use serde_json::{Value, json};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::failure::{Failure, Result};

/// The object and property that store an actor's location in the world: from UE4 on of its root component, which must
/// not be attached to another one.
pub(crate) fn of(package: &Package, row: usize) -> Result<Value> {
    let values = package.values();
    // A location that is not stored yet must be given whole.
    let stored = |row: usize, property: &str| {
        let is_stored = values.stored_property(row, property).is_ok();
        let object = package.exports().path(row);
        json!({ "object": object, "property": property, "stored": is_stored })
    };
    if !package.versions().has_soft_references() {
        return Ok(stored(row, "Location"));
    }
    let Some(root) = values.object_at(row, "RootComponent") else {
        let path = package.exports().path(row);
        let next = "Its class has the place.";
        return Err(Failure::new(format!("{path} has no root component here"), next));
    };
    if values.object_at(root, "AttachParent").is_some() {
        let path = package.exports().path(root);
        let next = "Change the RelativeLocation in its properties.";
        let text =
            format!("{path} is attached to another component: its location is relative to that");
        return Err(Failure::new(text, next));
    }
    Ok(stored(root, "RelativeLocation"))
}
