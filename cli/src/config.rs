//! `upk.toml`: how the packages of a folder are opened, kept beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use farchive::container::Containers;
use farchive::{EngineRelease, Game};
use serde::{Deserialize, Deserializer};
use toml_edit::{Array, DocumentMut, value};

use crate::failure::Failure;
use crate::input;

/// The name of the file.
pub const NAME: &str = "upk.toml";

/// What the file may say; paths are relative to its folder.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The release that has saved packages which say none.
    pub engine: Option<EngineRelease>,
    /// The game, as `--game` takes it.
    #[serde(default, deserialize_with = "game")]
    pub game: Option<Game>,
    /// Names and types of properties.
    pub mappings: Option<PathBuf>,
    /// The packages around those of the folder.
    #[serde(default)]
    pub env: Vec<PathBuf>,
    /// Keys of encrypted containers.
    #[serde(default)]
    pub keys: Vec<String>,
    /// The file itself.
    #[serde(skip)]
    pub path: Option<PathBuf>,
}

/// The game of this short name.
fn game<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Game>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

impl Config {
    /// The one that is nearest to a package: in its folder or one above; an empty one where there is none.
    ///
    /// # Errors
    /// A file that can't be read or says something else than it may.
    pub fn near(path: &Path) -> Result<Arc<Self>, Failure> {
        static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Config>>> = Mutex::new(BTreeMap::new());
        let folder = folder_of(path);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = known.get(&folder) {
            return Ok(config.clone());
        }
        let found = folder.ancestors().map(|folder| folder.join(NAME)).find(|it| it.is_file());
        let config = Arc::new(found.map(|file| Self::read(&file)).transpose()?.unwrap_or_default());
        known.insert(folder, config.clone());
        Ok(config)
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let text = text_of(file)?;
        let wrong = |error: &dyn std::fmt::Display| {
            let next = "known are engine, game, mappings, env and keys";
            Failure::usage(format!("{}: {}\n  next: {next}", file.display(), one_line(error)))
        };
        let mut config: Self = toml_edit::de::from_str(&text).map_err(|error| wrong(&error))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        config.mappings = config.mappings.map(|path| folder.join(path));
        config.env = config.env.into_iter().map(|path| folder.join(path)).collect();
        config.path = Some(file.to_owned());
        Ok(config)
    }

    /// The file that is nearest to a folder, or the one that it would have.
    pub fn place(folder: &Path) -> Result<PathBuf, Failure> {
        let folder = folder_of(folder);
        Ok(Self::near(&folder)?.path.clone().unwrap_or_else(|| folder.join(NAME)))
    }

    /// The text of the file with this said in it; the rest of it stays as it is.
    pub fn text_with(&self, file: &Path) -> Result<String, Failure> {
        let text = if file.is_file() { text_of(file)? } else { String::new() };
        let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
            Failure::usage(format!("{}: {}", file.display(), one_line(&error)))
        })?;
        let relative = |path: &Path| {
            let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let folder = file.parent().unwrap_or(Path::new("."));
            let inside = whole.strip_prefix(folder).map(Path::to_owned).unwrap_or(whole);
            inside.to_string_lossy().into_owned()
        };
        if let Some(engine) = self.engine {
            document["engine"] = value(engine.to_string());
        }
        if let Some(game) = self.game {
            document["game"] = value(game.slug());
        }
        if let Some(path) = &self.mappings {
            document["mappings"] = value(relative(path));
        }
        if !self.env.is_empty() {
            document["env"] = value(self.env.iter().map(|path| relative(path)).collect::<Array>());
        }
        Ok(document.to_string())
    }
}

/// The folder that a path lies in, or that it is.
fn folder_of(path: &Path) -> PathBuf {
    let container = Containers::split(path).map(|(container, _)| container);
    let path = container.as_deref().unwrap_or(path);
    let folder = match path.is_dir() {
        true => path,
        false if input::is_standard(path) => Path::new(""),
        false => path.parent().unwrap_or(Path::new("")),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn text_of(file: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::Usage(farchive::Error::io(file, error).into());
    std::fs::read_to_string(file).map_err(failed)
}

fn one_line(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let told = lines.iter().filter(|line| !line.contains('|'));
    told.copied().collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_kept_beside_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().canonicalize().unwrap().join(NAME);
        std::fs::write(&file, "# ours\nkeys = [\"0x00\"] # secret\nengine = \"4.20\"\n").unwrap();
        let new = Config {
            engine: Some(EngineRelease::new(4, 27)),
            game: Some(Game::MassEffectLegendary),
            mappings: Some(file.with_file_name("Game.usmap")),
            env: vec![file.with_file_name("Content")],
            ..Config::default()
        };
        let text = new.text_with(&file).unwrap();
        assert!(
            text.starts_with("# ours\nkeys = [\"0x00\"] # secret\nengine = \"4.27\"\n"),
            "{text}"
        );
        assert!(text.contains("mappings = \"Game.usmap\"\n"), "{text}");
        std::fs::write(&file, text).unwrap();
        let read = Config::read(&file).unwrap();
        let keys = vec!["0x00".to_owned()];
        assert_eq!(read, Config { path: Some(file), keys, ..new });
    }

    #[test]
    fn what_it_may_not_say_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        for wrong in ["engin = \"4.27\"", "engine = \"3.1\"", "game = \"nope\"", "engine = "] {
            std::fs::write(&file, wrong).unwrap();
            let Err(Failure::Usage(error)) = Config::read(&file) else { panic!("{wrong}") };
            let text = error.to_string();
            assert!(text.contains(NAME) && text.contains("next: known are"), "{text}");
        }
    }
}
