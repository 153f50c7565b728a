//! Actors as UnrealEd's text (T3D), out of a map and into one.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use unreal_packages::content::{MapText, MapTextEdits, MapTextSources};
use unreal_packages::edit::Edit;
use unreal_packages::environment::{Environment, FileId};

use super::edit::Change;
use crate::args;
use crate::failure::Failure;
use crate::output::count;

/// Whether a file holds actors as text by its name.
pub fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("t3d"))
}

/// Adds the actors of a text to a map.
pub fn add(
    edit: &mut Edit,
    input: &Path,
    environment: Option<Arc<Environment>>,
) -> Result<Change, Failure> {
    let text: MapText = args::read_text(input)?.parse().map_err(|error| {
        Failure::failed(format!("'{}' is no text of actors: {error}", input.display()))
    })?;
    let sources = Sources(environment);
    let added = edit.add_map_text(&text, &sources).map_err(|error| match sources.0 {
        Some(_) => Failure::from(error),
        None => Failure::failed(format!(
            "{error}\n  next: --env names the game, whose packages say what classes declare"
        )),
    })?;
    let paths: Vec<_> = added.rows.iter().map(|&row| edit.exports().path(row)).collect();
    let mut lines = vec![format!("added {}", count(paths.len() as u64, "actor", "actors"))];
    lines.extend(paths.iter().map(|path| format!("  {path}")));
    lines.extend(added.left_out.iter().map(|line| format!("  left out  {line}")));
    let json = json!({ "kind": "import", "content": "actors", "file": input.display().to_string(),
                       "actors": paths, "left_out": added.left_out });
    Ok(Change { text: lines.join("\n"), json })
}

/// What the packages of a game say of classes and objects.
struct Sources(Option<Arc<Environment>>);

impl MapTextSources for Sources {
    fn class_path(&self, class: &str) -> Option<String> {
        let environment = self.0.as_ref()?;
        environment.files().find_map(|(id, file)| {
            let digest = environment.digest(id).ok()?;
            let mut classes = digest.exports.iter().filter(|export| export.class.is_null());
            let is = |name: u32| digest.text(name).eq_ignore_ascii_case(class);
            let found = classes.find(|export| export.outer.is_null() && is(export.name))?;
            Some(format!("{}.{}", file.name, digest.text(found.name)))
        })
    }

    fn class_of(&self, object: &str) -> Option<String> {
        let environment = self.0.as_ref()?;
        let (package, path) = object.split_once('.')?;
        let id: FileId = environment.find(package)?;
        let digest = environment.digest(id).ok()?;
        let row = (0..digest.exports.len()).find(|&row| {
            let index = unreal_packages::PackageIndex::export(row);
            digest.path(index).eq_ignore_ascii_case(path)
        })?;
        let (package, class) = digest.class_of(row, package);
        Some(format!("{package}.{class}"))
    }
}
