//! Texts of classes of other packages, as files that an editor can show.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use unreal_packages::compile::TextPlace;
use unreal_packages::decompile::Decompiler;
use unreal_packages::environment::Environment;
use unreal_packages::file::{Replacement, safe_file_name};
use unreal_packages::make::SourceTools;

use crate::command::source::class_text;

/// Texts that were asked for, in a folder of their own that goes with the server.
#[derive(Debug, Default)]
pub struct ForeignTexts {
    folder: OnceCell<TempDir>,
}

impl ForeignTexts {
    /// Whether a file is one of these.
    pub fn has(&self, path: &Path) -> bool {
        self.folder.get().is_some_and(|folder| path.starts_with(folder.path()))
    }

    /// The file and the place where a package declares something, by its path in the package: in the text that its class
    /// carries, else in what its code says.
    pub fn find(
        &self,
        environment: &Environment,
        package: &str,
        path: &str,
    ) -> Option<(PathBuf, TextPlace)> {
        let class = path.split('.').next()?;
        let opened = environment.open_package(package).ok()?;
        let row = opened.find_export(class).ok()?;
        let decompiler = Decompiler::with(&opened, environment.scripts_around(&opened));
        let text = class_text(&opened, &decompiler, row).ok()??;
        if self.folder.get().is_none() {
            let made = tempfile::Builder::new().prefix("upk-classes-").tempdir().ok()?;
            self.folder.get_or_init(|| made);
        }
        let folder = self.folder.get()?.path().join(safe_file_name(package));
        std::fs::create_dir_all(&folder).ok()?;
        let file = folder.join(format!("{}.uc", safe_file_name(class)));
        if !file.exists() {
            Replacement::new(&file, text.as_bytes()).commit().ok()?;
        }
        let start = TextPlace { offset: 0, line: 1, column: 1 };
        let place = SourceTools::place_in(&file.to_string_lossy(), &text, path).unwrap_or(start);
        Some((file, place))
    }
}
