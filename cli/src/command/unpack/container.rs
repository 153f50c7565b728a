//! The files of a container into a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use farchive::container::iostore::ChunkKind;
use farchive::container::{GameContainer, is_package};
use farchive::file::{file_name_fault, safe_file_name};
use farchive::package::CompanionKind;
use serde_json::json;

use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};
use crate::places::Places;
use crate::progress;

/// Writes the files that a path in a container means below a folder, each under its whole path; their hashes
/// must be right.
pub fn unpack(
    path: &Path,
    open: &GameContainer,
    inside: &str,
    folder: &Path,
    overwrite: bool,
    out: &mut Output,
) -> CommandResult {
    if folder.is_file() {
        let shown = folder.display();
        let next = "name a folder with -o";
        return Err(Failure::usage(format!("'{shown}' is a file\n  next: {next}")));
    }
    let mut rows = open.within(inside);
    if rows.is_empty() && !inside.is_empty() {
        rows.push(open.find(inside).map_err(|error| args::unopened(path, error))?);
    }
    let mut places = Places::new(folder, overwrite, false, out);
    let bar = progress::bar(rows.len(), "files");
    let (mut written, mut bytes, mut failed) = (0_u64, 0_u64, 0_u64);
    for rows in sets(open, rows) {
        bar.inc(rows.len() as u64);
        let (mut files, mut damaged) = (Vec::new(), 0);
        for row in rows {
            let name = open.files().get(row).map_or("", String::as_str);
            // What packages need of each other is made anew when they are packed.
            let is_header = open.as_store().and_then(|store| store.kind_of(row))
                == Some(ChunkKind::ContainerHeader);
            if open.file(row)?.deleted || (is_header && inside.is_empty()) {
                continue;
            }
            match open.read_checked(row) {
                Ok(content) => files.push((name, place(folder, name), content)),
                Err(error) => {
                    damaged += 1;
                    out.warn(format!("{name}: {error}"))?;
                }
            }
        }
        failed += damaged;
        // Beside files that are there already the others would be of another state than these.
        if damaged > 0 && overwrite {
            for (name, ..) in &files {
                out.warn(format!(
                    "{name}: not written, since a file that belongs to it is damaged"
                ))?;
            }
            failed += files.len() as u64;
            continue;
        }
        let set = files.iter().map(|(_, place, content)| (place.as_path(), &content[..]));
        places.write_set(&set.collect::<Vec<_>>())?;
        for (name, _, content) in &files {
            (written, bytes) = (written + 1, bytes + content.len() as u64);
            if out.is_json() {
                out.object(&json!({ "path": name, "size": content.len() }))?;
            }
        }
    }
    bar.finish_and_clear();
    places.finish(out)?;
    if out.is_json() {
        out.object(&json!({ "files": written, "size": bytes, "failed": failed }))?;
    } else {
        let files = count(written, "file", "files");
        let failed = if failed == 0 { String::new() } else { format!(", {failed} failed") };
        let (folder, bytes) = (places.shown(folder), grouped(bytes));
        out.line(format!("wrote {files} to {folder}: {bytes} bytes{failed}"))?;
    }
    Ok(if failed == 0 { Outcome::Fine } else { Outcome::Wrong })
}

/// The rows of files that are written as one: a package, then what belongs to it.
fn sets(open: &GameContainer, rows: Vec<usize>) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    let mut packages: HashMap<String, usize> = HashMap::new();
    let name = |row: usize| open.files().get(row).map_or("", String::as_str);
    for row in rows {
        let file = name(row);
        if !is_package(file) && !CompanionKind::is_of_a_package(Path::new(file)) {
            sets.push(vec![row]);
            continue;
        }
        let lower = file.to_lowercase();
        let stem = lower.strip_suffix(".m.ubulk").or(lower.rsplit_once('.').map(|(stem, _)| stem));
        let stem = stem.unwrap_or(&lower).to_owned();
        let set = *packages.entry(stem).or_insert(sets.len());
        match sets.get_mut(set) {
            Some(set) => set.push(row),
            None => sets.push(vec![row]),
        }
    }
    sets.iter_mut().for_each(|rows| rows.sort_by_key(|row| !is_package(name(*row))));
    sets
}

/// Where a file goes: a container may call it anything.
fn place(folder: &Path, name: &str) -> PathBuf {
    let parts = name.split(['/', '\\']).filter(|part| !part.is_empty());
    let safe = |part: &str| match file_name_fault(part) {
        None => part.to_owned(),
        Some(_) => safe_file_name(part),
    };
    parts.fold(folder.to_owned(), |place, part| place.join(safe(part)))
}
