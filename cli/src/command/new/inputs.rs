//! From files and folders to objects and groups.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use unreal_packages::file::Walk;

use crate::failure::Failure;
use crate::files::warn_of_left_out;
use crate::input;

/// A file and the path of the object that it becomes.
#[derive(Debug, PartialEq, Eq)]
pub struct Input {
    pub file: PathBuf,
    pub path: String,
}

/// The files that are named, and those of these extensions in folders that are named, by path.
pub fn find(named: &[PathBuf], group: &str, extensions: &[&str]) -> Result<Vec<Input>, Failure> {
    let mut found = Vec::new();
    for root in named {
        if input::is_standard(root) {
            let next = "name a file: the object is called as it is";
            return Err(Failure::usage(format!("standard input has no name\n  next: {next}")));
        }
        if root.is_dir() {
            let fits = |path: &Path| {
                path.extension().is_some_and(|extension| {
                    extensions.iter().any(|known| extension.eq_ignore_ascii_case(known))
                })
            };
            let mut walked = Walk::new(root, input::links()).run();
            if let Some((path, reason)) = walked.unlisted.first() {
                return Err(Failure::usage(format!("{}: {reason}", path.display())));
            }
            walked.left_out.retain(|it| it.is_link || fits(&it.path));
            warn_of_left_out(&walked.left_out);
            for path in walked.files.into_iter().filter(|path| fits(path)) {
                let inside = path.strip_prefix(root).unwrap_or(&path).to_owned();
                found.push((path, inside));
            }
        } else {
            let name = root.file_name().map(PathBuf::from).unwrap_or_default();
            found.push((root.clone(), name));
        }
    }
    if found.is_empty() {
        let known = extensions.join(", ");
        let next = "name files, or a folder that holds some";
        return Err(Failure::usage(format!("there are no files of type {known}\n  next: {next}")));
    }
    let mut seen: HashMap<String, PathBuf> = HashMap::new();
    let mut inputs = Vec::with_capacity(found.len());
    for (file, inside) in found {
        let path = object_path(group, &inside);
        if let Some(other) = seen.insert(path.to_ascii_lowercase(), file.clone()) {
            let (file, other) = (file.display(), other.display());
            return Err(Failure::usage(format!(
                "{other} and {file} would both become {path}\n  next: rename one of them"
            )));
        }
        inputs.push(Input { file, path });
    }
    Ok(inputs)
}

/// The groups that are asked for, then the folders, then the file's name without its extension.
fn object_path(group: &str, inside: &Path) -> String {
    let folders = inside.parent().into_iter().flat_map(Path::iter);
    let stem = inside.file_stem().into_iter();
    let parts = folders.chain(stem).map(|part| name_of(&part.to_string_lossy()));
    let group = group.split('.').filter(|part| !part.is_empty()).map(name_of);
    group.chain(parts).collect::<Vec<_>>().join(".")
}

/// A name that every engine takes: letters, digits, underscores and dashes.
fn name_of(text: &str) -> String {
    let safe = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let name: String = text.chars().map(|char| if safe(char) { char } else { '_' }).collect();
    match name.as_str() {
        "" => "_".to_owned(),
        none if none.eq_ignore_ascii_case("none") => "None_".to_owned(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_become_groups_and_names_are_made_safe() {
        let path = |group, inside| object_path(group, Path::new(inside));
        assert_eq!(path("", "Rough.png"), "Rough");
        assert_eq!(path("", "Stone/Old/Rough.v2.png"), "Stone.Old.Rough_v2");
        assert_eq!(path("Walls.Big", "My stone/rough-1.png"), "Walls.Big.My_stone.rough-1");
        assert_eq!(path("", "None.txt"), "None_");
    }
}
