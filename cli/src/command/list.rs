//! `upk list`: names, imports, exports, or the tree of objects.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::PreloadDependencies;
use unreal_packages::inspect::{Condition, Defaults, PackageValues, Selection};
use unreal_packages::package::{ExportView, ImportView, Package, ReleaseDetection};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Engine, PackageIndex};

use super::set::condition;
use crate::args::OpenArgs;
use crate::color::Paint;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, Table, count};

/// Deeper objects are not indented further: in a damaged file every object may lie within the one before.
const DEEPEST_INDENT: usize = 64;

/// List a package's exports, imports, names, or its tree of objects
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk list Engine.u                     the exports
  upk list Engine.u --tree              objects within objects
  upk list Map.unr --where 'class==Light && LightHue<30'
  upk list BP_Door.uasset --details     super, archetype and which of them is the asset
  upk list Engine.u --names --json      one name a line, for scripts
  upk list Lamp.uasset --preload --engine 5.4
                                        what must be loaded before each export")]
pub struct List {
    /// The package
    file: PathBuf,
    /// List the name table
    #[arg(long, group = "what")]
    names: bool,
    /// List the import table
    #[arg(long, group = "what")]
    imports: bool,
    /// List the export table (the default)
    #[arg(long, group = "what")]
    exports: bool,
    /// Show the exports as a tree of objects
    #[arg(long, group = "what")]
    tree: bool,
    /// Show the exports with what they derive from, their archetype, and, in UE4 and UE5, which are assets
    #[arg(long, conflicts_with_all = ["names", "imports", "tree", "preload"])]
    details: bool,
    /// List the preload dependencies of each export (cooked packages of UE4 and UE5)
    #[arg(long, group = "what")]
    preload: bool,
    /// Of the exports only those that are so: class==Light && LightHue<30 (may be repeated: all must be so)
    #[arg(long = "where", value_name = "CONDITION", value_parser = condition,
          conflicts_with_all = ["names", "imports", "tree", "preload"])]
    conditions: Vec<Condition>,
    #[command(flatten)]
    open: OpenArgs,
}

impl List {
    /// Prints the rows.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open_partly(&self.file)?;
        if let Some(problem) = ReleaseDetection::of(&package).and_then(ReleaseDetection::problem) {
            out.warn(format!("{problem}; what is shown may be wrong"))?;
        }
        if self.names {
            names(&package, out)?;
        } else if self.imports {
            imports(&package, out)?;
        } else if self.preload {
            preload(&package, out)?;
        } else if self.tree {
            tree(&package, out)?;
        } else {
            let rows = self.selected(&package, out)?;
            exports(&package, self.details, rows.as_ref(), out)?;
        }
        Ok(Outcome::Fine)
    }
}

