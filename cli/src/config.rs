//! `upk.toml`: how the packages of a folder are opened, kept beside them.

mod own_rule;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Deserializer};
use serde_json::json;
use toml_edit::{Array, DocumentMut, value};
use unreal_packages::container::{Containers, Keys};
use unreal_packages::file::{self, FileOrigin};
use unreal_packages::{EngineRelease, Game};

pub use self::own_rule::{CompiledRule, OwnCheck, OwnRule};
use crate::failure::Failure;
use crate::input;
use crate::output::{count, note_early};
use crate::trust::{self, Look};

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
    /// Rules of the project's own, for `upk doctor`.
    #[serde(default)]
    pub rules: Vec<OwnRule>,
    /// Whether no file above this one counts.
    #[serde(default)]
    pub root: bool,
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
    /// The one that is nearest to a package: in its folder or one above, as far as they belong to one project and
    /// to nobody else; an empty one where there is none. That it is used is said once.
    ///
    /// # Errors
    /// A file that can't be read or says something else than it may.
    pub fn near(path: &Path) -> Result<Arc<Self>, Failure> {
        static KNOWN: Mutex<BTreeMap<PathBuf, Arc<Config>>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        Self::at(&folder_of(path), &mut known)
    }

    fn at(folder: &Path, known: &mut BTreeMap<PathBuf, Arc<Self>>) -> Result<Arc<Self>, Failure> {
        if let Some(config) = known.get(folder) {
            return Ok(config.clone());
        }
        let config = match trust::look(folder, NAME) {
            Look::Found(file) => {
                let config = Self::read(&file)?;
                config.say();
                Arc::new(config)
            }
            Look::Above(outer) => Self::at(outer, known)?,
            Look::Nothing => Arc::default(),
        };
        known.insert(folder.to_owned(), config.clone());
        Ok(config)
    }

    /// What a file says.
    ///
    /// # Errors
    /// A file that can't be read or says something else than it may.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let text = text_of(file)?;
        let wrong = |error: &dyn std::fmt::Display| {
            let next = "known are engine, game, mappings, env, keys, rules and root";
            Failure::usage(format!("{}: {}\n  next: {next}", file.display(), one_line(error)))
        };
        let mut config: Self = toml_edit::de::from_str(&text).map_err(|error| wrong(&error))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        config.mappings = config.mappings.map(|path| folder.join(path));
        config.env = config.env.into_iter().map(|path| folder.join(path)).collect();
        for path in config.mappings.iter().chain(&config.env) {
            if !trust::is_trusted(folder) && !trust::is_within(path, folder) {
                let (file, path) = (file.display(), path.display());
                let next = "name it on the command line, or pass --trust-config, or set UPK_TRUST_CONFIG to the folder";
                return Err(Failure::usage(format!(
                    "{file}: '{path}' leads out of its folder, which only the user may ask for\n  next: {next}"
                )));
            }
        }
        // Here, where the file is known that holds them; the error does not show them.
        for (key, number) in config.keys.iter().zip(1..) {
            if let Err(error) = Keys::new().with_text(key) {
                return Err(wrong(&format!("key {number}: {error}")));
            }
        }
        if config.rules.len() > own_rule::MOST_RULES {
            let (found, most) = (config.rules.len(), own_rule::MOST_RULES);
            return Err(wrong(&format!("it has {found} rules, and {most} are allowed")));
        }
        config.path = Some(file.to_owned());
        config.compiled_rules()?;
        Ok(config)
    }

    /// Its rules with their patterns made ready.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn compiled_rules(&self) -> Result<Vec<CompiledRule>, Failure> {
        let file = self.path.as_deref().unwrap_or(Path::new(NAME)).display();
        let compiled = self.rules.iter().map(OwnRule::compiled).collect::<Result<_, _>>();
        compiled.map_err(|error| {
            let next = "docs/doctor.md has what a rule may say";
            Failure::usage(format!("{file}: {error}\n  next: {next}"))
        })
    }

    /// Says on standard error that the file is used, and what it asks for: whoever brings a folder along decides
    /// with it what the user sees.
    fn say(&self) {
        let shown = |path: &PathBuf| path.display().to_string();
        let env: Vec<_> = self.env.iter().map(shown).collect();
        let mut facts = Vec::new();
        facts.extend(self.engine.map(|engine| format!("engine {engine}")));
        facts.extend(self.game.map(|game| format!("game {}", game.slug())));
        facts.extend(self.mappings.iter().map(|path| format!("mappings {}", path.display())));
        facts.extend(env.iter().map(|path| format!("env {path}")));
        if !self.keys.is_empty() {
            facts.push(count(self.keys.len() as u64, "key", "keys"));
        }
        if !self.rules.is_empty() {
            facts.push(count(self.rules.len() as u64, "rule", "rules"));
        }
        let (Some(path), false) = (&self.path, facts.is_empty()) else { return };
        let text = format!("using {}: {}", path.display(), facts.join(", "));
        note_early(&text, || {
            json!({
                "using": path.display().to_string(),
                "engine": self.engine.map(|engine| engine.to_string()),
                "game": self.game.map(Game::slug),
                "mappings": self.mappings.as_ref().map(shown),
                "env": env,
                "keys": self.keys.len(),
                "rules": self.rules.len(),
            })
        });
    }

    /// The same failure, with the name of this file where it has asked for what failed.
    pub fn blame(&self, failure: Failure) -> Failure {
        match &self.path {
            Some(path) => failure.of_file(&path.display().to_string()),
            None => failure,
        }
    }

    /// The file that is nearest to a folder, or the one that it would have.
    ///
    /// # Errors
    /// For a file that is there and not used, a link or another user's: nothing is written into that either.
    pub fn place(folder: &Path) -> Result<PathBuf, Failure> {
        let folder = folder_of(folder);
        if let Some(path) = &Self::near(&folder)?.path {
            return Ok(path.clone());
        }
        let path = folder.join(NAME);
        if path.symlink_metadata().is_ok() {
            let (path, next) = (path.display(), "remove it, or make it a file of your own");
            return Err(Failure::failed(format!(
                "'{path}' is not used, and so it is not written to\n  next: {next}"
            )));
        }
        Ok(path)
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
pub fn folder_of(path: &Path) -> PathBuf {
    let container = Containers::split(path).map(|(container, _)| container);
    let path = container.as_deref().unwrap_or(path);
    let folder = match path.is_dir() {
        true => path,
        false if input::is_standard(path) => Path::new(""),
        false => path.parent().unwrap_or(Path::new("")),
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    dunce::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Bytes of the largest file.
const MOST: u64 = 1 << 16;

fn text_of(file: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::Usage(unreal_packages::Error::io(file, error).into());
    let opened = file::open(file, FileOrigin::Found);
    let (opened, _) = opened.map_err(|error| Failure::Usage(error.into()))?;
    let mut text = String::new();
    opened.take(MOST + 1).read_to_string(&mut text).map_err(failed)?;
    if text.len() as u64 > MOST {
        let (file, next) = (file.display(), "it says a few paths and keys: 64 KiB are enough");
        return Err(Failure::usage(format!("{file}: it is too large\n  next: {next}")));
    }
    Ok(text)
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
        let file = dunce::canonicalize(folder.path()).unwrap().join(NAME);
        std::fs::write(
            &file,
            "# ours\nkeys = [\"0123456789abcdef0123456789abcdef\"] # secret\nengine = \"4.20\"\n",
        )
        .unwrap();
        let new = Config {
            engine: Some(EngineRelease::new(4, 27)),
            game: Some(Game::MassEffectLegendary),
            mappings: Some(file.with_file_name("Game.usmap")),
            env: vec![file.with_file_name("Content")],
            ..Config::default()
        };
        let text = new.text_with(&file).unwrap();
        assert!(
            text.starts_with("# ours\nkeys = [\"0123456789abcdef0123456789abcdef\"] # secret\nengine = \"4.27\"\n"),
            "{text}"
        );
        assert!(text.contains("mappings = \"Game.usmap\"\n"), "{text}");
        std::fs::write(&file, text).unwrap();
        let read = Config::read(&file).unwrap();
        let keys = vec!["0123456789abcdef0123456789abcdef".to_owned()];
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
