//! `upk copy`: objects of one package in another.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::edit::{CopyOptions, Dependencies};

use super::edit::{Change, Editing, SaveArgs};
use super::objects::WhereArgs;
use super::placing::PlacingArgs;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Copy objects into another package, with all that lies in them and all that they need
///
/// Names and imports are added. Other objects of its package that it refers to are imported from there if
/// they are public, and come along if they are not; --dependencies chooses otherwise. What is there already
/// and says the same is used; where another object has the name of a copy, the copy gets a free one. Several
/// objects, of wildcards, --where or a list in a file (@FILE), are copied together: references among them are
/// references among the copies. Actors come into the list of their new level and have GUIDs and labels of their
/// own; --offset, --rotate and --mirror place them. Other actors of their level come along with --dependencies copy
/// alone. A package of another file version of UE1 to UE3 is converted on the way where that is exact; in UE4 and UE5
/// both must be of one release. An actor of UE3 and later goes into the level that
/// --group names.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk copy Skins.utx Dark.Blue --into MyMod.u -o Out.u
  upk copy Skins.utx Dark.Green --into MyMod.u --group Skins --in-place
  upk copy Skins.utx Dark.Green --into MyMod.u --as Moss -o Out.u
  upk copy MyMod.u MyPawn --into Other.u --dependencies copy -o Out.u
  upk copy Map.unr 'Light*' --where class==Light --into Old.unr --offset '(X=512,Y=0,Z=64)' -o Out.unr")]
pub struct Copy {
    /// The package that has the objects
    file: PathBuf,
    /// The object: its path, or its row as #12; with wildcards, --where or @FILE many
    object: String,
    /// The package that gets it
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// Put them into this group, object or level, which must be there
    #[arg(long)]
    group: Option<String>,
    /// The name of the copy
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// What becomes of other objects of its package
    #[arg(long, value_enum, default_value = "auto")]
    dependencies: DependenciesArg,
    #[command(flatten)]
    choice: WhereArgs,
    #[command(flatten)]
    placing: PlacingArgs,
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
        let words = std::slice::from_ref(&self.object);
        let objects = match self.choice.is_query(words) {
            true => self.choice.objects(words, &source, &self.save.open, &self.file)?,
            false => words.to_vec(),
        };
        let paths: Vec<&str> = objects.iter().map(String::as_str).collect();
        let copied = edit.copy_objects_from(&source, &paths, &options)?;
        let path = edit.exports().path(copied.row);
        let new = count(copied.objects.len() as u64, "new object", "new objects");
        let mut lines = vec![match copied.rows.len() {
            1 => format!("copied {} as {path} (row {}, {new})", self.object, copied.row),
            number => format!("copied {number} objects ({new})"),
        }];
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
        let converted = copied.converted_from.iter();
        lines.extend(
            converted.map(|version| {
                format!("  converted from version {version}: every value is the same")
            }),
        );
        let dropped = copied.dropped.iter();
        lines.extend(dropped.map(|part| format!("  {part} is not copied: it is made anew here")));
        let renamed = copied.renamed.iter();
        let renamed = renamed.map(|(old, new)| json!({ "source": old, "path": new }));
        let renamed: Vec<_> = renamed.collect();
        let copies: Vec<_> = copied.rows.iter().map(|&row| edit.exports().path(row)).collect();
        let json = json!({ "kind": "copy", "export": copied.row, "path": path,
                           "copies": copies,
                           "objects": copied.objects, "reused": copied.reused,
                           "imported": copied.imported, "renamed": renamed,
                           "dropped": copied.dropped,
                           "converted_from": copied.converted_from });
        let mut change = Change { text: lines.join("\n"), json };
        self.placing.place(edit, &copied.rows, (&self.save.open, file), &mut change)?;
        Ok(change)
    }
}

/// The name of a package: that of its file.
fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_string_lossy().into_owned())
}