impl List {
    /// The rows that are asked for; `None` for all.
    fn selected(
        &self,
        package: &Package,
        out: &mut Output,
    ) -> Result<Option<HashSet<usize>>, Failure> {
        if self.conditions.is_empty() {
            return Ok(None);
        }
        let defaults = self.open.defaults(&self.file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        let selection = package.values().with_defaults(defaults).select("*", &self.conditions)?;
        warn_of_undecided(&selection, out)?;
        Ok(Some(selection.rows.into_iter().collect()))
    }
}

/// Says how many objects were left out because nothing says what they have.
pub fn warn_of_undecided(selection: &Selection, out: &mut Output) -> Result<(), Failure> {
    let number = selection.undecided.len() as u64;
    if number == 0 {
        return Ok(());
    }
    let (number, next) = (count(number, "object", "objects"), "name the game's folder with --env");
    out.warn(format!(
        "{number} left out: they do not store what is asked for, and their classes are not here\n  next: {next}"
    ))
}

fn names(package: &Package, out: &mut Output) -> Result<(), Failure> {
    let engine = package.versions().engine();
    let rows = || {
        package.names().entries().iter().enumerate().map(|(row, entry)| {
            // A text that can't be decoded keeps its row, so that rows stay what indices mean.
            let text = package.names().get(row).unwrap_or_default();
            // From UE4 the place of the flags has hashes, or nothing.
            let flags = match package.versions().has_name_flags() {
                true => entry.flags.names(engine),
                false => Vec::new(),
            };
            (row, text, flags, entry.flags.0)
        })
    };
    if out.is_json() {
        return rows().try_for_each(|(row, name, flags, bits)| {
            out.object(&json!({ "row": row, "name": name, "flags": flags, "flag_bits": bits }))
        });
    }
    let cells = |(row, text, flags, _): (usize, Cow<'_, str>, Vec<String>, u64)| {
        vec![row.to_string(), text.into_owned(), flags.join(" | ")]
    };
    print(&["row", "name", "flags"], &[true, false, false], || rows().map(cells), out)
}

fn imports(package: &Package, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return package.imports().iter().try_for_each(|import| {
            out.object(&json!({ "row": import.row(), "reference": import.index().value(),
                                "path": import.path(), "class": import.class() }))
        });
    }
    let cells = |import: ImportView<'_>| {
        let reference = import.index().value().to_string();
        vec![import.row().to_string(), reference, import.path(), import.class()]
    };
    let rows = || package.imports().iter().map(cells);
    print(&["row", "ref", "path", "class"], &[true, true, false, false], rows, out)
}

fn exports(
    package: &Package,
    details: bool,
    selected: Option<&HashSet<usize>>,
    out: &mut Output,
) -> Result<(), Failure> {
    let engine = package.versions().engine();
    let is_shown =
        |export: &ExportView<'_>| selected.is_none_or(|rows| rows.contains(&export.row()));
    if out.is_json() {
        let mut exports = package.exports().iter().filter(is_shown);
        return exports.try_for_each(|export| out.object(&export_json(package, export, engine)));
    }
    if details {
        let path = |index: PackageIndex| match index.is_null() {
            true => String::new(),
            false => package.path(index),
        };
        let cells = |export: ExportView<'_>| {
            let entry = export.entry();
            let asset = if entry.is_asset.0 != 0 { "asset" } else { "" };
            vec![
                export.row().to_string(),
                export.path(),
                export.class(),
                path(entry.super_index),
                path(entry.archetype()),
                asset.to_owned(),
            ]
        };
        let header = ["row", "path", "class", "super", "archetype", "asset"];
        let right = [true, false, false, false, false, false];
        return print(
            &header,
            &right,
            || package.exports().iter().filter(is_shown).map(cells),
            out,
        );
    }
    let cells = |export: ExportView<'_>| {
        vec![
            export.row().to_string(),
            export.path(),
            export.class(),
            export.size().to_string(),
            format!("{:#x}", export.offset()),
            export.flags().names(engine).join(" | "),
        ]
    };
    let header = ["row", "path", "class", "size", "offset", "flags"];
    let right = [true, false, false, true, true, false];
    print(&header, &right, || package.exports().iter().filter(is_shown).map(cells), out)
}

fn export_json(package: &Package, export: ExportView<'_>, engine: Engine) -> serde_json::Value {
    let path = |index: PackageIndex| (!index.is_null()).then(|| package.path(index));
    let entry = export.entry();
    json!({ "row": export.row(), "reference": export.index().value(), "path": export.path(),
            "class": export.class(), "super": path(entry.super_index),
            "outer": path(entry.outer_index),
            "outer_reference": entry.outer_index.value(), "archetype": path(entry.archetype()),
            "is_asset": entry.is_asset.0 != 0, "size": export.size(),
            "offset": export.offset(), "flags": export.flags().names(engine),
            "flag_bits": export.flags().0 })
}

