//! What one map says.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde_json::{Value, json};
use sha1::Digest;
use unreal_packages::Guid;
use unreal_packages::archive::hex;
use unreal_packages::content::{ContentFile, PackageContents};
use unreal_packages::environment::is_passed_over;
use unreal_packages::inspect::{MapFacts, PackageValues, game_type_of};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::scan::FileOrigin;
use unreal_packages::version::UnrealVersions;

use super::COLUMNS;
use crate::files::parent_of;
use crate::output::grouped;

/// Bytes of a picture that goes into a page.
const LARGEST_PICTURE: usize = 4 << 20;
/// Packages that a map needs and that are listed.
const MOST_NEEDED: usize = 1024;

/// One map.
#[derive(Debug, Default)]
pub struct MapRow {
    pub file: String,
    /// The name of the file without its extension.
    pub stem: String,
    pub bytes: u64,
    pub facts: MapFacts,
    /// What its name says, else what it names itself.
    pub game_type: Option<String>,
    engine: String,
    version: String,
    sha1: String,
    sha256: String,
    guid: Option<String>,
    /// The packages that it imports from.
    pub needs: Vec<String>,
    /// Why it could not be read.
    pub error: Option<String>,
    /// Its screenshot or thumbnail, where one was asked for.
    pub picture: Option<ContentFile>,
}

impl MapRow {
    /// Reads a map; `None` for a file that was only found and is no map.
    pub fn of(
        path: &Path,
        origin: FileOrigin,
        options: &OpenOptions,
        with_picture: bool,
    ) -> Option<Self> {
        let read = || Self::read(path, origin, options, with_picture);
        // One map that makes the library panic must not end a run over thousands.
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
            Some(Self::failed(path, "panic (please report this file)".to_owned()))
        })
    }

    fn read(
        path: &Path,
        origin: FileOrigin,
        options: &OpenOptions,
        with_picture: bool,
    ) -> Option<Self> {
        let package = match options.open(path) {
            Ok(package) => package,
            Err(error) if origin == FileOrigin::Found && is_passed_over(path, &error) => {
                return None;
            }
            Err(error) => return Some(Self::failed(path, error.to_string())),
        };
        let mut row = Self::new(path);
        let (versions, file) = (package.versions(), package.own_file());
        row.engine = versions.engine().to_string();
        row.version = versions.to_string();
        row.bytes = package.file().len() as u64;
        row.sha1 = hex(&sha1::Sha1::digest(file));
        row.sha256 = hex(&sha2::Sha256::digest(file));
        row.guid =
            Some(package.guid()).filter(|it| *it != Guid::default()).map(|it| it.to_string());
        let Some(facts) = package.values().map_facts() else {
            // Other packages share their extensions with maps: those of UDK, and what the editor leaves where a map was.
            row.error = Some("it has no level".to_owned());
            let may_be_other = origin == FileOrigin::Found && is_shared(path);
            return (!may_be_other).then_some(row);
        };
        let class = facts.game_class.as_deref().map(last);
        row.game_type = game_type_of(&row.stem).map(str::to_owned).or(class);
        let imports = package.imports();
        let tops = imports.iter().filter(|import| import.entry().outer_index.is_null());
        let mut needs: BTreeSet<String> = tops.map(|import| import.name()).collect();
        let left_out = needs.len().saturating_sub(MOST_NEEDED);
        row.needs = std::iter::from_fn(|| needs.pop_first()).take(MOST_NEEDED).collect();
        if left_out > 0 {
            row.needs.push(format!("… and {left_out} more"));
        }
        if with_picture {
            row.picture = picture(&package, &facts, path);
        }
        row.facts = facts;
        Some(row)
    }

    fn new(path: &Path) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self { file: path.display().to_string(), stem, bytes, ..Self::default() }
    }

    fn failed(path: &Path, error: String) -> Self {
        Self { error: Some(error), ..Self::new(path) }
    }

    /// For scripts.
    pub fn as_json(&self) -> Value {
        let facts = &self.facts;
        let [fewest, most] = self.range();
        json!({
            "file": self.file, "title": facts.title, "author": facts.author,
            "players": facts.players, "players_min": fewest, "players_max": most,
            "game_type": self.game_type, "game_class": facts.game_class,
            "engine": self.engine, "version": self.version, "bytes": self.bytes,
            "sha1": self.sha1, "sha256": self.sha256, "guid": self.guid, "needs": self.needs,
            "song": facts.song, "description": facts.description,
            "screenshot": facts.screenshot_path, "error": self.error,
        })
    }

    /// As the columns of the CSV file.
    pub fn cells(&self) -> [String; COLUMNS.len()] {
        let facts = &self.facts;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let [fewest, most] = self.range().map(|it| it.map_or(String::new(), |it| it.to_string()));
        [
            self.file.clone(),
            text(&facts.title),
            text(&facts.author),
            text(&facts.players),
            fewest,
            most,
            text(&self.game_type),
            text(&facts.game_class),
            self.engine.clone(),
            self.version.clone(),
            self.bytes.to_string(),
            self.sha1.clone(),
            self.sha256.clone(),
            text(&self.guid),
            self.needs.join(" "),
            text(&facts.song),
            text(&facts.description),
            text(&self.error),
        ]
        .map(as_cell)
    }

    /// For people.
    pub fn lines(&self) -> Vec<String> {
        if let Some(error) = &self.error {
            return vec![format!("{}: {error}", self.file)];
        }
        let facts = &self.facts;
        let mut parts = Vec::new();
        parts.extend(self.facts.title.as_ref().map(|title| format!("\"{title}\"")));
        parts.extend(facts.author.as_ref().map(|author| format!("by {author}")));
        parts.extend(facts.players.as_ref().map(|players| format!("players {players}")));
        parts.extend(self.game_type.clone());
        parts.push(format!("{} bytes", grouped(self.bytes)));
        parts.push(format!("needs {}", self.needs.len()));
        vec![format!("{}  {}", self.file, parts.join(", "))]
    }

    fn range(&self) -> [Option<u32>; 2] {
        self.facts.player_range.map_or([None; 2], |range| range.map(Some))
    }
}

