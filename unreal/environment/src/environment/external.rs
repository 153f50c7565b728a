//! Packages of one actor each, which belong to a map.

/// Folders of such packages, below that of the content.
const FOLDERS: [&str; 2] = ["/__ExternalActors__/", "/__ExternalObjects__/"];

/// Whether a package holds an actor or object of a map: it refers to the level around it, which is public to nobody
/// else.
#[doc(hidden)]
pub fn is_part_of_a_map(package: &str) -> bool {
    FOLDERS.iter().any(|folder| {
        package
            .as_bytes()
            .windows(folder.len())
            .any(|part| part.eq_ignore_ascii_case(folder.as_bytes()))
    })
}
