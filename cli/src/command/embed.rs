//! `upk embed`: what is borrowed from other packages becomes the package's own.

use std::collections::{BTreeMap, HashSet};
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

    /// The paths of imports that are meant and not done, by their package; marks the words that mean one.
    fn wanted(
        &self,
        edit: &Edit,
        done: &HashSet<String>,
        is_met: &mut [bool],
    ) -> BTreeMap<String, Vec<String>> {
        let mut by_package = BTreeMap::<String, Vec<String>>::new();
        for import in edit.imports().iter() {
            // A package or group alone has nothing to copy.
            if import.class().rsplit('.').next() == Some("Package") {
                continue;
            }
            let path = import.path();
            let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
            let outers: Vec<&str> = ends.map(|end| &path[..end]).collect();
            let mut is_meant = false;
            for (word, is_met) in self.imports.iter().zip(is_met.iter_mut()) {
                let means = |outer: &&str| match has_wildcards(word) {
                    true => matches_path(word, outer),
                    false => outer.eq_ignore_ascii_case(&word.replace(':', ".")),
                };
                if outers.iter().any(means) {
                    (is_meant, *is_met) = (true, true);
                }
            }
            if is_meant && !done.contains(&path.to_ascii_lowercase()) {
                by_package.entry(outers[0].to_owned()).or_default().push(path);
            }
        }
        by_package
    }
}

impl Editing for Embed {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let open = &self.edit.save.open;
        let environment = open.around(file)?;
        let own_name = file.file_stem().unwrap_or_default().to_string_lossy();
        let (mut all, mut done) = (Vec::new(), HashSet::new());
        let mut is_met = vec![false; self.imports.len()];
        // What comes from one package may need imports of another one that is named. Each path is embedded once, so that
        // packages that need each other come to an end.
        while let Some((package, paths)) = self.wanted(edit, &done, &mut is_met).pop_first() {
            let other = environment.open_package(&package)?;
            let options = CopyOptions::new().source_name(&package).target_name(own_name.as_ref());
            done.extend(paths.iter().map(|path| path.to_ascii_lowercase()));
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            all.push(edit.embed(&other, &paths, &options)?);
        }
        let missing = self.imports.iter().zip(&is_met).find(|(_, is_met)| !**is_met);
        if let Some((word, _)) = missing {
            let (name, hint) = (word.clone(), String::new());
            let missing = ErrorKind::NotFound { what: noun::IMPORT, name, hint };
            return Err(unreal_packages::Error::from(missing).into());
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
