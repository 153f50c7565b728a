//! `upk ls`: the files in a container.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::container::GameContainer;

use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, Table, count, grouped};

/// List the files in a container: .pak, or .utoc with its .ucas
///
/// Only the table of contents is read. Paths are those under which the game has the files; other commands take
/// them behind the container's own: `upk info Game.pak/Game/Content/Lamp.uasset`, or just the end,
/// `Game.pak/Lamp.uasset`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk ls Game.pak
  upk ls Game.pak/Game/Content            one folder in it
  upk ls Old.pak New.pak                  one after the other
  upk ls Locked.pak --key 0x0707070707070707070707070707070707070707070707070707070707070707
  upk ls Game.pak --json | jq -r 'select(.size > 1000000) | .path'")]
pub struct Ls {
    /// Containers, or folders and files in them
    #[arg(required = true, value_name = "CONTAINER")]
    containers: Vec<PathBuf>,
}

impl Ls {
    /// Prints one line a file and the totals of each container.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.containers.iter().try_for_each(|path| list(path, out))?;
        Ok(Outcome::Fine)
    }
}

fn list(path: &Path, out: &mut Output) -> Result<(), Failure> {
    let Some((container, open, inside)) = containers::folder(path)? else {
        let shown = path.display();
        let next = "name a .pak or .utoc file";
        return Err(Failure::usage(format!("'{shown}' is no container\n  next: {next}")));
    };
    let mut rows = open.within(&inside);
    if rows.is_empty() && !inside.is_empty() {
        let found = open.find(&inside);
        rows.push(found.map_err(|error| crate::args::unopened(path, error))?);
    }
    let header = ["bytes", "stored", "method", "", "path"];
    let mut table = Table::new(&header, &[true, true, false, false, false]);
    let cells = |row: usize| -> unreal_packages::Result<Vec<String>> {
        let file = open.file(row)?;
        let method = file.method.map_or("", |method| method.name());
        let mark = match (file.deleted, file.encrypted) {
            (true, _) => "deleted",
            (false, true) => "encrypted",
            (false, false) => "",
        };
        let sizes = [grouped(file.size), grouped(file.stored)];
        Ok(sizes.into_iter().chain([method.into(), mark.into(), file.path]).collect())
    };
    let (mut size, mut stored) = (0_u64, 0_u64);
    if !out.is_json() {
        for row in &rows {
            table.measure(&cells(*row)?);
        }
        out.line(table.header())?;
    }
    for row in &rows {
        let file = open.file(*row)?;
        size = size.saturating_add(file.size);
        stored = stored.saturating_add(file.stored);
        if out.is_json() {
            out.object(&json!({
                "path": file.path, "size": file.size, "stored": file.stored,
                "method": file.method.map(|method| method.name()),
                "encrypted": file.encrypted, "deleted": file.deleted,
            }))?;
        } else {
            out.line(table.line(&cells(*row)?))?;
        }
    }
    let kind = match &*open {
        GameContainer::Pak(pak) => format!("pak version {}", pak.version()),
        GameContainer::IoStore(store) => {
            format!("IoStore version {}", store.toc_header().version)
        }
    };
    let (files, store) = (rows.len() as u64, containers::store_beside(&container, &open));
    let container = container.display();
    if out.is_json() {
        out.object(&json!({
            "files": files, "size": size, "stored": stored, "container": kind,
        }))?;
    } else {
        let files = count(files, "file", "files");
        let (size, stored) = (grouped(size), grouped(stored));
        out.summary(format!("{container} ({kind}): {files}, {size} bytes, {stored} stored"))?;
        if let Some(store) = store {
            out.line(format!("the game's files are in {}", store.display()))?;
        }
    }
    Ok(())
}
