//! `upk embed`: what is borrowed from other packages becomes the package's own.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::{CopyOptions, Edit, Embedded};
use unreal_packages::error::{ErrorKind, noun};
use unreal_packages::inspect::{has_wildcards, matches_path};

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Copy what is imported into the package, so that it needs the other package no more
///
/// The objects come with all that lies in them and all that they need of their package (the palette of a texture),
/// in groups called like its own; what they need of further packages is imported, or embedded where that is named too.
/// Every reference follows, in UE4 and UE5 soft ones too, and imports of the other package that nothing uses are dropped. The
/// other packages are found in the folder of this one, or in --env.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk embed Hall.unr 'Skins.*' --env Game -o Out.unr
  upk embed Hall.unr Skins.Dark.Blue --env Game --in-place
  upk embed Hall.unr Skins --env Game --dry-run          all from a package")]
pub struct Embed {
    #[command(flatten)]
    edit: EditArgs,
    /// Imports with their package, a package or group for all that is imported from it; with wildcards several
    #[arg(required = true, value_name = "IMPORT")]
    imports: Vec<String>,
}

impl Embed {
    /// Embeds and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }

    /// The paths of imports that are meant, by their package.
    fn wanted(&self, edit: &Edit) -> Result<BTreeMap<String, Vec<String>>, Failure> {
        let mut by_package = BTreeMap::<String, Vec<String>>::new();
        let all: Vec<String> = edit.imports().iter().map(|import| import.path()).collect();
        for word in &self.imports {
            let is_meant = |path: &&String| match has_wildcards(word) {
                true => matches_path(word, path),
                false => path.eq_ignore_ascii_case(word),
            };
            let mut found = all.iter().filter(is_meant).peekable();
            if found.peek().is_none() {
                let (name, hint) = (word.clone(), String::new());
                let missing = ErrorKind::NotFound { what: noun::IMPORT, name, hint };
                return Err(unreal_packages::Error::from(missing).into());
            }
            for path in found {
                let package = path.split('.').next().unwrap_or_default().to_owned();
                by_package.entry(package).or_default().push(path.clone());
            }
        }
        Ok(by_package)
    }
}

impl Editing for Embed {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let open = &self.edit.save.open;
        let environment = open.around(file)?;
        let own_name = file.file_stem().unwrap_or_default().to_string_lossy();
        let mut all = Vec::new();
        for (package, paths) in self.wanted(edit)? {
            let other = environment.open_package(&package)?;
            let options = CopyOptions::new().source_name(&package).target_name(own_name.as_ref());
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            all.push(edit.embed(&other, &paths, &options)?);
        }
        Ok(report(&all))
    }
}

/// What was done, package by package.
fn report(all: &[Embedded]) -> Change {
    let sum = |of: fn(&Embedded) -> usize| all.iter().map(of).sum::<usize>() as u64;
    let objects = count(sum(|it| it.objects.len()), "object", "objects");
    let added = count(sum(|it| it.added.len()), "new object", "new objects");
    let mut lines = vec![format!("embedded {objects} ({added})")];
    for done in all {
        let pairs = done.objects.iter();
        lines.extend(pairs.map(|(import, path)| format!("  {import} is {path} here")));
        let lists = [(&done.added, "new"), (&done.reused, "there already")];
        for (paths, what) in lists {
            lines.extend(paths.iter().map(|path| format!("  {path} ({what})")));
        }
        lines.extend(done.users.iter().map(|path| format!("  {path} (refers to a copy)")));
        let converted = done.converted_from.iter();
        lines.extend(
            converted.map(|version| {
                format!("  converted from version {version}: every value is the same")
            }),
        );
    }
    let pair = |(import, path): &(String, String)| json!({ "import": import, "path": path });
    let list = |of: fn(&Embedded) -> &Vec<String>| all.iter().flat_map(of).collect::<Vec<_>>();
    let json = json!({ "kind": "embed",
                       "objects": all.iter().flat_map(|it| &it.objects).map(pair).collect::<Vec<_>>(),
                       "added": list(|it| &it.added), "reused": list(|it| &it.reused),
                       "users": list(|it| &it.users) });
    Change { text: lines.join("\n"), json }
}