/// What must be there before each export: one line a dependency, or, as JSON, one object an export.
fn preload(package: &Package, out: &mut Output) -> Result<(), Failure> {
    const LISTS: [&str; 4] = [
        "serialized before it is serialized",
        "created before it is serialized",
        "serialized before it is created",
        "created before it is created",
    ];
    let found = |export: ExportView<'_>| PreloadDependencies::of(package, export.row());
    if out.is_json() {
        for export in package.exports().iter() {
            let Some(found) = found(export) else { continue };
            let [before, created, first, outer] = found.lists().map(|list| {
                let text = |index: &PackageIndex| {
                    json!({ "reference": index.value(), "path": package.path(*index) })
                };
                list.iter().map(text).collect::<Vec<_>>()
            });
            out.object(&json!({ "row": export.row(), "path": export.path(),
                                "first": export.entry().preload.first,
                                "serialized_before_serialization": before,
                                "created_before_serialization": created,
                                "serialized_before_creation": first,
                                "created_before_creation": outer }))?;
        }
        return Ok(());
    }
    if !package.exports().iter().any(|export| found(export).is_some()) {
        return out.line(
            "it has no table of preload dependencies: only cooked packages of UE4 and UE5 have one",
        );
    }
    let cells = |export: ExportView<'_>| {
        let lists = found(export).map(|found| found.lists().map(<[PackageIndex]>::to_vec));
        let named = LISTS.into_iter().zip(lists.into_iter().flatten());
        let row = (export.row().to_string(), export.path());
        let rows = named.flat_map(|(when, list)| list.into_iter().map(move |index| (when, index)));
        rows.map(|(when, index)| {
            let (path, reference) = (package.path(index), index.value().to_string());
            vec![row.0.clone(), row.1.clone(), when.to_owned(), reference, path]
        })
        .collect::<Vec<_>>()
    };
    print(
        &["row", "export", "what is", "ref", "path"],
        &[true, false, false, true, false],
        || package.exports().iter().flat_map(cells),
        out,
    )
}

/// Goes over the rows twice, so that no more than one is in memory: columns are as wide as their widest cells.
fn print<I: Iterator<Item = Vec<String>>>(
    header: &[&str],
    right: &[bool],
    rows: impl Fn() -> I,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut table = Table::new(header, right);
    rows().for_each(|row| table.measure(&row));
    out.line(table.header())?;
    rows().try_for_each(|row| out.line(table.line(&row)))
}

/// The tree, parents before children. Not recursive, and each object once: outers of a damaged file may
/// go in circles or nest without end.
fn tree(package: &Package, out: &mut Output) -> Result<(), Failure> {
    let engine = package.versions().engine();
    let children = package.exports().tree();
    let all = || (0..package.exports().len()).map(PackageIndex::export);
    let is_root = |index: &PackageIndex| !matches!(package.outer(*index).target(), ObjectRef::Export(row) if row < package.exports().len());
    let mut seen = HashSet::new();
    // Roots first; whatever is left hangs in a circle and is entered anywhere.
    for start in all().filter(is_root).chain(all()) {
        let mut stack = vec![(start, 0)];
        while let Some((index, depth)) = stack.pop() {
            let ObjectRef::Export(row) = index.target() else { continue };
            let Some(export) = package.exports().get(row) else { continue };
            if !seen.insert(row) {
                continue;
            }
            if out.is_json() {
                let mut object = export_json(package, export, engine);
                object["depth"] = depth.into();
                out.object(&object)?;
            } else {
                let outer = package.outer(index);
                // An object within an import says so, or it would look like one at the top.
                let around = match outer.target() {
                    ObjectRef::Import(_) => format!(" in {}", package.path(outer)),
                    _ => String::new(),
                };
                let size = export.size();
                let indent = "  ".repeat(depth.min(DEEPEST_INDENT));
                let (name, class) = (export.name(), export.class());
                let (name, facts) =
                    (format!("{indent}{name}"), format!(" ({class}, {size} bytes)"));
                out.parts(&[(None, &name), (Some(Paint::Aside), &facts), (None, &around)])?;
            }
            let below = children.get(&index).into_iter().flatten().rev();
            stack.extend(below.map(|&child| (child, depth + 1)));
        }
    }
    Ok(())
}
