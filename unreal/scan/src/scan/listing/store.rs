//! The files of an object store, folder by folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::{FileToScan, passed_over};
use super::names::below;
use super::place::{Listed, is_mounted, look_into};
use crate::container::GameContainer;
use crate::environment::Settings;
use crate::error::Result;
use crate::file::{Links, is_temporary};

/// What a scan looks at of an object store whose folders the caller lists, as [`FileListing`](super::FileListing)
/// has it of the same files on a disk.
#[derive(Debug)]
pub struct StoreListing {
    root: PathBuf,
    settings: Option<Settings>,
}

impl StoreListing {
    /// `root` is a folder of this disk that stands for the listed one. It holds what marks projects: the files
    /// `.uproject` and `.uplugin`, and folders called `Content`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        let settings = Settings::detect_with(&root, Links::Inside).ok();
        Self { settings: settings.filter(is_mounted), root }
    }

    /// What a scan looks at of these files of one folder, which are called as below the root, and the packages in its
    /// containers, in the order of their paths; `open` opens a container.
    ///
    /// A container that can't be opened is among them, with the reason.
    pub fn files(
        &self,
        names: impl IntoIterator<Item = PathBuf>,
        open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>,
    ) -> Vec<FileToScan> {
        let names = names.into_iter().filter(|name| !is_temporary(name));
        let here: HashSet<PathBuf> = names.map(|name| self.root.join(name)).collect();
        let mut listed = Vec::new();
        for file in &here {
            if GameContainer::is_named_so(file) {
                listed.extend(look_into(file, open).0);
            } else if !passed_over::is_by_name(file, |file| here.contains(file)) {
                listed.push(Listed::new(file.clone(), false, None));
            }
        }
        listed.sort_by(|a, b| a.file.cmp(&b.file));
        let settings = self.settings.as_slice();
        let named = listed.into_iter().map(|listed| {
            let name = below(&self.root, &listed.file).unwrap_or_else(|| listed.shown.clone());
            listed.into_file(name, settings)
        });
        named.collect()
    }
}