/// Whether files of this extension need not be maps.
fn is_shared(path: &Path) -> bool {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    ["udk", "umap"].iter().any(|known| known.eq_ignore_ascii_case(end))
}

fn picture(package: &Package, facts: &MapFacts, path: &Path) -> Option<ContentFile> {
    let folder = parent_of(path);
    let of_texture = facts
        .screenshot
        .and_then(|row| package.contents().content_file_beside(row, &[folder]).ok());
    let thumbnails = 0..package.tables().thumbnails.len().min(4);
    let mut of_thumbnails =
        thumbnails.filter_map(|row| package.contents().thumbnail_file(row).ok().flatten());
    let is_shown = |found: &ContentFile| {
        matches!(found.extension.as_str(), "png" | "jpg" | "jpeg" | "bmp")
            && found.bytes.len() <= LARGEST_PICTURE
    };
    of_texture.filter(is_shown).or_else(|| of_thumbnails.find(is_shown))
}

/// A cell that programs for tables take for no formula: a map may say anything, and some programs begin a cell behind
/// `;` and tabs as well.
fn as_cell(text: String) -> String {
    let mut cell = String::with_capacity(text.len());
    let mut begins = true;
    for char in text.chars() {
        if begins && matches!(char, '=' | '+' | '-' | '@' | '\t' | '\r') {
            cell.push('\'');
        }
        begins = matches!(char, ';' | '\t' | '\n' | '\r') || begins && char == ' ';
        cell.push(char);
    }
    cell
}

fn last(path: &str) -> String {
    path.rsplit(['.', '/']).next().unwrap_or(path).to_owned()
}
