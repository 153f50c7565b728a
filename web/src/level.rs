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

/// Where the actors of its levels stand, in lists of what each of them has: of a list for each actor the page would keep
/// five times as much. Coordinates are in Unreal's units.
#[derive(Serialize)]
struct Seen<'m> {
    classes: Vec<&'m str>,
    rows: Vec<usize>,
    names: Vec<&'m str>,
    /// The class of each, by its place in the list of them.
    kinds: Vec<usize>,
    /// Three coordinates each; zeros for those of `unplaced`.
    places: Vec<f64>,
    unplaced: Vec<usize>,
    /// Of those that have one: which it is, its use, its outline.
    brushes: Vec<(usize, Option<&'static str>, &'m [Vec<[f64; 2]>])>,
    paths: Vec<[usize; 2]>,
}

/// A package's levels as the page draws them.
pub(crate) fn map(package: &Package) -> Result<Answer> {
    let LevelMap { actors, paths } = package.values().level_map()?;
    let mut classes: Vec<_> = actors.iter().map(|actor| &*actor.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let class_of = |actor: &MapActor| classes.binary_search(&&*actor.class).unwrap_or_default();
    let brushes = actors.iter().enumerate();
    let brushes = brushes.filter(|(_, it)| it.brush.is_some() || !it.outline.is_empty());
    let brushes =
        brushes.map(|(at, it)| (at, it.brush.map(|usage| usage.name()), it.outline.as_slice()));
    let unplaced = actors.iter().enumerate().filter(|(_, it)| it.place.is_none());
    Answer::written(&Seen {
        rows: actors.iter().map(|it| it.row).collect(),
        names: actors.iter().map(|it| &*it.path).collect(),
        kinds: actors.iter().map(class_of).collect(),
        places: actors.iter().flat_map(|it| it.place.unwrap_or_default()).collect(),
        unplaced: unplaced.map(|(at, _)| at).collect(),
        brushes: brushes.collect(),
        paths: paths.iter().map(|path| [path.from, path.to]).collect(),
        classes,
    })
}
