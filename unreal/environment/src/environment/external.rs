//! What belongs to another object or to the editor alone, so that its absence or privacy is no fault.

use std::collections::{HashMap, HashSet};

/// Folders of packages of one actor each, below that of the content.
const FOLDERS: [&str; 2] = ["/__ExternalActors__/", "/__ExternalObjects__/"];

/// Whether a package holds an actor or object of a map: it and the level around it refer to one another, though
/// both are public to nobody else.
#[doc(hidden)]
pub fn is_part_of_a_map(package: &str) -> bool {
    FOLDERS.iter().any(|folder| {
        package
            .as_bytes()
            .windows(folder.len())
            .any(|part| part.eq_ignore_ascii_case(folder.as_bytes()))
    })
}

/// Names that the editor gives to classes of its own, which no file has: those that it compiles a blueprint to while
/// it is edited, and those that a compilation has replaced.
const OF_THE_EDITOR: [&str; 4] = ["SKEL_", "REINST_", "TRASHCLASS_", "HOTRELOADED_"];

/// Whether a path within a package leads through an object that the editor makes anew whenever it loads the package.
#[doc(hidden)]
pub fn is_of_the_editor(object: &str) -> bool {
    object.split(['.', ':']).any(|name| {
        let name = name
            .get(..9)
            .filter(|it| it.eq_ignore_ascii_case("Default__"))
            .map_or(name, |_| &name[9..]);
        OF_THE_EDITOR.iter().any(|prefix| {
            name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
        })
    })
}

/// Whether objects within one of this class come and go with each edit, and are referred to by what the editor keeps
/// for itself, such as the graphs that were open: nodes of a blueprint's graphs, and the functions of its class, which
/// a compilation makes anew.
#[doc(hidden)]
pub fn is_made_anew(class: &str) -> bool {
    let class = class.rsplit('.').next().unwrap_or(class);
    let ends = |end: &str| {
        class
            .len()
            .checked_sub(end.len())
            .and_then(|at| class.get(at..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    ends("Blueprint") || ends("BlueprintGeneratedClass")
}

/// What a package called `name` was called before it was moved or copied, in lower case: packages of the same last name
/// in another folder of which it refers only to what was within it. The editor keeps such paths for itself, of graphs that
/// were open say, until the next edit. `soft` are all its soft references, each a package and an object there.
#[doc(hidden)]
pub fn former_selves<'a>(
    name: &str,
    soft: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> HashSet<String> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let (own, class) = (last(name), last(name) + "_c");
    let is_within = |object: &str| {
        object.contains(':') || is_of_the_editor(object) || object.to_ascii_lowercase() == class
    };
    let mut found: HashMap<String, bool> = HashMap::new();
    for (package, object) in soft {
        if !object.is_empty() && last(package) == own {
            *found.entry(package.to_ascii_lowercase()).or_insert(true) &= is_within(object);
        }
    }
    found.into_iter().filter_map(|(package, is_former)| is_former.then_some(package)).collect()
}

/// The map that a package of one actor or object belongs to, in lower case.
#[doc(hidden)]
pub fn map_of(package: &str) -> Option<String> {
    let lower = package.to_ascii_lowercase();
    let (root, rest) =
        FOLDERS.iter().find_map(|folder| lower.split_once(&folder.to_ascii_lowercase()))?;
    // Behind the map two folders and the file, all of them hashes.
    let mut parts: Vec<&str> = rest.split('/').collect();
    parts.truncate(parts.len().checked_sub(3)?);
    Some(format!("{root}/{}", parts.join("/")))
}
