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

/// Where the actors of its levels stand: what is no number. Of a list for each actor, or of numbers as text, the page would
/// keep several times as much.
#[derive(Serialize)]
struct Seen<'m> {
    classes: Vec<&'m str>,
    /// The paths of all actors, one behind the other.
    names: String,
    unplaced: Vec<usize>,
    /// Of those that have one: which it is, its use, its outline.
    brushes: Vec<(usize, Option<&'static str>, &'m [Vec<[f64; 2]>])>,
    paths: Vec<[usize; 2]>,
}

/// A package's levels as the page draws them. The bytes are numbers of each actor, in lists: three coordinates as eight
/// bytes each, in Unreal's units (zeros for those of `unplaced`); then as four bytes each the rows, the places of the
/// classes in the list of them, and where the paths end in the text, in units of UTF-16.
pub(crate) fn map(package: &Package) -> Result<Answer> {
    let LevelMap { actors, paths } = package.values().level_map()?;
    let mut classes: Vec<_> = actors.iter().map(|actor| &*actor.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let class_of = |actor: &MapActor| classes.binary_search(&&*actor.class).unwrap_or_default();
    let mut bytes = Vec::with_capacity(actors.len() * (3 * 8 + 3 * 4));
    for place in actors.iter().flat_map(|it| it.place.unwrap_or_default()) {
        bytes.extend_from_slice(&place.to_le_bytes());
    }
    let mut put = |number: usize| bytes.extend_from_slice(&(number as u32).to_le_bytes());
    actors.iter().for_each(|it| put(it.row));
    actors.iter().for_each(|it| put(class_of(it)));
    let (mut names, mut end) = (String::new(), 0);
    for actor in &actors {
        names.push_str(&actor.path);
        end += actor.path.encode_utf16().count();
        put(end);
    }
    let brushes = actors.iter().enumerate();
    let brushes = brushes.filter(|(_, it)| it.brush.is_some() || !it.outline.is_empty());
    let brushes =
        brushes.map(|(at, it)| (at, it.brush.map(|usage| usage.name()), it.outline.as_slice()));
    let unplaced = actors.iter().enumerate().filter(|(_, it)| it.place.is_none());
    let seen = Answer::written(&Seen {
        names,
        unplaced: unplaced.map(|(at, _)| at).collect(),
        brushes: brushes.collect(),
        paths: paths.iter().map(|path| [path.from, path.to]).collect(),
        classes,
    })?;
    Ok(Answer { bytes, ..seen })
}
