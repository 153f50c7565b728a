//! `upk copy`: an object of one package in another.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::edit::{CopyOptions, Dependencies};

use super::edit::{Change, Editing, SaveArgs};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Copy an object into another package, with all that lies in it and all that it needs
///
/// Names and imports are added. Other objects of its package that it refers to are imported from there if
/// they are public, and come along if they are not; --dependencies chooses otherwise. What is there already
/// and says the same is used; where another object has the name of a copy, the copy gets a free one. Other
/// actors of its level come along with --dependencies copy alone. In UE4 and UE5 both packages must be of one
/// release; an actor goes into the level that --group names.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk copy Skins.utx Dark.Blue --into MyMod.u -o Out.u
  upk copy Skins.utx Dark.Green --into MyMod.u --group Skins --in-place
  upk copy Skins.utx Dark.Green --into MyMod.u --as Moss -o Out.u
  upk copy MyMod.u MyPawn --into Other.u --dependencies copy -o Out.u")]
pub struct Copy {
    /// The package that has the object
    file: PathBuf,
    /// The object: its path, or its row as #12
    object: String,
    /// The package that gets it
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// Put it into this group, object or level, which must be there
    #[arg(long)]
    group: Option<String>,
    /// The name of the copy
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// What becomes of other objects of its package
    #[arg(long, value_enum, default_value = "auto")]
    dependencies: DependenciesArg,
    #[command(flatten)]
    save: SaveArgs,
}

/// `--dependencies`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum DependenciesArg {
    /// Public ones are imported, private ones come along
    Auto,
    /// All come along
    Copy,
    /// All are imported
    Import,
}

impl Copy {
    /// Copies and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.save.apply(&self.into, out, |edit| self.change(edit, &self.into))
    }
}

impl Editing for Copy {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let source = self.save.open.open(&self.file)?;
        let mut options = CopyOptions::new().dependencies(match self.dependencies {
            DependenciesArg::Auto => Dependencies::Auto,
            DependenciesArg::Copy => Dependencies::Copy,
            DependenciesArg::Import => Dependencies::Import,
        });
        if let Some(name) = stem(&self.file) {
            options = options.source_name(name);
        }
        if let Some(name) = stem(file) {
            options = options.target_name(name);
        }
        if let Some(group) = &self.group {
            options = options.into_group(group);
        }
        if let Some(name) = &self.name {
            options = options.named(name);
        }
        let copied = edit.copy_from(&source, &self.object, &options)?;
        let path = edit.exports().path(copied.row);
        let number = copied.objects.len() as u64;
        let mut lines = vec![format!(
            "copied {} as {path} (row {}, {})",
            self.object,
            copied.row,
            count(number, "new object", "new objects")
        )];
        let lists = [
            (&copied.objects, "new"),
            (&copied.reused, "there already"),
            (&copied.imported, "imported"),
        ];
        for (paths, what) in lists {
            lines.extend(paths.iter().map(|path| format!("  {path} ({what})")));
        }
        let renamed = copied.renamed.iter();
        lines.extend(renamed.map(|(old, new)| format!("  {old} is called {new} here")));
        let dropped = copied.dropped.iter();
        lines.extend(dropped.map(|part| format!("  {part} is not copied: it is made anew here")));
        let renamed = copied.renamed.iter();
        let renamed = renamed.map(|(old, new)| json!({ "source": old, "path": new }));
        let renamed: Vec<_> = renamed.collect();
        let json = json!({ "kind": "copy", "export": copied.row, "path": path,
                           "objects": copied.objects, "reused": copied.reused,
                           "imported": copied.imported, "renamed": renamed,
                           "dropped": copied.dropped });
        Ok(Change { text: lines.join("\n"), json })
    }
}

/// The name of a package: that of its file.
fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
