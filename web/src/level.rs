//! A level seen from above.

use std::collections::HashSet;

use serde::Serialize;
use unreal_packages::inspect::{LevelMap, MapActor, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageIndex;

use crate::answer::Answer;
use crate::failure::Result;

/// Whether a package has a level: what names its class says so, which costs no body.
pub(crate) fn is_in(package: &Package) -> bool {
    // There are far fewer classes than objects.
    let classes: HashSet<PackageIndex> =
        package.tables().exports.iter().map(|export| export.class_index).collect();
    classes.into_iter().any(|class| package.object_name(class).ends_with("Level"))
}

/// Where the actors of its levels stand: classes by their place in one list, coordinates in Unreal's units.
#[derive(Serialize)]
struct Seen<'m> {
    classes: Vec<&'m str>,
    actors: Vec<Actor<'m>>,
    paths: Vec<[usize; 2]>,
}

/// Row, path, class, place, use as a brush, outline.
#[derive(Serialize)]
struct Actor<'m>(
    usize,
    &'m str,
    usize,
    Option<[f64; 3]>,
    Option<&'static str>,
    &'m [Vec<[f64; 2]>],
);

/// A package's levels as the page draws them.
pub(crate) fn map(package: &Package) -> Result<Answer> {
    let LevelMap { actors, paths } = package.values().level_map()?;
    let mut classes: Vec<_> = actors.iter().map(|actor| &*actor.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let class_of = |actor: &MapActor| classes.binary_search(&&*actor.class).unwrap_or_default();
    let use_of = |actor: &MapActor| actor.brush.map(|usage| usage.name());
    let seen = actors
        .iter()
        .map(|it| Actor(it.row, &it.path, class_of(it), it.place, use_of(it), &it.outline));
    let seen = seen.collect();
    let paths = paths.iter().map(|path| [path.from, path.to]).collect();
    Answer::written(&Seen { actors: seen, paths, classes })
}
