//! A level seen from above.

use std::collections::HashSet;

use serde_json::{Value, json};
use unreal_packages::inspect::{LevelMap, MapActor, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageIndex;

use crate::failure::Result;

/// Whether a package has a level: what names its class says so, which costs no body.
pub(crate) fn is_in(package: &Package) -> bool {
    // There are far fewer classes than objects.
    let classes: HashSet<PackageIndex> =
        package.tables().exports.iter().map(|export| export.class_index).collect();
    classes.into_iter().any(|class| package.object_name(class).ends_with("Level"))
}

/// Where the actors of its levels stand: classes by their place in one list, coordinates in Unreal's units.
pub(crate) fn map(package: &Package) -> Result<Value> {
    let LevelMap { actors, paths } = package.values().level_map()?;
    let mut classes: Vec<String> = actors.iter().map(|actor| actor.class.clone()).collect();
    classes.sort();
    classes.dedup();
    let one = |actor: &MapActor| {
        let class = classes.binary_search(&actor.class).unwrap_or_default();
        let brush = actor.brush.map(|usage| usage.name());
        json!([actor.row, actor.path, class, actor.place, brush, actor.outline])
    };
    let actors: Vec<_> = actors.iter().map(one).collect();
    let paths: Vec<_> = paths.iter().map(|path| [path.from, path.to]).collect();
    Ok(json!({ "classes": classes, "actors": actors, "paths": paths }))
}
