//! Packages that nothing leads to.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::external::map_of;
use super::{Environment, FileId, Finding};
use crate::file;

/// Folders of a project or plugin with texts that name packages.
const TEXTS: [&str; 2] = ["Config", "Source"];
/// The extensions of such texts.
const TEXT_EXTENSIONS: [&str; 6] = ["ini", "cpp", "h", "inl", "cs", "json"];
/// Larger texts are data, and folders are not followed deeper.
const LARGEST: u64 = 4 << 20;
const DEEPEST: usize = 16;

impl Environment {
    /// The packages of UE4 and UE5 that nothing leads to. What leads is: a map; a path in the texts of the project
    /// in `folder` and of its plugins (`Config`, `Source`), of a package or of a folder; and imports, soft references and
    /// redirectors of a package that something leads to. A text that a program puts together when it runs is not seen.
    pub fn unused(&self, folder: &Path) -> Vec<Finding> {
        let named = paths_in_texts(folder);
        let is_named = |name: &str| {
            let name = name.to_ascii_lowercase();
            // The package itself, or a folder around it; `/Game` alone names no folder.
            name.match_indices('/').skip(2).map(|(at, _)| &name[..at]).any(|it| named.contains(it))
                || named.contains(name.as_str())
        };
        let mounted = || self.files().filter(|(_, file)| file.name.starts_with('/'));
        let mut parts: BTreeMap<String, Vec<FileId>> = BTreeMap::new();
        for (id, file) in mounted() {
            parts.entry(map_of(&file.name).unwrap_or_default()).or_default().push(id);
        }
        parts.remove("");
        let is_map =
            |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("umap"));
        let roots = mounted().filter(|(_, file)| is_map(&file.path) || is_named(&file.name));
        let mut waiting: Vec<FileId> = roots.map(|(id, _)| id).collect();
        let mut reached: HashSet<FileId> = waiting.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            let own = parts.get(&self.file(id).name.to_ascii_lowercase()).into_iter().flatten();
            let mut next: Vec<FileId> = own.copied().collect();
            if let Ok(digest) = self.digest(id) {
                next.extend(digest.packages().iter().filter_map(|name| self.find(name)));
                let soft = (0..digest.soft.len()).map(|row| digest.soft_reference(row).0);
                next.extend(soft.filter_map(|name| self.find(name)));
            }
            waiting.extend(next.into_iter().filter(|id| reached.insert(*id)));
        }
        let unused = mounted().filter(|(id, _)| !reached.contains(id) && self.is_found(*id));
        unused
            .filter_map(|(id, file)| {
                let bytes = self.digest(id).ok()?.bytes;
                Some(Finding::Unused { package: file.name.to_string(), bytes })
            })
            .collect()
    }
}

/// What texts of a project call by a path, in lower case: packages, without objects, and folders.
fn paths_in_texts(project: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders: Vec<(PathBuf, usize)> =
        TEXTS.iter().map(|name| (project.join(name), 0)).collect();
    folders.push((project.join("Plugins"), 0));
    let is_plugins = |path: &Path| path.starts_with(project.join("Plugins"));
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // Links are not followed: they may lead anywhere.
            if kind.is_dir() && depth < DEEPEST && name != "Content" {
                folders.push((path, depth + 1));
                continue;
            }
            let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            let is_text = TEXT_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(end));
            let is_small = entry.metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST);
            let in_texts = !is_plugins(&path)
                || path.iter().any(|part| TEXTS.iter().any(|text| part == *text));
            if !(is_text && is_small && in_texts) {
                continue;
            }
            if let Ok((bytes, _)) = file::read_found(&path) {
                paths_in(&String::from_utf8_lossy(&bytes), &mut found);
            }
        }
    }
    found
}

/// Paths of packages in a text: a slash, a root, and more behind it.
fn paths_in(text: &str, found: &mut BTreeSet<String>) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let before = rest[..at].chars().next_back();
        let path = &rest[at..];
        let end = path.find(|c: char| !is_part(c)).unwrap_or(path.len());
        let path = path[..end].trim_end_matches('/');
        let is_path = before.is_none_or(|c| !is_part(c)) && path.matches('/').count() > 1;
        if is_path && !path.contains("//") {
            found.insert(path.to_ascii_lowercase());
        }
        rest = &rest[at + end.max(1)..];
    }
}
