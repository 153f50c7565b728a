//! Measures how much there is to read of what an editor saved: `diff_history FOLDER…`.
//!
//! Each folder is a project; each folder in it a commit with `base/NAME` and `theirs/NAME`, the package before and after
//! it. Of every commit the canonical texts are compared line by line, as git does: lines for each changed value, and
//! changed values that no line says.

use std::path::{Path, PathBuf};

use unreal_packages::compare::{Diff, Difference, canonical, diff, line_hunks};
use unreal_packages::package::Package;

type Failure = Box<dyn std::error::Error>;

fn package_in(folder: &Path) -> Result<Package, Failure> {
    let file = std::fs::read_dir(folder)?.next().ok_or("an empty folder")??;
    Ok(Package::open(file.path())?)
}

fn text(package: &Package) -> Result<String, Failure> {
    let mut text = String::new();
    canonical(package, |part| {
        text.push_str(part);
        Ok::<_, Failure>(())
    })?;
    Ok(text)
}

/// The values that differ, those that a save makes anew too: the old and the new text of each.
fn values(diff: &Diff) -> Vec<(String, Option<String>, Option<String>)> {
    let mut found = Vec::new();
    for field in &diff.header {
        found.push((field.field.clone(), field.old.clone(), field.new.clone()));
    }
    for object in diff.removed.iter() {
        found.push((object.path.clone(), Some(object.path.clone()), None));
    }
    for object in diff.added.iter() {
        found.push((object.path.clone(), None, Some(object.path.clone())));
    }
    for object in &diff.renamed {
        found.push((object.old.clone(), Some(object.old.clone()), Some(object.new.clone())));
    }
    for object in &diff.changed {
        for change in &object.changes {
            let place = |field: &str| format!("{} {field}", object.path);
            match change {
                Difference::Property { property, old, new }
                | Difference::Element { property, old, new } => {
                    found.push((place(property), old.clone(), new.clone()));
                }
                Difference::Attribute(field) | Difference::Field(field) => {
                    // Of texts the difference says that there is one, and its lines stand below the field.
                    let said = |side: &Option<String>| match side.as_deref() {
                        Some("text") => field.field.strip_suffix(".characters").map(str::to_owned),
                        _ => side.clone(),
                    };
                    found.push((place(&field.field), said(&field.old), said(&field.new)));
                }
                Difference::Code { old, new, .. } => {
                    let count = old.len().max(new.len());
                    for at in 0..count {
                        found.push((place("code"), old.get(at).cloned(), new.get(at).cloned()));
                    }
                }
                other => found.push((place(&other.to_string()), None, None)),
            }
        }
    }
    found
}

fn main() -> Result<(), Failure> {
    let verbose = std::env::var_os("SHOW").is_some();
    let only = std::env::var("ONLY").ok();
    let mut ratios = Vec::new();
    let (mut commits, mut all_values, mut all_lines, mut missed) = (0, 0, 0, 0);
    for project in std::env::args_os().skip(1).map(PathBuf::from) {
        let mut folders: Vec<PathBuf> = std::fs::read_dir(&project)?
            .filter_map(|it| Some(it.ok()?.path()))
            .filter(|it| it.is_dir())
            .collect();
        folders.sort();
        for commit in folders {
            let what = commit.strip_prefix(project.parent().unwrap_or(&project))?.display();
            let what = what.to_string();
            if only.as_ref().is_some_and(|only| !what.contains(only.as_str())) {
                continue;
            }
            let (Ok(base), Ok(theirs)) =
                (package_in(&commit.join("base")), package_in(&commit.join("theirs")))
            else {
                continue;
            };
            let versions = |package: &Package| package.versions().clone();
            if versions(&base) != versions(&theirs) {
                continue;
            }
            let found = values(&diff(&base, &theirs));
            if found.is_empty() {
                continue;
            }
            let hunks = line_hunks(&text(&base)?, &text(&theirs)?);
            let lines: usize = hunks.iter().map(|hunk| hunk.old.len() + hunk.new.len()).sum();
            let (mut old, mut new) = (String::new(), String::new());
            for hunk in &hunks {
                hunk.old.iter().for_each(|line| old.extend([&line.to_lowercase(), "\n"]));
                hunk.new.iter().for_each(|line| new.extend([&line.to_lowercase(), "\n"]));
            }
            let is_in = |text: &str, value: &Option<String>| {
                let value = value.as_deref().unwrap_or_default();
                let longest = value.split(['\n', '\r', '\t', '"', '\\']).max_by_key(|it| it.len());
                text.contains(&longest.unwrap_or_default().trim().to_lowercase())
            };
            let lost: Vec<_> =
                found.iter().filter(|it| !is_in(&old, &it.1) || !is_in(&new, &it.2)).collect();
            commits += 1;
            all_values += found.len();
            all_lines += lines;
            missed += lost.len();
            let ratio = lines as f64 / found.len() as f64;
            ratios.push(ratio);
            println!(
                "{what}: {} values, {lines} lines, {ratio:.2}, {} lost",
                found.len(),
                lost.len()
            );
            if verbose {
                lost.iter().for_each(|it| println!("  lost {it:?}"));
                for hunk in &hunks {
                    hunk.old.iter().for_each(|line| println!("  - {line}"));
                    hunk.new.iter().for_each(|line| println!("  + {line}"));
                }
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
    println!(
        "{commits} commits, {all_values} values, {all_lines} lines, median {median:.2} lines a value, {missed} values lost"
    );
    Ok(())
}
