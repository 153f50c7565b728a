//! The documentation of all formats as pages of Markdown: one a module, and an index.

use std::path::Path;

use serde_json::json;
use unreal_packages::Versions;
use unreal_packages::archive::print::markdown::Pages;

use super::rows;
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count};
use crate::places::Places;

/// Writes all pages into `folder`.
pub fn write(
    folder: &Path,
    overwrite: bool,
    versions: Option<&Versions>,
    out: &mut Output,
) -> CommandResult {
    let (layouts, eras) = (super::all(), rows::eras());
    let introduction = "Every type that packages hold, by module. A version is the file version of \
                        UE1 to UE3 if nothing else is said.";
    let pages = Pages { layouts: &layouts, versions, eras: &eras, introduction }.print();
    let mut places = Places::new(folder, overwrite, false, out);
    let mut files = Vec::new();
    for (page, text) in &pages {
        // A dot parts folders from each other there.
        files.push((places.take(&page.replace('/', "."), "md")?, text));
    }
    for (file, text) in &files {
        places.write(file, text.as_bytes())?;
    }
    places.finish(out)?;
    let types = layouts.len();
    let written = pages.len();
    if out.is_json() {
        let folder = folder.display().to_string();
        out.object(&json!({ "folder": folder, "pages": written, "types": types }))?;
    } else {
        let pages = count(written as u64, "page", "pages");
        let types = count(types as u64, "type", "types");
        out.line(format!("{types} on {pages} in {}", folder.display()))?;
    }
    Ok(Outcome::Fine)
}
